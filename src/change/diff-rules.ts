import type { Severity } from '../core/finding';
import type { RiskEffect } from '../core/behaviour';
import type { PlannedRollout } from '../core/rollout';

/** How the values of a figure are ranked. */
export interface Risk<T> {
  /** Which value is the riskier one, for a person to read. */
  readonly riskier: string;
  /** How risky a value is: the higher the riskier; undefined where it can't be ranked. `subject` is what the value is of. */
  readonly rank: (value: unknown, subject: T) => number | undefined;
}

/** One figure of a plan that is compared, and how a change of it is judged. */
export interface DiffRule<T> {
  /** The name of the figure in a diff. */
  readonly field: string;
  /** Where it stands in its rollout, or in the plan. */
  readonly path: readonly string[];
  /** @default - every change is neutral */
  readonly risk?: Risk<T>;
  /** Why one value is riskier than another. */
  readonly reason?: string;
}

function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const HIGHER_IS_RISKIER: Risk<unknown> = { riskier: 'more', rank: toNumber };

const LOWER_IS_RISKIER: Risk<unknown> = {
  riskier: 'fewer',
  rank: (value) => {
    const amount = toNumber(value);
    return amount === undefined ? undefined : -amount;
  },
};

/** From harmless to harmful; a word that is not among them is not ranked. */
function rankByOrder(...values: readonly string[]): Risk<unknown> {
  return {
    riskier: `the later of ${values.map((word) => `\`${word}\``).join(', ')}`,
    rank: (value) => {
      const rank = values.indexOf(String(value));
      return rank < 0 ? undefined : rank;
    },
  };
}

const ANY_IS_RISKIER: Risk<unknown> = { riskier: 'there is one', rank: (value) => (value === null || value === undefined ? 0 : 1) };

/** What is missing is a risk where an error is why, and says nothing otherwise: a paused Deployment has no simulation either. */
const ERROR_IS_RISKIER: Risk<PlannedRollout> = {
  riskier: 'none, and an error is why',
  rank: (value, { findings }) => {
    if (value !== null) return 0;
    return findings.some(({ severity }) => severity === 'error') ? 1 : undefined;
  },
};

const VERDICT_RISK = rankByOrder('fits', 'may-not-fit', 'slower', 'deadlocks');

const PEAK_REASON = 'The higher the peak, the more room the cluster needs.';
const CAPACITY_REASON = 'Without room a rollout is slower, or never ends.';

/** Whether there is a strategy and a simulation at all. Only where both plans have one, what they hold is compared. */
export const STRATEGY_RULE: DiffRule<PlannedRollout> = {
  field: 'strategy',
  path: ['strategy'],
  risk: ERROR_IS_RISKIER,
  reason: 'What is refused is not rolled out.',
};
export const SIMULATION_RULE: DiffRule<PlannedRollout> = {
  field: 'simulation',
  path: ['simulation', 'kind'],
  risk: ERROR_IS_RISKIER,
  reason: 'What has an error and no simulation is not rolled out.',
};

/**
 * The figures of a rollout, in the order of a diff. A rollout that has none of a name is silent about it.
 *
 * Fields of the strategy and the levels that decide them are neutral: what they lead to is judged, and that is these figures.
 */
export const FIGURE_RULES: readonly DiffRule<PlannedRollout>[] = [
  { field: 'replicas', path: ['simulation', 'replicas'] },
  { field: 'size', path: ['simulation', 'size'] },
  { field: 'nodes', path: ['simulation', 'nodes'] },
  { field: 'otherNodesDown', path: ['simulation', 'otherNodesDown'] },
  { field: 'surge', path: ['simulation', 'surge'] },
  { field: 'unavailable', path: ['simulation', 'unavailable'] },
  {
    field: 'simulation.maxUnavailable',
    path: ['simulation', 'maxUnavailable'],
    risk: HIGHER_IS_RISKIER,
    reason: 'The more pods or clusters may be down at once, the less is left to serve.',
  },
  { field: 'leaderLimit', path: ['simulation', 'leaderLimit'] },
  { field: 'iterations', path: ['simulation', 'iterations'] },
  { field: 'peakGroups', path: ['simulation', 'peakGroups'] },
  { field: 'peakPods', path: ['simulation', 'peakPods'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
  {
    field: 'minAvailable',
    path: ['simulation', 'minAvailable'],
    risk: LOWER_IS_RISKIER,
    reason: 'The fewer pods are available at the worst moment, the less is left to serve.',
  },
  { field: 'maxSkewPercent', path: ['simulation', 'maxSkewPercent'] },
  {
    field: 'remainingSurge',
    path: ['simulation', 'remainingSurge'],
    risk: HIGHER_IS_RISKIER,
    reason: 'Surge groups that stay hold their nodes and accelerators.',
  },
  {
    field: 'halted',
    path: ['simulation', 'halted'],
    risk: ANY_IS_RISKIER,
    reason: 'A rollout that halts leaves nodes or pods on the old version.',
  },
  { field: 'applications', path: ['simulation', 'applications'] },
  { field: 'isStepwise', path: ['simulation', 'isStepwise'] },
  { field: 'alsoRestarts', path: ['simulation', 'alsoRestarts'] },
  { field: 'rolledBackPods', path: ['simulation', 'rolledBackPods'] },
  { field: 'restartsSteps', path: ['simulation', 'restartsSteps'] },
  {
    field: 'done',
    path: ['simulation', 'done'],
    risk: rankByOrder('true', 'false'),
    reason: 'What is not done leaves something on the old version.',
  },
  {
    field: 'unmatchedCount',
    path: ['simulation', 'unmatchedCount'],
    risk: HIGHER_IS_RISKIER,
    reason: 'Applications that no step selects are never synced.',
  },
  { field: 'waitSeconds', path: ['simulation', 'waitSeconds'] },
  { field: 'maxWeight', path: ['simulation', 'maxWeight'] },
  {
    field: 'remainingOldPods',
    path: ['simulation', 'remainingOldPods'],
    risk: HIGHER_IS_RISKIER,
    reason: 'Pods that stay for good take room for good.',
  },
  {
    field: 'abort.minAvailable',
    path: ['simulation', 'abort', 'minAvailable'],
    risk: LOWER_IS_RISKIER,
    reason: 'The fewer pods are available on the way back, the less is left to serve.',
  },
  {
    field: 'blocked',
    path: ['simulation', 'blocked'],
    risk: ANY_IS_RISKIER,
    reason: 'A rollout that waits for a pod which never gets ready leaves pods on the old version.',
  },
  { field: 'latestTrafficPercent', path: ['simulation', 'latestTrafficPercent'] },
  { field: 'outcome', path: ['simulation', 'outcome'], risk: rankByOrder('promoted', 'stalled'), reason: 'A stalled upgrade never ends.' },
  { field: 'durationSeconds', path: ['simulation', 'durationSeconds'] },
  { field: 'capacityChanges', path: ['simulation', 'capacityChanges'] },
  { field: 'trafficShifts', path: ['simulation', 'trafficShifts'] },
  {
    field: 'peakCapacityPercent',
    path: ['simulation', 'peakCapacityPercent'],
    risk: HIGHER_IS_RISKIER,
    reason: PEAK_REASON,
  },
  { field: 'rollback.durationSeconds', path: ['simulation', 'rollback', 'durationSeconds'] },
  {
    field: 'simulation.maxUnavailablePartitions',
    path: ['simulation', 'maxUnavailablePartitions'],
    risk: HIGHER_IS_RISKIER,
    reason: 'The more partitions may be over their limit, the later a bad version is held back.',
  },
  {
    field: 'unpartitionedCount',
    path: ['simulation', 'unpartitionedCount'],
    risk: HIGHER_IS_RISKIER,
    reason: 'Clusters in no partition are never installed and never updated.',
  },
  {
    field: 'install.halted',
    path: ['simulation', 'install', 'halted'],
    risk: ANY_IS_RISKIER,
    reason: 'An install that halts leaves clusters without the bundle.',
  },
  { field: 'install.notReleasedCount', path: ['simulation', 'install', 'notReleasedCount'] },
  {
    field: 'update.halted',
    path: ['simulation', 'update', 'halted'],
    risk: ANY_IS_RISKIER,
    reason: 'An update that halts leaves clusters on the old version.',
  },
  { field: 'update.notReleasedCount', path: ['simulation', 'update', 'notReleasedCount'] },
  { field: 'capacity.verdict', path: ['capacity', 'verdict'], risk: VERDICT_RISK, reason: CAPACITY_REASON },
  { field: 'duration.expectedSeconds', path: ['duration', 'expectedSeconds'] },
  { field: 'duration.abortSeconds', path: ['duration', 'abortSeconds'] },
  {
    field: 'duration.blastRadius',
    path: ['duration', 'blastRadius'],
    risk: HIGHER_IS_RISKIER,
    reason: 'The more pods are broken when a bad version is noticed, the less is left to serve.',
  },
  { field: 'workers.surgePods', path: ['workers', 'surgePods'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
  { field: 'workers.surgeGpus', path: ['workers', 'surgeGpus'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
];

/** Errors and warnings are risks, the worse the riskier; an info explains, and is as good as none. */
const SEVERITY_RISK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

export function compareSeverities(before: Severity | undefined, after: Severity | undefined): RiskEffect {
  return compareRanks(before ? SEVERITY_RISK[before] : 0, after ? SEVERITY_RISK[after] : 0);
}

type RankedValue<T> = readonly [value: unknown, subject: T];

/** How a change of a figure is judged; neutral where one of the two values is not ranked. */
export function evaluateRisk<T>({ risk }: DiffRule<T>, before: RankedValue<T>, after: RankedValue<T>): RiskEffect {
  return compareRanks(risk?.rank(...before), risk?.rank(...after));
}

function compareRanks(before: number | undefined, after: number | undefined): RiskEffect {
  if (before === undefined || after === undefined || before === after) return 'neutral';
  return after > before ? 'riskier' : 'safer';
}
