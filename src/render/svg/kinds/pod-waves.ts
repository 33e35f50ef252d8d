import { greatest } from '../../../core/extremes';
import type { PlannedRollout } from '../../../core/rollout';
import type { ArgoRolloutSimulation } from '../../../core/simulations/argo-rollout';
import type { DisaggregatedSetSimulation } from '../../../core/simulations/disaggregatedset';
import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import type { DeploymentSimulation } from '../../../core/simulations/deployment';
import type { LeaderWorkerSetSimulation } from '../../../core/simulations/leaderworkerset';
import type { RevisionSimulation } from '../../../core/simulations/revision';
import { SHOWN_AT_EACH_END } from '../../../core/simulations/shown-rows';
import { standstill } from '../../outcome-words';
import type { Band, Layer, Level, StackPanel, StackRow, Stop, TimeAxis } from '../chart';

/** A wave of any kind that has pods. */
interface PodWave {
  readonly wave: number;
  readonly fresh: number;
  readonly old: number;
  readonly total: number;
  readonly available: number;
  /** Percent of the requests that the new version gets. */
  readonly traffic?: number;
}

/** What stands before, the waves, and what stands once the last of them is ready. */
interface Course {
  readonly unit: string;
  readonly before: number;
  readonly after: number;
  readonly waves: readonly PodWave[];
  readonly elided: number;
  readonly levels: readonly Level[];
  readonly stop?: { readonly wave: number; readonly text: string };
  /** Pods that are not ready before it begins. @default 0 */
  readonly down?: number;
  /** Waves that wait for more than their pods. @default - none */
  readonly pauses?: readonly number[];
}

export const POD_LAYERS: readonly Layer[] = [
  { name: 'old, ready', role: 'old' },
  { name: 'new, ready', role: 'new' },
  { name: 'not ready', role: 'starting' },
];

/** Pods that the controller wants at the wave at which it stands still. */
const NO_ROOM: Layer = { name: 'finds no room', role: 'refused' };

/** The row at which it stands still for want of room: of the pods that are not ready, those above the room are not there at all. */
function withoutRoom([old = 0, fresh = 0, waiting = 0]: readonly number[], { room }: PlannedRollout): readonly number[] {
  const lacking = Math.min(waiting, Math.max(0, old + fresh + waiting - (room?.podsWithRoom ?? Infinity)));
  return [old, fresh, waiting - lacking, lacking];
}

/** Of the pods there are, those of the old version that are ready, those of the new one, and those that are not ready yet. */
function stackOf({ fresh, old, total, available }: PodWave): readonly number[] {
  const waiting = Math.max(0, total - available);
  const freshReady = Math.max(0, fresh - waiting);
  const oldReady = Math.max(0, Math.min(old, available - freshReady));
  return [oldReady, freshReady, Math.max(0, total - oldReady - freshReady)];
}

function startsPods(waves: readonly PodWave[], index: number): boolean {
  return waves[index]!.fresh > (waves[index - 1]?.fresh ?? 0);
}

/**
 * When each wave begins, in seconds, and when the last one is ready; undefined where that is not known.
 *
 * A plan's lower bound is the waves that start pods, each as long as a pod takes to become ready; the others wait for nothing.
 */
function secondsOf(waves: readonly PodWave[], elided: number, { duration }: PlannedRollout): readonly number[] | undefined {
  const starting = waves.filter((_, index) => startsPods(waves, index)).length;
  if (!duration || duration.lowerBoundSeconds <= 0 || elided > 0 || starting === 0) return undefined;
  const each = duration.lowerBoundSeconds / starting;
  let now = 0;
  return [0, ...waves.map((_, index) => (now += startsPods(waves, index) ? each : 0))];
}

/** The most pods that find room, where that is fewer than the rollout asks for. */
function roomLevels({ room }: PlannedRollout): Level[] {
  if (!room || room.podsWithRoom >= room.peakPods) return [];
  return [{ name: `room for ${room.podsWithRoom}`, role: 'wanted', at: room.podsWithRoom }];
}

/** Room is counted in pods, and so is what stands in a picture of them. */
function isOfPods(unit: string): boolean {
  return unit.startsWith('pods');
}

function bandsOf({ room }: PlannedRollout, running: number, unit: string): Band[] {
  if (!isOfPods(unit) || !room || room.podsWithRoom <= running) return [];
  return [{ name: `room for ${room.podsWithRoom - running} more`, role: 'room', from: running, to: room.podsWithRoom }];
}

/** Pods over waves, or over seconds where it is known how long one takes to become ready. */
export function podCourse(course: Course, rollout: PlannedRollout): { readonly axis: TimeAxis; readonly panels: StackPanel[] } {
  const { unit, before, after, waves, elided, levels, stop, down = 0 } = course;
  const standsAt = standstill(rollout);
  const hasRoomInPods = isOfPods(unit);
  const ending: Course['stop'] = standsAt === undefined ? stop : { wave: standsAt, text: `stands still at wave ${standsAt}` };
  const reached = ending ? waves.filter(({ wave }) => wave <= ending.wave) : waves;
  const isWhole = reached.length === waves.length && ending === undefined;
  const last = reached.at(-1);
  const seconds = isWhole ? secondsOf(waves, elided, rollout) : undefined;
  const lead = seconds ? Math.max(1, seconds.at(-1)! * 0.06) : 1;
  const startOf = (index: number) => (seconds ? seconds[index]! : reached[index]!.wave);
  const rows: StackRow[] = [
    { at: seconds ? -lead : 0, values: [before, 0, down] },
    ...reached.map((wave, index) => {
      const values = stackOf(wave);
      return { at: startOf(index), values: hasRoomInPods && wave.wave === standsAt ? withoutRoom(values, rollout) : values };
    }),
  ];
  const endAt = seconds ? seconds.at(-1)! : (last?.wave ?? 0) + 1;
  if (isWhole)
    rows.push({ at: endAt, values: [last && last.old > 0 ? last.old : 0, last ? (last.old > 0 ? last.fresh : after) : after, 0] });
  const to = isWhole ? endAt + lead : endAt + (ending ? 0.6 : 0);
  const mark: Stop | undefined = ending && { at: ending.wave === 0 ? 1 : endAt, text: ending.text };
  const gapFrom = waves[SHOWN_AT_EACH_END - 1]?.wave;
  const axis: TimeAxis = seconds
    ? { name: 'seconds, at the earliest', from: -lead, to }
    : {
        name: 'wave',
        from: 0,
        to,
        ticks: [
          { at: 0.5, text: 'before' },
          ...reached.map(({ wave }) => ({ at: wave + 0.5, text: String(wave) })),
          ...(isWhole ? [{ at: endAt + 0.5, text: 'after' }] : []),
        ],
      };
  const pauses = reached.flatMap(({ wave }, index) =>
    course.pauses?.includes(wave) ? [index + 1 < reached.length ? startOf(index + 1) : endAt] : [],
  );
  const shownTraffic = reached.filter(({ traffic }) => traffic !== undefined);
  return {
    axis,
    panels: [
      {
        kind: 'stack',
        unit,
        rows,
        layers: hasRoomInPods && standsAt !== undefined ? [...POD_LAYERS, NO_ROOM] : POD_LAYERS,
        levels,
        bands: bandsOf(rollout, before, unit),
        most: greatest(
          levels.map(({ at }) => at),
          0,
        ),
        ...(mark && { stop: mark }),
        ...(pauses.length > 0 && { pauses }),
        ...(elided > 0 &&
          gapFrom !== undefined && { gap: { from: gapFrom + 1, to: gapFrom + 1 + elided, text: `${elided} waves like these` } }),
      },
      ...(shownTraffic.length > 0
        ? [
            {
              kind: 'stack' as const,
              unit: '% of requests',
              rows: [
                { at: axis.from, values: [100, 0] },
                ...reached.map(({ traffic = 0 }, index) => ({ at: startOf(index), values: [100 - traffic, traffic] })),
              ],
              layers: [
                { name: 'to the old version', role: 'old' as const },
                { name: 'to the new version', role: 'new' as const },
              ],
              levels: [],
              bands: [],
              most: 100,
              ...(mark && { stop: { at: mark.at, text: '' } }),
            },
          ]
        : []),
    ],
  };
}

/** What budgets want of these pods, kept to or not. */
export function budgetLevels({ budgets = [] }: PlannedRollout): Level[] {
  return budgets.map(({ name, ownDesiredHealthy: at }) => ({ name: `budget ${at}: ${name}`, role: 'budget', at }));
}

/** What may not be left below and above, and what a budget wants. */
function levelsOf(wanted: number, surge: number, unavailable: number, rollout: PlannedRollout): Level[] {
  const ceiling = wanted + surge;
  return [
    { name: `ceiling ${ceiling}`, role: 'ceiling', at: ceiling },
    { name: `floor ${Math.max(0, wanted - unavailable)}`, role: 'floor', at: Math.max(0, wanted - unavailable) },
    ...roomLevels(rollout),
    ...budgetLevels(rollout),
  ];
}

export function deploymentCourse(simulation: DeploymentSimulation, rollout: PlannedRollout): Course {
  const { replicas, surge, unavailable, waves, elided = 0 } = simulation;
  return {
    unit: 'pods',
    before: rollout.start?.revisions.reduce((sum, revision) => sum + revision.replicas, 0) ?? replicas,
    after: replicas,
    waves: waves.map(({ wave, newReplicas, oldReplicas, total, available }) => ({
      wave,
      fresh: newReplicas,
      old: oldReplicas,
      total,
      available,
    })),
    elided,
    levels: levelsOf(replicas, surge, unavailable, rollout),
  };
}

export function daemonSetCourse(simulation: DaemonSetSimulation, rollout: PlannedRollout): Course {
  const { nodes, surge, unavailable, waves, elided = 0, halted } = simulation;
  const isDown = halted?.reason === 'nodes-down';
  const down = isDown ? halted.nodes : 0;
  return {
    unit: 'pods, one for each node',
    before: nodes,
    after: nodes,
    waves: waves.map(({ wave, newPods, oldPods, total, available }) => ({ wave, fresh: newPods, old: oldPods, total, available })),
    elided,
    levels: levelsOf(nodes + down, surge, unavailable, rollout),
    down,
    ...(isDown && { stop: { wave: halted.wave, text: `halts: ${down} ${down === 1 ? 'node is' : 'nodes are'} down` } }),
  };
}

export function leaderWorkerSetCourse(simulation: LeaderWorkerSetSimulation, rollout: PlannedRollout): Course {
  const { replicas, surge, unavailable, waves, elided = 0, halted, size } = simulation;
  return {
    unit: `groups of ${size} ${size === 1 ? 'pod' : 'pods'}`,
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newGroups, oldGroups, total, available }) => ({ wave, fresh: newGroups, old: oldGroups, total, available })),
    elided,
    levels: levelsOf(replicas, surge, unavailable, rollout).filter(({ role }) => role === 'ceiling' || role === 'floor'),
    ...(halted &&
      halted.reason !== 'no-room' && {
        stop: { wave: halted.wave, text: `halts: ${halted.groups} ${halted.groups === 1 ? 'group stays' : 'groups stay'} old` },
      }),
  };
}

/** The groups of one role, by its place in the list, or of all together. */
export function disaggregatedSetCourse({ roles, waves, elided = 0, halted }: DisaggregatedSetSimulation, role?: number): Course {
  const ofRole = <T>(list: readonly T[]) => (role === undefined ? list : [list[role]!]);
  const wanted = ofRole(roles).reduce((sum, { replicas }) => sum + replicas, 0);
  return {
    unit: 'groups',
    before: wanted,
    after: wanted,
    waves: waves.map(({ wave, roles: all }) => {
      const sumOf = (count: (groups: (typeof all)[number]) => number) => ofRole(all).reduce((sum, groups) => sum + count(groups), 0);
      const [fresh, old] = [sumOf(({ newGroups }) => newGroups), sumOf(({ oldGroups }) => oldGroups)];
      return { wave, fresh, old, total: fresh + old, available: sumOf(({ available }) => available) };
    }),
    elided,
    levels: [],
    ...(halted?.reason === 'no-step' && { stop: { wave: halted.wave, text: 'halts: the limits leave no next step' } }),
  };
}

export function argoRolloutCourse(simulation: ArgoRolloutSimulation, rollout: PlannedRollout): Course {
  const { replicas, surge, unavailable, waves, elided = 0, halted, maxWeight } = simulation;
  const hasLimits = surge + unavailable > 0;
  return {
    unit: 'pods',
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newPods, oldPods, total, available, newWeight }) => ({
      wave,
      fresh: newPods,
      old: oldPods,
      total,
      available,
      ...(maxWeight !== undefined && newWeight !== undefined && { traffic: (newWeight / maxWeight) * 100 }),
    })),
    elided,
    pauses: waves.flatMap(({ wave, until }) => (until === undefined || until === 'ready' ? [] : [wave])),
    levels: hasLimits ? levelsOf(replicas, surge, unavailable, rollout) : [...roomLevels(rollout), ...budgetLevels(rollout)],
    ...(halted?.reason === 'never-promoted' && {
      stop: { wave: halted.wave, text: `stands still at wave ${halted.wave}: never promoted` },
    }),
  };
}

export function revisionCourse(simulation: RevisionSimulation, rollout: PlannedRollout): Course {
  const { replicas, waves, elided = 0, halted } = simulation;
  return {
    unit: 'pods',
    before: replicas,
    after: replicas,
    waves: waves.map(({ wave, newPods, oldPods, total, available, latestTrafficPercent }) => ({
      wave,
      fresh: newPods,
      old: oldPods,
      total,
      available,
      traffic: latestTrafficPercent,
    })),
    elided,
    levels: [...roomLevels(rollout), ...budgetLevels(rollout)],
    ...(halted && { stop: { wave: halted.wave, text: 'halts: no room for the new Revision' } }),
  };
}
