import { findMax } from '../core/values/min-max';
import { scaleRoundedDown, scaleRoundedUp } from '../core/values/int-or-percent';
import type { IntOrPercent } from '../core/values/int-or-percent';
import { getFieldsAt } from '../core/manifest/manifest';
import type { Simulation } from '../core/simulations/simulation';
import { supportsStatefulSetMaxUnavailable } from '../workloads/statefulset/strategy';

/** The strategies that a kind of rollout allows: two limits, and those without limits. */
export interface StrategySpace {
  /** Whether new pods can be created before old ones are deleted. */
  readonly hasSurge: boolean;
  /** Whether the number of pods that are down at once can be chosen. */
  readonly hasUnavailable: boolean;
  /** Whether only one of both limits may be above 0. */
  readonly isExclusive: boolean;
  /** Whether the figures depend on how a limit is written, and not only on its effect. */
  readonly dependsOnSpelling: boolean;
  /** Whether the time never rises with a limit, as `search.ts` requires. */
  readonly isMonotone: boolean;
  /** Resolves maxSurge to pods, nodes or groups. A larger value has no other effect than the largest one. */
  readonly scaleSurge: (value: IntOrPercent, replicas: number) => number;
  /** Resolves maxUnavailable to pods, nodes or groups. */
  readonly scaleUnavailable: (value: IntOrPercent, replicas: number) => number;
  /** Builds the strategy that the API server stores. */
  readonly build: (maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) => unknown;
  /** Strategies without limits. */
  readonly others: readonly unknown[];
}

const scaleUp = (value: IntOrPercent, replicas: number) => Math.min(replicas, scaleRoundedUp(value, replicas));
const scaleDown = (value: IntOrPercent, replicas: number) => Math.min(replicas, scaleRoundedDown(value, replicas));

const DEPLOYMENT_SPACE: StrategySpace = {
  hasSurge: true,
  hasUnavailable: true,
  isExclusive: false,
  dependsOnSpelling: false,
  isMonotone: true,
  scaleSurge: scaleUp,
  scaleUnavailable: scaleDown,
  build: (maxSurge, maxUnavailable) => ({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }),
  others: [{ type: 'Recreate' }],
};

/** At least one pod is down at once. The partition stays. */
function createStatefulSetSpace(current: unknown, kubernetesVersion: string): StrategySpace {
  const hasUnavailable = supportsStatefulSetMaxUnavailable(kubernetesVersion);
  const { partition = 0 } = getFieldsAt(current, 'rollingUpdate');
  return {
    hasSurge: false,
    hasUnavailable,
    isExclusive: false,
    dependsOnSpelling: false,
    isMonotone: false,
    scaleSurge: () => 0,
    scaleUnavailable: (value, replicas) => Math.max(1, scaleDown(value, replicas)),
    build: (_, maxUnavailable) => ({ type: 'RollingUpdate', rollingUpdate: { partition, ...(hasUnavailable && { maxUnavailable }) } }),
    others: [],
  };
}

/** A pod is replaced in place, or a second one is created on its node first. */
const DAEMON_SET_SPACE: StrategySpace = {
  ...DEPLOYMENT_SPACE,
  isExclusive: true,
  isMonotone: false,
  scaleUnavailable: scaleUp,
  others: [],
};

/** Limits in groups. The partition stays. The StatefulSet of the leaders scales a percentage by the groups and the surge. */
function createGroupSpace(current: unknown): StrategySpace {
  const { partition = 0 } = getFieldsAt(current, 'rollingUpdateConfiguration');
  return {
    ...DEPLOYMENT_SPACE,
    dependsOnSpelling: true,
    isMonotone: false,
    build: (maxSurge, maxUnavailable) => ({
      type: 'RollingUpdate',
      rollingUpdateConfiguration: { partition, maxUnavailable, maxSurge },
    }),
    others: [],
  };
}

/**
 * Returns the strategies that a rollout may have. Returns undefined for a kind without limits to choose.
 *
 * @param current the strategy that is stored now; parts that are no limits, such as a partition, are kept
 */
export function createStrategySpace({ kind }: Simulation, current: unknown, kubernetesVersion: string): StrategySpace | undefined {
  if (kind === 'deployment') return DEPLOYMENT_SPACE;
  if (kind === 'statefulset') return createStatefulSetSpace(current, kubernetesVersion);
  if (kind === 'daemonset') return DAEMON_SET_SPACE;
  return kind === 'leaderworkerset' ? createGroupSpace(current) : undefined;
}

/** One limit, and its effect for each number of replicas. */
export interface AxisValue {
  readonly value: IntOrPercent;
  readonly effects: readonly number[];
}

/** Values of both limits that differ in effect, in the order in which people prefer to read them. */
export interface StrategyAxes {
  readonly surges: readonly AxisValue[];
  readonly unavailables: readonly AxisValue[];
  /** Whether they are all values that differ in effect. */
  readonly isComplete: boolean;
}

function listRange(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.max(0, Math.floor((to - from) / step) + 1) }, (_, index) => from + index * step);
}

/** Lists all numbers up to 10, the round ones above, and the largest. */
export function listRoundNumbers(largest: number): number[] {
  const numbers = new Set([...listRange(0, 10), largest]);
  for (let power = 10; power <= largest; power *= 10) for (const step of [1, 1.5, 2, 3, 5]) numbers.add(step * power);
  return [...numbers].filter((number) => number <= largest).toSorted((a, b) => a - b);
}

/** All percentages, the roundest first. */
const PERCENTAGES = [...new Set([25, 10, 5, 1].flatMap((step) => listRange(step, 100, step)))];

/** Lists values that differ in effect: whole numbers, then percentages, which only differ if an autoscaler changes the replicas. */
function listValues(
  sizes: readonly number[],
  isRound: boolean,
  scale: (value: IntOrPercent, replicas: number) => number,
): readonly AxisValue[] {
  const largest = findMax(sizes);
  // The API server refuses a 0 that would mean more.
  const isZeroAllowed = scale(0, largest) === 0;
  const numbers = (isRound ? listRoundNumbers(largest) : listRange(0, largest)).filter((number) => number > 0 || isZeroAllowed);
  const percentages = sizes.length === 1 ? [] : PERCENTAGES.filter((percent) => !isRound || percent % 5 === 0);
  const byEffect = new Map<string, AxisValue>();
  for (const value of [...numbers, ...percentages.map((percent) => `${percent}%` as const)]) {
    const effects = sizes.map((replicas) => scale(value, replicas));
    const key = effects.join(' ');
    if (!byEffect.has(key)) byEffect.set(key, { value, effects });
  }
  return [...byEffect.values()];
}

/** Largest number of pairs of limits that are all tried. 60 replicas have 3,720. */
const MAX_PAIRS = 4_000;

/** Largest number of replicas whose values are listed before they are counted. */
const MAX_LISTED_VALUES = 4_000;

/**
 * Lists the values of both limits that differ in effect, not in spelling: 25% and 2 are the same for 8 replicas, which have 80 pairs of
 * limits. They are two values if an autoscaler may choose 4 replicas. If there are too many pairs, only round values are listed.
 *
 * @param sizes numbers of replicas that the figures are for
 */
export function listAxes(space: StrategySpace, sizes: readonly number[]): StrategyAxes {
  const listAxis = (isChosen: boolean, isRound: boolean, scale: StrategySpace['scaleSurge'], fixed: IntOrPercent) =>
    isChosen ? listValues(sizes, isRound, scale) : [{ value: fixed, effects: sizes.map((replicas) => scale(fixed, replicas)) }];
  const list = (isRound: boolean): StrategyAxes => ({
    surges: listAxis(space.hasSurge, isRound, space.scaleSurge, 0),
    unavailables: listAxis(space.hasUnavailable, isRound, space.scaleUnavailable, 1),
    isComplete: !isRound,
  });
  if (findMax(sizes) > MAX_LISTED_VALUES) return list(true);
  const all = list(false);
  const pairs = space.isExclusive ? all.surges.length + all.unavailables.length : all.surges.length * all.unavailables.length;
  return pairs > MAX_PAIRS ? list(true) : all;
}
