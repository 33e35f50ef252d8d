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

/** A planned rollout with its object. */
export interface RolloutWithObject {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** The rollouts of one unit. Only the independent ones are evaluated. */
interface UnitObjectPlan extends UnitRollouts {
  readonly independent: readonly RolloutWithObject[];
  /** The objects of rollouts that are only counted, one for each rollout. */
  readonly counted: readonly Manifest[];
}

/** The evaluated rollouts of one unit. */
interface UnitPlan {
  readonly rollouts: readonly RolloutWithObject[];
  /** Findings about no rollout. */
  readonly findings: readonly Finding[];
  readonly sharedCapacity?: SharedCapacityResult;
  readonly computeMaxPods: () => MaxSchedulablePods;
}

/** Groups all pod sets by object, including those of objects that are not rollouts. */
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

/** The number of independent rollouts that are evaluated together: each evaluation has a fixed cost. */
const BATCH_SIZE = 256;

/** Settings for all units of a run. */
export interface UnitPlanning {
  readonly systems: readonly RolloutSystem[];
  readonly isIndependent: (rollout: SystemRollout) => boolean;
  readonly isInFolder: (object: Manifest) => boolean;
  /** Adds what is known of its change to a rollout. */
  readonly addChangeInfo: (object: Manifest, rollout: PlannedRollout, planned: SystemRollout) => PlannedRollout;
  /** Whether a rollout is only counted, and not part of the plan. */
  readonly isCounted: (evaluated: RolloutWithObject) => boolean;
}

/** Plans the objects of one unit, and evaluates the independent rollouts. */
export function planUnitObjects(context: PlanContext, planning: UnitPlanning): UnitObjectPlan {
  const { systems, isIndependent } = planning;
  const interdependent: UnitRollout[] = [];
  const independent: RolloutWithObject[] = [];
  const counted: Manifest[] = [];
  const independentContext = buildIndependentContext(context);
  let pending: UnitRollout[] = [];
  const flush = () => {
    if (pending.length === 0) return;
    for (const evaluated of evaluateRollouts(pending, [], independentContext, planning).rollouts) {
      if (planning.isCounted(evaluated)) counted.push(evaluated.object);
      else independent.push(evaluated);
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

/** Evaluates rollouts in their context, together with the rollouts of other units. */
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
    ...(sharedCapacity && { sharedCapacity }),
    computeMaxPods: () => createMaxSchedulablePods(groupPodSetsByObject(planned, podSets, context), limits),
  };
}
