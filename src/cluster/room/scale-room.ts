import type { Memory } from '../../core/memory';
import { least } from '../../core/extremes';
import type { MoreNodes, RolloutRoom, Shortage } from '../../core/room';
import { counted } from '../../core/words';
import type { PodSet } from '../workload';
import { whyNoNode } from './allowed-nodes';
import { changingUsers, grows, leftBesideHeld, leftFor, podsAllowed, podsThatStay, useOf } from './limits';
import type { ResourceLimit } from './limits';
import { moreNodesFor, place, roomFor } from './placement';
import type { Demand, Nodes } from './placement';
import type { Refusal } from './refusal';
import { lackingOnAnyNode, ownNodesShortage, placesShortage, resourceShortage } from './rollout-room';
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
  /** The sets that the apply adds pods to and that want the same room, its own among them, or those whose pods give it back. */
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

const NONE: readonly PodSet[] = [];

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

/** Sets of pods, worked out once however many ask for them: of a thousand objects that want the same room each names the others. */
const setsByDemands = () => new WeakMap<readonly Demand[], readonly PodSet[]>();

function setsOf(demands: readonly Demand[], memory: Memory): readonly PodSet[] {
  const known = memory.of(setsByDemands);
  const sets = known.get(demands) ?? demands.map(({ podSet }) => podSet);
  known.set(demands, sets);
  return sets;
}

/**
 * How many of the pods a quota or a capacity lets run.
 *
 * In the end the others have what they want, so that what they leave is sure; where these pods come first, what others want more is left as well;
 * and until pods that others give up are gone, they hold their places.
 */
function allowedByResource(added: AddedPods, limit: ResourceLimit, memory: Memory): Allowed {
  const { podSets } = added;
  const others = (all: bigint, own: (podSet: PodSet) => number) => all - useOf(podSets, podSets.map(own), limit);
  const fit = (use: bigint) => (limit.refusal ? [...added.staying] : fitting(added, limit.total - use, limit));
  const inTheEnd = others(limit.steady, ({ replicas }) => replicas);
  const atFirst = others(limit.most, ({ replicas, running = replicas }) => Math.max(running, replicas));
  const shortage = (left: bigint) => resourceShortage(limit, useOf(podSets, wanted(added), limit), left);
  return {
    bySet: fit(inTheEnd),
    most: sum(fit(others(limit.least, podsThatStay))),
    atOnce: sum(fit(atFirst)),
    isRefused: limit.refusesPods ?? false,
    ...(limit.refusal && { refusal: limit.refusal }),
    rivals: () => changingUsers(limit, memory).growing,
    givers: () => changingUsers(limit, memory).shrinking,
    shortage: () => shortage(leftBesideHeld(podSets, added.staying, limit)),
    shortageAtOnce: () => shortage(limit.total > atFirst ? limit.total - atFirst : 0n),
  };
}

function nodeShortage(added: AddedPods, pods: number, nodes: Nodes, unplaced: readonly Demand[], limits: Limits): Shortage {
  const { podSet } = unplaced[0]!;
  const all = sum(wanted(added));
  if (oneNodeEach(podSet) && !whyNoNode(podSet, limits.nodePools, limits.memory)) return ownNodesShortage(all, pods);
  return lackingOnAnyNode(podSet, nodes, limits) ?? placesShortage(all, pods);
}

/** Objects that an apply adds pods to, of which each is placed before all others and behind them to see what it is sure of; of more, the order of placing alone tells. */
const MOST_COMPARED = 100;

function podsOf(demands: readonly Demand[]): number {
  return demands.reduce((pods, demand) => pods + demand.pods, 0);
}

/** How many of the pods find nodes. */
function allowedByNodes(added: AddedPods, limits: Limits, steady: SteadyPods): Allowed {
  const { podSets } = added;
  const { memory, nodePools } = limits;
  const { before, added: growing, leaving, nodes: full, homeless } = steady;
  const isOwn = ({ podSet }: Demand) => podSets.includes(podSet);
  const all = sum(wanted(added));
  const isCompared = podSets.some(grows) && growing.length <= MOST_COMPARED;
  const [own, rivals] = isCompared ? [growing.filter(isOwn), growing.filter((demand) => !isOwn(demand))] : [[], []];
  const unplacedBeside = (demands: readonly Demand[]) => place(place(before, demands, memory, 'old').nodes, own, memory).unplaced;
  const together = podSets.some(grows)
    ? steady.unplaced.filter(isOwn)
    : podSets.flatMap((podSet) => (homeless.has(podSet) ? { podSet, pods: homeless.get(podSet)! } : []));
  // Where all are placed together, none of them wants the place of another.
  const isSure = !isCompared || steady.unplaced.length === 0;
  const unplaced = isSure ? together : unplacedBeside(rivals);
  const pods = all - podsOf(unplaced);
  const atOnce = isCompared && leaving.length > 0 ? all - podsOf(unplacedBeside([...leaving, ...rivals])) : pods;
  return {
    bySet: podSets.map((podSet) => podSet.replicas - podsOf(unplaced.filter((demand) => demand.podSet === podSet))),
    most: isSure ? pods : all - podsOf(unplacedBeside([])),
    atOnce,
    isRefused: false,
    rivals: () => setsOf(growing, memory),
    givers: () => setsOf(leaving, memory),
    shortage: () => nodeShortage(added, pods, full, unplaced, limits),
    shortageAtOnce: () => placesShortage(all, atOnce),
    moreNodes: () => moreNodesFor(nodePools, unplaced, memory),
  };
}

function allowances(added: AddedPods, limits: Limits): Allowed[] {
  const { podSets } = added;
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const allowed = [...resources].map((limit) => allowedByResource(added, limit, limits.memory));
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
    return { verdict, isRefused: false, others: NONE };
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
    others: isShort ? (most > pods ? decisive.rivals() : NONE) : decisive.givers(),
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
