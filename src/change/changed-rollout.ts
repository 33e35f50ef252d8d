import type { Effect } from '../core/change';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlannedRollout } from '../core/rollout';
import type { Versions } from '../core/versions';
import { autoscalerOf } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import type { ChangedPods } from '../cluster/starting-point';
import { systemOf } from '../plan/registry';
import type { PlanInput } from '../plan/plan';
import { workloadKindOf } from '../workloads/kinds';
import { names } from './compared';
import { refOf } from './judged';
import type { Judged, Surrounding } from './judged';
import { podsAfter, podsOfOld } from './pod-figures';
import { blockedByPodFindings } from './rules/blocked-by-pod';
import { claimsOfDeleted, claimsOfScale } from './rules/claims-deleted';
import { fallsBackFindings } from './rules/falls-back';
import { raisesMaximum } from './raised-maximum';
import { refusedObjectFinding, refusedPath } from './rules/refused';
import { isMadeUnderWay } from './made-workloads';
import { rowsFromRestFindings } from './rules/rows-from-rest';
import { storedForm } from './stored/stored-form';
import type { Scaled } from './way-back';

/** A rollout of a refused object: what runs goes on, and nothing of NEW is stored. */
export function refusedRollout(rollout: PlannedRollout, finding: Finding): PlannedRollout {
  return { ...rollout, strategy: null, provenance: [], simulation: null, findings: [finding, ...rollout.findings] };
}

/** Refusals of objects that no rollout was told of. */
export function refusedAlone(judgements: readonly Judged[], isTold: (object: Manifest) => boolean, next: PlanInput): Finding[] {
  return judgements.flatMap(({ effect, compared }) => {
    const { refusal, result } = compared;
    if (effect !== 'refused' || !refusal || isTold(result)) return [];
    return [refusedObjectFinding(refOf(compared.next), refusal, next.locate?.(compared.next, refusedPath(refusal)))];
  });
}

/** What the apply does to the pods of an object, or of one component of it; an object that stays as it is replaces none. */
export function changedPodsOf(
  one: Judged | undefined,
  component: string,
  { hasChangedAutoscalers, oldContext, newContext }: Surrounding,
): ChangedPods {
  if (!one) return { rolls: false };
  // Of what is new no pod runs yet.
  if (one.effect === 'create') return { rolls: false, running: [] };
  const { next, result } = one.compared;
  const isRaised = hasChangedAutoscalers && raisesMaximum(result, oldContext, newContext);
  return {
    ...(one.pods.get(component) ?? { rolls: false }),
    keepsReplicas: !names(next, 'replicas'),
    ...(isRaised && { raisesMaximum: true }),
  };
}

const SCALES: ReadonlySet<Effect> = new Set(['scale', 'roll-and-scale']);

/** What of the number of pods there is to undo; undefined where it stays, or only others of the object's components scale. */
export function scaledBy(
  { compared, effects, causedBy }: Judged,
  { resource }: PlannedRollout,
  { newContext }: Surrounding,
): Scaled | undefined {
  const { old, stored, result } = compared;
  if (!old || !SCALES.has(effects.get(resource.component ?? '') ?? 'none')) return undefined;
  const autoscaler = autoscalerOf(result, newContext)?.by;
  // Pods that a quota lets come were wanted before.
  if (causedBy.some(({ kind }) => kind === 'ResourceQuota')) return undefined;
  return { before: old.stored, after: stored ?? old.stored, ...(autoscaler !== undefined && { autoscaler }) };
}

/** The claims that a StatefulSet deletes because it gets fewer pods or is made anew. */
function claimFindings(one: Judged): readonly Finding[] {
  const { old, stored } = one.compared;
  const before = one.podsBefore ?? 0;
  if (one.effect === 'replace') return claimsOfDeleted(old!.stored, before, 'replaced');
  return claimsOfScale(stored ?? old!.stored, before, podsAfter(one) ?? before);
}

/** What is to be said of an object because it changes. */
export function changeFindings(one: Judged, rollout: PlannedRollout, around: Surrounding): Finding[] {
  const { compared, waitsPerhapsFor } = one;
  const { next, old } = compared;
  const bySystem = one.findings?.get(rollout.resource.component ?? '') ?? [];
  if (!old) return [...bySystem];
  if (!workloadKindOf(next)) {
    const isUnderWay = one.start?.underWay === true || (old.isLive && isMadeUnderWay(old.given, rollout, around.owned));
    const beginsThere = one.pods.get(rollout.resource.component ?? '')?.start?.canary !== undefined;
    return [...bySystem, ...rowsFromRestFindings(rollout, isUnderWay && !beginsThere)];
  }
  return [
    ...fallsBackFindings(compared, around.newContext),
    ...blockedByPodFindings(next, rollout, waitsPerhapsFor),
    ...claimFindings(one),
  ];
}

/** The claims that go with what is pruned. */
export function prunedClaims(deleted: Iterable<Manifest>, versions: Versions, context: PlanContext): Finding[] {
  return [...deleted].flatMap((object) =>
    workloadKindOf(object)
      ? claimsOfDeleted(storedForm(object, versions), podsOfOld(object, context), 'deleted')
      : (systemOf(object)?.deletedFindings?.(object, context) ?? []),
  );
}
