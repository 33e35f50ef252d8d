import type { ReplicaSetState } from '../../cluster/starting-point';
import { MAX_ROWS, SHOWN_AT_EACH_END } from '../../core/simulations/shown-rows';
import type { DeploymentSimulation, DeploymentWave } from '../../core/simulations/deployment';
import { DeploymentController } from './controller';
import type { PodsAt } from './controller';
import { simulateDeployment } from './simulate';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

/** Is this a Deployment at rest, of which the closed form tells all? */
function isAtRest(replicas: number, start: readonly ReplicaSetState[]): boolean {
  const active = start.filter(({ size }) => size > 0);
  const [only] = active;
  return active.length === 1 && !only!.isNew && only!.size === replicas && only!.available === replicas;
}

/** Waves that are alike, before those in the middle are left out; enough for the first rows that are shown. */
const ALIKE = SHOWN_AT_EACH_END + 1;

/** How many further waves will be like the last one; the end of a list is never left out. */
function repeatable(controller: DeploymentController, step: number): number {
  const [oldest = 0] = controller.oldSizes;
  const waves = Math.floor(oldest / step) - 2 * SHOWN_AT_EACH_END;
  return waves > MAX_ROWS ? waves : 0;
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
  start: readonly ReplicaSetState[],
): DeploymentSimulation {
  if (isAtRest(replicas, start)) return simulateDeployment(strategy, replicas);
  const controller = new DeploymentController(strategy, replicas, start);
  const limits = strategy.type === 'Recreate' ? { surge: 0, unavailable: replicas } : resolveFenceposts(strategy.rollingUpdate, replicas);
  const first: DeploymentWave[] = [];
  let last: DeploymentWave[] = [];
  let wave = 0;
  let iterations = 0;
  let minAvailable = Math.min(replicas, controller.now.available);
  let before = controller.now;
  let alike = 0;
  let step = 0;

  const note = (at: PodsAt) => {
    wave++;
    const row = {
      wave,
      newReplicas: at.newReplicas,
      oldReplicas: at.oldReplicas,
      total: at.newReplicas + at.oldReplicas,
      available: at.available,
    };
    if (at.newReplicas > before.newReplicas) iterations++;
    minAvailable = Math.min(minAvailable, at.available);
    if (first.length < MAX_ROWS) first.push(row);
    last = [...last.slice(-SHOWN_AT_EACH_END + 1), row];
    const grown = at.newReplicas - before.newReplicas;
    alike = grown === step && before.oldReplicas - at.oldReplicas === step ? alike + 1 : 0;
    step = grown;
    before = at;
  };
  for (;;) {
    const moved = controller.settle();
    if (moved) note(controller.now);
    else if (strategy.type === 'Recreate' && controller.createAfterAll()) note(controller.now);
    else if (!controller.ready()) break;
    controller.ready();
    const waves = alike >= ALIKE ? repeatable(controller, step) : 0;
    if (waves === 0) continue;
    controller.skip(waves, step);
    wave += waves;
    iterations += waves;
    before = controller.now;
  }

  const elided = wave > MAX_ROWS ? wave - 2 * SHOWN_AT_EACH_END : 0;
  return {
    kind: 'deployment',
    replicas,
    surge: limits.surge,
    unavailable: Math.min(limits.unavailable, replicas),
    waves: elided > 0 ? [...first.slice(0, SHOWN_AT_EACH_END), ...last] : first,
    iterations,
    peakPods: controller.peak,
    minAvailable,
    ...(elided > 0 && { elided }),
  };
}
