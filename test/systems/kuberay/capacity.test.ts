import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { factsOf } from '../../facts';
import { CLUSTER, incremental, rayService, rolloutOf } from './plan';
import { quota } from '../../builders/quota';

const GPU = 'nvidia.com/gpu';
const AUTOSCALED_SERVE = {
  serveConfigV2:
    'applications: [{ name: llm, import_path: "app:llm", deployments: [{ name: model, autoscaling_config: { max_replicas: 5 } }] }]',
};
const NODES = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { cpu: 8, memory: '64Gi', [GPU]: 1 } }] });

const teamQuota = (hard: object) => quota(hard, { name: 'team', namespace: 'models' });

/** Returns the capacity message of the first object and the codes of its findings. */
function capacityOf(objects: readonly object[], capacity?: unknown) {
  const { capacity: room, findings } = expectValidPlan(planManifests(objects, { capacity })).rollouts[0]!;
  return { message: room?.message, findings: findings.map(({ severity, code }) => `${severity} ${code}`) };
}

describe('an incremental upgrade of five workers with a GPU each, surge 20%', () => {
  test('has both heads, the five workers and one extra worker at its peak', () => {
    expect(rolloutOf([incremental(), teamQuota({ [`requests.${GPU}`]: 6, pods: 8 })]).capacity).toEqual({
      verdict: 'fits',
      peakPods: 8,
      podsThatFit: 8,
      message: 'Fits: there is capacity for its peak of 8 pods.',
    });
  });

  test('deadlocks at row 2, the first capacity increase, if no GPU is left', () => {
    expect(rolloutOf([incremental(), teamQuota({ [`requests.${GPU}`]: 5 })]).capacity).toEqual({
      verdict: 'deadlocks',
      peakPods: 8,
      podsThatFit: 7,
      shortage: { kind: 'quota', limit: 'ResourceQuota "team"', resource: 'requests.nvidia.com/gpu', needed: '6', available: '5' },
      deadlockWave: 2,
      message:
        'Deadlocks at row 2 (capacity 100% old, 20% new): it peaks at 6 requests.nvidia.com/gpu and ResourceQuota "team" has 5 left.',
    });
  });

  test('deadlocks at row 1 if not even the new head fits', () => {
    expect(capacityOf([incremental(), teamQuota({ pods: 6 })])).toEqual({
      message: 'Deadlocks at row 1 (capacity 100% old, 0% new): it peaks at 8 pods and ResourceQuota "team" has 6 left.',
      findings: ['error kubernetes/insufficient-capacity'],
    });
  });

  test('needs an extra node if each worker needs its own', () => {
    expect(capacityOf([incremental()], NODES(6)).message).toBe('Fits: there is capacity for its peak of 8 pods.');
    expect(capacityOf([incremental()], NODES(5)).message).toBe(
      'Fits only with 1 more node in pool "a100". Without it the rollout deadlocks at row 2 (capacity 100% old, 20% new): a pod needs 1 nvidia.com/gpu, and no node has more than 0 left.',
    );
  });

  test('reports the scarcest resource if the nodes lack several', () => {
    const template = { spec: { containers: [{ name: 'ray-worker', resources: { limits: { cpu: 6, [GPU]: 1 } } }] } };
    const [group] = CLUSTER.workerGroupSpecs;
    const large = incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...group, template }] } });
    expect(rolloutOf([large], { capacity: NODES(5) }).capacity!.shortage).toEqual({
      kind: 'one-node',
      excludesNodes: false,
      limit: 'any one node',
      resource: 'nvidia.com/gpu',
      needed: '1',
      available: '0',
    });
  });

  test('waits for every capacity increase, so a later one can deadlock too; if Serve scales the replicas, traffic moves without them', () => {
    // 30% of 4 is 1, but 40% and 90% of 4 are 2 and 4: two more than the four running ones.
    const four = { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...CLUSTER.workerGroupSpecs[0], replicas: 4 }] } };
    const pace = { maxSurgePercent: 30, stepSizePercent: 30 };
    const fiveGpus = teamQuota({ [`requests.${GPU}`]: 5 });
    expect(capacityOf([incremental(pace, four), fiveGpus])).toEqual({
      message: 'Deadlocks at row 8 (capacity 40% old, 90% new): it peaks at 6 requests.nvidia.com/gpu and ResourceQuota "team" has 5 left.',
      findings: ['error kubernetes/insufficient-capacity'],
    });
    expect(capacityOf([incremental(pace, { ...four, ...AUTOSCALED_SERVE }), fiveGpus])).toEqual({
      message:
        'Continues at row 8 (capacity 40% old, 90% new) without all of its pods, which start once the old cluster frees capacity: it peaks at 6 ' +
        'requests.nvidia.com/gpu and ResourceQuota "team" has 5 left.',
      findings: [],
    });
  });

  test('counts the autoscaler container that the operator adds to the head, 500m and 512Mi unless autoscalerOptions sets resources', () => {
    const headGroupSpec = {
      template: { spec: { containers: [{ name: 'ray-head', resources: { limits: { cpu: '100m', memory: '128Mi' } } }] } },
    };
    const twoHeads = (resources?: object) =>
      rolloutOf([
        incremental(
          {},
          { rayClusterConfig: { ...CLUSTER, headGroupSpec, workerGroupSpecs: [], ...(resources && { autoscalerOptions: { resources } }) } },
        ),
        teamQuota({ 'limits.cpu': '1100m', 'limits.memory': '1280Mi' }),
      ]).capacity!.verdict;
    expect(twoHeads()).toBe('deadlocks');
    expect(twoHeads({ limits: { cpu: '450m', memory: '512Mi' } })).toBe('fits');
  });
});

test('the container that waits for the head counts in workers that request less than its 200m', () => {
  const asking = (cpu: string, name: string) => ({ spec: { containers: [{ name, resources: { limits: { cpu } } }] } });
  const [group] = CLUSTER.workerGroupSpecs;
  const small = {
    rayClusterConfig: {
      ...CLUSTER,
      headGroupSpec: { template: asking('1', 'ray-head') },
      workerGroupSpecs: [{ ...group, template: asking('100m', 'ray-worker') }],
    },
  };
  // Two heads with autoscalers need 3 CPUs, and six workers need 1.2.
  expect(rolloutOf([incremental({}, small), teamQuota({ 'limits.cpu': '4200m' })]).capacity!.verdict).toBe('fits');
  expect(rolloutOf([incremental({}, small), teamQuota({ 'limits.cpu': '4199m' })]).capacity!.verdict).toBe('deadlocks');
});

describe('the suggested remedy if the new cluster does not fit', () => {
  const shortOfGpus = (needed: string, available: string) => {
    return { kind: 'quota', limit: 'ResourceQuota "team"', resource: 'requests.nvidia.com/gpu', needed, available };
  };
  const factsWith = (object: object, gpus: number) => {
    const [finding] = factsOf(rolloutOf([object, teamQuota({ [`requests.${GPU}`]: gpus })]).findings);
    expect(finding).toMatchObject({ code: 'kubernetes/insufficient-capacity', messageId: 'cluster', path: 'spec.rayClusterConfig' });
    return finding!.data;
  };

  test('is a smaller surge if one extra worker fits', () => {
    expect(factsWith(incremental({ maxSurgePercent: 60 }), 6)).toEqual({
      shortage: shortOfGpus('8', '6'),
      row: 2,
      capacity: { oldPercent: 100, newPercent: 60 },
      peakPods: 10,
      minimalOption: 'smaller-surge',
    });
  });

  test('is an incremental upgrade instead of a full second cluster', () => {
    expect(factsWith(rayService({ type: 'NewCluster' }), 9)).toEqual({
      shortage: shortOfGpus('10', '9'),
      row: 1,
      capacity: { oldPercent: 100, newPercent: 100 },
      peakPods: 12,
      minimalOption: 'incremental-upgrade',
    });
  });

  test('is fewer workers if no extra worker fits', () => {
    expect(factsWith(incremental(), 5)).toEqual({
      shortage: shortOfGpus('6', '5'),
      row: 2,
      capacity: { oldPercent: 100, newPercent: 20 },
      peakPods: 8,
    });
  });
});

describe('a second cluster whose replicas Serve scales gets all traffic once its first replicas run', () => {
  const withGpus = (gpus: number, spec = AUTOSCALED_SERVE) =>
    capacityOf([rayService({ type: 'NewCluster' }, spec), teamQuota({ [`requests.${GPU}`]: gpus })]);

  test('so one free GPU is enough to continue', () => {
    expect(withGpus(6)).toEqual({
      message:
        'Continues at row 2 (capacity 100 % old, 100 % new) without all of its pods, which start once the old cluster frees capacity: it peaks ' +
        'at 10 requests.nvidia.com/gpu and ResourceQuota "team" has 6 left.',
      findings: ['warning kuberay/doubles-accelerators'],
    });
  });

  test('and without a free GPU it deadlocks', () => {
    expect(withGpus(5)).toEqual({
      message:
        'Deadlocks at row 1 (capacity 100 % old, 100 % new): it peaks at 10 requests.nvidia.com/gpu and ResourceQuota "team" has 5 left.',
      findings: ['error kubernetes/insufficient-capacity'],
    });
  });

  test('and other replicas it needs all at once', () => {
    const fixed = { serveConfigV2: AUTOSCALED_SERVE.serveConfigV2.replace('autoscaling_config: { max_replicas: 5 }', 'num_replicas: 5') };
    expect(withGpus(6, fixed).message).toMatch(/^Deadlocks at row 1 /);
    expect(withGpus(10, fixed).message).toMatch(/^Fits/);
  });
});

describe('minReplicas of a worker group', () => {
  const keeping = (minReplicas: number) =>
    incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...CLUSTER.workerGroupSpecs[0], minReplicas }] } });

  test('run in both clusters at once, with any surge', () => {
    const { capacity: room, workers, findings } = rolloutOf([keeping(5), teamQuota({ [`requests.${GPU}`]: 6 })]);
    expect(workers).toMatchObject({ pods: 5, gpus: 5, surgePods: 5, surgeGpus: 5 });
    expect(room?.message).toBe(
      'Deadlocks at row 1 (capacity 100% old, 0% new): it peaks at 10 requests.nvidia.com/gpu and ResourceQuota "team" has 6 left.',
    );
    expect(factsOf(findings)[0]).toEqual({
      code: 'kuberay/min-replicas-above-surge',
      severity: 'warning',
      messageId: 'startsWithMore',
      path: 'spec.rayClusterConfig.workerGroupSpecs[0].minReplicas',
      data: { group: 'gpu', minReplicas: 5, replicas: 5, maxSurgePercent: 20, surge: 1 },
    });
  });

  test('are within the surge up to one worker', () => {
    expect(rolloutOf(keeping(1))).toMatchObject({ findings: [], workers: { surgePods: 1 } });
  });
});

describe('RayServices that share capacity', () => {
  const other = rayService({ type: 'NewCluster' }, {}, { name: 'vision', namespace: 'models' });
  const idle = rayService({ type: 'None' }, {}, { name: 'batch', namespace: 'models' });

  test('may each use capacity that the other waits for, since an upgrade needs several pods before any of them counts', () => {
    expect(planManifests([incremental(), other, teamQuota({ [`requests.${GPU}`]: 15 })]).capacity).toEqual({
      sequential: 'fits',
      concurrent: 'deadlocks',
      limits: [
        {
          limit: 'ResourceQuota "team"',
          resource: 'requests.nvidia.com/gpu',
          available: '15',
          steady: '10',
          sequential: '15',
          concurrent: '16',
        },
      ],
      message:
        'One after another: fits. All at once: may deadlock (RayService models/llm, RayService models/vision use capacity that the others wait ' +
        'for), because the peaks together need 16 of 15 requests.nvidia.com/gpu (ResourceQuota "team").',
    });
  });

  test('include one that is never rolled out but still uses capacity', () => {
    expect(capacityOf([incremental(), idle, teamQuota({ [`requests.${GPU}`]: 10 })]).message).toMatch(
      /^Deadlocks at row 2 .*: it peaks at 6/,
    );
    expect(capacityOf([incremental(), idle, teamQuota({ [`requests.${GPU}`]: 11 })]).message).toMatch(/^Fits/);
  });
});
