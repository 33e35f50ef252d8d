import { getValueAt, isFields } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { labelsOf } from './endpoints';
import { toSafeText } from '../../core/text/value-text';

/** Labels that controllers add to pods with values that no manifest shows; a prefix ends with a slash. */
const CONTROLLER_LABELS: readonly string[] = [
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'rollouts-pod-template-hash',
  'statefulset.kubernetes.io/',
  'apps.kubernetes.io/',
  'batch.kubernetes.io/',
  'job-name',
  'controller-uid',
  'leaderworkerset.sigs.k8s.io/',
  'disaggregatedset.x-k8s.io/',
];

/** Labels that the controllers of further systems add, with values that their objects do not show. */
const SYSTEM_LABELS: readonly string[] = [
  'app.kubernetes.io/',
  'kserve.io/',
  'llm-d.ai/',
  'networking.knative.dev/',
  'ray.io/',
  'serving.knative.dev/',
  'serving.kserve.io/',
];

function isListed(key: string, labels: readonly string[]): boolean {
  return labels.some((label) => (label.endsWith('/') ? key.startsWith(label) : key === label));
}

/** Reports whether a controller may add a label to pods. */
export function isOpenLabel(key: string): boolean {
  return isListed(key, CONTROLLER_LABELS) || isListed(key, SYSTEM_LABELS);
}

const WORKER_INDEX = 'leaderworkerset.sigs.k8s.io/worker-index';
/** Labels of the pods of LeaderWorkerSets, whose leaders have their index in the template. */
const SET_LABELS: readonly string[] = ['leaderworkerset.sigs.k8s.io/name', 'disaggregatedset.x-k8s.io/role'];

/** Reports whether a selector selects leaders only, and the template is that of workers. */
function isOfWorkers(labels: Readonly<Record<string, unknown>>, selector: Fields): boolean {
  return selector[WORKER_INDEX] === '0' && labels[WORKER_INDEX] === undefined && SET_LABELS.some((label) => Object.hasOwn(labels, label));
}

/**
 * Reports whether a selector may select pods of a template although the template lacks some of its labels, because a controller may add them.
 *
 * @param isOpen whether the pods belong to a system whose controller adds labels of its own
 */
export function mayBeSelected(template: Fields, selector: Fields, isOpen: boolean): boolean {
  const labels = labelsOf(template);
  if (isOfWorkers(labels, selector)) return false;
  const missing = Object.entries(selector).filter(([key, value]) => labels[key] !== value);
  return (
    missing.length > 0 &&
    missing.every(([key]) => !Object.hasOwn(labels, key) && (isListed(key, CONTROLLER_LABELS) || (isOpen && isListed(key, SYSTEM_LABELS))))
  );
}

/** An object with its values in lower case, so that many selectors can search it. */
export interface SearchableObject {
  readonly object: Manifest;
  readonly text: string;
}

function listValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(listValues);
  return isFields(value) ? Object.values(value).flatMap(listValues) : [value];
}

/** Returns an object with its values as one text. Its field names and apiVersion are no names of pods. */
export function toSearchableObject(object: Manifest): SearchableObject {
  const { apiVersion: _, ...rest } = object;
  return { object, text: listValues(rest).map(String).join('\n').toLowerCase() };
}

/**
 * Reports whether an object that is not planned may have pods that a selector selects. Without a pod template its labels are not known; operators
 * derive them from names in the object or from its kind, so that one value of the selector occurs in the object.
 */
export function mayOwnSelectedPods({ object, text }: SearchableObject, selector: Fields): boolean {
  const template = getValueAt(object, 'spec', 'template');
  if (isFields(getValueAt(template, 'spec'))) {
    const labels = labelsOf(template);
    const known = Object.entries(selector).filter(([key]) => Object.hasOwn(labels, key));
    return known.length > 0 && known.every(([key, value]) => labels[key] === value);
  }
  return Object.values(selector).some((value) => text.includes(toSafeText(value).toLowerCase()));
}
