import { selectVisibleRows } from '../../core/simulations/row-limit';
import type { DeploymentSimulation, DeploymentWave } from '../../core/simulations/deployment';
import { freezeDeep, BoundedMemo } from '../../core/collections/memoize';
import { resolveFenceposts } from './strategy';
import type { DeploymentStrategy } from './types';

/**
 * Simulates how the Deployment controller replaces the pods of one old ReplicaSet, wave by wave.
 *
 * At the start, `replicas` old pods run and are available. A wave is one step: the controller creates and deletes pods until it must wait
 * for a pod to become ready. Then all new pods become ready together. The work per row shown is constant for any replicas (0 to
 * 2,147,483,647).
 *
 * With b = surge + unavailable, the pods in flight, and k the wave:
 *
 *     new_k       = min(replicas, k × b)
 *     old_k       = max(0, replicas - unavailable - (k - 1) × b)
 *     available_k = new_(k-1) + old_k
 *     iterations  = ceil(replicas / b), and one more wave that only deletes if old_iterations > 0
 *
 * 4 replicas, surge 1, unavailable 0: new 1 2 3 4 4, old 4 3 2 1 0, iterations 4.
 * A property test compares it with the controller's loop (`test/workloads/deployment/controller.ts`).
 */
export function simulateDeployment(strategy: DeploymentStrategy, replicas: number): DeploymentSimulation {
  if (strategy.type === 'Recreate') return simulateRecreate(replicas);
  const limits = resolveFenceposts(strategy.rollingUpdate, replicas);
  const { surge } = limits;
  const unavailable = Math.min(limits.unavailable, replicas);
  return SIMULATION_CACHE.getOrCompute(`${replicas} ${surge} ${unavailable}`, () =>
    freezeDeep(simulateRollingUpdate(replicas, surge, unavailable)),
  );
}

/** Cached, since thousands of Deployments have one of a few rollouts. */
const SIMULATION_CACHE = new BoundedMemo<DeploymentSimulation>();

function simulateRollingUpdate(replicas: number, surge: number, unavailable: number): DeploymentSimulation {
  const inFlight = surge + unavailable;

  const newAfter = (wave: number) => Math.min(replicas, wave * inFlight);
  const oldAfter = (wave: number) => Math.max(0, replicas - unavailable - (wave - 1) * inFlight);
  const row = (wave: number): DeploymentWave => ({
    wave,
    newReplicas: newAfter(wave),
    oldReplicas: oldAfter(wave),
    total: newAfter(wave) + oldAfter(wave),
    available: newAfter(wave - 1) + oldAfter(wave),
  });

  const iterations = replicas === 0 ? 0 : Math.ceil(replicas / inFlight);
  const waves = iterations > 0 && oldAfter(iterations) > 0 ? iterations + 1 : iterations;
  const { rows, elided } = selectVisibleRows(waves);
  return {
    kind: 'deployment',
    replicas,
    surge,
    unavailable,
    waves: rows.map((index) => row(index + 1)),
    iterations,
    peakPods: replicas + Math.min(surge, replicas - unavailable),
    minAvailable: replicas - unavailable,
    ...(elided > 0 && { elided }),
  };
}

/** Simulates Recreate: all new pods are created once the last old one is gone. Source: k/k pkg/controller/deployment/recreate.go. */
function simulateRecreate(replicas: number): DeploymentSimulation {
  const down = { wave: 1, newReplicas: 0, oldReplicas: 0, total: 0, available: 0 };
  const up = { wave: 2, newReplicas: replicas, oldReplicas: 0, total: replicas, available: 0 };
  return {
    kind: 'deployment',
    replicas,
    surge: 0,
    unavailable: replicas,
    waves: replicas === 0 ? [] : [down, up],
    iterations: replicas === 0 ? 0 : 1,
    peakPods: replicas,
    minAvailable: 0,
  };
}
