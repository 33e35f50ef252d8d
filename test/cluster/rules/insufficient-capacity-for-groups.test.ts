import { planChange } from '../../../src/headless';

const GPU = 'nvidia.com/gpu';

const quota = (gpus: number, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'gpus', namespace: 'models' },
  spec: { hard: { [`requests.${GPU}`]: `${gpus}`, ...more } },
});

/** Returns two groups of two pods. */
const groups = (gpus: number, limits: object = { maxSurge: 1, maxUnavailable: 0 }) => ({
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { name: 'vllm', namespace: 'models' },
  spec: {
    replicas: 2,
    rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: limits },
    leaderWorkerTemplate: {
      size: 2,
      workerTemplate: { spec: { containers: [{ name: 'vllm', image: `vllm:${gpus}`, resources: { limits: { [GPU]: `${gpus}` } } }] } },
    },
  },
});

function planOf(gpus: number, limits?: object, more?: object) {
  const quotas = quota(gpus, more);
  const { capacity, findings } = planChange([groups(1), quotas], [groups(2, limits), quotas]).rollouts[0]!;
  return { verdict: capacity?.verdict, help: findings.find(({ code }) => code === 'kubernetes/insufficient-capacity')?.help };
}

describe('groups whose pods get two GPUs each instead of one do not fit next to the old ones', () => {
  const RAISE = 'raise ResourceQuota "gpus" so that it has 12 requests.nvidia.com/gpu left.';

  test('the advice is to replace them in place, if they fit then', () => {
    expect(planOf(8)).toEqual({
      verdict: 'deadlocks',
      help: `Write maxSurge: 0 with maxUnavailable: 1, so that a group is deleted before its successor is created, or ${RAISE}`,
    });
    expect(planOf(8, { maxSurge: 0, maxUnavailable: 1 }).verdict).toBe('fits');
  });

  test('the advice is to run fewer, if they do not fit in place either', () => {
    expect(planOf(6)).toEqual({ verdict: 'deadlocks', help: `Run fewer groups, or ${RAISE}` });
    expect(planOf(6, { maxSurge: 0, maxUnavailable: 1 }).verdict).toBe('deadlocks');
  });

  test('the quota that is advised is enough', () => {
    expect(planOf(12)).toEqual({ verdict: 'fits', help: undefined });
  });

  test('the advice names each resource of the quota that is too small', () => {
    const both = 'Run fewer groups, or raise ResourceQuota "gpus" so that it has 12 requests.nvidia.com/gpu and 6 pods left.';
    expect(planOf(6, undefined, { pods: '5' })).toEqual({ verdict: 'deadlocks', help: both });
  });
});
