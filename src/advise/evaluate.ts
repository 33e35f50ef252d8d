import type { TrialRun, RolloutTrial } from '../cluster/rollout/rollout-trial';
import { countRequestedGpus } from '../cluster/capacity/pod-requests';
import { formatUnknownCapacity } from '../core/document/advice';
import type { Candidate, RolloutFigures } from '../core/document/advice';
import type { CapacityVerdict } from '../core/document/capacity-result';
import type { Simulation } from '../core/simulations/simulation';
import { listAxes } from './strategy-space';
import type { AxisValue, StrategyAxes, StrategySpace } from './strategy-space';

/** The figures that strategies are compared by: the smaller, the better. */
export interface Metrics {
  /** Infinity if the rollout never finishes. */
  readonly seconds: number;
  readonly extra: number;
  /** Fewest available pods, times -1. */
  readonly missing: number;
  readonly broken: number;
  /** How uncertain it is that the pods fit. A rollout that is only slower finishes. */
  readonly doubt: number;
}

/** What one run shows, and why its pods do not fit. */
export interface RunFigures {
  readonly figures: RolloutFigures;
  readonly metrics: Metrics;
  /** The verdict in one sentence. Unset if nothing limits the pods. */
  readonly message?: string;
  /** A number that identifies the run of an effect. Two strategies with the same runs are one. */
  readonly id: number;
}

/** Doubt about each verdict. */
export const DOUBTS: Readonly<Record<CapacityVerdict, number>> = { fits: 0, slower: 0, 'may-not-fit': 1, deadlocks: 2 };

/** Creates the figures of a run, and the metrics that they are compared by. */
export function createRunFigures(figures: RolloutFigures, message?: string, id = 0): RunFigures {
  const { seconds, extraPods, leastAvailable, brokenByBadVersion, verdict } = figures;
  return {
    figures,
    metrics: {
      seconds: seconds ?? Infinity,
      extra: extraPods,
      missing: -leastAvailable,
      broken: brokenByBadVersion,
      doubt: DOUBTS[verdict],
    },
    ...(message !== undefined && { message }),
    id,
  };
}

/** A strategy, and its figures for each number of replicas: the planned one first. */
export interface EvaluatedStrategy {
  readonly strategy: unknown;
  readonly figures: readonly RunFigures[];
}

/** Counts the GPUs that the pods of one replica request. */
function countUnitGpus({ unit }: RolloutTrial): number {
  return unit.reduce((sum, { template, pods }) => sum + countRequestedGpus(template.spec) * pods, 0);
}

/** Returns the most pods at once and the fewest available. A StatefulSet never has more pods than replicas. */
export function readPodCounts(simulation: Simulation): { readonly peakPods: number; readonly leastAvailable: number } {
  if (simulation.kind === 'statefulset') return { peakPods: simulation.replicas, leastAvailable: simulation.minAvailable };
  const counts = simulation as Extract<Simulation, { kind: 'deployment' | 'daemonset' | 'leaderworkerset' }>;
  return { peakPods: counts.peakPods, leastAvailable: counts.minAvailable };
}

/** Runs of Deployments whose pods all fit, by replicas and effect. They are the same for all Deployments with the same times of a pod. */
export type FittingRuns = Map<number, Map<number, RunFigures>>;

/** Reports whether the pods of a run do not all fit at once. */
export function isLimitedRun({ figures: { verdict } }: RunFigures): boolean {
  return verdict === 'slower' || verdict === 'deadlocks';
}

/** Evaluates the strategies of one rollout, each effect once. */
export class StrategyEvaluator {
  /** GPUs of one replica. */
  readonly gpus: number;
  /** Whether the requests of the pods are known, and with them the GPUs. */
  readonly hasKnownRequests: boolean;
  /** Pods of one replica. */
  readonly unitPods: number;
  private readonly known = new Map<number, RunFigures>();
  /** Largest surge with which all pods fit, by the position of the number of replicas. */
  private readonly fittingSurges = new Map<number, number>();
  /** Whether a search of all placements may decide whether the pods fit. */
  readonly dependsOnOtherNodes: boolean;
  /** Whether a larger surge changes nothing once the pods do not fit. */
  readonly stopsAtLimit: boolean;
  private runs = 0;

  /**
   * @param sizes numbers of replicas: the planned one, and both limits of an autoscaler
   * @param fittingRuns runs of other Deployments with the same times of a pod. @default - none
   */
  constructor(
    private readonly trial: RolloutTrial,
    private readonly space: StrategySpace,
    readonly sizes: readonly number[],
    private readonly fittingRuns?: FittingRuns,
  ) {
    this.gpus = countUnitGpus(trial);
    this.hasKnownRequests = trial.hasKnownRequests;
    this.dependsOnOtherNodes = trial.dependsOnOtherNodes;
    this.stopsAtLimit = space.isMonotone && trial.hasInterchangeablePods;
    this.unitPods = trial.unit.reduce((sum, { pods }) => sum + pods, 0);
  }

  /** Lists the values of both limits to evaluate. */
  listAxes(): StrategyAxes {
    return listAxes(this.space, this.sizes);
  }

  /** Reports whether all pods fit with every strategy. */
  alwaysFits(): boolean {
    if (!this.trial.isLimited) return true;
    if (!this.fittingRuns || this.trial.isUncertain) return false;
    return this.sizes.every((replicas, size) => this.findFittingSurge(replicas, size) === replicas);
  }

  /** Evaluates a strategy as it is. */
  evaluate(strategy: unknown): EvaluatedStrategy {
    return { strategy, figures: this.sizes.map((replicas) => this.run(strategy, replicas)) };
  }

  /** Evaluates two limits. If a search of all placements may decide whether the pods fit, they may only be known to fit after `evaluate`. */
  evaluateLimits(surge: AxisValue, unavailable: AxisValue): EvaluatedStrategy {
    const strategy = this.space.build(surge.value, unavailable.value);
    if (this.space.dependsOnSpelling) return this.evaluate(strategy);
    return {
      strategy,
      figures: this.sizes.map((replicas, size) => this.runEffect(surge.effects[size]!, unavailable.effects[size]!, replicas, size)),
    };
  }

  /** Evaluates the effect of two limits for one number of replicas. A surge beyond the pods that are not deleted changes nothing. */
  private runEffect(surge: number, unavailable: number, replicas: number, size: number): RunFigures {
    const deleted = surge === 0 && unavailable === 0 ? Math.min(1, replicas) : unavailable;
    const created = this.space.isExclusive ? surge : Math.min(surge, replicas - deleted);
    const key = (created * (replicas + 1) + deleted) * this.sizes.length + size;
    const known = this.known.get(key);
    if (known) return known;
    const figures =
      this.findFittingRun(created, deleted, replicas, size) ??
      this.run(this.space.build(created, deleted), replicas, this.dependsOnOtherNodes);
    this.known.set(key, figures);
    return figures;
  }

  /**
   * Returns the run of an effect whose pods all fit. Returns undefined if they may not. At most `created + deleted` pods exist in addition to
   * the replicas, because deleted pods exist until they are gone. If a surge of as many fits, so do they.
   */
  private findFittingRun(created: number, deleted: number, replicas: number, size: number): RunFigures | undefined {
    if (!this.fittingRuns || this.trial.isUncertain || created + deleted > this.findFittingSurge(replicas, size)) return undefined;
    const runs = this.fittingRuns.get(replicas) ?? new Map<number, RunFigures>();
    this.fittingRuns.set(replicas, runs);
    const key = created * (replicas + 1) + deleted;
    const found = runs.get(key) ?? this.run(this.space.build(created, deleted), replicas);
    runs.set(key, found);
    return { ...found, id: this.runs++ };
  }

  /** Returns the largest surge with which all pods fit. */
  private findFittingSurge(replicas: number, size: number): number {
    if (!this.trial.isLimited) return Infinity;
    const known = this.fittingSurges.get(size);
    if (known !== undefined) return known;
    const fits = (surge: number) => this.run(this.space.build(surge, 0), replicas).figures.verdict === 'fits';
    let [low, high] = [0, replicas];
    while (low < high) {
      const middle = low === 0 ? high : Math.ceil((low + high) / 2);
      if (fits(middle)) low = middle;
      else high = middle - 1;
    }
    this.fittingSurges.set(size, low);
    return low;
  }

  private run(strategy: unknown, replicas: number, skipsSearch = false): RunFigures {
    return this.toFigures(this.trial.run(strategy, replicas, skipsSearch), replicas);
  }

  /** Returns why the pods may not fit, in one sentence. Returns undefined if nothing limits them. */
  private explain(capacity: TrialRun['capacity']): string | undefined {
    const unknown = formatUnknownCapacity(this.trial);
    if (unknown === undefined || (capacity && DOUBTS[capacity.verdict] > DOUBTS['may-not-fit'])) return capacity?.message;
    return unknown;
  }

  private toFigures({ simulation, capacity, duration }: TrialRun, replicas: number): RunFigures {
    const { peakPods, leastAvailable } = readPodCounts(simulation);
    const extraPods = Math.max(0, peakPods - replicas * this.unitPods);
    const verdict: CapacityVerdict = capacity?.verdict ?? (this.trial.isUncertain ? 'may-not-fit' : 'fits');
    // Without a duration, no pod is replaced.
    const seconds = duration === undefined ? 0 : duration.expectedSeconds;
    const extraGpus = (extraPods / this.unitPods) * this.gpus;
    const brokenByBadVersion = duration?.blastRadius ?? 0;
    const figures = {
      peakPods,
      extraPods,
      ...(this.gpus > 0 && { extraGpus }),
      leastAvailable,
      seconds,
      ...(this.gpus > 0 && seconds !== null && { gpuSeconds: extraGpus * seconds }),
      brokenByBadVersion,
      verdict,
    };
    return createRunFigures(figures, this.explain(capacity), this.runs++);
  }
}

/** Builds the candidate of a strategy. */
export function toCandidate(
  { strategy, figures }: EvaluatedStrategy,
  meets: boolean,
  atLimits: { readonly minimum?: number; readonly maximum?: number },
  sizes: readonly number[],
): Candidate {
  const at = (size: number | undefined) => (size === undefined ? undefined : { replicas: sizes[size]!, ...figures[size]!.figures });
  const [atMinimum, atMaximum] = [at(atLimits.minimum), at(atLimits.maximum)];
  return {
    strategy,
    ...figures[0]!.figures,
    meets,
    ...(atMinimum && { atMinimum }),
    ...(atMaximum && { atMaximum }),
  };
}
