import type { ReplicaSetState } from '../../cluster/initial-state';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { DeploymentSimulation, DeploymentWave } from '../../core/simulations/deployment';
import { DeploymentController } from './controller';
import type { ReplicaCounts } from './controller';
import { simulateDeployment } from './simulate';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

/** Reports whether a Deployment is in a steady state, so that the closed form applies. */
export function isSteadyState(replicas: number, initialReplicaSets: readonly ReplicaSetState[]): boolean {
  const active = initialReplicaSets.filter(({ size }) => size > 0);
  const [only] = active;
  return active.length === 1 && !only!.isNew && only!.size === replicas && only!.available === replicas;
}

/** The number of identical waves after which waves are skipped: enough for the first rows that are shown. */
const MIN_REPEATED_WAVES = ROWS_AT_EACH_END + 1;

/** Counts the upcoming waves that repeat the last one and can be skipped. The last rows are never skipped. */
function countRepeatableWaves(controller: DeploymentController, step: number): number {
  const [oldest = 0] = controller.oldSizes;
  const waves = Math.floor(oldest / step) - 2 * ROWS_AT_EACH_END;
  return waves > MAX_LISTED_ROWS ? waves : 0;
}

/**
 * Simulates how the Deployment controller replaces pods, wave by wave, from any state of the cluster: with ReplicaSets of several
 * revisions,
 * unavailable pods, and replicas that the same apply changes. The controller scales first, on the old template.
 *
 * @param initialReplicaSets - oldest first; at most one has the new template
 */
export function simulateDeploymentFrom(
  strategy: DeploymentStrategy,
  replicas: number,
  initialReplicaSets: readonly ReplicaSetState[],
): DeploymentSimulation {
  if (isSteadyState(replicas, initialReplicaSets)) return simulateDeployment(strategy, replicas);
  const controller = new DeploymentController(strategy, replicas, initialReplicaSets);
  const limits = strategy.type === 'Recreate' ? { surge: 0, unavailable: replicas } : resolveFenceposts(strategy.rollingUpdate, replicas);
  const first: DeploymentWave[] = [];
  let last: DeploymentWave[] = [];
  let wave = 0;
  let iterations = 0;
  let minAvailable = Math.min(replicas, controller.current.available);
  let previous = controller.current;
  let repeatedWaves = 0;
  let step = 0;

  const recordWave = (counts: ReplicaCounts) => {
    wave++;
    const row = {
      wave,
      newReplicas: counts.newReplicas,
      oldReplicas: counts.oldReplicas,
      total: counts.newReplicas + counts.oldReplicas,
      available: counts.available,
    };
    if (counts.newReplicas > previous.newReplicas) iterations++;
    minAvailable = Math.min(minAvailable, counts.available);
    if (first.length < MAX_LISTED_ROWS) first.push(row);
    last = [...last.slice(-ROWS_AT_EACH_END + 1), row];
    const added = counts.newReplicas - previous.newReplicas;
    repeatedWaves = added === step && previous.oldReplicas - counts.oldReplicas === step ? repeatedWaves + 1 : 0;
    step = added;
    previous = counts;
  };
  for (;;) {
    const moved = controller.reconcile();
    if (moved) recordWave(controller.current);
    else if (strategy.type === 'Recreate' && controller.createNewPods()) recordWave(controller.current);
    else if (!controller.markPodsReady()) break;
    controller.markPodsReady();
    const waves = repeatedWaves >= MIN_REPEATED_WAVES ? countRepeatableWaves(controller, step) : 0;
    if (waves === 0) continue;
    controller.skipWaves(waves, step);
    wave += waves;
    iterations += waves;
    previous = controller.current;
  }

  const elided = wave > MAX_LISTED_ROWS ? wave - 2 * ROWS_AT_EACH_END : 0;
  return {
    kind: 'deployment',
    replicas,
    surge: limits.surge,
    unavailable: Math.min(limits.unavailable, replicas),
    waves: elided > 0 ? [...first.slice(0, ROWS_AT_EACH_END), ...last] : first,
    iterations,
    peakPods: controller.peak,
    minAvailable,
    ...(elided > 0 && { elided }),
  };
}
