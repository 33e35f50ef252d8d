import { formatNanos } from '../../core/quantity';
import type { DeploymentSimulation, MoreNodes, RolloutRoom, Shortage, StatefulSetSimulation } from '../../core/rollout';
import type { SystemRollout, PodSet, RoomDelay, Workload } from '../workload';
import { leftFor, podsAllowed } from './limits';
import type { Refusal, ResourceLimit } from './limits';
import { goesAnywhere, hasCondition, runsOn, whyNoNode } from './node-affinity';
import type { NodePool } from './node-pools';
import { emptyNodes, largestFirst, largestLeft, moreNodesFor, place, roomFor } from './placement';
import type { Nodes } from './placement';
import { isBytes, podFootprint } from './pod-requests';
import { outcomeWithRoom, peakPodsOf } from './outcome';
import type { RoomOutcome } from './outcome';
import { oneNodeEach } from './scheduling';

/** Where the pods stand while nothing rolls out. */
export interface SteadyPods {
  readonly nodes: Nodes;
  /** Pods of rollouts that find no node. */
  readonly homeless: ReadonlyMap<PodSet, number>;
  /** Pods on nodes that take no new ones, such as cordoned ones: their successors need other places. */
  readonly stranded: ReadonlyMap<PodSet, number>;
}

/** All that limits the pods of a plan. */
export interface Limits {
  readonly resources: readonly ResourceLimit[];
  /** Those of the resources that limit a set of pods. */
  resourcesOf(podSet: PodSet): readonly ResourceLimit[];
  readonly nodePools: readonly NodePool[];
  /** Undefined without node pools. */
  readonly steady?: SteadyPods;
  /** The pods that use something of the nodes while nothing rolls out; daemons apart, which the node pools are without. */
  readonly onNodes: readonly PodSet[];
}

/** A rollout whose pods are known and simulated. */
export interface LimitedRollout {
  readonly workload: Workload;
  readonly simulation: DeploymentSimulation | StatefulSetSimulation;
  readonly isRecreate: boolean;
}

/** The pods of all rollouts whose systems know them. */
export function podSetsOf(planned: readonly SystemRollout[]): PodSet[] {
  return planned.flatMap(({ workload, clusterPods }) => (workload ? [workload] : (clusterPods?.podSets ?? [])));
}

/** The pods of a rollout that is simulated pod by pod; undefined for any other. */
export function limitedRollout({ workload, simulation, strategy }: SystemRollout): LimitedRollout | undefined {
  if (!workload || (simulation?.kind !== 'deployment' && simulation?.kind !== 'statefulset')) return undefined;
  return { workload, simulation, isRecreate: (strategy as { readonly type?: unknown } | null)?.type === 'Recreate' };
}

/** The verdict on a rollout, and what it does to the time that the rollout takes. */
export interface JudgedRoom {
  readonly verdict: RolloutRoom;
  readonly delay: RoomDelay;
  /** Why new pods are refused outright, where that is what the rollout lacks. */
  readonly refusal?: Refusal;
}

/** An amount of a resource, for people: `7`, `500m`, `16Gi`. */
export function written(amount: bigint, resource: string): string {
  return formatNanos(amount, isBytes(resource) ? 'bytes' : 'units');
}

/** How far one limit lets a rollout go. */
interface Allowed {
  readonly pods: number;
  /** Are pods beyond it refused? */
  readonly refusesPods?: boolean;
  /** Why it lets no new pod in, whatever it has left. */
  readonly refusal?: Refusal;
  shortage(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

function allowedByResource({ workload, simulation }: LimitedRollout, limit: ResourceLimit): Allowed {
  const { name, resource, refusesPods, refusal } = limit;
  return {
    pods: podsAllowed(workload, limit),
    refusesPods,
    refusal,
    shortage: () => ({
      limit: name,
      resource,
      needed: written(limit.perPod.get(workload)! * BigInt(peakPodsOf(simulation)), resource),
      available: written(leftFor([workload], limit), resource),
      ...(refusal && { refusal: refusal.because }),
    }),
  };
}

export const NODE_POOLS = 'node pools';

export const ANY_NODE = 'any one node';

/**
 * What a new pod of a set finds on no node: labels, taints that it tolerates, enough of a resource, of several the one with the smallest
 * part of the request left; undefined where some node has all.
 */
export function lackingOnAnyNode(podSet: PodSet, nodes: Nodes, pools: readonly NodePool[]): Shortage | undefined {
  const none = whyNoNode(podSet, pools);
  if (none) return { limit: ANY_NODE, resource: none.kind, needed: none.what, available: 'none' };
  const lacking = [...podFootprint(podSet.template.spec)].flatMap(([resource, request]) => {
    const left = largestLeft(nodes, podSet, resource);
    return left === undefined || left >= request ? [] : { resource, request, left };
  });
  const [scarcest] = lacking.toSorted((a, b) => Number(a.left * b.request - b.left * a.request));
  if (!scarcest) return undefined;
  const { resource, request, left } = scarcest;
  const limit = goesAnywhere(podSet, pools) ? ANY_NODE : `${ANY_NODE} that it may go to`;
  return { limit, resource, needed: written(request, resource), available: written(left, resource) };
}

function nodeShortage(rollout: LimitedRollout, pods: number, extra: number, pools: readonly NodePool[], steady: SteadyPods): Shortage {
  const { workload, simulation } = rollout;
  const peak = peakPodsOf(simulation);
  if (oneNodeEach(workload) && !whyNoNode(workload, pools)) {
    return { limit: NODE_POOLS, resource: 'nodes', needed: `${peak}`, available: `${pods}` };
  }
  const { nodes } = place(steady.nodes, [{ podSet: workload, pods: extra }]);
  return lackingOnAnyNode(workload, nodes, pools) ?? { limit: NODE_POOLS, resource: 'pods', needed: `${peak}`, available: `${pods}` };
}

function allowedByNodes(rollout: LimitedRollout, pools: readonly NodePool[], steady: SteadyPods): Allowed {
  const { workload, simulation } = rollout;
  const peak = peakPodsOf(simulation);
  const homeless = steady.homeless.get(workload) ?? 0;
  const toMove = steady.stranded.get(workload) ?? 0;
  // Those that are being deleted hold their places too, so there are never more than twice as many as at the peak.
  const extra = homeless > 0 ? 0 : roomFor(steady.nodes, workload, 2 * peak + toMove);
  const pods = workload.replicas - homeless + (extra < toMove ? extra - toMove : extra);
  return {
    pods,
    shortage: () => nodeShortage(rollout, pods, extra, pools, steady),
    moreNodes: () => moreNodesFor(pools, [{ podSet: workload, pods: peak - pods }]),
  };
}

/** Judges a rollout by itself while the pods of the others stay as they are; undefined where nothing limits it. */
export function rolloutRoom(rollout: LimitedRollout, limits: Limits): JudgedRoom | undefined {
  if (rollout.simulation.replicas === 0) return undefined;
  const allowed = limits.resourcesOf(rollout.workload).map((limit) => allowedByResource(rollout, limit));
  if (limits.steady && !rollout.workload.countOnly) allowed.push(allowedByNodes(rollout, limits.nodePools, limits.steady));
  return allowed.length === 0 ? undefined : judge(rollout, allowed);
}

/** Pods of each set that stand on nodes which take no new ones of them: as many as find room there. */
function strandedPods(podSets: readonly PodSet[], pools: readonly NodePool[]): Omit<SteadyPods, 'homeless'> {
  const strands = (podSet: PodSet) => pools.some((pool) => runsOn(podSet, pool, 'old') && !runsOn(podSet, pool, 'new'));
  const demands = podSets.filter(strands).map((podSet) => ({ podSet, pods: podSet.replicas }));
  const { nodes, unplaced } = place(emptyNodes(pools), largestFirst(pools, demands), 'old');
  const elsewhere = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return { nodes, stranded: new Map(demands.map(({ podSet, pods }) => [podSet, pods - (elsewhere.get(podSet) ?? 0)])) };
}

/**
 * Where the pods stand while nothing rolls out. Nodes that take no new pods are taken to hold as many as they can.
 *
 * @param others pods that no rollout replaces: those without a node wait for one, and matter to nobody
 */
export function steadyPlacement(
  ofRollouts: readonly PodSet[],
  others: readonly PodSet[],
  pools: readonly NodePool[],
): Pick<Limits, 'steady' | 'onNodes'> {
  if (pools.length === 0) return { onNodes: [] };
  const all = [...ofRollouts, ...others];
  const { nodes, stranded } = strandedPods(all, pools.filter(hasCondition));
  const demands = all.map((podSet) => ({ podSet, pods: podSet.replicas - (stranded.get(podSet) ?? 0) }));
  const open = emptyNodes(pools.filter((pool) => !hasCondition(pool)));
  const placement = place([...nodes, ...open], largestFirst(pools, demands), 'old');
  const homeless = new Map(placement.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  const othersOnNodes = others.map((podSet) => ({ ...podSet, replicas: podSet.replicas - (homeless.get(podSet) ?? 0) }));
  others.forEach((podSet) => homeless.delete(podSet));
  return { steady: { nodes: placement.nodes, homeless, stranded }, onNodes: [...ofRollouts, ...othersOnNodes] };
}

function judge(rollout: LimitedRollout, allowed: readonly Allowed[]): JudgedRoom {
  const tightest = allowed.reduce((least, next) => (next.pods < least.pods ? next : least));
  const verdict = verdictOn(rollout, allowed, tightest);
  const podsAdmitted = Math.min(...allowed.filter(({ refusesPods }) => refusesPods).map(({ pods }) => pods));
  const refusal = verdict.verdict === 'fits' ? undefined : tightest.refusal;
  const delay = { deadlocks: verdict.verdict === 'deadlocks', podsWithRoom: tightest.pods, podsAdmitted };
  return { verdict, delay, ...(refusal && { refusal }) };
}

function verdictOn(rollout: LimitedRollout, allowed: readonly Allowed[], tightest: Allowed): RolloutRoom {
  const { simulation, isRecreate } = rollout;
  const peakPods = peakPodsOf(simulation);
  const outcome = outcomeWithRoom(simulation, tightest.pods, isRecreate);
  const room = { peakPods, podsWithRoom: Math.min(peakPods, tightest.pods) };
  if (outcome.verdict === 'fits') {
    return { verdict: 'fits', ...room, message: describeFit(peakPods) };
  }
  const shortage = tightest.shortage();
  // Nodes help only where they alone are lacking.
  const others = allowed.filter((limit) => limit !== tightest);
  const moreNodes = others.every(({ pods }) => pods >= peakPods) ? tightest.moreNodes?.() : undefined;
  return { ...outcome, ...room, shortage, ...(moreNodes && { moreNodes }), message: describe(rollout, outcome, shortage, moreNodes) };
}

export function describeFit(peakPods: number): string {
  return `Fits: there is room for the ${counted(peakPods, 'pod')} of its peak.`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** What is lacking, as a part of a sentence. */
export function describeShortage({ limit, resource, needed, available, refusal }: Shortage): string {
  if (refusal !== undefined) return refusal;
  if (limit === ANY_NODE && resource === 'labels') return `a pod goes only to nodes with ${needed}, and no node has that`;
  if (limit === ANY_NODE && resource === 'taints') return `the nodes that a pod may go to have a taint that it doesn't tolerate: ${needed}`;
  return limit.startsWith(ANY_NODE)
    ? `a pod needs ${needed} ${resource}, and no ${limit.slice('any one '.length)} has more than ${available} left`
    : `its peak needs ${needed} ${resource}, and ${limit} ${limit === NODE_POOLS ? 'have' : 'has'} ${available} for it`;
}

function describe({ simulation }: LimitedRollout, outcome: RoomOutcome, shortage: Shortage, moreNodes: MoreNodes | undefined): string {
  const unit = simulation.kind === 'statefulset' ? 'batch' : 'wave';
  const course =
    outcome.verdict === 'deadlocks'
      ? `deadlocks at ${unit} ${outcome.deadlockWave}`
      : `takes ${counted(outcome.iterations!, 'iteration')}, with fewer pods at once`;
  return describeCourse(course, shortage, moreNodes);
}

/** What becomes of a rollout without room, and why, in a sentence. */
export function describeCourse(course: string, shortage: Shortage, moreNodes: MoreNodes | undefined): string {
  const because = describeShortage(shortage);
  if (moreNodes)
    return `Fits only with ${counted(moreNodes.nodes, 'node')} more of pool "${moreNodes.pool}"; without it, ${course}: ${because}.`;
  return `${course.charAt(0).toUpperCase()}${course.slice(1)}: ${because}.`;
}
