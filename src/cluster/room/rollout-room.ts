import type { Memory } from '../../core/memory';
import { counted } from '../../core/words';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { workloadIn } from '../workload';
import type { PodRollout, PodSet, RoomDelay, SystemRollout, Workload } from '../workload';
import { alikePools } from './alike-nodes';
import { changingUsers, leftBesideHeld, podsAllowedAtMost, podsThatStay } from './limits';
import type { ResourceLimit } from './limits';
import { refusalText } from './refusal';
import type { Refusal } from './refusal';
import { goesAnywhere, whyNoNode } from './allowed-nodes';
import type { NoNode } from './allowed-nodes';
import { hasCondition, runsOn } from './node-affinity';
import type { NodePool } from './node-pools';
import { emptyNodes, joined, largestFirst, largestLeft, moreNodesFor, nodesWithRoom, place, roomFor } from './placement';
import type { Demand, Nodes } from './placement';
import { podFootprint, written } from './pod-requests';
import { oneNodeEach } from './scheduling';
import { ANY_ALLOWED_NODE, ANY_NODE, courseText, NODE_POOLS, roomFound } from './shortage';
import type { TooSmall } from './too-small';
import { movesVolume, unmodelledConstraints } from './unmodelled';
import { least } from '../../core/extremes';

/** Where the pods stand while nothing rolls out. */
export interface SteadyPods {
  readonly nodes: Nodes;
  /** Pods of rollouts that find no node. */
  readonly homeless: ReadonlyMap<PodSet, number>;
  /** Pods on nodes that take no new ones, such as cordoned ones: their successors need other places. */
  readonly stranded: ReadonlyMap<PodSet, number>;
  /** The nodes with those pods alone that run before an apply and stay, and the pods that it adds to them. */
  readonly before: Nodes;
  readonly added: readonly Demand[];
  /** Of the pods that it adds, those that find no node once all others have one. */
  readonly unplaced: readonly Demand[];
  /** The pods that it takes away, which hold their places until they are gone. */
  readonly leaving: readonly Demand[];
}

/** All that limits the pods of a plan. */
export interface Limits {
  readonly resources: readonly ResourceLimit[];
  /** Those of the resources that limit a set of pods. */
  resourcesOf(podSet: PodSet): readonly ResourceLimit[];
  readonly nodePools: readonly NodePool[];
  /** The DaemonSets that do not find room for a pod on each of their nodes. */
  readonly tooSmall: ReadonlyMap<PodSet, TooSmall>;
  /** Where the plan keeps what it has worked out of pods and nodes. */
  readonly memory: Memory;
  /** Undefined without node pools. */
  readonly steady?: SteadyPods;
  /** The pods that use something of the nodes while nothing rolls out; daemons apart, which the node pools are without. */
  readonly onNodes: readonly PodSet[];
  /** What the pods of other units leave of all that they share with these. @default - nothing is shared */
  readonly besideOthers?: Limits;
}

/** The nodes of a plan. */
type PlanNodes = Pick<Limits, 'nodePools' | 'memory'>;

/** A rollout whose pods are known, and of which something rolls out. */
export interface LimitedRollout {
  readonly workload: Workload;
  readonly rollout: PodRollout;
}

/** The pods of a rollout that is simulated pod by pod; undefined for any other. */
export function limitedRollout(planned: SystemRollout): LimitedRollout | undefined {
  const workload = workloadIn(planned);
  return workload?.rollout && { workload, rollout: workload.rollout };
}

/** The verdict on a rollout, and what it does to the time that the rollout takes. */
export interface JudgedRoom {
  readonly verdict: RolloutRoom;
  readonly delay: RoomDelay;
  /** Why new pods are refused outright, where that is what the rollout lacks. */
  readonly refusal?: Refusal;
  /** What else the apply adds pods to, where the rollout stands still only if that comes first. */
  readonly rivals?: readonly PodSet[];
}

/** How far one limit lets a rollout go. */
interface Allowed {
  readonly pods: number;
  /** The same if the rollout comes before what else the apply adds. @default - as `pods` */
  readonly most?: number;
  /** Are pods beyond it refused? */
  readonly refusesPods?: boolean;
  /** Why it lets no new pod in, whatever it has left. */
  readonly refusal?: Refusal;
  /** Nodes that do not take its pod at all; of one pod a node. */
  readonly nodesTooSmall?: number;
  /** Sets that the apply adds pods to and that want the same. */
  rivals?(): readonly PodSet[];
  shortage(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

/** A shortage of what pods ask of a quota, of a capacity or of all nodes together. */
export function resourceShortage({ kind, name, resource, refusal }: ResourceLimit, needed: bigint, available: bigint): Shortage {
  const amounts = { limit: name, needed: written(needed, resource), available: written(available, resource) };
  if (kind === 'capacity') return { kind, ...amounts, resource };
  if (kind === 'nodes') return { kind, ...amounts, resource: 'pods' };
  return { kind, ...amounts, resource, ...(refusal && { refusal: refusalText(refusal) }) };
}

/** What others get by the same apply they do not get from the pods that the rollout has at its worst moment. */
function allowedByResource({ workload, rollout }: LimitedRollout, limit: ResourceLimit, memory: Memory): Allowed {
  const { refusesPods, refusal } = limit;
  const use = limit.perPod.get(workload)!;
  const left = leftBesideHeld([workload], [Math.min(podsThatStay(workload), rollout.leastAvailable)], limit);
  return {
    pods: Number(left / use),
    most: podsAllowedAtMost(workload, limit),
    refusesPods,
    refusal,
    rivals: () => changingUsers(limit, memory).growing,
    shortage: () => resourceShortage(limit, use * BigInt(rollout.peakPods), left),
  };
}

function noNode({ kind, what }: NoNode): Shortage {
  const lack = { limit: ANY_NODE, needed: what, available: 'none' };
  return kind === 'labels' ? { kind, ...lack, resource: kind } : { kind, ...lack, resource: kind };
}

/** Too few places on all nodes together. */
export function placesShortage(needed: number, available: number): Shortage {
  return { kind: 'nodes', limit: NODE_POOLS, resource: 'pods', needed: `${needed}`, available: `${available}` };
}

/** Too few nodes for pods that each want one of their own. */
export function ownNodesShortage(needed: number, available: number): Shortage {
  return { kind: 'own-nodes', limit: NODE_POOLS, resource: 'nodes', needed: `${needed}`, available: `${available}` };
}

/**
 * What a new pod of a set finds on no node: labels, taints that it tolerates, enough of a resource,
 * of several the one with the smallest part of the request left; undefined where some node has all.
 */
export function lackingOnAnyNode(podSet: PodSet, nodes: Nodes, { nodePools, memory }: PlanNodes): Shortage | undefined {
  const none = whyNoNode(podSet, nodePools, memory);
  if (none) return noNode(none);
  const lacking = [...podFootprint(podSet.template.spec)].flatMap(([resource, request]) => {
    const left = largestLeft(nodes, podSet, resource, memory);
    return left === undefined || left >= request ? [] : { resource, request, left };
  });
  const [scarcest] = lacking.toSorted((a, b) => Number(a.left * b.request - b.left * a.request));
  if (!scarcest) return undefined;
  const { resource, request, left } = scarcest;
  const isChoosy = !goesAnywhere(podSet, nodePools, memory);
  const amounts = { needed: written(request, resource), available: written(left, resource) };
  return { kind: 'one-node', limit: isChoosy ? ANY_ALLOWED_NODE : ANY_NODE, resource, ...amounts, isChoosy };
}

function nodeShortage(
  { workload, rollout }: LimitedRollout,
  pods: number,
  extra: number,
  planNodes: PlanNodes,
  steady: SteadyPods,
): Shortage {
  const { nodePools, memory } = planNodes;
  if (oneNodeEach(workload) && !whyNoNode(workload, nodePools, memory)) return ownNodesShortage(rollout.peakPods, pods);
  const { nodes } = place(steady.nodes, [{ podSet: workload, pods: extra }], memory);
  return lackingOnAnyNode(workload, nodes, planNodes) ?? placesShortage(rollout.peakPods, pods);
}

function allowedByNodes(limited: LimitedRollout, planNodes: PlanNodes, steady: SteadyPods): Allowed {
  const { nodePools, memory } = planNodes;
  const { workload, rollout } = limited;
  const homeless = steady.homeless.get(workload) ?? 0;
  const toMove = steady.stranded.get(workload) ?? 0;
  // Those that are being deleted hold their places too, so there are never more than twice as many as at the peak.
  const extra = homeless > 0 ? 0 : roomFor(steady.nodes, workload, 2 * rollout.peakPods + toMove, memory);
  const pods = workload.replicas - homeless + (extra < toMove ? extra - toMove : extra);
  return {
    pods,
    shortage: () => nodeShortage(limited, pods, extra, planNodes, steady),
    moreNodes: () => moreNodesFor(nodePools, [{ podSet: workload, pods: rollout.peakPods - pods }], memory),
  };
}

/** Of a DaemonSet: the nodes that take its pod; undefined where all do, or nothing waits for its pods. */
function allowedOnNodes({ rollout }: LimitedRollout, nodesTooSmall: number): Allowed | undefined {
  const { replicas } = rollout;
  const pods = Math.max(0, replicas - nodesTooSmall);
  // Nothing waits for pods that someone deletes by hand.
  if (pods === replicas || rollout.outcomeOnNodes?.(nodesTooSmall).verdict === 'fits') return undefined;
  return { pods, nodesTooSmall, shortage: () => ownNodesShortage(replicas, pods) };
}

/**
 * Room on the nodes of a DaemonSet: for its pod, and for a second one where it surges.
 * A node with room for one keeps its old pod for good, and a place among those that may surge;
 * on one that takes none the old pod is not available either, so that its successor waits there beside those that may surge.
 */
function allowedByOwnNodes(limited: LimitedRollout, { steady, tooSmall, memory }: Limits): Allowed | undefined {
  const { workload, rollout } = limited;
  const { replicas, surge } = rollout;
  const { nodes: nodesTooSmall = 0 } = tooSmall.get(workload) ?? {};
  const withRoom = surge > 0 && steady ? nodesWithRoom(steady.nodes, workload, memory) : undefined;
  if (withRoom !== undefined && withRoom < replicas - nodesTooSmall) {
    return { pods: replicas, shortage: () => ownNodesShortage(replicas, withRoom) };
  }
  const small = allowedOnNodes(limited, nodesTooSmall);
  return small ?? (withRoom === undefined ? undefined : { pods: Infinity, shortage: () => ownNodesShortage(replicas, withRoom) });
}

function nodeAllowance(limited: LimitedRollout, limits: Limits): Allowed | undefined {
  const { steady } = limits;
  const { countOnly, onePerNode } = limited.workload;
  if (countOnly) return undefined;
  if (onePerNode) return allowedByOwnNodes(limited, limits);
  return steady && allowedByNodes(limited, limits, steady);
}

/** Judges a rollout by itself while the pods of the others stay as they are; undefined where nothing limits it. */
export function rolloutRoom(rollout: LimitedRollout, limits: Limits): JudgedRoom | undefined {
  if (rollout.rollout.peakPods === 0) return undefined;
  const allowed = limits.resourcesOf(rollout.workload).map((limit) => allowedByResource(rollout, limit, limits.memory));
  const byNodes = nodeAllowance(rollout, limits);
  if (byNodes) allowed.push(byNodes);
  return allowed.length === 0 ? undefined : judge(rollout, allowed, unmodelledOf(rollout, limits));
}

/** Pods of each set that stand on nodes which take no new ones of them: as many as find room there. */
function strandedPods(podSets: readonly PodSet[], pools: readonly NodePool[], memory: Memory): Pick<SteadyPods, 'nodes' | 'stranded'> {
  const strands = (podSet: PodSet) =>
    alikePools(podSet, pools, memory).some(({ pool }) => runsOn(podSet, pool, 'old', memory) && !runsOn(podSet, pool, 'new', memory));
  const demands = podSets.filter(strands).map((podSet) => ({ podSet, pods: podsThatStay(podSet) }));
  const { nodes, unplaced } = place(emptyNodes(pools), largestFirst(pools, demands, memory), memory, 'old');
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
  memory: Memory,
): Pick<Limits, 'steady' | 'onNodes'> {
  if (pools.length === 0) return { onNodes: [] };
  const all = [...ofRollouts, ...others];
  const { nodes, stranded } = strandedPods(all, pools.filter(hasCondition), memory);
  const demands = all.map((podSet) => ({ podSet, pods: podsThatStay(podSet) - (stranded.get(podSet) ?? 0) }));
  const open = emptyNodes(pools.filter((pool) => !hasCondition(pool)));
  const staying = place(joined(nodes, open), largestFirst(pools, demands, memory), memory, 'old');
  const growing = all.map((podSet) => ({ podSet, pods: podSet.replicas - podsThatStay(podSet) })).filter(({ pods }) => pods > 0);
  const leaving = all.map((podSet) => ({ podSet, pods: (podSet.running ?? 0) - podSet.replicas })).filter(({ pods }) => pods > 0);
  const added = largestFirst(pools, growing, memory);
  const placement = place(staying.nodes, added, memory);
  const homeless = new Map(staying.unplaced.map(({ podSet, pods }) => [podSet, pods]));
  for (const { podSet, pods } of placement.unplaced) homeless.set(podSet, (homeless.get(podSet) ?? 0) + pods);
  const othersOnNodes = others.map((podSet) => {
    const without = homeless.get(podSet);
    return without === undefined ? podSet : { ...podSet, replicas: podSet.replicas - without };
  });
  others.forEach((podSet) => homeless.delete(podSet));
  return {
    steady: { nodes: placement.nodes, homeless, stranded, before: staying.nodes, added, unplaced: placement.unplaced, leaving },
    onNodes: [...ofRollouts, ...othersOnNodes],
  };
}

/** What keeps pods off nodes and is not looked at; volumes only where nodes are in view. */
function unmodelledOf({ workload, rollout }: LimitedRollout, { nodePools }: Limits): string[] {
  const volumes = nodePools.length > 0 && movesVolume(workload, rollout.surge) ? ['volumes'] : [];
  return [...unmodelledConstraints([workload]), ...volumes];
}

function judge(limited: LimitedRollout, allowed: readonly Allowed[], unmodelled: readonly string[]): JudgedRoom {
  const tightest = allowed.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const verdict = verdictOn(limited.rollout, allowed, tightest, unmodelled);
  const podsAdmitted = least(allowed.filter(({ refusesPods }) => refusesPods).map(({ pods }) => pods));
  const refusal = verdict.shortage === undefined ? undefined : tightest.refusal;
  const { iterations } = verdict;
  const delay = {
    deadlocks: verdict.verdict === 'deadlocks',
    podsWithRoom: tightest.pods,
    podsAdmitted,
    ...(iterations !== undefined && { iterations }),
    ...(tightest.nodesTooSmall !== undefined && { nodesTooSmall: tightest.nodesTooSmall }),
  };
  const rivals = verdict.podsAtMost === undefined ? undefined : tightest.rivals?.();
  return { verdict, delay, ...(refusal && { refusal }), ...(rivals && { rivals }) };
}

/** Pods that find room if the rollout comes first, where it does not stand still then. */
function podsInTime(rollout: PodRollout, allowed: readonly Allowed[], areRefused: boolean | undefined): number | undefined {
  const most = least(allowed.map(({ pods, most: atMost = pods }) => atMost));
  return rollout.outcome(most, areRefused).verdict === 'deadlocks' ? undefined : Math.min(rollout.peakPods, most);
}

function verdictOn(rollout: PodRollout, allowed: readonly Allowed[], tightest: Allowed, unmodelled: readonly string[]): RolloutRoom {
  const { peakPods, unit } = rollout;
  const { nodesTooSmall } = tightest;
  const outcome =
    nodesTooSmall === undefined ? rollout.outcome(tightest.pods, tightest.refusesPods) : rollout.outcomeOnNodes!(nodesTooSmall);
  const room = { peakPods, podsWithRoom: Math.min(peakPods, tightest.pods) };
  if (outcome.verdict === 'fits') return roomFound(peakPods, room.podsWithRoom, unmodelled);
  const shortage = tightest.shortage();
  // Nodes help only where they alone are lacking.
  const others = allowed.filter((limit) => limit !== tightest);
  const moreNodes = others.every(({ pods }) => pods >= peakPods) ? tightest.moreNodes?.() : undefined;
  const course =
    outcome.verdict === 'deadlocks'
      ? `deadlocks at ${unit} ${outcome.deadlockWave}`
      : `takes ${counted(outcome.iterations!, 'wave')} that start pods, with fewer pods at once`;
  const atMost =
    outcome.verdict === 'deadlocks' && nodesTooSmall === undefined ? podsInTime(rollout, allowed, tightest.refusesPods) : undefined;
  return {
    ...outcome,
    ...room,
    ...(atMost !== undefined && { podsAtMost: atMost }),
    shortage,
    ...(moreNodes && { moreNodes }),
    message: courseText(course, shortage, moreNodes),
  };
}
