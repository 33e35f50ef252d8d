import { getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { matchesLabelSelector } from '../../core/label-selector';

/** An Application that an ApplicationSet makes. */
export interface Application {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Why it is not known which Applications there are. */
export type UnknownReason = 'generator' | 'clusters' | 'template';

/** What a template's parameters are: nested maps of text. */
type TemplateParameters = Fields;

interface Cluster {
  readonly name: string;
  readonly labels: Fields;
}

/** The clusters of an inventory: its compact form, or Cluster objects with labels, as `--clusters` takes them for Fleet. */
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

/** Only letters, digits, dots and hyphens stay in a name. Source: applicationset/utils/utils.go, `SanitizeName`. */
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

/** The parameters that a generator makes, one map an Application; why not, where it can't be told. */
function generateParameters(generator: unknown, clusters: readonly unknown[] | undefined): readonly TemplateParameters[] | UnknownReason {
  const fields = getFieldsAt(generator);
  const kinds = Object.keys(fields).filter((kind) => kind !== 'selector' && fields[kind] !== undefined && fields[kind] !== null);
  if (kinds.length !== 1 || isFields(fields.selector)) return 'generator';
  if (kinds[0] === 'list' && getValueAt(generator, 'list', 'elementsYaml') === undefined)
    return getListAt(generator, 'list', 'elements').filter(isFields);
  if (kinds[0] !== 'clusters' || getValueAt(generator, 'clusters', 'flatList') === true) return 'generator';
  if (clusters === undefined) return 'clusters';
  const selector = getFieldsAt(generator, 'clusters', 'selector');
  const known = listClusters(clusters);
  if (!isEmptySelector(selector)) return known.filter(({ labels }) => matchesLabelSelector(selector, labels)).map(buildClusterParameters);
  const hasOwn = known.some(({ name }) => name === IN_CLUSTER.name);
  return [...known, ...(hasOwn ? [] : [IN_CLUSTER])].map(buildClusterParameters);
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NAME = /^[A-Za-z0-9_]+$/;
const NESTED_NAME = /^[-A-Za-z0-9_/]+$/;
const LABEL_INDEX = /^index \.metadata\.labels "([^"]+)"$/;

/** The parts of a name with dots, `.metadata.name`; undefined for what is more than that. */
function splitExpression(expression: string): readonly string[] | undefined {
  const [first = '', ...within] = (expression.startsWith('.') ? expression.slice(1) : expression).split('.');
  return NAME.test(first) && within.every((part) => NESTED_NAME.test(part)) ? [first, ...within] : undefined;
}

/** The value of what stands between the braces; undefined for what is more than a name. */
function resolveExpression(expression: string, parameters: TemplateParameters): string | undefined {
  const label = LABEL_INDEX.exec(expression)?.[1] ?? /^\.?metadata\.labels\.(.+)$/.exec(expression)?.[1];
  const parts = label === undefined ? splitExpression(expression) : ['metadata', 'labels', label];
  const value = parts && getValueAt(parameters, ...parts);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A text of a template with its placeholders filled in; undefined where one of them can't be. */
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
 * The Applications that an ApplicationSet makes of list and cluster generators, by name; why they can't be told, for any other.
 *
 * Source: Argo CD v3.5.1, applicationset/generators/{list,cluster}.go, applicationset/utils/utils.go.
 *
 * @param clusters - the inventory; undefined where none is given
 */
export function generateApplications(set: Manifest, clusters: readonly unknown[] | undefined): readonly Application[] | UnknownReason {
  const spec = getFieldsAt(set, 'spec');
  if (spec.templatePatch !== undefined && spec.templatePatch !== null) return 'template';
  const applications: Application[] = [];
  for (const generator of getListAt(spec, 'generators')) {
    const parameters = generateParameters(generator, clusters);
    if (typeof parameters === 'string') return parameters;
    for (const one of parameters) {
      const application = renderApplication(getFieldsAt(spec, 'template'), one);
      if (application === undefined) return 'template';
      applications.push(application);
    }
  }
  const byName = new Map(applications.map((application) => [application.name, application]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
