import { findMin } from '../core/values/min-max';
import type { RolloutFigures, RolloutGoal, UnmetLimit } from '../core/document/advice';
import type { RolloutBudget } from '../core/budget/budget';
import type { EvaluatedStrategy, StrategyEvaluator } from './evaluate';
import { resolveGoal } from './goal';

/** One limit of a goal or of the cluster, for one number of replicas. */
export interface GoalConstraint {
  /** `available`, `within`, `PodDisruptionBudget "web"`, `capacity` */
  readonly limit: string;
  readonly wanted: number | string;
  /** Position of the number of replicas. */
  readonly size: number;
  /** Returns the value that is limited. Infinity if the rollout never finishes. */
  readonly valueOf: (figures: RolloutFigures) => number;
  /** Formats a value for the document. @default - as it is */
  readonly format?: (value: number) => string;
  /** Largest value that is within the limit. */
  readonly most: number;
  /** Why a value is not known. @default - all are known */
  readonly reason?: string;
  /** Sign that turns a value back into what the user reads, since more available pods are better. */
  readonly sign: 1 | -1;
}

const UNKNOWN_GPUS = 'The requests of its pods are not known, and so neither are their GPUs.';

const VERDICTS = ['fits', 'may-not-fit', 'deadlocks'] as const;

function createAvailableConstraint(limit: string, available: number, size: number): GoalConstraint {
  return { limit, wanted: available, most: -available, size, sign: -1, valueOf: ({ leastAvailable }) => -leastAvailable };
}

function createMaxConstraint(limit: string, most: number, size: number, valueOf: GoalConstraint['valueOf']): GoalConstraint {
  return { limit, wanted: most, most, size, sign: 1, valueOf };
}

/** If the requests of the pods are not known, only a rollout without extra pods is known to need no extra GPUs. */
function createExtraGpusConstraint(most: number, size: number, hasKnownRequests: boolean): GoalConstraint {
  if (hasKnownRequests) return createMaxConstraint('extraGpus', most, size, ({ extraGpus = 0 }) => extraGpus);
  const valueOf = ({ extraPods, extraGpus = 0 }: RolloutFigures) => (extraPods === 0 ? extraGpus : Infinity);
  return { ...createMaxConstraint('extraGpus', most, size, valueOf), reason: UNKNOWN_GPUS };
}

function createCapacityConstraint(size: number): GoalConstraint {
  return {
    limit: 'capacity',
    wanted: 'fits',
    most: 0,
    size,
    sign: 1,
    valueOf: ({ verdict, seconds }) => (seconds === null ? 2 : verdict === 'may-not-fit' ? 1 : 0),
    format: (value) => VERDICTS[value]!,
  };
}

/** Creates the constraints of a goal, and those of the cluster: budgets, and that the pods fit. */
export function createConstraints(
  goal: RolloutGoal,
  sizes: readonly number[],
  { unitPods, hasKnownRequests }: Pick<StrategyEvaluator, 'unitPods' | 'hasKnownRequests'>,
  budgets: readonly RolloutBudget[],
): GoalConstraint[] {
  return sizes.flatMap((replicas, size) => {
    const { available, extraPods, extraGpus, seconds } = resolveGoal(goal, replicas, unitPods);
    // Budgets are known for the planned replicas.
    const ownBudgets = size === 0 ? budgets : [];
    const constraints = [
      goal.available !== undefined && createAvailableConstraint('available', available, size),
      ...ownBudgets.map(({ name, ownDesiredHealthy }) =>
        createAvailableConstraint(`PodDisruptionBudget "${name}"`, ownDesiredHealthy, size),
      ),
      goal.extraPods !== undefined && createMaxConstraint('extraPods', extraPods, size, (figures) => figures.extraPods),
      goal.extraGpus !== undefined && createExtraGpusConstraint(extraGpus, size, hasKnownRequests),
      goal.within !== undefined && createMaxConstraint('within', seconds, size, (figures) => figures.seconds ?? Infinity),
      createCapacityConstraint(size),
    ];
    return constraints.filter((constraint) => constraint !== false);
  });
}

/** Reports whether a strategy is within a limit. */
export function isWithin({ figures }: EvaluatedStrategy, { size, most, valueOf }: GoalConstraint): boolean {
  return valueOf(figures[size]!.figures) <= most;
}

/** Reports whether a strategy meets all limits. */
export function isWithinAll(evaluated: EvaluatedStrategy, constraints: readonly GoalConstraint[]): boolean {
  return constraints.every((constraint) => isWithin(evaluated, constraint));
}

/** Returns why the pods of a strategy that would otherwise meet the goal do not all fit at once. */
function findObstacle(all: readonly EvaluatedStrategy[], constraints: readonly GoalConstraint[]): string | undefined {
  const others = constraints.filter(({ limit }) => limit !== 'capacity' && limit !== 'within');
  const obstructed = all.filter((evaluated) => isWithinAll(evaluated, others)).flatMap(({ figures }) => figures);
  return obstructed.find(({ figures, message }) => figures.verdict !== 'fits' && message !== undefined)?.message;
}

function toUnmetLimit(
  { limit, wanted, size, sign, valueOf, format }: GoalConstraint,
  candidates: readonly EvaluatedStrategy[],
  sizes: readonly number[],
): UnmetLimit {
  const finishing = limit === 'capacity' ? candidates : candidates.filter(({ figures }) => figures[size]!.figures.seconds !== null);
  const closest = findMin(finishing.map(({ figures }) => valueOf(figures[size]!.figures)));
  const shown = format ? format(closest) : sign * closest;
  return { limit, wanted, closest: Number.isFinite(closest) ? shown : null, ...(size > 0 && { replicas: sizes[size]! }) };
}

/**
 * Explains why no strategy meets all limits: the limits that no strategy meets even alone, or else each limit that would have to give way
 * while all others are met. If none is enough, all limits that the closest strategy misses.
 */
export function explainUnmet(
  all: readonly EvaluatedStrategy[],
  constraints: readonly GoalConstraint[],
  sizes: readonly number[],
): UnmetLimit[] {
  const because = findObstacle(all, constraints) ?? constraints.find(({ reason }) => reason !== undefined)?.reason;
  const report = (unmet: readonly UnmetLimit[]) => unmet.map((limit) => ({ ...limit, ...(because !== undefined && { because }) }));
  const impossible = constraints.filter((constraint) => !all.some((evaluated) => isWithin(evaluated, constraint)));
  if (impossible.length > 0) return report(impossible.map((constraint) => toUnmetLimit(constraint, all, sizes)));
  const blocking = constraints.flatMap((constraint) => {
    const others = constraints.filter((other) => other !== constraint);
    const candidates = all.filter((evaluated) => isWithinAll(evaluated, others));
    const unmet = candidates.length === 0 ? undefined : toUnmetLimit(constraint, candidates, sizes);
    return unmet === undefined || unmet.closest === null ? [] : [unmet];
  });
  if (blocking.length > 0) return report(blocking);
  const missed = all.map((evaluated) => constraints.filter((constraint) => !isWithin(evaluated, constraint)));
  const fewest = missed.reduce((a, b) => (b.length < a.length ? b : a));
  return report(fewest.map((constraint) => toUnmetLimit(constraint, all, sizes)));
}
