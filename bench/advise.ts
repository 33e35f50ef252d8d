import { adviseManifests, planManifests } from 'rolloutkit/plan';

import { atMostRatio, minRatioOf } from './figure';
import type { Figure } from './figure';

/** Objects that surround the workloads. */
interface Surroundings {
  /** Whether each workload has an autoscaler. */
  readonly hasAutoscalers?: boolean;
  /** Whether one quota limits all of them. */
  readonly hasQuota?: boolean;
}

/** Returns Deployments of 2 to 11 replicas and two sizes of pods, with what surrounds them. */
function workloads(count: number, { hasAutoscalers = false, hasQuota = false }: Surroundings): object[] {
  const objects: object[] = [];
  for (let index = 0; index < count; index++) {
    const name = `web-${index}`;
    const labels = { app: name };
    const requests = { cpu: `${1 + (index % 2)}`, memory: '1Gi' };
    const containers = [{ name: 'web', image: 'web:1', resources: { requests }, readinessProbe: { tcpSocket: { port: 80 } } }];
    const spec = {
      replicas: 2 + (index % 10),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    };
    objects.push({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' }, spec });
    if (!hasAutoscalers) continue;
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
    const range = { minReplicas: 2, maxReplicas: 6 + (index % 10), scaleTargetRef };
    objects.push({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name, namespace: 'shop' }, spec: range });
  }
  const hard = { 'requests.cpu': `${Math.ceil(count * 9.8)}` };
  if (hasQuota) objects.push({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'cpus', namespace: 'shop' }, spec: { hard } });
  return objects;
}

/** Measures how much longer it takes to advise on workloads than to plan them. */
export function adviseFigures(): Figure[] {
  const options = { startupSeconds: 60 };
  const figures: readonly (readonly [name: string, surroundings: Surroundings])[] = [
    ['without limits', {}],
    ['with an autoscaler each', { hasAutoscalers: true }],
    ['under one quota', { hasQuota: true }],
    ['with an autoscaler each under one quota', { hasAutoscalers: true, hasQuota: true }],
  ];
  return figures.map(([name, surroundings]) => {
    const objects = workloads(1_000, surroundings);
    const goal = { available: '75%' } as const;
    const ratio = minRatioOf(
      () => adviseManifests(objects, goal, options),
      () => planManifests(objects, options),
      3,
    );
    return atMostRatio(`advice on 1,000 workloads ${name}, relative to their plan`, 10, ratio);
  });
}
