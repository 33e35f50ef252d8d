import { least } from '../../core/extremes';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { counted } from '../../core/words';
import type { PodSet } from '../workload';
import { whyNoNode } from './allowed-nodes';
import { leftFor, podsAllowed, useOf } from './limits';
import type { ResourceLimit } from './limits';
import { moreNodesFor, place, roomFor } from './placement';
import type { Demand, Nodes } from './placement';
import type { Refusal } from './refusal';
import { lackingOnAnyNode, ownNodesShortage, placesShortage, podsThatStay, resourceShortage } from './rollout-room';
import type { Limits, SteadyPods } from './rollout-room';
import { oneNodeEach } from './scheduling';
import { roomFound, shortageText } from './shortage';
import { unmodelledConstraints } from './unmodelled';

/** Pods of one object that no rollout replaces, and of which an apply adds some. */
export interface AddedPods {
  readonly podSets: readonly PodSet[];
  /** Of each set the pods that have their places: those that run before the apply and stay. */
  readonly staying: readonly number[];
}

/** What becomes of pods that an apply adds. */
export interface ScaleRoom {
  readonly verdict: RolloutRoom;
  /** Are pods beyond it refused, and not only left Pending? */
  readonly isRefused: boolean;
  /** The other sets that the apply adds pods to and that want the same room, or whose pods give it back. */
  readonly others: readonly PodSet[];
  /** Why a quota lets no new pod in, whatever it has left. */
  readonly refusal?: Refusal;
}

/** How many pods of each set one limit lets run. */
interface Allowed {
  /** With what else the apply adds. */
  readonly bySet: readonly number[];
  readonly most: number;
  readonly atOnce: number;
  readonly isRefused: boolean;
  readonly refusal?: Refusal;
  readonly rivals: () => readonly PodSet[];
  readonly givers: () => readonly PodSet[];
  /** What is lacking in the end. */
  shortage(): Shortage;
  /** What is lacking until the pods that others give up are gone. */
  shortageAtOnce(): Shortage;
  moreNodes?(): MoreNodes | undefined;
}

function sum(pods: readonly number[]): number {
  return pods.reduce((all, count) => all + count, 0);
}

function wanted({ podSets }: AddedPods): number[] {
  return podSets.map(({ replicas }) => replicas);
}

/** Pods of each set with so much left for them together: those that are there, and then as many more as find room, one set after another. */
function fitting({ podSets, staying }: AddedPods, left: bigint, { perPod }: ResourceLimit): number[] {
  let rest = left - useOf(podSets, staying, { perPod });
  return podSets.map((podSet, index) => {
    const use = perPod.get(podSet) ?? 0n;
    const more = podSet.replicas - staying[index]!;
    const room = rest > 0n && use > 0n ? Number(rest / use) : 0;
    const added = use === 0n ? more : Math.min(more, room);
    rest -= use * BigInt(added);
    return staying[index]! + added;
  });
}

function grows({ replicas, running = replicas }: PodSet): boolean {
  return running < replicas;
}

function shrinks({ replicas, running = replicas }: PodSet): boolean {
  return running > replicas;
}

/**
 * How many of the pods a quota or a capacity lets run.
 *
 * In the end the others have what they want, so that what they leave is sure; where these pods come first, what others want more is left as well;
 * and until pods that others give up are gone, they hold their places.
 */
function allowedByResource(added: AddedPods, limit: ResourceLimit): Allowed {
  const { podSets } = added;
  const others = (all: bigint, own: (podSet: PodSet) => number) => all - useOf(podSets, podSets.map(own), limit);
  const isOther = (podSet: PodSet) => !podSets.includes(podSet);
  const fit = (use: bigint) => (limit.refusal ? [...added.staying] : fitting(added, limit.total - use, limit));
  const inTheEnd = others(limit.steady, ({ replicas }) => replicas);
  const atFirst = others(limit.most, ({ replicas, running = replicas }) => Math.max(running, replicas));
  const shortage = (use: bigint) =>
    resourceShortage(limit, useOf(podSets, wanted(added), limit), limit.total > use ? limit.total - use : 0n);
  return {
    bySet: fit(inTheEnd),
    most: sum(fit(others(limit.least, podsThatStay))),
    atOnce: sum(fit(atFirst)),
    isRefused: limit.refusesPods ?? false,
    ...(limit.refusal && { refusal: limit.refusal }),
    rivals: () => [...limit.perPod.keys()].filter((podSet) => isOther(podSet) && grows(podSet)),
    givers: () => [...limit.perPod.keys()].filter((podSet) => isOther(podSet) && shrinks(podSet)),
    shortage: () => shortage(inTheEnd),
    shortageAtOnce: () => shortage(atFirst),
  };
}

/** The pods of an object that find no node once other pods have their places. */
function unplacedOf({ podSets, staying }: AddedPods, nodes: Nodes, { memory }: Limits): readonly Demand[] {
  const demands = podSets.map((podSet, index) => ({ podSet, pods: podSet.replicas - staying[index]! }));
  return place(
    nodes,
    demands.filter(({ pods }) => pods > 0),
    memory,
  ).unplaced;
}

function nodeShortage(added: AddedPods, pods: number, nodes: Nodes, unplaced: readonly Demand[], limits: Limits): Shortage {
  const { podSet } = unplaced[0]!;
  const all = sum(wanted(added));
  if (oneNodeEach(podSet) && !whyNoNode(podSet, limits.nodePools, limits.memory)) return ownNodesShortage(all, pods);
  return lackingOnAnyNode(podSet, nodes, limits) ?? placesShortage(all, pods);
}

/** How many of the pods find nodes. */
function allowedByNodes(added: AddedPods, limits: Limits, { before, added: growing, nodes: full }: SteadyPods): Allowed {
  const { podSets } = added;
  const { memory, nodePools } = limits;
  const isOther = ({ podSet }: Demand) => !podSets.includes(podSet);
  const rivals = growing.filter(isOther);
  const leaving = limits.onNodes.filter(shrinks).map((podSet) => ({ podSet, pods: podSet.running! - podSet.replicas }));
  const all = wanted(added);
  const unplacedBeside = (demands: readonly Demand[]) => unplacedOf(added, place(before, demands, memory, 'old').nodes, limits);
  const unplaced = unplacedBeside(rivals);
  const without = (demands: readonly Demand[]) => sum(all) - demands.reduce((pods, demand) => pods + demand.pods, 0);
  const lacking = (podSet: PodSet) => unplaced.reduce((pods, demand) => (demand.podSet === podSet ? pods + demand.pods : pods), 0);
  const pods = without(unplaced);
  const atOnce = leaving.length === 0 ? pods : without(unplacedBeside([...leaving, ...rivals]));
  return {
    bySet: podSets.map((podSet) => podSet.replicas - lacking(podSet)),
    most: rivals.length === 0 ? pods : without(unplacedBeside([])),
    atOnce,
    isRefused: false,
    rivals: () => rivals.map(({ podSet }) => podSet),
    givers: () => leaving.map(({ podSet }) => podSet),
    shortage: () => nodeShortage(added, pods, full, unplaced, limits),
    shortageAtOnce: () => placesShortage(sum(all), atOnce),
    moreNodes: () => moreNodesFor(nodePools, unplaced, memory),
  };
}

function allowances(added: AddedPods, limits: Limits): Allowed[] {
  const { podSets } = added;
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const allowed = [...resources].map((limit) => allowedByResource(added, limit));
  const isPlaced = podSets.every(({ countOnly, onePerNode }) => !countOnly && !onePerNode);
  return limits.steady && isPlaced ? [...allowed, allowedByNodes(added, limits, limits.steady)] : allowed;
}

type Found = Omit<RolloutRoom, 'message'> & { readonly shortage: Shortage };

/** `10 of 14 pods find room`. */
function foundText({ peakPods, podsWithRoom, podsAtMost }: Found): string {
  if (podsWithRoom === 0 && podsAtMost === undefined) return `None of ${counted(peakPods, 'pod')} finds room`;
  const found = podsAtMost === undefined ? `${podsWithRoom}` : `${podsWithRoom} to ${podsAtMost}`;
  return `${found} of ${counted(peakPods, 'pod')} ${found === '1' ? 'finds' : 'find'} room`;
}

/** The verdict, with what becomes of the pods in a sentence. */
function described(found: Found): RolloutRoom {
  const { verdict, shortage, moreNodes } = found;
  const because = shortageText(shortage, 'it asks for');
  const nodes = moreNodes ? `; with ${counted(moreNodes.nodes, 'node')} more of pool "${moreNodes.pool}" all do` : '';
  const when = verdict === 'slower' ? ' at once, and the others when pods that other workloads give up are gone' : '';
  return { ...found, message: `${foundText(found)}${when}: ${because}${nodes}.` };
}

/**
 * Judges pods that an apply adds without replacing any; undefined where nothing limits them.
 *
 * A quota refuses those beyond it and their controller tries again, a scheduler leaves them Pending: either way those that run go on.
 * What the others have once the apply is done is taken from the room first, then it is asked who else of the apply wants the same,
 * and who gives some back. Sources: k/k pkg/controller/replicaset/replica_set.go (`manageReplicas`), statefulset/stateful_set_control.go.
 */
export function scaleRoom(added: AddedPods, limits: Limits): ScaleRoom | undefined {
  const allowed = allowances(added, limits);
  if (allowed.length === 0) return undefined;
  const all = sum(wanted(added));
  const tightest = allowed.reduce((fewest, next) => (sum(next.bySet) < sum(fewest.bySet) ? next : fewest));
  const slowest = allowed.reduce((fewest, next) => (next.atOnce < fewest.atOnce ? next : fewest));
  const pods = sum(tightest.bySet);
  const isShort = pods < all;
  const most = least(allowed.map((one) => one.most));
  const atOnce = slowest.atOnce;
  if (!isShort && atOnce >= all) {
    const verdict = roomFound(all, all, unmodelledConstraints(added.podSets), 'wanted');
    return { verdict, isRefused: false, others: [] };
  }
  const decisive = isShort ? tightest : slowest;
  const shortage = isShort ? decisive.shortage() : decisive.shortageAtOnce();
  const onlyNodes = allowed.every((one) => one === decisive || sum(one.bySet) >= all);
  const moreNodes = isShort && onlyNodes ? decisive.moreNodes?.() : undefined;
  const found: Found = {
    verdict: isShort ? 'deadlocks' : 'slower',
    peakPods: all,
    podsWithRoom: isShort ? pods : atOnce,
    ...(isShort && most > pods && { podsAtMost: most }),
    shortage,
    ...(moreNodes && { moreNodes }),
  };
  return {
    verdict: described(found),
    isRefused: decisive.isRefused,
    others: isShort ? (most > pods ? decisive.rivals() : []) : decisive.givers(),
    ...(isShort && decisive.refusal && { refusal: decisive.refusal }),
  };
}

/**
 * How many pods of a workload find room where it wants more than it has, while the others stay as they are, and what is lacking;
 * undefined where as many as it wants do.
 */
export function mostThatRun(
  workload: PodSet,
  wants: number,
  limits: Limits,
): { readonly pods: number; readonly shortage: Shortage } | undefined {
  const { steady, memory } = limits;
  const byResource = limits.resourcesOf(workload).map((limit) => {
    const left = leftFor([workload], limit);
    const pods = limit.refusal ? workload.replicas : podsAllowed(workload, limit);
    return { pods, shortage: () => resourceShortage(limit, limit.perPod.get(workload)! * BigInt(wants), left) };
  });
  const more = wants - workload.replicas;
  const isPlaced = steady && more > 0 && !workload.countOnly && !workload.onePerNode;
  const onNodes = isPlaced ? workload.replicas + Math.min(more, roomFor(steady.nodes, workload, more, memory)) : Infinity;
  const allowed = [...byResource, { pods: onNodes, shortage: () => placesShortage(wants, onNodes) }];
  const tightest = allowed.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  return tightest.pods < wants ? { pods: tightest.pods, shortage: tightest.shortage() } : undefined;
}
