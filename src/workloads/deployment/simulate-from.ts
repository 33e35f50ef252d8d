import type { ReplicaSetState } from '../../cluster/initial-state';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { DeploymentSimulation, DeploymentWave } from '../../core/simulations/deployment';
import { DeploymentController } from './controller';
import type { ReplicaCounts } from './controller';
import { simulateDeployment } from './simulate';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

/** Is this a Deployment at rest, of which the closed form tells all? */
function isSteadyState(replicas: number, initialReplicaSets: readonly ReplicaSetState[]): boolean {
  const active = initialReplicaSets.filter(({ size }) => size > 0);
  const [only] = active;
  return active.length === 1 && !only!.isNew && only!.size === replicas && only!.available === replicas;
}

/** Waves that are alike, before those in the middle are left out; enough for the first rows that are shown. */
const MIN_REPEATED_WAVES = ROWS_AT_EACH_END + 1;

/** How many further waves will be like the last one; the end of a list is never left out. */
function countRepeatableWaves(controller: DeploymentController, step: number): number {
  const [oldest = 0] = controller.oldSizes;
  const waves = Math.floor(oldest / step) - 2 * ROWS_AT_EACH_END;
  return waves > MAX_LISTED_ROWS ? waves : 0;
}

/**
 * How the Deployment controller replaces pods, wave by wave, wherever the cluster stands: with ReplicaSets of several revisions,
 * pods that are not available, and replicas that the same apply changes, which it does first and on the old template.
 *
 * @param start - oldest first; of the new template at most one
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
