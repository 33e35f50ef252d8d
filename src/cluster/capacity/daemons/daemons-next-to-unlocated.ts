import type { LimitedRollout } from '../../rollout/workload';
import { addAmounts, countPods, subtractPods } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { formatUncertainty, PLACEMENT } from '../exact/format-uncertainty';
import { canRunOn } from '../nodes/node-affinity';
import type { NodePool } from '../../context/capacity';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { addBack, toRunningPods } from '../surroundings/surroundings';
import type { UnlocatedPods } from '../surroundings/surroundings';

const NOTHING: Amounts = new Map();

/** Computes the most that pods on unknown nodes may use of a node with some resources left, by resource. */
function computeMostUse(pods: readonly UnlocatedPods[], pool: NodePool, free: Amounts, { cache }: PlanLimits): Amounts {
  const most = new Map<string, bigint>();
  for (const { podSet, pods: count } of pods.map(toRunningPods)) {
    if (!canRunOn(podSet, pool, 'old', cache)) continue;
    const footprint = computePodFootprint(podSet.template.spec);
    const onNode = BigInt(countPods(free, footprint, count));
    addAmounts(most, new Map([...footprint].map(([resource, amount]) => [resource, amount * onNode])));
  }
  return most;
}

/**
 * Reports whether pods on unknown nodes may leave too little of a node for the new pod of a DaemonSet that needs more there than the old one.
 *
 * A node of 4 CPU with an old pod of 1 CPU may also have a pod of 3 CPU. Then a new pod of 2 CPU does not fit there.
 */
function mayLackCapacity({ workload, rollout }: LimitedRollout, limits: PlanLimits): boolean {
  const { unlocated = [] } = limits.surroundings ?? {};
  const own = unlocated.length > 0 ? limits.surroundingsOf(workload) : undefined;
  if (!own) return false;
  const { podSet, surroundings } = own;
  const { template, oldTemplate = template, isNew = false } = workload;
  const next = computePodFootprint(template.spec);
  const inventory = surroundings.inventory();
  return [...inventory.eligibleNodes(podSet, 'new').indexes].some((index) => {
    const { pool, free } = inventory.nodes[index]!;
    const live = (surroundings.ownPods.get(podSet) ?? []).filter(({ nodeName }) => nodeName === pool.nodeName);
    const hasOld = !isNew && canRunOn({ ...podSet, template: oldTemplate }, pool, 'old', limits.cache);
    const old = hasOld ? computePodFootprint(oldTemplate.spec) : NOTHING;
    const withoutOwn = addBack(free, live, surroundings.devices);
    const besideOld = subtractPods(withoutOwn, old, 1);
    const most = computeMostUse(unlocated, pool, besideOld, limits);
    return [...next].some(([resource, amount]) => {
      const needed = amount + (rollout.surge > 0 ? (old.get(resource) ?? 0n) : 0n);
      const left = withoutOwn.get(resource);
      const others = most.get(resource) ?? 0n;
      return left !== undefined && needed <= left && needed > (old.get(resource) ?? 0n) && others > left - needed;
    });
  });
}

/** Leaves open whether a DaemonSet fits whose nodes may have pods for which the input has no node. */
export function withUnlocatedPods(
  evaluation: CapacityEvaluation | undefined,
  limited: LimitedRollout,
  limits: PlanLimits,
): CapacityEvaluation | undefined {
  const { replicas, peakPods } = limited.rollout;
  if ((evaluation && evaluation.verdict.verdict !== 'fits') || peakPods === 0 || !mayLackCapacity(limited, limits)) return evaluation;
  const because = [PLACEMENT];
  const outcomes = { outcome: 'every' as const, newAtLeast: replicas, newAtMost: replicas };
  const message = formatUncertainty({ outcomes, because, replicas });
  return buildUncertainEvaluation({ peakPods, podsThatFit: peakPods, because, message });
}
