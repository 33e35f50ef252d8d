import type { DeploymentSimulation, DeploymentWave } from '../../../core/simulations/deployment';
import { createCapacityHalt } from '../../../core/simulations/halt';
import { findMax, findMin } from '../../../core/min-max';
import { selectVisibleRows } from '../../../core/simulations/row-limit';
import type { RolloutSizes } from './rollout-model';

/** What limits a run, by the number of old pods. */
export interface RunLimits {
  /** New pods that quotas admit. Others do not exist. */
  readonly admitted: readonly number[];
  /** New pods that nodes take. Others exist and wait. */
  readonly placed: (oldPods: number) => number;
}

/** Rows of a rollout under its limits. */
export interface RolloutRun {
  readonly waves: readonly DeploymentWave[];
  readonly isFinished: boolean;
  /** New pods that are ready at the end. */
  readonly ready: number;
  /** Old pods that remain. */
  readonly old: number;
  /** Whether pods wait for a node in some wave. */
  readonly hasWaitingPods: boolean;
  /** Waves in which pods start. */
  readonly startingWaves: number;
}

function isSameRow(a: DeploymentWave | undefined, b: DeploymentWave): boolean {
  return a?.newReplicas === b.newReplicas && a.oldReplicas === b.oldReplicas;
}

/**
 * Runs a rolling update wave by wave: the controller deletes the old pods that it may, then creates the new ones that quotas admit, then
 * those that nodes take become ready.
 *
 * 4 replicas, surge 1, unavailable 1, and a quota that admits 4 pods: new 1 2 3 4, old 3 2 1 0, and never a fifth pod. If all new pods are
 * refused, there is no row.
 *
 * Source: k/k pkg/controller/deployment/rolling.go.
 */
export function runRollingUpdate({ replicas, surge, unavailable }: RolloutSizes, limits: RunLimits): RolloutRun {
  const waves: DeploymentWave[] = [];
  let [old, ready, created] = [replicas, 0, 0];
  let hasWaitingPods = false;
  let startingWaves = 0;
  let previous: DeploymentWave | undefined = { wave: 0, newReplicas: 0, oldReplicas: replicas, total: replicas, available: replicas };
  for (;;) {
    old = Math.min(old, Math.max(0, replicas - unavailable - ready));
    created = Math.max(created, Math.min(replicas, replicas + surge - old, limits.admitted[old]!));
    const row = { wave: waves.length + 1, newReplicas: created, oldReplicas: old, total: created + old, available: ready + old };
    const placed = Math.max(ready, Math.min(created, limits.placed(old)));
    if (isSameRow(previous, row) && placed === ready) break;
    if (placed < created) hasWaitingPods = true;
    if (placed > ready) startingWaves++;
    if (!isSameRow(previous, row)) waves.push(row);
    previous = row;
    ready = placed;
  }
  return { waves, isFinished: ready >= replicas && old === 0, ready, old, hasWaitingPods, startingWaves };
}

/** Runs a Recreate: all old pods are deleted, then the new ones that quotas admit are created. */
export function runRecreate({ replicas }: RolloutSizes, limits: RunLimits): RolloutRun {
  const created = Math.min(replicas, limits.admitted[0]!);
  const down = { wave: 1, newReplicas: 0, oldReplicas: 0, total: 0, available: 0 };
  const up = { wave: 2, newReplicas: created, oldReplicas: 0, total: created, available: 0 };
  const ready = Math.min(created, limits.placed(0));
  return { waves: [down, up], isFinished: ready >= replicas, ready, old: 0, hasWaitingPods: ready < created, startingWaves: 1 };
}

/** Counts the waves that create a pod. */
function countCreatingWaves(waves: readonly DeploymentWave[]): number {
  return waves.filter(({ newReplicas }, index) => newReplicas > (waves[index - 1]?.newReplicas ?? 0)).length;
}

/** Builds the simulation of a run. */
export function buildRunSimulation({ replicas, surge, unavailable }: RolloutSizes, run: RolloutRun): DeploymentSimulation {
  const { waves, isFinished } = run;
  const { rows, elided } = selectVisibleRows(waves.length);
  return {
    kind: 'deployment',
    replicas,
    surge,
    unavailable,
    waves: rows.map((index) => waves[index]!),
    iterations: countCreatingWaves(waves),
    peakPods: findMax(
      waves.map(({ total }) => total),
      replicas,
    ),
    minAvailable: findMin(
      waves.map(({ available }) => available),
      replicas,
    ),
    ...(!isFinished && { halted: createCapacityHalt(Math.max(1, waves.length)) }),
    ...(elided > 0 && { elided }),
  };
}
