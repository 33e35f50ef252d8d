import { fieldsAt, isFields, listAt, nameOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { selects } from '../../core/label-selector';

/** An Application that an ApplicationSet makes. */
export interface Application {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Why it is not known which Applications there are. */
export type Unknown = 'generator' | 'clusters' | 'template';

/** What a template's parameters are: nested maps of text. */
type Parameters = Fields;

interface Cluster {
  readonly name: string;
  readonly labels: Fields;
}

/** The clusters of an inventory: its compact form, or Cluster objects with labels, as `--clusters` takes them for Fleet. */
function clustersOf(documents: readonly unknown[]): Cluster[] {
  return documents.flatMap((document): Cluster[] => {
    if (!isFields(document)) return [];
    if (Array.isArray(document.clusters)) return clustersOf(document.clusters);
    if (Array.isArray(document.items)) return clustersOf(document.items);
    if (document.kind === 'Cluster')
      return [{ name: nameOf(document as unknown as Manifest), labels: fieldsAt(document, 'metadata', 'labels') }];
    return typeof document.name === 'string' && document.kind === undefined
      ? [{ name: document.name, labels: fieldsAt(document, 'labels') }]
      : [];
  });
}

/** Only letters, digits, dots and hyphens stay in a name. Source: applicationset/utils/utils.go, `SanitizeName`. */
function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[^-a-z0-9.]/g, '-');
}

function clusterParameters({ name, labels }: Cluster): Parameters {
  return { name, nameNormalized: normalised(name), server: '', project: '', metadata: { labels } };
}

/** The cluster that Argo CD itself runs on, which has no labels. */
const IN_CLUSTER: Cluster = { name: 'in-cluster', labels: {} };

function isEmptySelector(selector: Fields): boolean {
  return Object.keys(fieldsAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0;
}

/** The parameters that a generator makes, one map an Application; why not, where it can't be told. */
function parametersOf(generator: unknown, clusters: readonly unknown[] | undefined): readonly Parameters[] | Unknown {
  const fields = fieldsAt(generator);
  const kinds = Object.keys(fields).filter((kind) => kind !== 'selector' && fields[kind] !== undefined && fields[kind] !== null);
  if (kinds.length !== 1 || isFields(fields.selector)) return 'generator';
  if (kinds[0] === 'list' && valueAt(generator, 'list', 'elementsYaml') === undefined)
    return listAt(generator, 'list', 'elements').filter(isFields);
  if (kinds[0] !== 'clusters' || valueAt(generator, 'clusters', 'flatList') === true) return 'generator';
  if (clusters === undefined) return 'clusters';
  const selector = fieldsAt(generator, 'clusters', 'selector');
  const known = clustersOf(clusters);
  if (!isEmptySelector(selector)) return known.filter(({ labels }) => selects(selector, labels)).map(clusterParameters);
  const hasOwn = known.some(({ name }) => name === IN_CLUSTER.name);
  return [...known, ...(hasOwn ? [] : [IN_CLUSTER])].map(clusterParameters);
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
const NAME = /^[A-Za-z0-9_]+$/;
const NAME_WITHIN = /^[-A-Za-z0-9_/]+$/;
const INDEX = /^index \.metadata\.labels "([^"]+)"$/;

/** The parts of a name with dots, `.metadata.name`; undefined for what is more than that. */
function partsOf(expression: string): readonly string[] | undefined {
  const [first = '', ...within] = (expression.startsWith('.') ? expression.slice(1) : expression).split('.');
  return NAME.test(first) && within.every((part) => NAME_WITHIN.test(part)) ? [first, ...within] : undefined;
}

/** The value of what stands between the braces; undefined for what is more than a name. */
function valueOf(expression: string, parameters: Parameters): string | undefined {
  const label = INDEX.exec(expression)?.[1] ?? /^\.?metadata\.labels\.(.+)$/.exec(expression)?.[1];
  const parts = label === undefined ? partsOf(expression) : ['metadata', 'labels', label];
  const value = parts && valueAt(parameters, ...parts);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A text of a template with its placeholders filled in; undefined where one of them can't be. */
export function filled(text: string, parameters: Parameters): string | undefined {
  let isKnown = true;
  const made = text.replaceAll(PLACEHOLDER, (_all, expression: string) => {
    const value = valueOf(expression.trim(), parameters);
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown && !made.includes('{{') ? made : undefined;
}

function applicationOf(template: Fields, parameters: Parameters): Application | undefined {
  const { name, labels } = fieldsAt(template, 'metadata');
  const made = typeof name === 'string' ? filled(name, parameters) : undefined;
  const entries = Object.entries(fieldsAt({ labels }, 'labels')).map(
    ([key, value]) => [filled(key, parameters), typeof value === 'string' ? filled(value, parameters) : undefined] as const,
  );
  if (made === undefined || entries.some(([key, value]) => key === undefined || value === undefined)) return undefined;
  return { name: made, labels: Object.fromEntries(entries) as Record<string, string> };
}

/**
 * The Applications that an ApplicationSet makes of list and cluster generators, by name; why they can't be told, for any other.
 *
 * Source: Argo CD v3.5.1, applicationset/generators/{list,cluster}.go, applicationset/utils/utils.go.
 *
 * @param clusters - the inventory; undefined where none is given
 */
export function applicationsOf(set: Manifest, clusters: readonly unknown[] | undefined): readonly Application[] | Unknown {
  const spec = fieldsAt(set, 'spec');
  if (spec.templatePatch !== undefined && spec.templatePatch !== null) return 'template';
  const applications: Application[] = [];
  for (const generator of listAt(spec, 'generators')) {
    const parameters = parametersOf(generator, clusters);
    if (typeof parameters === 'string') return parameters;
    for (const one of parameters) {
      const application = applicationOf(fieldsAt(spec, 'template'), one);
      if (application === undefined) return 'template';
      applications.push(application);
    }
  }
  const byName = new Map(applications.map((application) => [application.name, application]));
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
