import type { ReplicaSetState } from '../../cluster/rollout/initial-state';
import { checkTimeNow } from '../../core/budget/deadline';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { DeploymentSimulation, DeploymentWave } from '../../core/simulations/deployment';
import { DeploymentController } from './controller';
import type { ReplicaCounts } from './controller';
import { simulateDeployment } from './simulate';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

/** Returns the pods of the only ReplicaSet with pods, if it has the old template and all of its pods are available. */
export function countOldPodsIfAlike(initialReplicaSets: readonly ReplicaSetState[]): number | undefined {
  const active = initialReplicaSets.filter(({ size }) => size > 0);
  const [only] = active;
  return active.length === 1 && !only!.isNew && only!.available === only!.size ? only!.size : undefined;
}

/** Reports whether a Deployment is in a steady state, so that the closed form applies. */
export function isSteadyState(replicas: number, initialReplicaSets: readonly ReplicaSetState[]): boolean {
  return countOldPodsIfAlike(initialReplicaSets) === replicas;
}

/** The number of identical waves after which waves are skipped: enough for the first rows that are shown. */
const MIN_REPEATED_WAVES = ROWS_AT_EACH_END + 1;

/** Counts the upcoming waves that repeat the last one and can be skipped. The last rows are never skipped. */
function countRepeatableWaves(controller: DeploymentController, step: number): number {
  const [oldest = 0] = controller.oldSizes;
  const waves = Math.floor(oldest / step) - 2 * ROWS_AT_EACH_END;
  return waves > MAX_LISTED_ROWS ? waves : 0;
}

/** The waves of a rollout so far: the first and the last ones, and what is counted over all of them. */
class WaveRecorder {
  private readonly first: DeploymentWave[] = [];
  private last: DeploymentWave[] = [];
  private wave = 0;
  private iterations = 0;
  private minAvailable: number;
  private repeatedWaves = 0;
  /** Number of pods that the last wave added. */
  step = 0;

  constructor(
    replicas: number,
    private previous: ReplicaCounts,
  ) {
    this.minAvailable = Math.min(replicas, previous.available);
  }

  /** Whether the last waves replaced the same number of pods each. */
  get isRepeating(): boolean {
    return this.repeatedWaves >= MIN_REPEATED_WAVES;
  }

  record(counts: ReplicaCounts): void {
    const { newReplicas, oldReplicas, available } = counts;
    const { previous, step } = this;
    this.wave++;
    const row = { wave: this.wave, newReplicas, oldReplicas, total: newReplicas + oldReplicas, available };
    if (newReplicas > previous.newReplicas) this.iterations++;
    this.minAvailable = Math.min(this.minAvailable, available);
    if (this.first.length < MAX_LISTED_ROWS) this.first.push(row);
    this.last = [...this.last.slice(-ROWS_AT_EACH_END + 1), row];
    const added = newReplicas - previous.newReplicas;
    this.repeatedWaves = added === step && previous.oldReplicas - oldReplicas === step ? this.repeatedWaves + 1 : 0;
    this.step = added;
    this.previous = counts;
  }

  /** Counts waves that are like the last one, without their rows. */
  skip(waves: number, counts: ReplicaCounts): void {
    this.wave += waves;
    this.iterations += waves;
    this.previous = counts;
  }

  summarize() {
    const { first, last, wave, iterations, minAvailable } = this;
    const elided = wave > MAX_LISTED_ROWS ? wave - 2 * ROWS_AT_EACH_END : 0;
    return { waves: elided > 0 ? [...first.slice(0, ROWS_AT_EACH_END), ...last] : first, elided, iterations, minAvailable };
  }
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
  const recorder = new WaveRecorder(replicas, controller.current);
  for (;;) {
    // Several old ReplicaSets shrink in turns, so a wave may repeat no other one: as many waves as replicas.
    checkTimeNow();
    const moved = controller.reconcile();
    if (moved) recorder.record(controller.current);
    else if (strategy.type === 'Recreate' && controller.createNewPods()) recorder.record(controller.current);
    else if (!controller.markPodsReady()) break;
    controller.markPodsReady();
    const { step, isRepeating } = recorder;
    const waves = isRepeating ? countRepeatableWaves(controller, step) : 0;
    if (waves === 0) continue;
    controller.skipWaves(waves, step);
    recorder.skip(waves, controller.current);
  }
  const { waves, elided, iterations, minAvailable } = recorder.summarize();
  return {
    kind: 'deployment',
    replicas,
    surge: limits.surge,
    unavailable: Math.min(limits.unavailable, replicas),
    waves,
    iterations,
    peakPods: controller.peak,
    minAvailable,
    ...(elided > 0 && { elided }),
  };
}
