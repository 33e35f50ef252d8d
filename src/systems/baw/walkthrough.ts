import type { DeploymentSimulation, DocumentedRollout } from '../../core/rollout';
import { simulateDeployment } from '../kubernetes/simulate';

/**
 * The steps that IBM's page walks through, where they are not the controller's: as many new pods as the surge, wait until they are ready,
 * delete as many old ones. That is a rollout that lets no replica be missing.
 *
 * 5 replicas, surge 1, 25 % (1 pod): the page has 5 rounds with 6 pods and never fewer than 5 available; the controller takes 3 waves of
 * two pods with 4 available. Nothing without surge, which the page doesn't walk through, or where both agree.
 */
export function documentedRollout(simulation: DeploymentSimulation): DocumentedRollout | undefined {
  const { replicas, surge, unavailable, iterations } = simulation;
  if (surge === 0 || unavailable === 0 || replicas === 0) return undefined;
  const documented = simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: 0 } }, replicas);
  return {
    source: 'IBM BAW 25.0.1, "Applying a rolling update strategy"',
    simulation: documented,
    difference:
      `The page waits for a new pod before it deletes an old one (${rounds(documented.iterations)}, never fewer than ${replicas} ` +
      `available); the controller deletes ${unavailable} at once and keeps ${Math.min(replicas, surge + unavailable)} new in flight ` +
      `(${rounds(iterations)}, ${simulation.minAvailable} available): write max_unavailable: "0" to get the page's steps.`,
  };
}

function rounds(count: number): string {
  return count === 1 ? '1 round' : `${count} rounds`;
}
