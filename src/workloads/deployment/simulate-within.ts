import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import { findMax, findMin } from '../../core/values/min-max';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import { createCapacityHalt } from '../../core/simulations/halt';
import { selectVisibleRows } from '../../core/simulations/row-limit';
import { runRollingUpdate } from '../../cluster/rollout/rolling-run';
import type { RollingRow, RollingRun } from '../../cluster/rollout/rolling-run';

/** Runs a Recreate: all old pods are deleted, then the new ones that quotas admit are created. */
function runRecreate(replicas: number, limits: RunLimits): RollingRun {
  const created = Math.min(replicas, limits.admitted(0));
  const ready = Math.min(created, limits.placed(0));
  const rows = [
    { newPods: 0, oldPods: 0, available: 0 },
    { newPods: created, oldPods: 0, available: 0 },
  ];
  return { rows, isFinished: ready >= replicas, ready, old: 0, hasWaitingPods: ready < created, startingRows: 1 };
}

/** Counts the rows that create a pod. */
function countCreatingRows(rows: readonly RollingRow[]): number {
  return rows.filter(({ newPods }, index) => newPods > (rows[index - 1]?.newPods ?? 0)).length;
}

function hasRowsOf({ waves, elided }: DeploymentSimulation, rows: readonly RollingRow[]): boolean {
  return (
    elided === undefined &&
    waves.length === rows.length &&
    waves.every(({ newReplicas, oldReplicas }, index) => newReplicas === rows[index]!.newPods && oldReplicas === rows[index]!.oldPods)
  );
}

/**
 * Simulates a rollout under its limits, from available pods of one old template.
 *
 * @param ideal the rollout without limits
 * @param running old pods before the same apply changes the replicas
 */
export function simulateDeploymentWithin(
  ideal: DeploymentSimulation,
  isRecreate: boolean,
  limits: RunLimits,
  running: number,
): LimitedRun<DeploymentSimulation> {
  const { replicas, surge, unavailable } = ideal;
  const run = isRecreate ? runRecreate(replicas, limits) : runRollingUpdate({ ...ideal, running }, limits);
  const { rows, isFinished, ready, old, hasWaitingPods, startingRows } = run;
  const shown = selectVisibleRows(rows.length);
  const peakPods = findMax(
    rows.map(({ newPods, oldPods }) => newPods + oldPods),
    replicas,
  );
  const simulation: DeploymentSimulation = {
    kind: 'deployment',
    replicas,
    surge,
    unavailable,
    waves: shown.rows.map((index) => {
      const { newPods, oldPods, available } = rows[index]!;
      return { wave: index + 1, newReplicas: newPods, oldReplicas: oldPods, total: newPods + oldPods, available };
    }),
    iterations: countCreatingRows(rows),
    peakPods,
    minAvailable: findMin(
      rows.map(({ available }) => available),
      Math.min(running, replicas),
    ),
    ...(!isFinished && { halted: createCapacityHalt(Math.max(1, rows.length)) }),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
  return { simulation, isFinished, isUnlimited: !hasWaitingPods && hasRowsOf(ideal, rows), ready, old, peakPods, startingRows };
}
