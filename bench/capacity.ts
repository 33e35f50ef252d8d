import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';

/** Workloads of which no two ask for the same: the hardest to place, since nothing that is known of one holds for another. */
function workload(index: number): object {
  const requests = { cpu: `${100 + ((index * 13) % 3_000)}m`, memory: `${128 + index}Mi` };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `web-${index}`, namespace: 'shop' },
    spec: {
      replicas: 3,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: { spec: { containers: [{ name: 'web', image: 'web:2', resources: { requests } }] } },
    },
  };
}

/** Twenty makes of nodes, of which the workloads fill more than a half. */
function nodePools(workloads: number): object[] {
  return Array.from({ length: 20 }, (_, index) => ({
    name: `pool-${index}`,
    count: Math.ceil(workloads / 100),
    allocatable: { cpu: 16 + 4 * index, memory: `${64 + 8 * index}Gi`, pods: 110 },
  }));
}

/** Plans of workloads that need room on the same nodes. */
export function capacityFigures(): Figure[] {
  return [
    linear('plan by number of workloads against 20 node pools', (workloads) => {
      const objects = Array.from({ length: workloads }, (_, index) => workload(index));
      const capacity = { nodePools: nodePools(workloads) };
      return () => planManifests(objects, { capacity });
    }),
  ];
}
