import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { factsOf } from '../../facts';
import { CLUSTER, incremental, rayService, rolloutOf } from './plan';

const GPU = 'nvidia.com/gpu';
const AUTOSCALED_SERVE = {
  serveConfigV2:
    'applications: [{ name: llm, import_path: "app:llm", deployments: [{ name: model, autoscaling_config: { max_replicas: 5 } }] }]',
};
const NODES = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { cpu: 8, memory: '64Gi', [GPU]: 1 } }] });

function quota(hard: object) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'team', namespace: 'models' }, spec: { hard } };
}

/** The verdict on the first object in a sentence, and the codes of its findings. */
function roomOf(objects: readonly object[], capacity?: unknown) {
  const { capacity: room, findings } = expectValidPlan(planManifests(objects, { capacity })).rollouts[0]!;
  return { message: room?.message, findings: findings.map(({ severity, code }) => `${severity} ${code}`) };
}

describe('an incremental upgrade of five workers with a GPU each, surge 20 %', () => {
  test('has both heads, the five workers and one more at its peak', () => {
    expect(rolloutOf([incremental(), quota({ [`requests.${GPU}`]: 6, pods: 8 })]).capacity).toEqual({
      verdict: 'fits',
      peakPods: 8,
      podsThatFit: 8,
      message: 'Fits: there is room for the 8 pods of its peak.',
    });
  });

  test('deadlocks at row 2, the first raise, where no GPU is left', () => {
    expect(rolloutOf([incremental(), quota({ [`requests.${GPU}`]: 5 })]).capacity).toEqual({
      verdict: 'deadlocks',
      peakPods: 8,
      podsThatFit: 7,
      shortage: { kind: 'quota', limit: 'ResourceQuota "team"', resource: 'requests.nvidia.com/gpu', needed: '6', available: '5' },
      deadlockWave: 2,
      message:
        'Deadlocks at row 2 (capacity 100 % old, 20 % new): its peak needs 6 requests.nvidia.com/gpu, and ResourceQuota "team" has 5 for it.',
    });
  });

  test('deadlocks at row 1 where not even the new head finds room', () => {
    expect(roomOf([incremental(), quota({ pods: 6 })])).toEqual({
      message: 'Deadlocks at row 1 (capacity 100 % old, 0 % new): its peak needs 8 pods, and ResourceQuota "team" has 6 for it.',
      findings: ['error kubernetes/insufficient-capacity'],
    });
  });

  test('asks for a node more where each worker needs its own', () => {
    expect(roomOf([incremental()], NODES(6)).message).toBe('Fits: there is room for the 8 pods of its peak.');
    expect(roomOf([incremental()], NODES(5)).message).toBe(
      'Fits only with 1 node more of pool "a100"; without it, deadlocks at row 2 (capacity 100 % old, 20 % new): a pod needs 1 nvidia.com/gpu, and no node has more than 0 left.',
    );
  });

  test('names what the nodes lack most of, where they lack several things', () => {
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

  test('waits for every raise, so that a later one can lack room too; where Serve scales the replicas, traffic goes on without them', () => {
    // 30 % of 4 is 1, but 40 % and 90 % of 4 are 2 and 4: two more than the four that run.
    const four = { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...CLUSTER.workerGroupSpecs[0], replicas: 4 }] } };
    const pace = { maxSurgePercent: 30, stepSizePercent: 30 };
    const fiveGpus = quota({ [`requests.${GPU}`]: 5 });
    expect(roomOf([incremental(pace, four), fiveGpus])).toEqual({
      message:
        'Deadlocks at row 8 (capacity 40 % old, 90 % new): its peak needs 6 requests.nvidia.com/gpu, and ResourceQuota "team" has 5 for it.',
      findings: ['error kubernetes/insufficient-capacity'],
    });
    expect(roomOf([incremental(pace, { ...four, ...AUTOSCALED_SERVE }), fiveGpus])).toEqual({
      message:
        'Goes on at row 8 (capacity 40 % old, 90 % new) without all of its pods, which come when the old cluster gives room back: its peak needs 6 ' +
        'requests.nvidia.com/gpu, and ResourceQuota "team" has 5 for it.',
      findings: [],
    });
  });

  test('counts the autoscaler that the operator puts beside the head, 500m and 512Mi unless autoscalerOptions say', () => {
    const headGroupSpec = {
      template: { spec: { containers: [{ name: 'ray-head', resources: { limits: { cpu: '100m', memory: '128Mi' } } }] } },
    };
    const twoHeads = (resources?: object) =>
      rolloutOf([
        incremental(
          {},
          { rayClusterConfig: { ...CLUSTER, headGroupSpec, workerGroupSpecs: [], ...(resources && { autoscalerOptions: { resources } }) } },
        ),
        quota({ 'limits.cpu': '1100m', 'limits.memory': '1280Mi' }),
      ]).capacity!.verdict;
    expect(twoHeads()).toBe('deadlocks');
    expect(twoHeads({ limits: { cpu: '450m', memory: '512Mi' } })).toBe('fits');
  });
});

test('the container that waits for the head counts in workers that ask for less than its 200m', () => {
  const asking = (cpu: string, name: string) => ({ spec: { containers: [{ name, resources: { limits: { cpu } } }] } });
  const [group] = CLUSTER.workerGroupSpecs;
  const small = {
    rayClusterConfig: {
      ...CLUSTER,
      headGroupSpec: { template: asking('1', 'ray-head') },
      workerGroupSpecs: [{ ...group, template: asking('100m', 'ray-worker') }],
    },
  };
  // Two heads with their autoscalers, 3, and six workers, 1.2.
  expect(rolloutOf([incremental({}, small), quota({ 'limits.cpu': '4200m' })]).capacity!.verdict).toBe('fits');
  expect(rolloutOf([incremental({}, small), quota({ 'limits.cpu': '4199m' })]).capacity!.verdict).toBe('deadlocks');
});

describe('what to do where the new cluster finds no room', () => {
  const shortOfGpus = (needed: string, available: string) => {
    return { kind: 'quota', limit: 'ResourceQuota "team"', resource: 'requests.nvidia.com/gpu', needed, available };
  };
  const factsWith = (object: object, gpus: number) => {
    const [finding] = factsOf(rolloutOf([object, quota({ [`requests.${GPU}`]: gpus })]).findings);
    expect(finding).toMatchObject({ code: 'kubernetes/insufficient-capacity', messageId: 'cluster', path: 'spec.rayClusterConfig' });
    return finding!.data;
  };

  test('a smaller surge, where one worker more has room', () => {
    expect(factsWith(incremental({ maxSurgePercent: 60 }), 6)).toEqual({
      shortage: shortOfGpus('8', '6'),
      row: 2,
      capacity: { oldPercent: 100, newPercent: 60 },
      peakPods: 10,
      least: 'smaller-surge',
    });
  });

  test('an incremental upgrade instead of a whole second cluster', () => {
    expect(factsWith(rayService({ type: 'NewCluster' }), 9)).toEqual({
      shortage: shortOfGpus('10', '9'),
      row: 1,
      capacity: { oldPercent: 100, newPercent: 100 },
      peakPods: 12,
      least: 'incremental-upgrade',
    });
  });

  test('fewer workers, where there is no room for one more', () => {
    expect(factsWith(incremental(), 5)).toEqual({
      shortage: shortOfGpus('6', '5'),
      row: 2,
      capacity: { oldPercent: 100, newPercent: 20 },
      peakPods: 8,
    });
  });
});

describe('minReplicas of a worker group', () => {
  const keeping = (minReplicas: number) =>
    incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...CLUSTER.workerGroupSpecs[0], minReplicas }] } });

  test('are there in both clusters at once, whatever the surge says', () => {
    const { capacity: room, workers, findings } = rolloutOf([keeping(5), quota({ [`requests.${GPU}`]: 6 })]);
    expect(workers).toMatchObject({ pods: 5, gpus: 5, surgePods: 5, surgeGpus: 5 });
    expect(room?.message).toBe(
      'Deadlocks at row 1 (capacity 100 % old, 0 % new): its peak needs 10 requests.nvidia.com/gpu, and ResourceQuota "team" has 6 for it.',
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

describe('RayServices that share room', () => {
  const other = rayService({ type: 'NewCluster' }, {}, { name: 'vision', namespace: 'models' });
  const idle = rayService({ type: 'None' }, {}, { name: 'batch', namespace: 'models' });

  test('may each hold what the other waits for, since an upgrade needs several pods before any of them counts', () => {
    expect(planManifests([incremental(), other, quota({ [`requests.${GPU}`]: 15 })]).capacity).toEqual({
      sequential: 'fits',
      together: 'deadlocks',
      limits: [
        {
          limit: 'ResourceQuota "team"',
          resource: 'requests.nvidia.com/gpu',
          available: '15',
          steady: '10',
          sequential: '15',
          together: '16',
        },
      ],
      message:
        'One after another: fits. All at once: may deadlock (RayService models/llm, RayService models/vision hold room that the others wait ' +
        'for), since the peaks together need 16 of 15 requests.nvidia.com/gpu (ResourceQuota "team").',
    });
  });

  test('one that is never rolled out still takes its room', () => {
    expect(roomOf([incremental(), idle, quota({ [`requests.${GPU}`]: 10 })]).message).toMatch(/^Deadlocks at row 2 .*: its peak needs 6/);
    expect(roomOf([incremental(), idle, quota({ [`requests.${GPU}`]: 11 })]).message).toMatch(/^Fits/);
  });
});
