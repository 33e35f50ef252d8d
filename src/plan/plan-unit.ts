import type { Finding } from '../core/finding';
import { capFindingsPerRule } from '../core/cap-findings-per-rule';
import type { Manifest } from '../core/manifest';
import type { SharedCapacityResult } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import type { PlanContext, RolloutSystem } from '../cluster/context';
import { createMaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import { listOtherPods } from '../cluster/capacity/other-pods';
import { evaluateInCluster } from '../cluster/evaluate-in-cluster';
import type { PodSet, SystemRollout } from '../cluster/workload';
import { buildIndependentContext } from './independent-rollouts';
import { applyPodChange } from './apply-change';
import type { UnitRollout, UnitRollouts } from './other-units';
import { consolidatePlaceholderErrors } from './placeholders';

/** A rollout as the plan shows it. */
export interface RolloutWithObject {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** The rollouts of one unit before those that something counts are looked at together. */
interface UnitObjectPlan extends UnitRollouts {
  readonly independent: readonly RolloutWithObject[];
  /** The objects of those that are counted and not shown, one for each rollout. */
  readonly counted: readonly Manifest[];
}

/** What is planned together. */
interface UnitPlan {
  readonly rollouts: readonly RolloutWithObject[];
  /** About no rollout. */
  readonly findings: readonly Finding[];
  readonly room?: SharedCapacityResult;
  readonly roomTogether: () => MaxSchedulablePods;
}

/** All sets of pods of each object, those of what is no rollout among them. */
function groupPodSetsByObject(
  planned: readonly UnitRollout[],
  podSets: readonly (readonly PodSet[])[],
  context: PlanContext,
): ReadonlyMap<Manifest, readonly PodSet[]> {
  const byObject = new Map<Manifest, readonly PodSet[]>(listOtherPods(context).map(({ object, podSet }) => [object, [podSet]]));
  planned.forEach(({ object }, index) => byObject.set(object, [...(byObject.get(object) ?? []), ...podSets[index]!]));
  return byObject;
}

function addSources(rollout: PlannedRollout, object: Manifest, context: PlanContext): PlannedRollout {
  if (rollout.findings.length === 0) return rollout;
  const findings = capFindingsPerRule(rollout.findings).map((finding) => {
    const source = finding.source ?? context.locate(object, finding.path);
    return source ? { ...finding, source } : finding;
  });
  return { ...rollout, findings };
}

/** Rollouts that are settled together while many stand alone: enough that each costs little, few enough to hold. */
const BATCH_SIZE = 256;

/** What is the same for all units of a run. */
export interface UnitPlanning {
  readonly systems: readonly RolloutSystem[];
  readonly isIndependent: (rollout: SystemRollout) => boolean;
  readonly isInFolder: (object: Manifest) => boolean;
  /** A rollout with what is known of its change. */
  readonly addChangeInfo: (object: Manifest, rollout: PlannedRollout, planned: SystemRollout) => PlannedRollout;
  /** Is a rollout counted and not shown? */
  readonly isCounted: (shown: RolloutWithObject) => boolean;
}

/** Plans the objects of one unit, each by itself, and settles those that nothing else counts. */
export function planUnitObjects(context: PlanContext, planning: UnitPlanning): UnitObjectPlan {
  const { systems, isIndependent } = planning;
  const interdependent: UnitRollout[] = [];
  const independent: RolloutWithObject[] = [];
  const counted: Manifest[] = [];
  const independentContext = buildIndependentContext(context);
  let pending: UnitRollout[] = [];
  const flush = () => {
    if (pending.length === 0) return;
    for (const shown of evaluateRollouts(pending, [], independentContext, planning).rollouts) {
      if (planning.isCounted(shown)) counted.push(shown.object);
      else independent.push(shown);
    }
    pending = [];
  };
  for (const object of context.objects) {
    context.deadline?.check();
    const system = systems.find((candidate) => candidate.recognises(object));
    if (!system) continue;
    const rollouts = system.plan(object, context).map((rollout) => applyPodChange(rollout, object, context));
    const target = rollouts.every(isIndependent) ? pending : interdependent;
    for (const rollout of rollouts) target.push({ object, rollout });
    if (pending.length >= BATCH_SIZE) flush();
  }
  flush();
  return { interdependent, independent, counted };
}

/** Settles rollouts among what surrounds them, and what stands elsewhere. */
export function evaluateRollouts(
  planned: readonly UnitRollout[],
  otherRollouts: readonly SystemRollout[],
  context: PlanContext,
  { isInFolder, addChangeInfo }: UnitPlanning,
): UnitPlan {
  const { rollouts, findings, sharedCapacity, limits, podSets } = evaluateInCluster(
    planned.map(({ rollout }) => rollout),
    context,
    otherRollouts,
  );
  return {
    rollouts: rollouts.map((rollout, index) => {
      const { object, rollout: asPlanned } = planned[index]!;
      const known = addChangeInfo(object, rollout, asPlanned);
      return { object, rollout: addSources(isInFolder(object) ? consolidatePlaceholderErrors(known, object) : known, object, context) };
    }),
    findings,
    ...(sharedCapacity && { room: sharedCapacity }),
    roomTogether: () => createMaxSchedulablePods(groupPodSetsByObject(planned, podSets, context), limits),
  };
}
