import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';

/** Builds a workload with unique requests. Such workloads are the most expensive to place, because no result can be reused. */
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

/** Builds twenty node pools of different sizes. The workloads use more than half of them. */
function nodePools(workloads: number): object[] {
  return Array.from({ length: 20 }, (_, index) => ({
    name: `pool-${index}`,
    count: Math.ceil(workloads / 100),
    allocatable: { cpu: 16 + 4 * index, memory: `${64 + 8 * index}Gi`, pods: 110 },
  }));
}

/** Measures plans of workloads that compete for the same nodes. */
export function capacityFigures(): Figure[] {
  return [
    linear('plan by number of workloads, on 20 node pools', (workloads) => {
      const objects = Array.from({ length: workloads }, (_, index) => workload(index));
      const capacity = { nodePools: nodePools(workloads) };
      return () => planManifests(objects, { capacity });
    }),
  ];
}
