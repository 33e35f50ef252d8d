import type { Simulation } from '../../core/simulations/simulation';

/** Pods of one version at one moment. */
export interface VersionReadiness {
  readonly ready: number;
  /** Pods that exist, ready or not, without those that terminate. */
  readonly total: number;
}

/** Pods of a rollout at one moment, by version. */
export interface ReadyPods {
  readonly old: VersionReadiness;
  readonly new: VersionReadiness;
}

/** Ready pods at the end of a wave's changes, before its new pods are ready. */
export interface ReadyWave extends ReadyPods {
  readonly wave: number;
  /** Share of the requests that a router sends to the new version. @default - no router splits them */
  readonly routedShare?: number;
}

/** Ready pods of a rollout over time, in the unit of its simulation: pods, or groups of pods. */
export interface ReadyTimeline {
  readonly waves: readonly ReadyWave[];
  /** Ready pods once nothing changes any more. A rollout that deadlocks stays in this state. */
  readonly after: ReadyPods;
}

function allReady(pods: number): VersionReadiness {
  return { ready: pods, total: pods };
}

/** A row of a simulation: pods of each version, and how many of both are ready. */
interface Row {
  readonly wave: number;
  readonly old: number;
  readonly new: number;
  readonly available: number;
}

/**
 * Splits the ready pods of each row by version. All new pods of a wave are ready in the next one, so 4 available pods after a wave with 2 new
 * ones are 2 new and 2 old. After omitted rows, all old pods count as ready.
 */
function splitRows(rows: readonly Row[]): ReadyWave[] {
  return rows.map((row, index) => {
    const previous = rows[index - 1];
    const isAdjacent = previous !== undefined && previous.wave === row.wave - 1;
    const ready = isAdjacent ? Math.min(previous.new, row.new) : row.available - row.old;
    const readyNew = Math.max(0, Math.min(ready, row.available));
    return {
      wave: row.wave,
      old: { ready: row.available - readyNew, total: row.old },
      new: { ready: readyNew, total: row.new },
    };
  });
}

/** Builds the timeline of rows. Once the last one is over, its new pods are ready, unless the rollout deadlocks. */
function buildTimeline(rows: readonly Row[], deadlocks: boolean): ReadyTimeline | undefined {
  const waves = splitRows(rows);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return { waves, after: deadlocks ? waves.at(-1)! : { old: allReady(last.old), new: allReady(last.new) } };
}

type TimelineBuilder<S extends Simulation> = (simulation: S, set: number) => ReadyTimeline | undefined;

/** Builders by kind of simulation. Systems that roll out clusters or Applications have none. */
const TIMELINES: { readonly [K in Simulation['kind']]: TimelineBuilder<Extract<Simulation, { kind: K }>> } = {
  deployment: ({ waves, halted }) =>
    buildTimeline(
      waves.map(({ wave, newReplicas, oldReplicas, available }) => ({ wave, new: newReplicas, old: oldReplicas, available })),
      halted !== undefined,
    ),
  daemonset: ({ waves, halted }) =>
    buildTimeline(
      waves.map(({ wave, newPods, oldPods, available }) => ({ wave, new: newPods, old: oldPods, available })),
      halted !== undefined,
    ),
  revision: ({ waves, halted }) =>
    buildTimeline(
      waves.map(({ wave, newPods, oldPods, available }) => ({ wave, new: newPods, old: oldPods, available })),
      halted !== undefined,
    ),
  argorollout: ({ waves, halted, maxWeight = 1 }) => {
    const timeline = buildTimeline(
      waves.map(({ wave, newPods, oldPods, available }) => ({ wave, new: newPods, old: oldPods, available })),
      halted?.reason === 'insufficient-capacity',
    );
    const withShare = (wave: ReadyWave, index: number): ReadyWave => {
      const weight = waves[index]?.newWeight;
      return weight === undefined ? wave : { ...wave, routedShare: weight / maxWeight };
    };
    return timeline && { ...timeline, waves: timeline.waves.map(withShare) };
  },
  leaderworkerset: ({ waves, halted }) =>
    buildTimeline(
      waves.map(({ wave, newGroups, oldGroups, available }) => ({ wave, new: newGroups, old: oldGroups, available })),
      halted !== undefined,
    ),
  disaggregatedset: ({ waves, halted }, role) =>
    buildTimeline(
      waves.flatMap(({ wave, roles }) => {
        const groups = roles[role];
        return groups ? [{ wave, new: groups.newGroups, old: groups.oldGroups, available: groups.available }] : [];
      }),
      halted !== undefined,
    ),
  statefulset: ({ replicas, batches, order, untouched, halted, blocked, elided }) => {
    const upToDate = elided === undefined ? replicas - order.length - untouched.length : 0;
    let done = Math.max(0, upToDate);
    const waves = batches.map((batch, index) => {
      const old = Math.max(0, replicas - done - batch.length);
      const ready = { wave: index + 1, old: allReady(old), new: { ready: done, total: replicas - old } };
      done += batch.length;
      return ready;
    });
    const last = waves.at(-1);
    if (last === undefined) return undefined;
    const isStuck = halted !== undefined || blocked !== undefined;
    return { waves, after: isStuck ? last : { old: allReady(untouched.length), new: allReady(replicas - untouched.length) } };
  },
  // The pods of a RayService are those of two clusters.
  rayservice: () => undefined,
  rollingsync: () => undefined,
  fleet: () => undefined,
};

/** Returns the ready pods of a simulation over time, for one of its roles. It is undefined if no pod is replaced. */
export function buildReadyTimeline(simulation: Simulation, role = 0): ReadyTimeline | undefined {
  return (TIMELINES[simulation.kind] as TimelineBuilder<Simulation>)(simulation, role);
}
