import type { CapacityResult, Shortage } from '../../../core/capacity-result';
import { getFieldsAt, getListAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import type { CapacityOutcome, PodSet } from '../../workload';
import { canRunOn, nodeRulesOf } from '../node-affinity';
import { createEmptyNodes, schedulePods, sortLargestFirst } from '../placement';
import type { Demand } from '../placement';
import { computePodFootprint } from '../pod-requests';
import type { Amounts } from '../pod-requests';
import type { ResourceLimit } from '../limits';
import { buildPodSlotShortage, buildResourceShortage } from '../rollout-capacity';
import type { CapacityEvaluation, PlanLimits } from '../rollout-capacity';
import { buildFittingResult, formatOutcome } from '../shortage';
import { buildPortMarks } from '../scheduling';
import { findUnmodelledConstraints } from '../unmodelled-constraints';
import { computeLeft, computeOldUse } from './admitted-pods';
import { countPods, subtractPods } from './node-amounts';
import { toInventoryNodes } from './node-inventory';
import type { InventoryNode } from './node-inventory';
import { listNodeProvisioners } from './node-provisioners';
import { canPreemptFor, PLACEMENT, PREEMPTION, withUndecidedOldPods } from './exact-capacity';
import { computeOtherUseChange } from './other-rollouts';
import { decidePlacement } from './set-placement';
import type { PlacedShape, PlacementOutcome } from './set-placement';
import { addBack } from './surroundings';
import type { Surroundings } from './surroundings';
import type { RunningPod } from './running-pods';

/** Old and new pods of each set at one row of a rollout of several sets. */
export interface SetRow {
  readonly old: readonly number[];
  readonly next: readonly number[];
}

/** A rollout of several pod sets, row by row. */
export interface SetRollout {
  readonly podSets: readonly PodSet[];
  readonly rows: readonly SetRow[];
  /** Returns the position of an old pod among those of its set: pods with the highest are deleted first. @default - any may be first */
  readonly positionOf?: (labels: Fields) => number;
  /** Returns the outcome if a row does not fit, from 0, for certain. */
  outcomeAt(row: number): CapacityOutcome;
  /** Rows with one more new group than the one before, if fewer groups at once are enough. @default - every row must fit */
  readonly steps?: readonly SetRow[];
  /** Returns the outcome if a step does not fit, from 0, or if all of them do. */
  outcomeOfSteps?(failing: number | undefined, row: number): CapacityOutcome;
  /** Text before the reason of a deadlock: `deadlocks at wave 2`. */
  formatDeadlock(wave: number): string;
}

/** Nodes as a row leaves them. */
type RowNodes = readonly InventoryNode[];

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function withOldShape(podSet: PodSet): PodSet {
  return podSet.oldTemplate ? { ...podSet, template: podSet.oldTemplate } : podSet;
}

/** Reports whether the pods have constraints that concern pods of other nodes or of the same node. */
function hasPodConstraints(podSpec: unknown): boolean {
  const required = ['podAffinity', 'podAntiAffinity'].some(
    (kind) => getListAt(getFieldsAt(podSpec, 'affinity'), kind, 'requiredDuringSchedulingIgnoredDuringExecution').length > 0,
  );
  return required || getListAt(podSpec, 'resourceClaims').length > 0 || buildPortMarks(podSpec).avoids.length > 0;
}

/** Reports whether the anti-affinity of running pods may keep off new pods of a set. */
function isExcludedByOthers({ namespace = 'default', namespaceLabels, template }: PodSet, surroundings: Surroundings): boolean {
  const labels = getFieldsAt(template, 'metadata', 'labels');
  return surroundings.podIndex().mayExclude({ namespace, ...(namespaceLabels && { namespaceLabels }), labels, spec: {} });
}

/** The nodes of a rollout of several sets, by what is left at each row. */
class SetNodes {
  private readonly live: readonly (readonly RunningPod[])[];
  private readonly isLive: boolean;

  constructor(
    private readonly rollout: SetRollout,
    private readonly surroundings: Surroundings,
  ) {
    const { podSets, positionOf } = rollout;
    const all = podSets.map((podSet) => surroundings.allOwnPods.get(podSet) ?? []);
    this.isLive = all.some((pods) => pods.length > 0);
    this.live = positionOf ? all.map((pods) => pods.toSorted((a, b) => positionOf(a.labels) - positionOf(b.labels))) : all;
  }

  /** Whether the old pods are those of the first row, all on known nodes, or none of them is known. */
  isSteady(): boolean {
    const { podSets, rows } = this.rollout;
    if (!this.isLive) return true;
    return podSets.every((podSet, index) => {
      const pods = this.live[index]!;
      const located = this.surroundings.ownPods.get(podSet) ?? [];
      return pods.length === rows[0]!.old[index] && located.length === pods.length && pods.every(({ isTerminating }) => !isTerminating);
    });
  }

  /** Returns the nodes with the most and with the fewest old pods that a row may leave there. */
  nodesAt(row: SetRow): { readonly fullest: RowNodes; readonly emptiest: RowNodes } {
    if (!this.isLive) {
      const nodes = this.assume(row.old);
      return { fullest: nodes, emptiest: nodes };
    }
    const goneAtMost = this.live.flatMap((pods, index) => this.listGone(pods, row.old[index]!, true));
    const goneAtLeast = this.live.flatMap((pods, index) => this.listGone(pods, row.old[index]!, false));
    return { fullest: this.without(goneAtLeast), emptiest: this.without(goneAtMost) };
  }

  /** Lists the pods that are deleted if a number of them is left. If that may be any, it lists all or none. */
  private listGone(pods: readonly RunningPod[], left: number, isMost: boolean): readonly RunningPod[] {
    if (left >= pods.length) return [];
    if (left === 0) return pods;
    if (this.rollout.positionOf) return pods.slice(left);
    return isMost ? pods : [];
  }

  private without(gone: readonly RunningPod[]): RowNodes {
    const base = this.assumed ?? this.surroundings.inventory().nodes;
    if (gone.length === 0) return base;
    const byNode = new Map<string, RunningPod[]>();
    for (const pod of gone) byNode.set(pod.nodeName!, [...(byNode.get(pod.nodeName!) ?? []), pod]);
    return base.map((node) => {
      const pods = byNode.get(node.pool.nodeName ?? '');
      return pods ? { ...node, free: addBack(node.free, pods, this.surroundings.devices) } : node;
    });
  }

  /** The nodes with pods of other sets on unknown nodes. Undefined if there are none. */
  private get assumed(): RowNodes | undefined {
    const own = new Set(this.rollout.podSets);
    return this.surroundings.demands.some(({ podSet }) => !own.has(podSet)) ? this.assume(undefined) : undefined;
  }

  /** Places the pods of other sets on unknown nodes, and a number of old pods of each own set. */
  private assume(old: readonly number[] | undefined): RowNodes {
    const { pools, free, demands, cache } = this.surroundings;
    const { podSets } = this.rollout;
    const own = new Set(podSets);
    const ownDemands: Demand[] = old ? podSets.map((podSet, index) => ({ podSet: withOldShape(podSet), pods: old[index]! })) : [];
    const all = [...demands.filter(({ podSet }) => !own.has(podSet)), ...ownDemands].filter(({ pods }) => pods > 0);
    const empty = pools.map((pool) => ({ ...pool, allocatable: free.get(pool)! }));
    return toInventoryNodes(schedulePods(createEmptyNodes(empty), sortLargestFirst(empty, all, cache), cache, 'old'));
  }
}

/** Pods of sets that no node distinguishes. */
interface MergedSet {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
  readonly pods: number;
}

function mergeSets(podSets: readonly PodSet[], counts: readonly number[], { cache }: PlanLimits): MergedSet[] {
  const merged = new Map<string, MergedSet>();
  for (const [index, podSet] of podSets.entries()) {
    const pods = counts[index]!;
    if (pods === 0) continue;
    const footprint = computePodFootprint(podSet.template.spec);
    const amounts = [...footprint].map(([resource, amount]) => `${resource}=${amount}`).toSorted();
    const key = JSON.stringify([amounts, nodeRulesOf(podSet, cache).key]);
    merged.set(key, { podSet, footprint, pods: pods + (merged.get(key)?.pods ?? 0) });
  }
  return [...merged.values()];
}

function computeLargest(sets: readonly MergedSet[]): Amounts {
  const largest = new Map<string, bigint>();
  for (const { footprint } of sets) {
    for (const [resource, amount] of footprint) if ((largest.get(resource) ?? 0n) < amount) largest.set(resource, amount);
  }
  return largest;
}

function decideNodes(nodes: RowNodes, sets: readonly MergedSet[], { cache }: PlanLimits): PlacementOutcome {
  const canRun = ({ pool }: InventoryNode, podSet: PodSet) => pool.isDown !== true && canRunOn(podSet, pool, 'new', cache);
  const toShape = (accepts: (node: InventoryNode) => boolean, footprint: Amounts, pods: number) => ({
    pods,
    footprint,
    capacityOf: (node: InventoryNode, beside: PlacedShape<InventoryNode> | undefined, besidePods: number): number => {
      if (!accepts(node)) return 0;
      const other = beside as (PlacedShape<InventoryNode> & { readonly footprint: Amounts }) | undefined;
      return countPods(other ? subtractPods(node.free, other.footprint, besidePods) : node.free, footprint, pods);
    },
  });
  return decidePlacement(
    nodes.map((node) => ({ node, count: node.count })),
    sets.map(({ podSet, footprint, pods }) => toShape((node) => canRun(node, podSet), footprint, pods)),
    toShape((node) => sets.every(({ podSet }) => canRun(node, podSet)), computeLargest(sets), sum(sets.map(({ pods }) => pods))),
  );
}

/** A limit that a row exceeds. */
interface ExceededLimit {
  readonly limit: ResourceLimit;
  readonly needed: bigint;
  readonly left: bigint;
}

/** Finds a limit that a row exceeds, old pods at their own amounts. */
function findExceeded(podSets: readonly PodSet[], row: SetRow, limits: PlanLimits): ExceededLimit | undefined {
  for (const limit of new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)))) {
    const uses = podSets.map((podSet) => {
      const next = limit.perPod.get(podSet) ?? 0n;
      const oldSpec = podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec');
      return { next, old: computeOldUse(limit, podSet, oldSpec), replicas: BigInt(podSet.replicas) };
    });
    if (uses.every(({ next }) => next === 0n)) continue;
    const atNew = uses.reduce((total, { next, replicas }) => total + next * replicas, 0n);
    const atOld = uses.reduce((total, { old, replicas }) => total + old * replicas, 0n);
    const { increase, decrease } = computeOtherUseChange(limit, podSets, limits.cache);
    const isCountedNow = limit.allowance !== undefined && 'free' in limit.allowance;
    const left = computeLeft(limit, atOld, isCountedNow ? limit.before - atNew - increase + decrease : limit.steady - atNew);
    const needed = uses.reduce((use, { next, old }, index) => use + old * BigInt(row.old[index]!) + next * BigInt(row.next[index]!), 0n);
    const asksForMore = uses.some(({ next }, index) => next > 0n && row.next[index]! > 0);
    if (asksForMore && needed > left) return { limit, needed, left };
  }
  return undefined;
}

/** What a row finds. */
interface RowOutcome {
  readonly outcome: PlacementOutcome;
  readonly shortage?: Shortage;
  /** Whether nodes are lacking, and no quota. */
  readonly lacksNodes: boolean;
}

function decideRow(rollout: SetRollout, row: SetRow, nodes: SetNodes | undefined, limits: PlanLimits): RowOutcome {
  const { podSets } = rollout;
  const exceeded = findExceeded(podSets, row, limits);
  if (exceeded) {
    return { outcome: 'none', shortage: buildResourceShortage(exceeded.limit, exceeded.needed, exceeded.left), lacksNodes: false };
  }
  if (!nodes) return { outcome: 'every', lacksNodes: false };
  const sets = mergeSets(podSets, row.next, limits);
  const { fullest, emptiest } = nodes.nodesAt(row);
  const atWorst = decideNodes(fullest, sets, limits);
  if (atWorst === 'every') return { outcome: 'every', lacksNodes: false };
  const atBest = fullest === emptiest ? atWorst : decideNodes(emptiest, sets, limits);
  const shortage = buildPodSlotShortage(sum(row.old) + sum(row.next), sum(row.old));
  return { outcome: atBest === 'none' ? 'none' : 'some', shortage, lacksNodes: true };
}

/**
 * Returns the outcome of a rollout whose rows do not all fit. Returns undefined if it depends on the choice of nodes.
 *
 * With steps, it deadlocks if one of them never fits, and is slower if each of them always does.
 */
function findCertainOutcome(
  rollout: SetRollout,
  failing: number,
  failed: RowOutcome,
  outcomeOf: (row: SetRow) => RowOutcome,
): CapacityOutcome | undefined {
  if (!rollout.steps || !rollout.outcomeOfSteps) return failed.outcome === 'none' ? rollout.outcomeAt(failing) : undefined;
  const outcomes = rollout.steps.map((step) => outcomeOf(step).outcome);
  const first = outcomes.findIndex((outcome) => outcome === 'none');
  if (first >= 0) return rollout.outcomeOfSteps(first, failing);
  return outcomes.every((outcome) => outcome === 'every') ? rollout.outcomeOfSteps(undefined, failing) : undefined;
}

/**
 * Returns the evaluation of a rollout of several pod sets whose old pods keep their own requests and nodes. Returns the given one if it does
 * not start from a steady state.
 */
export function evaluateSetsExactly(rollout: SetRollout, base: CapacityEvaluation, limits: PlanLimits): CapacityEvaluation {
  const { podSets, rows } = rollout;
  const [first] = rows;
  if (base.rejection || first === undefined || podSets.some(({ countOnly }) => countOnly)) return base;
  const { next } = rows.at(-1)!;
  const exceedsLimit = () => findExceeded(podSets, { old: next.map(() => 0), next }, limits) !== undefined;
  const undecidedBase = () => podSets.reduce((evaluation, podSet) => withUndecidedOldPods(podSet, evaluation, exceedsLimit), base);
  const isScaled = podSets.some(
    ({ running, replicas }, index) => (running !== undefined && running !== replicas) || first.old[index] !== replicas,
  );
  const { surroundings } = limits;
  const hasNodes = surroundings !== undefined && surroundings.pools.length > 0;
  const isConstrained = podSets.some(
    ({ template, oldTemplate }) => hasPodConstraints(template.spec) || hasPodConstraints(oldTemplate?.spec),
  );
  if (isScaled || (hasNodes && isConstrained)) return undecidedBase();
  const nodes = hasNodes ? new SetNodes(rollout, surroundings) : undefined;
  if (nodes?.isSteady() === false) return undecidedBase();
  const decided = new Map<string, RowOutcome>();
  const outcomeOf = (row: SetRow): RowOutcome => {
    const key = JSON.stringify(row);
    const known = decided.get(key) ?? decideRow(rollout, row, nodes, limits);
    decided.set(key, known);
    return known;
  };
  const outcomes = rows.map(outcomeOf);
  const { peakPods } = base.verdict;
  const excluded = hasNodes && podSets.some((podSet) => isExcludedByOthers(podSet, surroundings)) ? ['podAntiAffinity'] : [];
  const unmodelled = [...new Set([...findUnmodelledConstraints(podSets), ...excluded])];
  const failing = outcomes.findIndex(({ outcome }) => outcome !== 'every');
  if (failing < 0) {
    if (base.verdict.verdict === 'fits' && unmodelled.length === 0) return base;
    return {
      verdict: buildFittingResult(peakPods, peakPods, unmodelled),
      delay: { ...base.delay, deadlocks: false, podsWithRoom: peakPods },
    };
  }
  const failed = outcomes[failing]!;
  const podsThatFit = Math.min(peakPods, sum(rows[Math.max(0, failing - 1)]!.old) + sum(rows[Math.max(0, failing - 1)]!.next));
  const certain = findCertainOutcome(rollout, failing, failed, outcomeOf);
  const mayHelp = failed.lacksNodes
    ? [
        ...(podSets.some((podSet) => canPreemptFor(podSet, surroundings!)) ? [PREEMPTION] : []),
        ...podSets.flatMap((podSet) => listNodeProvisioners(podSet, surroundings!.context, limits.cache)),
      ]
    : [];
  const because = [...new Set([...(certain ? [] : [PLACEMENT]), ...mayHelp, ...(certain ? [] : unmodelled)])];
  if (!certain || because.length > 0) {
    const verdict: CapacityResult = {
      verdict: 'may-not-fit',
      peakPods,
      podsThatFit,
      because,
      message: `May not fit: its peak is ${peakPods} pods. This depends on ${because.join(', ')}.`,
    };
    return { verdict, delay: { deadlocks: false, podsWithRoom: peakPods, podsAdmitted: Infinity } };
  }
  if (certain.verdict === base.verdict.verdict && certain.deadlockWave === base.verdict.deadlockWave) return base;
  const deadlocks = certain.verdict === 'deadlocks';
  const shortage = base.verdict.shortage ?? failed.shortage!;
  const text = deadlocks
    ? rollout.formatDeadlock(certain.deadlockWave ?? Math.max(1, failing))
    : `takes ${certain.iterations ?? rows.length} waves, with fewer groups at once`;
  return {
    verdict: { ...certain, peakPods, podsThatFit, shortage, message: formatOutcome(text, shortage, undefined) },
    delay: {
      ...base.delay,
      deadlocks,
      podsWithRoom: podsThatFit,
      ...(certain.iterations !== undefined && { iterations: certain.iterations }),
    },
  };
}
