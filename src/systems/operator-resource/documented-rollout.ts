import { groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { DocumentedRollout } from '../../core/document/rollout';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import { simulateDeployment } from '../../workloads/deployment/simulate';
import { IBM_GROUP } from './embedded-strategy';

/** The example on IBM's page: 5 replicas, max_surge 1, max_unavailable 25%, which it rounds to 1. */
const DOCUMENTED_REPLICAS = 5;
const DOCUMENTED_SURGE = 1;
const DOCUMENTED_UNAVAILABLE = 1;

/**
 * Simulates the steps on IBM's page, for comparison with the steps of the controller for the same numbers. The page creates a pod, waits
 * until it is ready, and then deletes an old one, so no replica is ever unavailable.
 *
 * The page has 5 rounds with 6 pods and never fewer than 5 available. The controller runs 3 waves of two pods with 4 available. For other
 * numbers the page gives no steps, only rounding, and it rounds like the controller.
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
      `available). The controller deletes ${unavailable} at once and starts ${surge + unavailable} new pods at a time ` +
      `(${simulation.iterations} rounds, ${simulation.minAvailable} available). Write max_unavailable: "0" to get the steps of the page.`,
  };
}
