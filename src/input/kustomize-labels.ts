import { getFieldsAt, isFields, getListAt, getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';

/** Labels that a kustomization adds to the objects it includes, by where they are added, and its annotations. */
export interface AddedLabels {
  /** Labels for selectors: `commonLabels`, and `labels` with `includeSelectors`. They are added to pod templates too. */
  readonly selectors: Fields;
  /** Labels for pod templates: those for selectors, and `labels` with `includeTemplates`. */
  readonly templates: Fields;
  /** Labels for the object: all of them. */
  readonly objects: Fields;
  /** Annotations for objects and their pod templates: `commonAnnotations`. */
  readonly annotations: Fields;
}

/** Paths of labels in a kind. Kustomize adds a missing map, unless `onlyIfPresent` is set. */
interface LabelPaths {
  readonly selector: readonly string[];
  readonly onlyIfPresent?: true;
  /** Metadata of the pod template. */
  readonly template?: readonly string[];
}

const WORKLOAD_LABEL_PATHS: LabelPaths = {
  selector: ['spec', 'selector', 'matchLabels'],
  template: ['spec', 'template', 'metadata'],
};

/** Kinds whose pods or selectors affect a rollout (kustomize api v0.21.3, builtinpluginconsts/commonlabels.go, metadatalabels.go and commonannotations.go). */
const LABEL_PATHS_BY_KIND: ReadonlyMap<string, LabelPaths> = new Map([
  ['Deployment', WORKLOAD_LABEL_PATHS],
  ['ReplicaSet', WORKLOAD_LABEL_PATHS],
  ['DaemonSet', WORKLOAD_LABEL_PATHS],
  ['StatefulSet', WORKLOAD_LABEL_PATHS],
  ['Service', { selector: ['spec', 'selector'] }],
  ['PodDisruptionBudget', { selector: ['spec', 'selector', 'matchLabels'], onlyIfPresent: true }],
]);

/** Maximum number of labels and of annotations, more than any real kustomization has. Beyond it none is added, because each object would contain them all. */
const MAX_LABELS = 100;

const NO_LABELS: AddedLabels = { selectors: {}, templates: {}, objects: {}, annotations: {} };

function countLabels(labels: Fields): number {
  return Object.keys(labels).length;
}

/** Reports whether labels or annotations exceed the maximum. */
export function hasTooManyLabels({ objects, annotations }: AddedLabels): boolean {
  return countLabels(objects) > MAX_LABELS || countLabels(annotations) > MAX_LABELS;
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
    annotations: { ...first.annotations, ...later.annotations },
  };
}

function parseLabelsEntry(entry: unknown): AddedLabels {
  const pairs = getStringPairs(entry, 'pairs');
  const inSelectors = getValueAt(entry, 'includeSelectors') === true;
  const inTemplates = inSelectors || getValueAt(entry, 'includeTemplates') === true;
  return { selectors: inSelectors ? pairs : {}, templates: inTemplates ? pairs : {}, objects: pairs, annotations: {} };
}

/** Returns the labels and annotations that a kustomization adds: undefined if there are none, `too-many` if they exceed the maximum. */
export function readAddedLabels(kustomization: unknown): AddedLabels | 'too-many' | undefined {
  const common = getStringPairs(kustomization, 'commonLabels');
  const entries = getListAt(kustomization, 'labels').map(parseLabelsEntry);
  const annotations = getStringPairs(kustomization, 'commonAnnotations');
  const all = [...entries, { selectors: common, templates: common, objects: common, annotations }];
  const total = Math.max(
    all.reduce((sum, { objects }) => sum + countLabels(objects), 0),
    countLabels(annotations),
  );
  if (total === 0) return undefined;
  return total > MAX_LABELS ? 'too-many' : all.reduce(mergeAddedLabels, NO_LABELS);
}

/** Adds labels to the map at a path, and creates this map if it is missing. Returns the outer map unchanged if the path leads through something else. */
function addLabelsAt(map: Fields, path: readonly string[], labels: Fields): Fields {
  const [name, ...rest] = path;
  if (name === undefined) return { ...map, ...labels };
  const inner = map[name] ?? {};
  return isFields(inner) ? { ...map, [name]: addLabelsAt(inner, rest, labels) } : map;
}

/**
 * Returns an object with the labels and annotations added, as kustomize prints it.
 *
 * @param keepsOwn - whether a label of the object itself keeps its value, so that no kustomization takes the object out of a selection
 */
export function withLabels(object: Manifest, added: AddedLabels, keepsOwn = false): Manifest {
  const { selectors, templates, objects, annotations } = added;
  const paths = LABEL_PATHS_BY_KIND.get(object.kind);
  const own = keepsOwn ? getFieldsAt(object, 'metadata', 'labels') : {};
  let result: Fields = object;
  if (countLabels(objects) > 0) result = addLabelsAt(result, ['metadata', 'labels'], { ...objects, ...own });
  if (paths && countLabels(selectors) > 0 && !(paths.onlyIfPresent && getValueAt(object, ...paths.selector) === undefined)) {
    result = addLabelsAt(result, paths.selector, selectors);
  }
  if (paths?.template && countLabels(templates) > 0) result = addLabelsAt(result, [...paths.template, 'labels'], templates);
  if (countLabels(annotations) === 0) return result as Manifest;
  for (const path of [['metadata'], ...(paths?.template ? [paths.template] : [])])
    result = addLabelsAt(result, [...path, 'annotations'], annotations);
  return result as Manifest;
}
