import { getFieldsAt, isFields, getListAt, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** Labels that a kustomization puts on what it takes in, by how far they reach. */
export interface AddedLabels {
  /** Into selectors too, and into the templates of pods: `commonLabels`, and `labels` with `includeSelectors`. */
  readonly selectors: Fields;
  /** Into the templates of pods: those of the selectors, and `labels` with `includeTemplates`. */
  readonly templates: Fields;
  /** Onto the object: all of them. */
  readonly objects: Fields;
}

/** Where labels go in a kind. Kustomize adds a map that is missing but where `ifThere` says otherwise. */
interface LabelPaths {
  readonly selector: readonly string[];
  readonly onlyIfPresent?: true;
  readonly template?: readonly string[];
}

const WORKLOAD_LABEL_PATHS: LabelPaths = {
  selector: ['spec', 'selector', 'matchLabels'],
  template: ['spec', 'template', 'metadata', 'labels'],
};

/** The kinds whose pods or selection decide about a rollout (kustomize api v0.21.3, builtinpluginconsts/commonlabels.go and metadatalabels.go). */
const LABEL_PATHS_BY_KIND: ReadonlyMap<string, LabelPaths> = new Map([
  ['Deployment', WORKLOAD_LABEL_PATHS],
  ['ReplicaSet', WORKLOAD_LABEL_PATHS],
  ['DaemonSet', WORKLOAD_LABEL_PATHS],
  ['StatefulSet', WORKLOAD_LABEL_PATHS],
  ['Service', { selector: ['spec', 'selector'] }],
  ['PodDisruptionBudget', { selector: ['spec', 'selector', 'matchLabels'], onlyIfPresent: true }],
]);

/** Of more labels than a kustomization ever has nothing is added: each object would hold them all. */
const MAX_LABELS = 100;

const NO_LABELS: AddedLabels = { selectors: {}, templates: {}, objects: {} };

function countLabels(labels: Fields): number {
  return Object.keys(labels).length;
}

/** A label that is no string fails the build of kustomize, which says so itself. */
function getStringPairs(object: unknown, field: string): Fields {
  return Object.fromEntries(Object.entries(getFieldsAt(object, field)).filter(([, value]) => typeof value === 'string'));
}

/** The labels of both; what kustomize adds later wins, for it replaces what is there. */
export function mergeAddedLabels(first: AddedLabels, later: AddedLabels): AddedLabels {
  return {
    selectors: { ...first.selectors, ...later.selectors },
    templates: { ...first.templates, ...later.templates },
    objects: { ...first.objects, ...later.objects },
  };
}

function parseLabelsEntry(entry: unknown): AddedLabels {
  const pairs = getStringPairs(entry, 'pairs');
  const inSelectors = getValueAt(entry, 'includeSelectors') === true;
  const inTemplates = inSelectors || getValueAt(entry, 'includeTemplates') === true;
  return { selectors: inSelectors ? pairs : {}, templates: inTemplates ? pairs : {}, objects: pairs };
}

/** What labels a kustomization adds; undefined where it adds none, and `too-many` where no object should hold them all. */
export function readAddedLabels(kustomization: unknown): AddedLabels | 'too-many' | undefined {
  const common = getStringPairs(kustomization, 'commonLabels');
  const entries = getListAt(kustomization, 'labels').map(parseLabelsEntry);
  const all = [...entries, { selectors: common, templates: common, objects: common }];
  const total = all.reduce((sum, { objects }) => sum + countLabels(objects), 0);
  if (total === 0) return undefined;
  return total > MAX_LABELS ? 'too-many' : all.reduce(mergeAddedLabels, NO_LABELS);
}

/** The map with labels added to the one at a path, which is made where it is missing; the map itself where the path leads through no map. */
function addLabelsAt(map: Fields, path: readonly string[], labels: Fields): Fields {
  const [name, ...rest] = path;
  if (name === undefined) return { ...map, ...labels };
  const inner = map[name] ?? {};
  return isFields(inner) ? { ...map, [name]: addLabelsAt(inner, rest, labels) } : map;
}

/** An object as kustomize hands it on with the labels added. */
export function withLabels(object: Manifest, { selectors, templates, objects }: AddedLabels): Manifest {
  const paths = LABEL_PATHS_BY_KIND.get(object.kind);
  let result: Fields = addLabelsAt(object, ['metadata', 'labels'], objects);
  if (paths && countLabels(selectors) > 0 && !(paths.onlyIfPresent && getValueAt(object, ...paths.selector) === undefined)) {
    result = addLabelsAt(result, paths.selector, selectors);
  }
  if (paths?.template && countLabels(templates) > 0) result = addLabelsAt(result, paths.template, templates);
  return result as Manifest;
}
