import type { RunLimits } from './limited-run';

/** Sizes of a rolling update: pods in total, pods beyond them, and pods that may be missing. */
export interface RollingSizes {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
  /** Old pods at the start, if the same apply changes the replicas. Missing ones are created, and surplus ones deleted. @default `replicas` */
  readonly running?: number;
  /** Whether missing pods are created as new ones. @default false */
  readonly addsNewPods?: boolean;
  /** Whether the controller deletes no old pod while a new one is refused. @default false */
  readonly waitsForRefused?: boolean;
}

/** Pods of both versions at one point in time. */
export interface RollingRow {
  readonly newPods: number;
  readonly oldPods: number;
  readonly available: number;
}

/** A rolling update under its limits. */
export interface RollingRun {
  readonly rows: readonly RollingRow[];
  readonly isFinished: boolean;
  /** New pods that are ready at the end. */
  readonly ready: number;
  /** Old pods that remain. */
  readonly old: number;
  /** Whether pods wait for a node in some row. */
  readonly hasWaitingPods: boolean;
  /** Rows in which pods start. */
  readonly startingRows: number;
}

function hasSamePods(a: RollingRow, b: RollingRow): boolean {
  return a.newPods === b.newPods && a.oldPods === b.oldPods;
}

/**
 * Runs a rolling update row by row: the controller deletes the old pods that it may, then creates the new ones that quotas admit, then those
 * that nodes take become ready. If the same apply adds replicas, missing old pods are created before new ones.
 *
 * 4 replicas, surge 1, unavailable 1, and a quota that admits 4 pods: new 1 2 3 4, old 3 2 1 0, and never a fifth pod. If all new pods are
 * refused, there is no row.
 *
 * Sources: k/k pkg/controller/deployment/rolling.go, pkg/controller/daemon/update.go. On the nodes of a DaemonSet both limits have the same
 * effect: at most R + s pods, and at least R - u of them available. Its controller returns the error of a refused pod before it deletes others
 * (daemon_controller.go, `updateDaemonSet`).
 */
export function runRollingUpdate(sizes: RollingSizes, limits: RunLimits): RollingRun {
  const { replicas, surge, unavailable, running = replicas, addsNewPods = false, waitsForRefused = false } = sizes;
  const rows: RollingRow[] = [];
  let [old, ready, created, availableOld] = [Math.min(running, replicas), 0, 0, Math.min(running, replicas)];
  let hasWaitingPods = false;
  let isRefused = false;
  let startingRows = 0;
  let previous: RollingRow = { newPods: 0, oldPods: old, available: old };
  for (;;) {
    const desired = Math.max(0, replicas - unavailable - ready);
    const kept = addsNewPods ? Math.min(running, desired) : desired;
    if (!isRefused) old = Math.min(old, kept);
    availableOld = Math.min(availableOld, old);
    while (old < kept && limits.admitsOld?.(old + 1, created) !== false) old++;
    // Old pods that are refused count as if they existed.
    const wanted = Math.min(replicas, replicas + surge - Math.max(old, kept));
    created = Math.max(created, Math.min(wanted, limits.admitted(old)));
    isRefused = waitsForRefused && created < wanted;
    const row = { newPods: created, oldPods: old, available: ready + availableOld };
    const placed = Math.max(ready, Math.min(created, limits.placed(old)));
    if (hasSamePods(previous, row) && placed === ready) break;
    if (placed < created) hasWaitingPods = true;
    if (placed > ready) startingRows++;
    if (!hasSamePods(previous, row)) rows.push(row);
    previous = row;
    ready = placed;
    availableOld = old;
  }
  // A row shows the pods after the scale.
  if (rows.length === 0 && running !== replicas) rows.push(previous);
  return { rows, isFinished: ready >= replicas && old === 0, ready, old, hasWaitingPods, startingRows };
}
