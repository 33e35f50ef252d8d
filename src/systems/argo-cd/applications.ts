import { getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { matchesLabelSelector } from '../../core/values/label-selector';

/** An Application that an ApplicationSet creates. */
export interface Application {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The kind of reason why the Applications of an ApplicationSet are unknown. */
export type UnknownCause = 'generator' | 'clusters' | 'template';

/** The reason why the Applications of an ApplicationSet are unknown. */
export interface UnknownReason {
  readonly reason: UnknownCause;
  /** The parameter of the template that has no value. @default - another reason */
  readonly missing?: MissingParameter;
}

/** A parameter of the template that an item of a generator does not have. */
export interface MissingParameter {
  /** The expression between the braces: `metadata.labels.env`. */
  readonly parameter: string;
  /** The cluster or list item that lacks it: `cluster in-cluster`. */
  readonly item: string;
  /** Parameters that it has. */
  readonly known: readonly string[];
}

/** Parameters of a template: nested maps of strings. */
type TemplateParameters = Fields;

interface Cluster {
  readonly name: string;
  readonly labels: Fields;
}

/** Returns the clusters of an inventory, in its compact form or as Cluster objects with labels (the format of `--clusters` for Fleet). */
function listClusters(documents: readonly unknown[]): Cluster[] {
  return documents.flatMap((document): Cluster[] => {
    if (!isFields(document)) return [];
    if (Array.isArray(document.clusters)) return listClusters(document.clusters);
    if (Array.isArray(document.items)) return listClusters(document.items);
    if (document.kind === 'Cluster')
      return [{ name: nameOf(document as unknown as Manifest), labels: getFieldsAt(document, 'metadata', 'labels') }];
    return typeof document.name === 'string' && document.kind === undefined
      ? [{ name: document.name, labels: getFieldsAt(document, 'labels') }]
      : [];
  });
}

/**
 * Lowercases a name and replaces all characters except letters, digits, dots and hyphens. Source: applicationset/utils/utils.go,
 * `SanitizeName`.
 */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^-a-z0-9.]/g, '-');
}

function buildClusterParameters({ name, labels }: Cluster): TemplateParameters {
  return { name, nameNormalized: normalizeName(name), server: '', project: '', metadata: { labels } };
}

/** The cluster that Argo CD itself runs on, which has no labels. */
const IN_CLUSTER: Cluster = { name: 'in-cluster', labels: {} };

function isEmptySelector(selector: Fields): boolean {
  return Object.keys(getFieldsAt(selector, 'matchLabels')).length === 0 && getListAt(selector, 'matchExpressions').length === 0;
}

/** Returns the parameters that a generator creates, one map per Application, or the reason why they are unknown. */
function generateParameters(generator: unknown, clusters: readonly unknown[] | undefined): readonly TemplateParameters[] | UnknownCause {
  const fields = getFieldsAt(generator);
  const kinds = Object.keys(fields).filter((kind) => kind !== 'selector' && fields[kind] !== undefined && fields[kind] !== null);
  if (kinds.length !== 1 || isFields(fields.selector)) return 'generator';
  if (kinds[0] === 'list' && getValueAt(generator, 'list', 'elementsYaml') === undefined)
    return getListAt(generator, 'list', 'elements').filter(isFields);
  if (kinds[0] !== 'clusters' || getValueAt(generator, 'clusters', 'flatList') === true) return 'generator';
  if (clusters === undefined) return 'clusters';
  const selector = getFieldsAt(generator, 'clusters', 'selector');
  const inventory = listClusters(clusters);
  if (!isEmptySelector(selector))
    return inventory.filter(({ labels }) => matchesLabelSelector(selector, labels)).map(buildClusterParameters);
  const hasInCluster = inventory.some(({ name }) => name === IN_CLUSTER.name);
  return [...inventory, ...(hasInCluster ? [] : [IN_CLUSTER])].map(buildClusterParameters);
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NAME = /^[A-Za-z0-9_]+$/;
const NESTED_NAME = /^[-A-Za-z0-9_/]+$/;
const LABEL_INDEX = /^index \.metadata\.labels "([^"]+)"$/;

/** Splits a dotted name such as `.metadata.name`. Returns undefined for any other expression. */
function splitExpression(expression: string): readonly string[] | undefined {
  const [first = '', ...within] = (expression.startsWith('.') ? expression.slice(1) : expression).split('.');
  return NAME.test(first) && within.every((part) => NESTED_NAME.test(part)) ? [first, ...within] : undefined;
}

/** Returns the value of the expression between the braces; undefined for anything but a name. */
function resolveExpression(expression: string, parameters: TemplateParameters): string | undefined {
  const label = LABEL_INDEX.exec(expression)?.[1] ?? /^\.?metadata\.labels\.(.+)$/.exec(expression)?.[1];
  const parts = label === undefined ? splitExpression(expression) : ['metadata', 'labels', label];
  const value = parts && getValueAt(parameters, ...parts);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns the first expression of a template that names a parameter without a value. Functions of templates are no names. */
function findMissingParameter(text: string, parameters: TemplateParameters): string | undefined {
  const expressions = [...text.matchAll(PLACEHOLDER)].map(([, expression = '']) => expression.trim());
  const isName = (expression: string) => LABEL_INDEX.test(expression) || splitExpression(expression) !== undefined;
  return expressions.find((expression) => isName(expression) && resolveExpression(expression, parameters) === undefined);
}

/** Describes a parameter that the name or a label of an Application needs. Returns undefined if all have values. */
function describeMissingParameter(template: Fields, parameters: TemplateParameters): MissingParameter | undefined {
  const { name, labels } = getFieldsAt(template, 'metadata');
  const texts = [name, ...Object.entries(getFieldsAt({ labels }, 'labels')).flat()].filter((text) => typeof text === 'string');
  const parameter = texts.map((text) => findMissingParameter(text, parameters)).find((missing) => missing !== undefined);
  if (parameter === undefined) return undefined;
  const { metadata, name: itemName = parameters } = parameters;
  const labelNames = Object.keys(getFieldsAt(metadata, 'labels')).map((label) => `metadata.labels.${label}`);
  const item = `${isFields(metadata) ? 'cluster' : 'item'} ${JSON.stringify(itemName)}`;
  return { parameter, item, known: [...Object.keys(parameters), ...labelNames] };
}

/** Fills in the placeholders of a template. Returns undefined if one of them has no value. */
export function renderTemplate(text: string, parameters: TemplateParameters): string | undefined {
  let isKnown = true;
  const rendered = text.replaceAll(PLACEHOLDER, (_all, expression: string) => {
    const value = resolveExpression(expression.trim(), parameters);
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown && !rendered.includes('{{') ? rendered : undefined;
}

function renderApplication(template: Fields, parameters: TemplateParameters): Application | undefined {
  const { name, labels } = getFieldsAt(template, 'metadata');
  const rendered = typeof name === 'string' ? renderTemplate(name, parameters) : undefined;
  const entries = Object.entries(getFieldsAt({ labels }, 'labels')).map(
    ([key, value]) => [renderTemplate(key, parameters), typeof value === 'string' ? renderTemplate(value, parameters) : undefined] as const,
  );
  if (rendered === undefined || entries.some(([key, value]) => key === undefined || value === undefined)) return undefined;
  return { name: rendered, labels: Object.fromEntries(entries) as Record<string, string> };
}

/**
 * Returns the Applications that list and cluster generators create, sorted by name. Returns the reason for any ApplicationSet whose
 * Applications are unknown.
 *
 * Source: Argo CD v3.5.1, applicationset/generators/{list,cluster}.go, applicationset/utils/utils.go.
 *
 * @param clusters - the inventory; undefined if none is given
 */
export function generateApplications(set: Manifest, clusters: readonly unknown[] | undefined): readonly Application[] | UnknownReason {
  const spec = getFieldsAt(set, 'spec');
  if (spec.templatePatch !== undefined && spec.templatePatch !== null) return { reason: 'template' };
  const applications: Application[] = [];
  for (const generator of getListAt(spec, 'generators')) {
    const parameters = generateParameters(generator, clusters);
    if (typeof parameters === 'string') return { reason: parameters };
    for (const values of parameters) {
      const template = getFieldsAt(spec, 'template');
      const application = renderApplication(template, values);
      if (application === undefined) {
        const missing = describeMissingParameter(template, values);
        return { reason: 'template', ...(missing && { missing }) };
      }
      applications.push(application);
    }
  }
  const byName = new Map(applications.map((application) => [application.name, application]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reports whether the Applications of an ApplicationSet are known. */
export function areKnown(applications: readonly Application[] | UnknownReason): applications is readonly Application[] {
  return Array.isArray(applications);
}
