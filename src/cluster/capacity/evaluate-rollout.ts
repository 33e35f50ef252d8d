import type { Fields } from '../../core/manifest/manifest';
import { REFUSED } from '../rollout/limited-run';
import type { LimitedRollout } from '../rollout/workload';
import type { CapacityEvaluation } from './capacity-evaluation';
import { withUnlocatedPods } from './daemons/daemons-next-to-unlocated';
import { evaluateDaemonSet } from './daemons/evaluate-daemon-set';
import { evaluateUndecided, exceedsLimit, findPossibleDeadlock } from './evaluate-undecided';
import { evaluateByPodCount, hasCapacityLimits } from './exact/count-pods';
import { evaluateSteadyRollout } from './exact/evaluate-steady-rollout';
import { formatNodeRules, withUndecidedOldPods } from './exact/old-pods';
import { countPodsInQuotas } from './exact/run-limits';
import type { PlanLimits } from './plan-limits';
import { canPreemptFor, evaluateNextToLowered, toPossibleEviction } from './surroundings/evictions';
import { withExtendedResourceClasses } from './surroundings/node-providers';

/** Returns the evaluation of a rollout whose new pods are all refused, with the rows that happen. */
function withRefusedPods(base: CapacityEvaluation, { rollout }: LimitedRollout): CapacityEvaluation {
  const run = base.verdict.verdict === 'deadlocks' ? rollout.runWithin?.(REFUSED) : undefined;
  return run ? { ...base, simulation: run.simulation } : base;
}

/** Returns the evaluation of a DaemonSet that deadlocks, with the rows that happen if no new pod runs and quotas refuse some of them. */
function withAdmittedPods(base: CapacityEvaluation, { workload, rollout }: LimitedRollout, limits: PlanLimits): CapacityEvaluation {
  const admitted = countPodsInQuotas(workload, limits, workload.replicas);
  const nextToAll = admitted[workload.replicas]!;
  const runsNone = nextToAll === 0 || base.verdict.shortage?.available === '0';
  if (!runsNone || nextToAll >= rollout.surge) return base;
  const run = rollout.runWithin?.({ admitted: (old) => admitted[old] ?? 0, placed: () => 0 });
  return run ? { ...base, simulation: run.simulation } : base;
}

/** Returns the evaluation of a rollout that a quota stops wherever its old pods are. Returns undefined if none does. */
function findQuotaDeadlock(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const { surroundings, steady: _, ...withoutNodes } = limits;
  // Live pods may differ from those of the template.
  if (!surroundings || surroundings.allOwnPods.has(limited.workload)) return undefined;
  const byQuotas = evaluateByLimits(limited, withoutNodes);
  return byQuotas?.verdict.verdict === 'deadlocks' ? byQuotas : undefined;
}

/** Evaluates a DaemonSet that lacks nodes by numbers of pods. It may evict pods, and numbers take old pods for new ones. */
function evaluateShortDaemonSet(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation {
  const { workload, rollout } = limited;
  const counted = evaluateByPodCount(limited, limits)!;
  if (counted.verdict.verdict !== 'deadlocks') return counted;
  const possible = findPossibleDeadlock(limited, limits, counted);
  if (possible) return possible;
  const base = withAdmittedPods(counted, limited, limits);
  if (base.delay.nodesTooSmall !== undefined) return limits.mayEvict.has(workload) ? toPossibleEviction(base) : base;
  const mayEvict = limits.surroundings !== undefined && canPreemptFor(workload, limits.surroundings);
  if (mayEvict) return toPossibleEviction(base);
  // A node that only the new pods may use has no old pod to fit next to.
  const [old, next] = [workload.oldTemplate ?? workload.template, workload.template].map(({ spec }) => formatNodeRules(spec as Fields));
  return rollout.surge > 0 && old !== next ? withUndecidedOldPods(workload, base, () => exceedsLimit(limited, limits)) : base;
}

/** Adds the fewest and the most new pods of a DaemonSet that deadlocks for lack of nodes and that quotas limit too. */
function withRangeInQuotas(
  evaluation: CapacityEvaluation,
  byNodes: CapacityEvaluation | undefined,
  { workload, rollout }: LimitedRollout,
  limits: PlanLimits,
): CapacityEvaluation {
  const { verdict } = evaluation;
  if (verdict.verdict !== 'deadlocks' || !byNodes) return evaluation;
  const { replicas, surge } = rollout;
  const admitted = countPodsInQuotas(workload, limits, replicas);
  const isFirstRefused = surge > 0 && admitted[replicas] === 0;
  const newPodsAtMost = isFirstRefused ? 0 : Math.min(byNodes.verdict.newPodsAtMost ?? replicas, admitted[0]!);
  return { ...evaluation, verdict: { ...verdict, newPodsAtLeast: 0, newPodsAtMost } };
}

/** Evaluates a rollout on its own by what the nodes and quotas show. */
function evaluateByLimits(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const { workload, rollout } = limited;
  if (rollout.peakPods === 0 || !hasCapacityLimits(limited, limits)) return undefined;
  const resources = limits.resourcesOf(workload);
  if (resources.some(({ rejection }) => rejection)) {
    const base = evaluateByPodCount(limited, limits);
    return base && withRefusedPods(base, limited);
  }
  // An old pod of a DaemonSet is deleted before its successor needs the node, or stays there: only quotas are decided by the steady state.
  if (workload.onePerNode) {
    const withoutQuotas = { ...limits, resourcesOf: () => [] };
    const byNodes = evaluateByPodCount(limited, withoutQuotas);
    const evaluateNodes = () => evaluateDaemonSet(limited, withoutQuotas, () => byNodes);
    const exactly = resources.length === 0 ? evaluateNodes() : undefined;
    if (exactly || (!byNodes && resources.length === 0)) return exactly;
    if (byNodes && byNodes.verdict.verdict !== 'fits') {
      const short = evaluateShortDaemonSet(limited, limits);
      return resources.length === 0 ? short : withRangeInQuotas(short, evaluateNodes(), limited, limits);
    }
  }
  return evaluateSteadyRollout(limited, limits) ?? findQuotaDeadlock(limited, limits) ?? evaluateUndecided(limited, limits);
}

/**
 * Evaluates a rollout on its own while the pods of other workloads stay as they are. Returns undefined if nothing limits it.
 *
 * From a known steady state it is decided by all placements that the scheduler may choose, while old pods keep their own shape. From any
 * other state only the numbers of pods are compared.
 */
export function evaluateRollout(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const byLimits = evaluateByLimits(limited, limits);
  const evaluation = limited.workload.onePerNode ? withUnlocatedPods(byLimits, limited, limits) : byLimits;
  const { surroundings } = limits;
  if (!evaluation || !surroundings) return evaluation;
  const withClasses = withExtendedResourceClasses(evaluation, surroundings.context);
  return evaluateNextToLowered(withClasses, [limited.workload], surroundings) ?? withClasses;
}
