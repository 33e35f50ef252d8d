import { planManifests } from 'rolloutkit/plan';

import { linear, underMilliseconds, timeOf } from './figure';
import type { Figure } from './figure';

function deployment(replicas: number) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  };
}

function statefulSet(replicas: number) {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec: { replicas } };
}

function daemonSet() {
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' }, spec: { template: { spec: { containers: [] } } } };
}

function nodes(count: number) {
  return { capacity: { nodePools: [{ name: 'all', count }] } };
}

/** Measures complete plans of one workload with the slowest settings (one pod per wave), so that the bounds cover more than the simulation. */
export function simulationFigures(): Figure[] {
  const plan = (object: object) => () => planManifests([object]);
  return [
    underMilliseconds('plan of a Deployment of 1,000 replicas, one pod per wave', 1, timeOf(plan(deployment(1_000)), 101)),
    underMilliseconds('plan of a Deployment of 2,147,483,647 replicas', 50, timeOf(plan(deployment(2_147_483_647)), 101)),
    underMilliseconds('plan of a StatefulSet of 2,147,483,647 replicas', 50, timeOf(plan(statefulSet(2_147_483_647)), 101)),
    underMilliseconds(
      'plan of a DaemonSet on 2,147,483,647 nodes',
      50,
      timeOf(() => planManifests([daemonSet()], nodes(2_147_483_647)), 101),
    ),
    linear('plan of a Deployment by number of replicas', (replicas) => plan(deployment(replicas))),
  ];
}
