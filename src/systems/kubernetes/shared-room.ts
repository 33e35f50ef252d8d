import type { SharedLimit, SharedRoom } from '../../core/plan-document';
import type { MoreNodes, Rollout, RoomVerdict } from '../../core/rollout';
import type { PlannedRollout, Workload } from '../../core/workload';
import type { ResourceLimit } from './limits';
import { resourceLimit } from './limits';
import { largestFirst, moreNodesFor, place } from './node-pools';
import type { Demand, NodePool } from './node-pools';
import { podFootprint } from './pod-requests';
import { limitedRollout, written } from './rollout-room';
import type { JudgedRoom, LimitedRollout, Limits } from './rollout-room';
import { peakPodsOf } from './room';

const WORST_FIRST: readonly RoomVerdict[] = ['deadlocks', 'slower', 'fits'];

function worst(verdicts: readonly RoomVerdict[]): RoomVerdict {
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'fits';
}

/** Pods of a rollout above those that run anyway. */
function extraPods({ workload, simulation }: LimitedRollout): bigint {
  return BigInt(Math.max(0, peakPodsOf(simulation) - workload.replicas));
}

interface SharedUse {
  readonly limit: ResourceLimit;
  readonly oneAfterAnother: bigint;
  readonly together: bigint;
}

type ByWorkload = ReadonlyMap<Workload, LimitedRollout>;

function sharedUse(limit: ResourceLimit, rollouts: ByWorkload): SharedUse {
  let largest = 0n;
  let sum = 0n;
  for (const [workload, use] of limit.perPod) {
    const rollout = rollouts.get(workload);
    const extra = rollout ? extraPods(rollout) * use : 0n;
    sum += extra;
    if (extra > largest) largest = extra;
  }
  return { limit, oneAfterAnother: limit.steady + largest, together: limit.steady + sum };
}

/** Do at least two rollouts use something of this limit? */
function isShared({ perPod }: ResourceLimit, rollouts: ByWorkload): boolean {
  let users = 0;
  for (const workload of perPod.keys()) users += rollouts.has(workload) ? 1 : 0;
  return users > 1;
}

function sharedLimit({ limit, oneAfterAnother, together }: SharedUse): SharedLimit {
  const { name, resource, total, steady } = limit;
  return {
    limit: name,
    resource,
    available: written(total, resource),
    steady: written(steady, resource),
    oneAfterAnother: written(oneAfterAnother, resource),
    together: written(together, resource),
  };
}

/** What the nodes of all pools have of each resource, as far as pods ask for it. */
function poolTotals(pools: readonly NodePool[], planned: readonly PlannedRollout[]): ResourceLimit[] {
  const totals = new Map<string, bigint>();
  for (const { count, allocatable } of pools) {
    for (const [resource, amount] of allocatable) totals.set(resource, (totals.get(resource) ?? 0n) + amount * BigInt(count));
  }
  const workloads = planned.flatMap(({ workload }) => workload ?? []);
  const use = (resource: string) => (workload: (typeof workloads)[number]) => podFootprint(workload.template.spec).get(resource) ?? 0n;
  return [...totals].flatMap(([resource, total]) => resourceLimit('node pools', resource, { total }, workloads, use(resource)) ?? []);
}

/** The pods that find no node while all roll out at once. */
function homelessTogether(rollouts: readonly LimitedRollout[], { steady, nodePools }: Limits): readonly Demand[] {
  if (!steady) return [];
  const extra = rollouts.map((rollout) => ({ workload: rollout.workload, pods: Number(extraPods(rollout)) }));
  return [...steady.unplaced, ...place(steady.open, largestFirst(nodePools, extra)).unplaced];
}

/** Limits that a sentence names; the others stand in the list. */
const MOST_NAMED = 3;

function named(names: readonly string[]): string {
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `${names.slice(0, MOST_NAMED).join(', ')}${rest}`;
}

function describe(
  alone: RoomVerdict,
  together: RoomVerdict,
  stuck: readonly LimitedRollout[],
  short: readonly SharedUse[],
  moreNodes?: MoreNodes,
): string {
  const names = named(
    stuck.map(({ workload: { kind, namespace, name } }) => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`),
  );
  const words: Readonly<Record<RoomVerdict, string>> = {
    fits: 'fits',
    slower: 'ends, with fewer pods at once than planned',
    deadlocks: `deadlocks (${names})`,
  };
  const lacking = short.map(({ limit, together: use }) => {
    return `${written(use, limit.resource)} of ${written(limit.total, limit.resource)} ${limit.resource} (${limit.name})`;
  });
  const because = lacking.length > 0 ? `, since the peaks together need ${named(lacking)}` : '';
  const nodes = moreNodes
    ? `; fits with ${moreNodes.nodes} more ${moreNodes.nodes === 1 ? 'node' : 'nodes'} of pool "${moreNodes.pool}"`
    : '';
  return `One after another: ${words[alone]}. All at once: ${words[together]}${because}${nodes}.`;
}

/**
 * What the rollouts of a plan ask of the limits that they share, one after another and all at once.
 *
 * All at once needs more room, but never deadlocks where each would end alone: a rollout without room for its surge waits for one that
 * ends and gives its own back, and one that deletes pods first waits for places that it made itself.
 *
 * @returns undefined where no limit is shared
 */
export function sharedRoom(
  planned: readonly PlannedRollout[],
  rooms: ReadonlyMap<Rollout, JudgedRoom>,
  limits: Limits,
): SharedRoom | undefined {
  const limited = planned.filter((rollout) => rooms.has(rollout));
  const byWorkload = new Map(limited.flatMap((rollout) => limitedRollout(rollout) ?? []).map((rollout) => [rollout.workload, rollout]));
  const shared = [...limits.resources, ...poolTotals(limits.nodePools, planned)].filter((limit) => isShared(limit, byWorkload));
  if (shared.length === 0) return undefined;
  const sharing = new Set(shared.flatMap(({ perPod }) => [...perPod.keys()]));
  const judged = limited.filter(({ workload }) => workload && sharing.has(workload)).map((rollout) => rooms.get(rollout)!);
  const rollouts = [...byWorkload.values()].filter(({ workload }) => sharing.has(workload));

  const uses = shared.map((limit) => sharedUse(limit, byWorkload));
  const short = uses.filter(({ limit, together }) => together > limit.total);
  const homeless = homelessTogether(rollouts, limits);
  const oneAfterAnother = worst(judged.map(({ verdict }) => verdict.verdict));
  const fitsTogether = short.length === 0 && homeless.length === 0;
  const together = oneAfterAnother === 'deadlocks' || fitsTogether ? oneAfterAnother : 'slower';
  const onlyNodesLack = homeless.length > 0 && short.every(({ limit }) => limit.name === 'node pools');
  const moreNodes = onlyNodesLack ? moreNodesFor(limits.nodePools, homeless) : undefined;
  const stuck = rollouts.filter((_, index) => judged[index]!.verdict.verdict === 'deadlocks');
  const message = describe(oneAfterAnother, together, stuck, short, moreNodes);
  return { oneAfterAnother, together, limits: uses.map(sharedLimit), message };
}
