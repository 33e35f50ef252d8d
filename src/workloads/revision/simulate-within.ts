import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import type { RevisionSimulation } from '../../core/simulations/revision';
import type { RevisionScale } from './scale';
import {
  buildRevisionSimulation,
  buildRowsAfterReady,
  buildRowsUntilReady,
  countInitialRevisionPods,
  countPodsUntilReady,
  dropUnchangedRows,
} from './simulate';
import type { RevisionRow } from './simulate';

/** Builds the rows of a Revision that never gets ready. Without a pod that runs, Knative deletes its pods after the deadline. */
function buildHaltedSimulation(
  scale: RevisionScale,
  oldPods: number,
  waiting: readonly RevisionRow[],
  running: number,
): RevisionSimulation {
  const abandoned: RevisionRow = { newPods: 0, oldPods, available: oldPods, latestTrafficPercent: 0 };
  const givesUp = running === 0;
  return {
    ...buildRevisionSimulation({ ...scale, trafficPercent: 0 }, oldPods, givesUp ? [...waiting, abandoned] : waiting),
    halted: {
      wave: waiting.length,
      reason: 'insufficient-capacity',
      ...(givesUp && { afterSeconds: scale.progressDeadline + scale.graceSeconds }),
    },
  };
}

/**
 * Simulates a rollout under limits. A Revision that does not get ready keeps the capacity of the pods that run. One that is ready gets its
 * requests, and its other pods start as the old Revision shrinks.
 *
 * Pods that a quota refuses keep the Revision from becoming ready, even if one ready pod would be enough.
 *
 * Source: Knative 1.21, pkg/reconciler/autoscaling/kpa/scaler.go, `handleScaleToZero`; resources/pa.go, `reachability`.
 */
export function simulateRevisionWithin(
  scale: RevisionScale,
  needed: number,
  { admitted, placed }: RunLimits,
): LimitedRun<RevisionSimulation> {
  const countRunning = (pods: number, old: number) => Math.max(0, Math.min(pods, admitted(old), placed(old)));
  const limit = (row: RevisionRow) => ({ ...row, newPods: Math.max(0, Math.min(row.newPods, admitted(row.oldPods))) });
  const initialPods = countInitialRevisionPods(scale, needed);
  const untilReady = buildRowsUntilReady(scale, initialPods);
  const wanted = [...untilReady, ...buildRowsAfterReady(scale, needed)];
  const isReady = admitted(initialPods) >= countPodsUntilReady(scale) && placed(initialPods) >= scale.requiredReadyPods;
  const reached = isReady ? wanted : untilReady;
  const running = reached.map(({ newPods, oldPods }) => countRunning(newPods, oldPods));
  const last = reached.at(-1)!;
  const end = { ready: running.at(-1)!, old: last.oldPods };
  const rows = reached.map((row, index) => {
    const limited = limit(row);
    const ready = row.latestTrafficPercent > 0 || index >= untilReady.length ? Math.min(limited.newPods, running[index - 1]!) : 0;
    return { ...limited, available: row.oldPods + ready };
  });
  // Pods that waited for the capacity of the old Revision start in a row of their own.
  const started = { ...rows.at(-1)!, available: end.old + end.ready };
  const startsLater = running.some((pods, index) => pods < reached[index]!.newPods) && started.available > rows.at(-1)!.available;
  const simulation = isReady
    ? buildRevisionSimulation(scale, initialPods, [...dropUnchangedRows(rows), ...(startsLater ? [started] : [])])
    : buildHaltedSimulation(scale, initialPods, rows, end.ready);
  return {
    simulation,
    ...end,
    isFinished: isReady,
    isUnlimited: isReady && wanted.every(({ newPods }, index) => newPods === running[index]),
    peakPods: simulation.peakPods,
    startingRows: running.filter((pods, index) => pods > (running[index - 1] ?? 0)).length,
  };
}
