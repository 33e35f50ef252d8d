import { planManifests } from '../../../src/headless';
import type { Manifest } from '../../../src/headless';
import type { ArgoRolloutSimulation } from '../../../src/core/simulations/argo-rollout';

const ROLLOUT: Manifest = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { name: 'web' },
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'web' } },
    strategy: { canary: { maxSurge: 1, maxUnavailable: 1 } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'app:1', resources: { limits: { 'nvidia.com/gpu': 2 } } }] },
    },
  },
};

const quota = (gpus: number): Manifest => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'team' },
  spec: { hard: { 'requests.nvidia.com/gpu': gpus } },
});

function planAbort(objects: readonly Manifest[], options = {}) {
  const { simulation } = planManifests([ROLLOUT, ...objects], options).rollouts[0]!;
  const { afterWave, peakPods, minAvailable, waves } = (simulation as ArgoRolloutSimulation).abort!;
  const rows = waves.map(({ newPods, oldPods, available, until = 'end' }) => `${newPods} ${oldPods} ${available} ${until}`);
  return { afterWave, peakPods, minAvailable, rows };
}

test('old pods that return after an abort exist only if the quota admits them', () => {
  expect(planAbort([quota(10)])).toEqual({
    afterWave: 2,
    peakPods: 5,
    minAvailable: 3,
    rows: ['2 3 3 ready', '0 4 3 ready', '0 4 4 end'],
  });
  expect(planAbort([quota(8)])).toEqual({
    afterWave: 4,
    peakPods: 4,
    minAvailable: 3,
    rows: ['3 1 3 ready', '2 2 3 ready', '1 3 3 ready', '0 4 3 ready', '0 4 4 end'],
  });
});

test('old pods that return after an abort wait until the nodes have capacity for them', () => {
  const node = (gpus: number) => ({
    capacity: { nodePools: [{ name: 'gpu', count: 1, allocatable: { cpu: '64', memory: '1Ti', pods: 100, 'nvidia.com/gpu': gpus } }] },
  });
  expect(planAbort([], node(8)).rows).toEqual(['3 2 3 ready', '2 3 3 ready', '1 4 3 ready', '0 4 3 ready', '0 4 4 end']);
});
