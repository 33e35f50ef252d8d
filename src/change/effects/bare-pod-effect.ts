import type { ApplyEffect, FieldChange } from '../../core/change';
import { groupOf, getValueAt, kindKeyOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { Versions } from '../../core/versions';
import { getStoredReplicas } from './workload-effect';
import { conditionOf } from '../initial-state/workload-initial-state';
import { isTemplateEqual } from '../apiserver/template-equality';
import { toSafeText } from '../../core/value-text';

/** Kinds whose controller creates pods from its template and never replaces one: a new template waits until the pods are deleted. */
const KINDS_NEVER_REPLACING_PODS: ReadonlySet<string> = new Set(['apps/ReplicaSet', '/ReplicationController']);

export function isNeverReplacingPods(object: Manifest): boolean {
  return KINDS_NEVER_REPLACING_PODS.has(kindKeyOf(object));
}

export function isPod(object: Manifest): boolean {
  return groupOf(object) === '' && object.kind === 'Pod';
}

/**
 * Reports whether a change of a bare Pod restarts containers. A new image of a container does, in place. A new image of an init container,
 * added tolerations and a deadline do not. Source: the kubelet since 1.20, kuberuntime_manager.go `computePodActions`.
 */
export function hasContainerRestart(differences: readonly FieldChange[]): boolean {
  return differences.some(({ path }) => path.startsWith('spec.containers[') && path.endsWith('].image'));
}

/** Fields whose change makes an unfinished Job start or stop pods at once. */
const JOB_SCALING_FIELDS: ReadonlySet<string> = new Set(['spec.parallelism', 'spec.completions', 'spec.suspend']);

/** Limits of a Job that stop its pods once they are exceeded, as may be true at once of a new or lower one. */
const JOB_LIMITS: ReadonlySet<string> = new Set(['spec.activeDeadlineSeconds', 'spec.backoffLimit', 'spec.maxFailedIndexes']);

function isNewOrLower({ old, new: next }: FieldChange): boolean {
  return next !== undefined && !(typeof old === 'number' && typeof next === 'number' && next > old);
}

/** Reports whether a Pod that may still run gets a deadline, or an earlier one. The kubelet stops it once it ran that long. */
export function mayExceedDeadline(old: Manifest, differences: readonly FieldChange[]): boolean {
  const hasEnded = ['Succeeded', 'Failed'].includes(toSafeText(getValueAt(old, 'status', 'phase')));
  return !hasEnded && differences.some((difference) => difference.path === 'spec.activeDeadlineSeconds' && isNewOrLower(difference));
}

/**
 * Reports whether a change may start or stop pods of a Job. A Job whose status is complete or failed starts and stops none.
 * How many pods another Job has completed is not known.
 */
export function mayStartOrStopJobPods(old: Manifest, differences: readonly FieldChange[]): boolean {
  if (kindKeyOf(old) !== 'batch/Job') return false;
  const isEffective = (difference: FieldChange) =>
    JOB_SCALING_FIELDS.has(difference.path) || (JOB_LIMITS.has(difference.path) && isNewOrLower(difference));
  if (!differences.some(isEffective)) return false;
  return !['Complete', 'Failed'].some((type) => conditionOf(old, type).status === 'True');
}

/** What an apply does to the pods of a Pod, ReplicaSet or ReplicationController that no workload owns. */
export interface BarePodEffect {
  /** The effect on the pods; undefined if there is none. */
  readonly effect?: Extract<ApplyEffect, 'held' | 'scale'>;
  /** What must happen before pods change, if the effect is `held`. */
  readonly heldUntil?: string;
  readonly replicas: { readonly old: number; readonly next: number };
}

/** Determines the effect on bare pods. Scaling from or to no pods changes only their number; a new template without pods waits. */
export function determineBarePodEffect(old: Manifest, next: Manifest, versions: Versions): BarePodEffect {
  const replicas = { old: getStoredReplicas(old), next: getStoredReplicas(next) };
  const scales = replicas.old !== replicas.next;
  const isNew = !isTemplateEqual('Deployment', getValueAt(old, 'spec', 'template'), getValueAt(next, 'spec', 'template'), versions);
  const waits = isNew && (!scales || (replicas.old > 0 && replicas.next > 0));
  if (waits) return { replicas, effect: 'held', heldUntil: replicas.next === 0 ? 'it has pods' : 'its pods are deleted' };
  return { replicas, ...(scales && { effect: 'scale' }) };
}
