import { findMax } from '../../../core/values/min-max';
import type { PlannedRollout } from '../../../core/document/rollout';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import { listShownWaves } from '../../../core/simulations/deployment';
import type { DeploymentSimulation } from '../../../core/simulations/deployment';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import type { RevisionSimulation } from '../../../core/simulations/revision';
import { ROWS_AT_EACH_END } from '../../../core/simulations/row-limit';
import { findDeadlockRow } from '../../rollout/outcome-text';
import type { ChartBand, ChartLayer, ChartLevel, StackPanel, StackRow, ChartStop, TimeAxis } from '../chart';

/** A wave of any kind of workload with pods. */
interface PodWave {
  readonly wave: number;
  readonly newPods: number;
  readonly old: number;
  readonly total: number;
  readonly available: number;
  /** Pods that a quota refuses, so that they are not in `total`. @default 0 */
  readonly refused?: number;
  /** Percent of the requests that the new version gets. */
  readonly traffic?: number;
}

/** Pods before the rollout, its waves, and pods once the last wave is ready. */
interface PodTimeline {
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  readonly waves: readonly PodWave[];
  readonly elided: number;
  readonly levels: readonly ChartLevel[];
  readonly stop?: { readonly wave: number; readonly text: string };
  /** Pods that are not ready before the rollout begins. @default 0 */
  readonly downPods?: number;
  /** Waves that wait for more than their pods. @default - none */
  readonly pauses?: readonly number[];
}

export const POD_LAYERS: readonly ChartLayer[] = [
  { name: 'old, ready', role: 'old' },
  { name: 'new, ready', role: 'new' },
  { name: 'not ready', role: 'starting' },
];

/** Pods that do not fit at the wave at which the rollout deadlocks. */
const NO_CAPACITY_LAYER: ChartLayer = { name: 'does not fit', role: 'refused' };

/**
 * Splits the pods that are not ready at a deadlock: those above the capacity do not fit. For example, if 2 of 3 fit, the result has 2 and 1.
 * Pods that a quota refuses do not fit either.
 */
function limitToCapacity(
  [old = 0, newPods = 0, waiting = 0]: readonly number[],
  { capacity }: PlannedRollout,
  refused = 0,
): readonly number[] {
  const excess = Math.min(waiting, Math.max(0, old + newPods + waiting - (capacity?.podsThatFit ?? Infinity)));
  return [old, newPods, waiting - excess, excess + refused];
}

/** Splits the pods of a wave into ready old ones, ready new ones, and those that are not ready. */
function computeStack({ newPods, old, total, available }: PodWave): readonly number[] {
  const waiting = Math.max(0, total - available);
  const newReady = Math.max(0, newPods - waiting);
  const oldReady = Math.max(0, Math.min(old, available - newReady));
  return [oldReady, newReady, Math.max(0, total - oldReady - newReady)];
}

function hasPodStarts(waves: readonly PodWave[], index: number): boolean {
  return waves[index]!.newPods > (waves[index - 1]?.newPods ?? 0);
}

/**
 * Computes when each wave begins, in seconds, and when the last one is ready. Undefined if that is not known.
 *
 * The lower bound is divided equally among the waves that create pods; the others take no time.
 * For example, if 3 of 5 waves create pods, 60 s give each of these 20 s.
 */
function computeWaveSeconds(waves: readonly PodWave[], elided: number, { duration }: PlannedRollout): readonly number[] | undefined {
  const starting = waves.filter((_, index) => hasPodStarts(waves, index)).length;
  if (!duration || duration.lowerBoundSeconds <= 0 || elided > 0 || starting === 0) return undefined;
  const each = duration.lowerBoundSeconds / starting;
  let now = 0;
  return [0, ...waves.map((_, index) => (now += hasPodStarts(waves, index) ? each : 0))];
}

/** Builds the level of the capacity, if it is below the peak of the rollout. */
function buildCapacityLevels({ capacity }: PlannedRollout): ChartLevel[] {
  if (!capacity || capacity.podsThatFit >= capacity.peakPods) return [];
  return [{ name: `capacity for ${capacity.podsThatFit}`, role: 'desired', at: capacity.podsThatFit }];
}

/** Reports whether a picture counts pods, as capacity does. */
function isPodUnit(unit: string): boolean {
  return unit.startsWith('pods');
}

function buildCapacityBands({ capacity }: PlannedRollout, running: number, unit: string): ChartBand[] {
  if (!isPodUnit(unit) || !capacity || capacity.podsThatFit <= running) return [];
  return [{ name: `capacity for ${capacity.podsThatFit - running} more`, role: 'capacity', from: running, to: capacity.podsThatFit }];
}

/** The waves that a picture shows, and where each one is on its axis. */
interface ShownWaves {
  readonly reached: readonly PodWave[];
  /** Where the rollout stops; undefined if it finishes. */
  readonly ending: PodTimeline['stop'];
  readonly deadlockRow: number | undefined;
  readonly isComplete: boolean;
  /** Start of each wave in seconds, and the end; undefined if the axis counts waves. */
  readonly seconds: readonly number[] | undefined;
  /** Width of the part before the first wave, and of that after the last one. */
  readonly lead: number;
  readonly endAt: number;
  readonly startOf: (index: number) => number;
}

function selectShownWaves({ waves, elided, stop }: PodTimeline, rollout: PlannedRollout): ShownWaves {
  const deadlockRow = findDeadlockRow(rollout);
  const ending: PodTimeline['stop'] = deadlockRow === undefined ? stop : { wave: deadlockRow, text: `deadlocks at wave ${deadlockRow}` };
  const reached = ending ? waves.filter(({ wave }) => wave <= ending.wave) : waves;
  const isComplete = reached.length === waves.length && ending === undefined;
  const seconds = isComplete ? computeWaveSeconds(waves, elided, rollout) : undefined;
  return {
    reached,
    ending,
    deadlockRow,
    isComplete,
    seconds,
    lead: seconds ? Math.max(1, seconds.at(-1)! * 0.06) : 1,
    endAt: seconds ? seconds.at(-1)! : (reached.at(-1)?.wave ?? 0) + 1,
    startOf: (index) => (seconds ? seconds[index]! : reached[index]!.wave),
  };
}

function buildTimeAxis({ reached, ending, isComplete, seconds, lead, endAt }: ShownWaves): TimeAxis {
  const to = isComplete ? endAt + lead : endAt + (ending ? 0.6 : 0);
  if (seconds) return { name: 'seconds, at the earliest', from: -lead, to };
  return {
    name: 'wave',
    from: 0,
    to,
    ticks: [
      { at: 0.5, text: 'before' },
      ...reached.map(({ wave }) => ({ at: wave + 0.5, text: String(wave) })),
      ...(isComplete ? [{ at: endAt + 0.5, text: 'after' }] : []),
    ],
  };
}

function buildPodRows(shown: ShownWaves, { unit, before, after, downPods = 0 }: PodTimeline, rollout: PlannedRollout): StackRow[] {
  const { reached, deadlockRow, isComplete, seconds, lead, endAt, startOf } = shown;
  const last = reached.at(-1);
  const [old, next] = last === undefined ? [0, after] : last.old > 0 ? [last.old, last.newPods] : [0, after];
  return [
    { at: seconds ? -lead : 0, values: [before, 0, downPods] },
    ...reached.map((wave, index) => {
      const values = computeStack(wave);
      const isDeadlock = isPodUnit(unit) && wave.wave === deadlockRow;
      return { at: startOf(index), values: isDeadlock ? limitToCapacity(values, rollout, wave.refused) : values };
    }),
    ...(isComplete ? [{ at: endAt, values: [old, next, 0] }] : []),
  ];
}

/** Builds the share of requests that each version gets; nothing if no wave has one. */
function buildTrafficPanels({ reached, startOf }: ShownWaves, { from }: TimeAxis, stop: ChartStop | undefined): StackPanel[] {
  if (reached.every(({ traffic }) => traffic === undefined)) return [];
  return [
    {
      kind: 'stack',
      unit: '% of requests',
      rows: [
        { at: from, values: [100, 0] },
        ...reached.map(({ traffic = 0 }, index) => ({ at: startOf(index), values: [100 - traffic, traffic] })),
      ],
      layers: [
        { name: 'to the old version', role: 'old' },
        { name: 'to the new version', role: 'new' },
      ],
      levels: [],
      bands: [],
      axisMaximum: 100,
      ...(stop && { stop: { at: stop.at, text: '' } }),
    },
  ];
}

/** Builds pods over waves, or over seconds if it is known how long a pod takes to become ready. */
export function buildPodPart(timeline: PodTimeline, rollout: PlannedRollout): { readonly axis: TimeAxis; readonly panels: StackPanel[] } {
  const { unit, before, waves, elided, levels } = timeline;
  const shown = selectShownWaves(timeline, rollout);
  const { reached, ending, deadlockRow, endAt, startOf } = shown;
  const axis = buildTimeAxis(shown);
  const stop: ChartStop | undefined = ending && { at: ending.wave === 0 ? 1 : endAt, text: ending.text };
  const gapFrom = waves[ROWS_AT_EACH_END - 1]?.wave;
  const pauses = reached.flatMap(({ wave }, index) =>
    timeline.pauses?.includes(wave) ? [index + 1 < reached.length ? startOf(index + 1) : endAt] : [],
  );
  const pods: StackPanel = {
    kind: 'stack',
    unit,
    rows: buildPodRows(shown, timeline, rollout),
    layers: isPodUnit(unit) && deadlockRow !== undefined ? [...POD_LAYERS, NO_CAPACITY_LAYER] : POD_LAYERS,
    levels,
    bands: buildCapacityBands(rollout, before, unit),
    axisMaximum: findMax(
      levels.map(({ at }) => at),
      0,
    ),
    ...(stop && { stop }),
    ...(pauses.length > 0 && { pauses }),
    ...(elided > 0 &&
      gapFrom !== undefined && { gap: { from: gapFrom + 1, to: gapFrom + 1 + elided, text: `${elided} waves like these` } }),
  };
  return { axis, panels: [pods, ...buildTrafficPanels(shown, axis, stop)] };
}

/** Builds a level for each budget of these pods, and says whether the rollout breaks it. */
export function buildBudgetLevels({ budgets = [] }: PlannedRollout): ChartLevel[] {
  return budgets.map(({ name, ownDesiredHealthy: at, lowest, desiredHealthy }) => {
    const isBroken = lowest < desiredHealthy;
    return { name: `budget ${at}${isBroken ? ' broken' : ''}: ${name}`, role: isBroken ? 'stop' : 'budget', at };
  });
}

/** Builds the levels of the ceiling, the floor, the capacity and the budgets. */
function buildLevels(desired: number, surge: number, unavailable: number, rollout: PlannedRollout): ChartLevel[] {
  const ceiling = desired + surge;
  return [
    { name: `ceiling ${ceiling}`, role: 'ceiling', at: ceiling },
    { name: `floor ${Math.max(0, desired - unavailable)}`, role: 'floor', at: Math.max(0, desired - unavailable) },
    ...buildCapacityLevels(rollout),
    ...buildBudgetLevels(rollout),
  ];
}

export function buildDeploymentTimeline(simulation: DeploymentSimulation, rollout: PlannedRollout): PodTimeline {
  const { replicas, surge, unavailable, elided = 0 } = simulation;
  return {
    unit: 'pods',
    before: rollout.initialState?.revisions.reduce((sum, revision) => sum + revision.replicas, 0) ?? replicas,
    after: replicas,
    waves: listShownWaves(simulation).map(({ wave, newReplicas, oldReplicas, total, available }) => ({
      wave,
      newPods: newReplicas,
      old: oldReplicas,
      total,
      available,
      refused: Math.max(0, Math.min(replicas, replicas + surge - oldReplicas) - newReplicas),
    })),
    elided,
    levels: buildLevels(replicas, surge, unavailable, rollout),
  };
}

export function buildDaemonSetTimeline(simulation: DaemonSetSimulation, rollout: PlannedRollout): PodTimeline {
  const { nodes, surge, unavailable, waves, elided = 0, halted } = simulation;
  const isDown = halted?.reason === 'nodes-down';
  const downPods = isDown ? halted.nodes : 0;
  return {
    unit: 'pods, one for each node',
    before: nodes,
    after: nodes,
    waves: waves.map(({ wave, newPods, oldPods, total, available }) => ({ wave, newPods, old: oldPods, total, available })),
    elided,
    levels: buildLevels(nodes + downPods, surge, unavailable, rollout),
    downPods,
    ...(isDown && { stop: { wave: halted.wave, text: `halts: ${downPods} ${downPods === 1 ? 'node is' : 'nodes are'} down` } }),
  };
}

export function buildLeaderWorkerSetTimeline(simulation: LeaderWorkerSetSimulation, rollout: PlannedRollout): PodTimeline {
  const { replicas, surge, unavailable, waves, elided = 0, halted, size } = simulation;
  return {
    unit: `groups of ${size} ${size === 1 ? 'pod' : 'pods'}`,
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newGroups, oldGroups, total, available }) => ({
      wave,
      newPods: newGroups,
      old: oldGroups,
      total,
      available,
    })),
    elided,
    levels: buildLevels(replicas, surge, unavailable, rollout).filter(({ role }) => role === 'ceiling' || role === 'floor'),
    ...(halted &&
      halted.reason !== 'insufficient-capacity' && {
        stop: { wave: halted.wave, text: `halts: ${halted.groups} ${halted.groups === 1 ? 'group stays' : 'groups stay'} old` },
      }),
  };
}

/** Builds the groups of one role, by its index, or of all roles together. */
export function buildDisaggregatedSetTimeline(
  { roles, waves, elided = 0, halted }: DisaggregatedSetSimulation,
  role?: number,
): PodTimeline {
  const ofRole = <T>(list: readonly T[]) => (role === undefined ? list : [list[role]!]);
  const desired = ofRole(roles).reduce((sum, { replicas }) => sum + replicas, 0);
  return {
    unit: 'groups',
    before: desired,
    after: desired,
    waves: waves.map(({ wave, roles: all }) => {
      const sumOf = (count: (groups: (typeof all)[number]) => number) => ofRole(all).reduce((sum, groups) => sum + count(groups), 0);
      const [newPods, old] = [sumOf(({ newGroups }) => newGroups), sumOf(({ oldGroups }) => oldGroups)];
      return { wave, newPods, old, total: newPods + old, available: sumOf(({ available }) => available) };
    }),
    elided,
    levels: [],
    ...(halted?.reason === 'no-step' && { stop: { wave: halted.wave, text: 'halts: the limits allow no next step' } }),
  };
}

export function buildArgoRolloutTimeline(simulation: ArgoRolloutSimulation, rollout: PlannedRollout): PodTimeline {
  const { replicas, surge, unavailable, waves, elided = 0, halted, maxWeight } = simulation;
  const hasLimits = surge + unavailable > 0;
  return {
    unit: 'pods',
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newPods, oldPods, total, available, newWeight }) => ({
      wave,
      newPods,
      old: oldPods,
      total,
      available,
      ...(maxWeight !== undefined && newWeight !== undefined && { traffic: (newWeight / maxWeight) * 100 }),
    })),
    elided,
    pauses: waves.flatMap(({ wave, until }) => (until === undefined || until === 'ready' ? [] : [wave])),
    levels: hasLimits
      ? buildLevels(replicas, surge, unavailable, rollout)
      : [...buildCapacityLevels(rollout), ...buildBudgetLevels(rollout)],
    ...(halted?.reason === 'never-promoted' && {
      stop: { wave: halted.wave, text: `deadlocks at wave ${halted.wave}: never promoted` },
    }),
  };
}

export function buildRevisionTimeline(simulation: RevisionSimulation, rollout: PlannedRollout): PodTimeline {
  const { replicas, waves, elided = 0, halted } = simulation;
  return {
    unit: 'pods',
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newPods, oldPods, total, available, latestTrafficPercent }) => ({
      wave,
      newPods,
      old: oldPods,
      total,
      available,
      traffic: latestTrafficPercent,
    })),
    elided,
    levels: [...buildCapacityLevels(rollout), ...buildBudgetLevels(rollout)],
    ...(halted && { stop: { wave: halted.wave, text: 'halts: the new Revision does not fit' } }),
  };
}
