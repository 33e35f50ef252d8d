import { planChange } from '../../src/headless';

const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'cpu', namespace: 'models' }, spec: { hard: { cpu: '7' } } };

function containers(cpu: number) {
  return [{ name: 'model', image: `llm:${cpu}`, resources: { requests: { cpu: `${cpu}` } } }];
}

/** Returns the totals of a change, and the verdict on its rollout. */
function totalsOf(old: object, next: object) {
  const { change, rollouts } = planChange([QUOTA, old], [next]);
  const { podsReplaced, peakExtraPods } = change.summary;
  return { verdict: rollouts[0]!.capacity!.verdict, podsReplaced, peakExtraPods };
}

test('a surge that a quota admits next to smaller old pods is an extra pod, although the rollout deadlocks', () => {
  const labels = { app: 'llm' };
  const deployment = (cpu: number) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'llm', namespace: 'models' },
    spec: {
      replicas: 4,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: containers(cpu) } },
    },
  });

  expect(totalsOf(deployment(1), deployment(2))).toEqual({ verdict: 'deadlocks', podsReplaced: 2, peakExtraPods: 1 });
});

test('a RayService whose second cluster a quota refuses keeps all pods of the running cluster', () => {
  const service = (cpu: number) => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm', namespace: 'models' },
    spec: {
      upgradeStrategy: { type: 'NewCluster' },
      rayClusterConfig: {
        headGroupSpec: { rayStartParams: {}, template: { spec: { containers: containers(1) } } },
        workerGroupSpecs: [
          {
            groupName: 'workers',
            replicas: 3,
            minReplicas: 3,
            maxReplicas: 3,
            rayStartParams: {},
            template: { spec: { containers: containers(cpu) } },
          },
        ],
      },
    },
  });

  expect(totalsOf(service(1), service(2))).toMatchObject({ verdict: 'deadlocks', podsReplaced: 0 });
});
