import type { ApplyEffect, FieldChange } from '../core/change';
import { groupOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Versions } from '../core/versions';
import { getStoredReplicas } from './workload-effect';
import { conditionOf } from './workload-initial-state';
import { isTemplateEqual } from './apiserver/template-equality';

/** Kinds whose controller makes pods of its template and never replaces one: a new template waits until somebody deletes the pods. */
const KINDS_NEVER_REPLACING_PODS: ReadonlySet<string> = new Set(['apps/ReplicaSet', '/ReplicationController']);

export function isNeverReplacingPods(object: Manifest): boolean {
  return KINDS_NEVER_REPLACING_PODS.has(`${groupOf(object)}/${object.kind}`);
}

export function isPod(object: Manifest): boolean {
  return groupOf(object) === '' && object.kind === 'Pod';
}

/**
 * Does a change of a Pod on its own restart containers? Another image of one does, in place. That of an init container, tolerations that are added
 * and a deadline do not. Source: the kubelet from 1.20 on, kuberuntime_manager.go `computePodActions`.
 */
export function hasContainerRestart(differences: readonly FieldChange[]): boolean {
  return differences.some(({ path }) => path.startsWith('spec.containers[') && path.endsWith('].image'));
}

/** Fields by which a Job that is not done starts or stops pods at once. */
const JOB_SCALING_FIELDS: ReadonlySet<string> = new Set(['spec.parallelism', 'spec.completions', 'spec.suspend']);

/** May a change start or stop pods of a Job? Of one that its status calls complete or failed it does not, and how far another one has come nobody tells. */
export function mayStartOrStopJobPods(old: Manifest, differences: readonly FieldChange[]): boolean {
  if (`${groupOf(old)}/${old.kind}` !== 'batch/Job' || !differences.some(({ path }) => JOB_SCALING_FIELDS.has(path))) return false;
  return !['Complete', 'Failed'].some((type) => conditionOf(old, type).status === 'True');
}

/** What an apply does to the pods of such an object. */
export interface BarePodEffect {
  /** Undefined where it does nothing to them. */
  readonly effect?: Extract<ApplyEffect, 'held' | 'scale'>;
  /** Of what is held, what has to happen before pods change. */
  readonly heldUntil?: string;
  readonly replicas: { readonly old: number; readonly next: number };
}

/** From no pods or to none only their number changes; a template that no pod is made of waits. */
export function determineBarePodEffect(old: Manifest, next: Manifest, versions: Versions): BarePodEffect {
  const replicas = { old: getStoredReplicas(old), next: getStoredReplicas(next) };
  const scales = replicas.old !== replicas.next;
  const isNew = !isTemplateEqual('Deployment', getValueAt(old, 'spec', 'template'), getValueAt(next, 'spec', 'template'), versions);
  const waits = isNew && (!scales || (replicas.old > 0 && replicas.next > 0));
  if (waits) return { replicas, effect: 'held', heldUntil: replicas.next === 0 ? 'it has pods' : 'somebody deletes its pods' };
  return { replicas, ...(scales && { effect: 'scale' }) };
}
