import { isBeingDeleted } from '../../appliers/live-object';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { describeObject, getFieldsAt, getListAt, getValueAt, isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { hasPodsOnNodes, isNode, isNodePool } from '../../core/manifest/node-kinds';
import type { PlanInput } from '../../plan/plan-input';
import { listRecreations } from './object-effect';
import type { ObjectEffect } from './object-effect';
import { createPodsEvictedFinding } from '../rules/pods-evicted';
import type { EvictionCause } from '../rules/pods-evicted';

/** Lists the taints of a Node that evict pods, each as `key=value`. */
function listEvictingTaints(node: Manifest): string[] {
  return getListAt(node, 'spec', 'taints').flatMap((taint) => {
    if (!isFields(taint) || taint.effect !== 'NoExecute' || typeof taint.key !== 'string') return [];
    return [typeof taint.value === 'string' && taint.value !== '' ? `${taint.key}=${taint.value}` : taint.key];
  });
}

function listChangedLabels(old: Manifest, next: Manifest): string[] {
  const [before, after] = [old, next].map((object) => getFieldsAt(object, 'metadata', 'labels'));
  return [...new Set([...Object.keys(before!), ...Object.keys(after!)])].filter((name) => before![name] !== after![name]).toSorted();
}

/** Returns why an update of an object removes pods from nodes; undefined if it does not. */
export function findEvictionCause(old: Manifest, next: Manifest): EvictionCause | undefined {
  if (isNodePool(next))
    return isDeepEqual(getValueAt(old, 'spec', 'template'), getValueAt(next, 'spec', 'template')) ? undefined : { kind: 'poolDrifts' };
  if (!isNode(next)) return undefined;
  const before = new Set(listEvictingTaints(old));
  const taints = listEvictingTaints(next).filter((taint) => !before.has(taint));
  if (taints.length > 0) return { kind: 'tainted', taints };
  const labels = listChangedLabels(old, next);
  return labels.length > 0 ? { kind: 'relabeled', labels } : undefined;
}

/** Reports whether a warning names the pods that an update removes from nodes, and its other labels move none: those are a note only. */
export function isWarnedEviction(old: Manifest, next: Manifest): boolean {
  const cause = findEvictionCause(old, next);
  return cause !== undefined && cause.kind !== 'relabeled' && (!isNode(next) || listChangedLabels(old, next).length === 0);
}

/** The objects of OLD, and those of them that the apply deletes. */
interface ObjectsOfOld {
  readonly oldOnce: readonly Manifest[];
  readonly deleted: ReadonlySet<Manifest>;
}

/** Reports Nodes and NodePools whose change or deletion removes pods. Other labels are a note, since no DaemonSet need select them. */
export function collectNodeEvictions(
  objectEffects: readonly ObjectEffect[],
  { oldOnce, deleted, next }: ObjectsOfOld & { readonly next: PlanInput },
): Finding[] {
  const updated = objectEffects.flatMap(({ effect, comparison: { old, result, next: written } }) => {
    const cause = effect === 'unknown' && old ? findEvictionCause(old.manifest, result) : undefined;
    if (!cause) return [];
    const severity = cause.kind === 'relabeled' ? 'info' : 'warning';
    return [createPodsEvictedFinding(describeObject(written), cause, next.locate?.(written, ROOT_PATH), severity)];
  });
  const going = oldOnce.filter((object) => isBeingDeleted(object) && !deleted.has(object));
  const removed = [...deleted, ...going].filter(hasPodsOnNodes).map((object) => {
    const kind = isNode(object) ? 'nodeDeleted' : 'poolDeleted';
    const cause = { kind, ...(!deleted.has(object) && { isBeingDeleted: true as const }) } as const;
    return createPodsEvictedFinding(describeObject(object), cause, undefined, 'warning');
  });
  // Karpenter drains the nodes of a NodePool also if it is created again.
  const recreated = listRecreations(objectEffects).flatMap(({ comparison: { next: written } }) =>
    isNodePool(written)
      ? [createPodsEvictedFinding(describeObject(written), { kind: 'poolDeleted' }, next.locate?.(written, ROOT_PATH), 'warning')]
      : [],
  );
  return [...updated, ...removed, ...recreated];
}
