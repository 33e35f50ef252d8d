import type { Fields } from '../../core/manifest';
import { labelsOf } from './endpoints';

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

function isControllerLabel(key: string): boolean {
  return CONTROLLER_LABELS.some((label) => (label.endsWith('/') ? key.startsWith(label) : key === label));
}

/**
 * Reports whether a selector may select pods of a template although the template lacks some of its labels, because a controller may add them.
 *
 * @param isOpen whether the controller of the pods adds labels that no manifest shows
 */
export function mayBeSelected(template: Fields, selector: Fields, isOpen: boolean): boolean {
  const labels = labelsOf(template);
  const missing = Object.entries(selector).filter(([key, value]) => labels[key] !== value);
  return missing.length > 0 && missing.every(([key]) => !Object.hasOwn(labels, key) && (isOpen || isControllerLabel(key)));
}
