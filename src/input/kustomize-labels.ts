import { fieldsAt, isFields, listAt, valueAt } from '../core/manifest';
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
interface LabelPlaces {
  readonly selector: readonly string[];
  readonly ifThere?: true;
  readonly template?: readonly string[];
}

const WORKLOAD: LabelPlaces = { selector: ['spec', 'selector', 'matchLabels'], template: ['spec', 'template', 'metadata', 'labels'] };

/** The kinds whose pods or selection decide about a rollout (kustomize api v0.21.3, builtinpluginconsts/commonlabels.go and metadatalabels.go). */
const PLACES: ReadonlyMap<string, LabelPlaces> = new Map([
  ['Deployment', WORKLOAD],
  ['ReplicaSet', WORKLOAD],
  ['DaemonSet', WORKLOAD],
  ['StatefulSet', WORKLOAD],
  ['Service', { selector: ['spec', 'selector'] }],
  ['PodDisruptionBudget', { selector: ['spec', 'selector', 'matchLabels'], ifThere: true }],
]);

/** Of more labels than a kustomization ever has nothing is added: each object would hold them all. */
const MOST_LABELS = 100;

const NONE: AddedLabels = { selectors: {}, templates: {}, objects: {} };

function count(labels: Fields): number {
  return Object.keys(labels).length;
}

/** A label that is no string fails the build of kustomize, which says so itself. */
function pairsAt(object: unknown, field: string): Fields {
  return Object.fromEntries(Object.entries(fieldsAt(object, field)).filter(([, value]) => typeof value === 'string'));
}

/** The labels of both; what kustomize adds later wins, for it replaces what is there. */
export function together(first: AddedLabels, later: AddedLabels): AddedLabels {
  return {
    selectors: { ...first.selectors, ...later.selectors },
    templates: { ...first.templates, ...later.templates },
    objects: { ...first.objects, ...later.objects },
  };
}

function labelsOfEntry(entry: unknown): AddedLabels {
  const pairs = pairsAt(entry, 'pairs');
  const inSelectors = valueAt(entry, 'includeSelectors') === true;
  const inTemplates = inSelectors || valueAt(entry, 'includeTemplates') === true;
  return { selectors: inSelectors ? pairs : {}, templates: inTemplates ? pairs : {}, objects: pairs };
}

/** What labels a kustomization adds; undefined where it adds none, and `too-many` where no object should hold them all. */
export function addedLabels(kustomization: unknown): AddedLabels | 'too-many' | undefined {
  const common = pairsAt(kustomization, 'commonLabels');
  const entries = listAt(kustomization, 'labels').map(labelsOfEntry);
  const all = [...entries, { selectors: common, templates: common, objects: common }];
  const given = all.reduce((sum, { objects }) => sum + count(objects), 0);
  if (given === 0) return undefined;
  return given > MOST_LABELS ? 'too-many' : all.reduce(together, NONE);
}

/** The map with labels added to the one at a path, which is made where it is missing; the map itself where the path leads through no map. */
function labelled(map: Fields, path: readonly string[], labels: Fields): Fields {
  const [name, ...rest] = path;
  if (name === undefined) return { ...map, ...labels };
  const inner = map[name] ?? {};
  return isFields(inner) ? { ...map, [name]: labelled(inner, rest, labels) } : map;
}

/** An object as kustomize hands it on with the labels added. */
export function withLabels(object: Manifest, { selectors, templates, objects }: AddedLabels): Manifest {
  const places = PLACES.get(object.kind);
  let result: Fields = labelled(object, ['metadata', 'labels'], objects);
  if (places && count(selectors) > 0 && !(places.ifThere && valueAt(object, ...places.selector) === undefined)) {
    result = labelled(result, places.selector, selectors);
  }
  if (places?.template && count(templates) > 0) result = labelled(result, places.template, templates);
  return result as Manifest;
}
