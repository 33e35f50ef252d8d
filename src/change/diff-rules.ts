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
  readonly at: readonly string[];
  /** @default - every change is neutral */
  readonly risk?: Risk<T>;
  /** Why one value is riskier than another. */
  readonly reason?: string;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

const theMore: Risk<unknown> = { riskier: 'more', rank: number };

const theFewer: Risk<unknown> = {
  riskier: 'fewer',
  rank: (value) => {
    const known = number(value);
    return known === undefined ? undefined : -known;
  },
};

/** From harmless to harmful; a word that is not among them is not ranked. */
function inOrder(...words: readonly string[]): Risk<unknown> {
  return {
    riskier: `the later of ${words.map((word) => `\`${word}\``).join(', ')}`,
    rank: (value) => {
      const rank = words.indexOf(String(value));
      return rank < 0 ? undefined : rank;
    },
  };
}

const ifAny: Risk<unknown> = { riskier: 'there is one', rank: (value) => (value === null || value === undefined ? 0 : 1) };

/** What is missing is a risk where an error is why, and says nothing otherwise: a paused Deployment has no simulation either. */
const ifRefused: Risk<PlannedRollout> = {
  riskier: 'none, and an error is why',
  rank: (value, { findings }) => {
    if (value !== null) return 0;
    return findings.some(({ severity }) => severity === 'error') ? 1 : undefined;
  },
};

const verdict = inOrder('fits', 'may-not-fit', 'slower', 'deadlocks');

const PEAK = 'The higher the peak, the more room the cluster needs.';
const ROOM = 'Without room a rollout is slower, or never ends.';

/** Whether there is a strategy and a simulation at all. Only where both plans have one, what they hold is compared. */
export const STRATEGY_RULE: DiffRule<PlannedRollout> = {
  field: 'strategy',
  at: ['strategy'],
  risk: ifRefused,
  reason: 'What is refused is not rolled out.',
};
export const SIMULATION_RULE: DiffRule<PlannedRollout> = {
  field: 'simulation',
  at: ['simulation', 'kind'],
  risk: ifRefused,
  reason: 'What has an error and no simulation is not rolled out.',
};

/**
 * The figures of a rollout, in the order of a diff. A rollout that has none of a name is silent about it.
 *
 * Fields of the strategy and the levels that decide them are neutral: what they lead to is judged, and that is these figures.
 */
export const FIGURE_RULES: readonly DiffRule<PlannedRollout>[] = [
  { field: 'replicas', at: ['simulation', 'replicas'] },
  { field: 'size', at: ['simulation', 'size'] },
  { field: 'nodes', at: ['simulation', 'nodes'] },
  { field: 'downBeside', at: ['simulation', 'downBeside'] },
  { field: 'surge', at: ['simulation', 'surge'] },
  { field: 'unavailable', at: ['simulation', 'unavailable'] },
  {
    field: 'simulation.maxUnavailable',
    at: ['simulation', 'maxUnavailable'],
    risk: theMore,
    reason: 'The more pods or clusters may be down at once, the less is left to serve.',
  },
  { field: 'leaderLimit', at: ['simulation', 'leaderLimit'] },
  { field: 'iterations', at: ['simulation', 'iterations'] },
  { field: 'peakGroups', at: ['simulation', 'peakGroups'] },
  { field: 'peakPods', at: ['simulation', 'peakPods'], risk: theMore, reason: PEAK },
  {
    field: 'minAvailable',
    at: ['simulation', 'minAvailable'],
    risk: theFewer,
    reason: 'The fewer pods are available at the worst moment, the less is left to serve.',
  },
  { field: 'maxSkewPercent', at: ['simulation', 'maxSkewPercent'] },
  {
    field: 'surgeLeft',
    at: ['simulation', 'surgeLeft'],
    risk: theMore,
    reason: 'Surge groups that stay hold their nodes and accelerators.',
  },
  {
    field: 'halted',
    at: ['simulation', 'halted'],
    risk: ifAny,
    reason: 'A rollout that halts leaves nodes or pods on the old version.',
  },
  { field: 'applications', at: ['simulation', 'applications'] },
  { field: 'isStepwise', at: ['simulation', 'isStepwise'] },
  { field: 'besideRestart', at: ['simulation', 'besideRestart'] },
  { field: 'takenBack', at: ['simulation', 'takenBack'] },
  { field: 'stepsAnew', at: ['simulation', 'stepsAnew'] },
  {
    field: 'done',
    at: ['simulation', 'done'],
    risk: inOrder('true', 'false'),
    reason: 'What is not done leaves something on the old version.',
  },
  {
    field: 'unmatchedCount',
    at: ['simulation', 'unmatchedCount'],
    risk: theMore,
    reason: 'Applications that no step selects are never synced.',
  },
  { field: 'waitSeconds', at: ['simulation', 'waitSeconds'] },
  { field: 'maxWeight', at: ['simulation', 'maxWeight'] },
  { field: 'leftOver', at: ['simulation', 'leftOver'], risk: theMore, reason: 'Pods that stay for good take room for good.' },
  {
    field: 'abort.minAvailable',
    at: ['simulation', 'abort', 'minAvailable'],
    risk: theFewer,
    reason: 'The fewer pods are available on the way back, the less is left to serve.',
  },
  {
    field: 'blocked',
    at: ['simulation', 'blocked'],
    risk: ifAny,
    reason: 'A rollout that waits for a pod which never gets ready leaves pods on the old version.',
  },
  { field: 'latestTrafficPercent', at: ['simulation', 'latestTrafficPercent'] },
  { field: 'outcome', at: ['simulation', 'outcome'], risk: inOrder('promoted', 'stalled'), reason: 'A stalled upgrade never ends.' },
  { field: 'durationSeconds', at: ['simulation', 'durationSeconds'] },
  { field: 'capacityChanges', at: ['simulation', 'capacityChanges'] },
  { field: 'trafficShifts', at: ['simulation', 'trafficShifts'] },
  {
    field: 'peakCapacityPercent',
    at: ['simulation', 'peakCapacityPercent'],
    risk: theMore,
    reason: PEAK,
  },
  { field: 'rollback.durationSeconds', at: ['simulation', 'rollback', 'durationSeconds'] },
  {
    field: 'simulation.maxUnavailablePartitions',
    at: ['simulation', 'maxUnavailablePartitions'],
    risk: theMore,
    reason: 'The more partitions may be over their limit, the later a bad version is held back.',
  },
  {
    field: 'unpartitionedCount',
    at: ['simulation', 'unpartitionedCount'],
    risk: theMore,
    reason: 'Clusters in no partition are never installed and never updated.',
  },
  {
    field: 'install.halted',
    at: ['simulation', 'install', 'halted'],
    risk: ifAny,
    reason: 'An install that halts leaves clusters without the bundle.',
  },
  { field: 'install.notReleasedCount', at: ['simulation', 'install', 'notReleasedCount'] },
  {
    field: 'update.halted',
    at: ['simulation', 'update', 'halted'],
    risk: ifAny,
    reason: 'An update that halts leaves clusters on the old version.',
  },
  { field: 'update.notReleasedCount', at: ['simulation', 'update', 'notReleasedCount'] },
  { field: 'room.verdict', at: ['room', 'verdict'], risk: verdict, reason: ROOM },
  { field: 'duration.expectedSeconds', at: ['duration', 'expectedSeconds'] },
  { field: 'duration.abortSeconds', at: ['duration', 'abortSeconds'] },
  {
    field: 'duration.blastRadius',
    at: ['duration', 'blastRadius'],
    risk: theMore,
    reason: 'The more pods are broken when a bad version is noticed, the less is left to serve.',
  },
  { field: 'workers.surgePods', at: ['workers', 'surgePods'], risk: theMore, reason: PEAK },
  { field: 'workers.surgeGpus', at: ['workers', 'surgeGpus'], risk: theMore, reason: PEAK },
];

/** Errors and warnings are risks, the worse the riskier; an info explains, and is as good as none. */
const SEVERITY_RISK: Readonly<Record<Severity, number>> = { info: 0, warning: 1, error: 2 };

export function severityEffect(before: Severity | undefined, after: Severity | undefined): RiskEffect {
  return compared(before ? SEVERITY_RISK[before] : 0, after ? SEVERITY_RISK[after] : 0);
}

type Judged<T> = readonly [value: unknown, subject: T];

/** How a change of a figure is judged; neutral where one of the two values is not ranked. */
export function effectOf<T>({ risk }: DiffRule<T>, before: Judged<T>, after: Judged<T>): RiskEffect {
  return compared(risk?.rank(...before), risk?.rank(...after));
}

function compared(before: number | undefined, after: number | undefined): RiskEffect {
  if (before === undefined || after === undefined || before === after) return 'neutral';
  return after > before ? 'riskier' : 'safer';
}
