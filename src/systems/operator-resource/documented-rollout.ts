import { groupOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { DocumentedRollout } from '../../core/rollout';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import { simulateDeployment } from '../../workloads/deployment/simulate';
import { IBM_GROUP } from './embedded-strategy';

/** The numbers of pods that IBM's page walks through: 5 replicas, max_surge 1, max_unavailable 25 %, which it rounds to 1. */
const DOCUMENTED_REPLICAS = 5;
const DOCUMENTED_SURGE = 1;
const DOCUMENTED_UNAVAILABLE = 1;

/**
 * The steps that IBM's page walks through, beside those of the controller for the same numbers: create a pod, wait until it is ready,
 * delete an old one. That is a rollout that lets no replica be missing.
 *
 * The page has 5 rounds with 6 pods and never fewer than 5 available; the controller takes 3 waves of two pods with 4 available.
 * Of other numbers the page gives no steps, only how they are rounded, and it rounds as the controller does.
 */
export function simulateDocumentedRollout(object: Manifest, simulation: DeploymentSimulation): DocumentedRollout | undefined {
  const { replicas, surge, unavailable } = simulation;
  if (
    groupOf(object) !== IBM_GROUP ||
    replicas !== DOCUMENTED_REPLICAS ||
    surge !== DOCUMENTED_SURGE ||
    unavailable !== DOCUMENTED_UNAVAILABLE
  )
    return undefined;
  const page = simulateDeployment(
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: DOCUMENTED_SURGE, maxUnavailable: 0 } },
    DOCUMENTED_REPLICAS,
  );
  return {
    source: 'IBM BAW 25.0.1, "Applying a rolling update strategy"',
    simulation: page,
    difference:
      `The page waits for a new pod before it deletes an old one (${page.iterations} rounds, never fewer than ${page.minAvailable} ` +
      `available); the controller deletes ${unavailable} at once and keeps ${surge + unavailable} new in flight ` +
      `(${simulation.iterations} rounds, ${simulation.minAvailable} available): write max_unavailable: "0" to get the page's steps.`,
  };
}
