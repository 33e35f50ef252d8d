import type { PlanContext } from '../context/context';
import type { SystemRollout } from '../rollout/system-rollout';
import { evaluateWithOtherUnits } from '../capacity/plan-limits';
import { evaluateRollout } from '../capacity/evaluate-rollout';
import { hasInterchangeablePods, isPlacedByNode } from '../capacity/exact/interchangeable-pods';
import { skipSearches } from '../capacity/plan-limits';
import type { PlanLimits } from '../capacity/plan-limits';
import type { RolloutTrial } from '../rollout/rollout-trial';
import { describeRun, limitRows, markUnlimitedRows } from './reported-run';
import { evaluateGroups, withTrial } from '../capacity/sets/evaluate-pod-groups';

/** Creates the trial of a rollout. Returns undefined if its user cannot choose a strategy, or nothing rolls out. */
export function createTrial({ pods }: SystemRollout, limits: PlanLimits, context: PlanContext): RolloutTrial | undefined {
  if (pods?.kind === 'groups') {
    const { groups } = pods;
    const { rolloutWith, groupRange, podSets, rows } = groups;
    if (!rolloutWith || rows.length === 0) return undefined;
    const runTrial = (strategy: unknown, replicas: number) => {
      const trial = rolloutWith(strategy, replicas);
      const evaluation = evaluateWithOtherUnits(evaluateGroups, withTrial(groups, trial), limits);
      const duration = trial.duration(evaluation?.delay);
      return {
        simulation: limitRows(trial.simulation, evaluation),
        ...(evaluation && { capacity: markUnlimitedRows(evaluation) }),
        ...(duration && { duration }),
      };
    };
    return {
      strategyPath: podSets[0]!.strategyPath,
      unit: podSets.map(({ template, perGroup = 1 }) => ({ template, pods: perGroup })),
      ...(groupRange && { range: groupRange }),
      isLimited: true,
      hasInterchangeablePods: false,
      dependsOnOtherNodes: false,
      hasKnownRequests: podSets.every(({ countOnly }) => countOnly !== true),
      isUncertain: false,
      run: runTrial,
    };
  }
  if (pods?.kind !== 'workload') return undefined;
  const { workload } = pods;
  const { controller, strategyOwner, replicaRange, template } = workload;
  if (!controller.acceptsStrategies || strategyOwner || !workload.rollout) return undefined;
  const withoutSearches = skipSearches(limits);
  const isLimited = limits.nodePools.length > 0 || limits.resourcesOf(workload).length > 0;
  return {
    unit: [{ template, pods: 1 }],
    hasKnownRequests: workload.countOnly !== true,
    strategyPath: workload.strategyPath,
    names: workload.names,
    ...(replicaRange && { range: replicaRange }),
    isLimited,
    hasInterchangeablePods: !isLimited || hasInterchangeablePods(workload, limits),
    dependsOnOtherNodes: limits.nodePools.length > 0 && !isPlacedByNode(workload),
    isUncertain: workload.countOnly === true && isLimited,
    run: (strategy, replicas, skipsSearch = false) => {
      const limited = { workload, rollout: controller.rolloutAt(replicas, strategy) };
      const evaluation = evaluateWithOtherUnits(evaluateRollout, limited, skipsSearch ? withoutSearches : limits);
      return describeRun(limited, evaluation, limited.rollout.simulation, context);
    },
  };
}
