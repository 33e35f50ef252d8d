import type { Severity } from '../../core/finding';
import type { RiskEffect } from '../../core/behaviour';
import type { PlannedRollout } from '../../core/rollout';
import { toSafeText } from '../../core/value-text';

/** How the values of a field are ranked. */
export interface Risk<T> {
  /** Which value is riskier, for display. */
  readonly riskier: string;
  /** Returns the risk of a value: higher is riskier, undefined if it cannot be ranked. `subject` is the rollout or plan that has the value. */
  readonly rank: (value: unknown, subject: T) => number | undefined;
}

/** One compared field of a plan, and how its changes are evaluated. */
export interface DiffRule<T> {
  /** The name of the field in a diff. */
  readonly field: string;
  /** The path in the rollout or in the plan. */
  readonly path: readonly string[];
  /** @default - every change is neutral */
  readonly risk?: Risk<T>;
  /** Why one value is riskier than another. */
  readonly reason?: string;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const HIGHER_IS_RISKIER: Risk<unknown> = { riskier: 'more', rank: asNumber };

const LOWER_IS_RISKIER: Risk<unknown> = {
  riskier: 'fewer',
  rank: (value) => {
    const amount = asNumber(value);
    return amount === undefined ? undefined : -amount;
  },
};

/** Ranks values in the given order, from harmless to harmful. Other values are not ranked. */
function rankByOrder(...values: readonly string[]): Risk<unknown> {
  return {
    riskier: `the later of ${values.map((word) => `\`${word}\``).join(', ')}`,
    rank: (value) => {
      const rank = values.indexOf(toSafeText(value));
      return rank < 0 ? undefined : rank;
    },
  };
}

const ANY_IS_RISKIER: Risk<unknown> = { riskier: 'any value', rank: (value) => (value === null || value === undefined ? 0 : 1) };

/** A missing value is a risk only if an error is the cause: a paused Deployment has no simulation either. */
const ERROR_IS_RISKIER: Risk<PlannedRollout> = {
  riskier: 'none because of an error',
  rank: (value, { findings }) => {
    if (value !== null) return 0;
    return findings.some(({ severity }) => severity === 'error') ? 1 : undefined;
  },
};

const VERDICT_RISK = rankByOrder('fits', 'may-not-fit', 'slower', 'deadlocks');

const PEAK_REASON = 'A higher peak needs more capacity in the cluster.';
const CAPACITY_REASON = 'Without enough capacity a rollout is slower or never finishes.';

/** Compares whether there is a strategy and a simulation. Their contents are compared only if both plans have one. */
export const STRATEGY_RULE: DiffRule<PlannedRollout> = {
  field: 'strategy',
  path: ['strategy'],
  risk: ERROR_IS_RISKIER,
  reason: 'A refused object is not rolled out.',
};
export const SIMULATION_RULE: DiffRule<PlannedRollout> = {
  field: 'simulation',
  path: ['simulation', 'kind'],
  risk: ERROR_IS_RISKIER,
  reason: 'An object with an error and no simulation is not rolled out.',
};

/**
 * The compared fields of a rollout, in the order of a diff. A rule does not apply to rollouts without its field.
 *
 * Strategy fields and the levels that decide them are neutral: only their consequences are evaluated, which are these fields.
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
    reason: 'The more pods or clusters may be down at once, the fewer are left to serve.',
  },
  { field: 'leaderLimit', path: ['simulation', 'leaderLimit'] },
  { field: 'iterations', path: ['simulation', 'iterations'] },
  { field: 'peakGroups', path: ['simulation', 'peakGroups'] },
  { field: 'peakPods', path: ['simulation', 'peakPods'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
  {
    field: 'minAvailable',
    path: ['simulation', 'minAvailable'],
    risk: LOWER_IS_RISKIER,
    reason: 'The fewer pods are available at the worst moment, the less capacity is left to serve.',
  },
  { field: 'maxSkewPercent', path: ['simulation', 'maxSkewPercent'] },
  {
    field: 'remainingSurge',
    path: ['simulation', 'remainingSurge'],
    risk: HIGHER_IS_RISKIER,
    reason: 'Surge groups that stay keep their nodes and accelerators.',
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
    reason: 'An incomplete rollout leaves something on the old version.',
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
    reason: 'Pods that stay permanently use capacity permanently.',
  },
  {
    field: 'abort.minAvailable',
    path: ['simulation', 'abort', 'minAvailable'],
    risk: LOWER_IS_RISKIER,
    reason: 'The fewer pods are available during the rollback, the less capacity is left to serve.',
  },
  {
    field: 'blocked',
    path: ['simulation', 'blocked'],
    risk: ANY_IS_RISKIER,
    reason: 'A rollout that waits for a pod that never becomes ready leaves pods on the old version.',
  },
  { field: 'latestTrafficPercent', path: ['simulation', 'latestTrafficPercent'] },
  {
    field: 'outcome',
    path: ['simulation', 'outcome'],
    risk: rankByOrder('promoted', 'stalled'),
    reason: 'A stalled upgrade never finishes.',
  },
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
    reason: 'The more partitions may exceed their limit, the later a bad version is stopped.',
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
    reason: 'The more pods are broken when a bad version is noticed, the fewer are left to serve.',
  },
  { field: 'workers.surgePods', path: ['workers', 'surgePods'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
  { field: 'workers.surgeGpus', path: ['workers', 'surgeGpus'], risk: HIGHER_IS_RISKIER, reason: PEAK_REASON },
];

/** Ranks severities: an error is riskier than a warning. An info only explains, so it ranks like no finding. */
const SEVERITY_RISK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

export function compareSeverities(before: Severity | undefined, after: Severity | undefined): RiskEffect {
  return compareRanks(before ? SEVERITY_RISK[before] : 0, after ? SEVERITY_RISK[after] : 0);
}

type RankedValue<T> = readonly [value: unknown, subject: T];

/** Evaluates a change of a field; neutral if one of the two values is not ranked. */
export function evaluateRisk<T>({ risk }: DiffRule<T>, before: RankedValue<T>, after: RankedValue<T>): RiskEffect {
  return compareRanks(risk?.rank(...before), risk?.rank(...after));
}

function compareRanks(before: number | undefined, after: number | undefined): RiskEffect {
  if (before === undefined || after === undefined || before === after) return 'neutral';
  return after > before ? 'riskier' : 'safer';
}
