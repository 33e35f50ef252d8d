import { getListAt } from '../../../core/manifest/manifest';
import type { PodRollout } from '../../rollout/pod-rollout';
import type { RunLimits } from '../../rollout/limited-run';
import { computeNewPodBounds } from './node-bounds';
import { computeFewestNewPods, computeOutcomeBounds, isDecidedByNodes } from './rollout-bounds';
import { countOldPods } from './rollout-model';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';
import type { RolloutProcess } from './rollout-process';
import { searchRollout } from './rollout-search';

/** Maximum number of nodes, and of replicas, of a search. Each node has at most 255 * 255 numbers of old and new pods. */
const MAX_SEARCHED_NODES = 64;
const MAX_SEARCHED_REPLICAS = 254;

/** A process through given rows. */
type ProcessByRows = Extract<RolloutProcess, { kind: 'rows' }>;

/** The outcomes of a rollout. */
export interface DecidedOutcomes extends RolloutOutcomes {
  /** Constraints on pods of other nodes that allow too many placements to compare. Unset if all were compared, or there are none. */
  readonly uncompared?: readonly string[];
}

/** Lists the constraints of a model that concern pods of other nodes. */
export function listPodConstraints({ spreads, antiAffinities, affinity }: RolloutModel): readonly string[] {
  return [
    ...(spreads.length > 0 ? ['topologySpreadConstraints'] : []),
    ...(affinity ? ['podAffinity'] : []),
    ...(antiAffinities.length > 0 ? ['podAntiAffinity'] : []),
  ];
}

/** Decides a rollout by two runs: one with the fewest new pods that nodes may take, and one with the most. */
export function decideByRuns(model: RolloutModel, rollout: PodRollout): DecidedOutcomes | undefined {
  const { newPodsAdmitted } = model;
  const { most } = computeNewPodBounds(model);
  const fewest = computeFewestNewPods(model);
  const withNodes = (pods: (old: number) => number): RunLimits => ({
    admitted: (old) => newPodsAdmitted[old] ?? 0,
    placed: (old) => Math.min(newPodsAdmitted[old] ?? 0, pods(old)),
  });
  const worst = rollout.runWithin?.(withNodes((old) => fewest?.[old] ?? 0));
  const best = rollout.runWithin?.(withNodes((old) => most[old] ?? 0));
  if (!worst || !best) return undefined;
  const outcome = worst.isFinished ? 'every' : best.isFinished ? 'some' : 'none';
  return { outcome, newAtLeast: worst.ready, newAtMost: best.ready, uncompared: listPodConstraints(model) };
}

/** Reports whether a model is small enough to visit every state. */
function isSearched(model: RolloutModel): boolean {
  const { nodes, skipsSearch = false } = model;
  return !skipsSearch && nodes.length <= MAX_SEARCHED_NODES && countOldPods(model) <= MAX_SEARCHED_REPLICAS;
}

/** Decides a rollout that keeps all old pods until all new ones are ready. Returns undefined if it is another one, or too large to search. */
function searchReplacement(model: RolloutModel, { rows, waitsForAllNew, replicas }: ProcessByRows): DecidedOutcomes | undefined {
  const keepsOldPods = waitsForAllNew && rows.every(({ old, next }) => old === replicas || next === replicas);
  if (!keepsOldPods || !isSearched(model)) return undefined;
  return searchRollout({ ...model, surge: replicas, keepsOldPods });
}

/** Decides a rollout. Returns undefined if it may go through other rows than the given ones. */
export function decideRollout(model: RolloutModel, process: RolloutProcess, rollout: PodRollout): DecidedOutcomes | undefined {
  if (process.kind === 'rows') {
    const byNodes = isDecidedByNodes(model) ? undefined : searchReplacement(model, process);
    return byNodes ?? decideByRuns(model, rollout);
  }
  const bounds = computeOutcomeBounds(model);
  // Equal bounds leave nothing to search.
  if (bounds.outcome === 'every' || (bounds.outcome === 'none' && bounds.newAtLeast === bounds.newAtMost)) return bounds;
  const searched = isSearched(model) ? searchRollout(model) : undefined;
  return searched ?? { ...bounds, uncompared: listPodConstraints(model) };
}

/**
 * Decides a rollout whose replicas the same apply changes. Returns undefined if the places of its pods on nodes decide, because only their
 * numbers are compared.
 */
export function decideScaledRollout(model: RolloutModel, hasNodes: boolean): DecidedOutcomes | undefined {
  const bounds = computeOutcomeBounds(model);
  return hasNodes && bounds.outcome === 'some' ? undefined : bounds;
}

/** Returns outcomes that hold for pods with scheduling gates too: no pod runs until its gates are removed. */
export function withSchedulingGates<T extends RolloutOutcomes>(outcomes: T, podSpec: unknown): T {
  const isGated = outcomes.outcome !== 'every' && getListAt(podSpec, 'schedulingGates').length > 0;
  return isGated ? { ...outcomes, newAtLeast: 0 } : outcomes;
}
