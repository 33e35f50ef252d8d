import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check';
import type { Finding } from '../../../src/core/findings/finding';
import { renderPlanText } from '../../../src/render/text/plan';
import { planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { CLUSTER, incremental, OPTIONS, rayService, rolloutOf } from './plan';

const TPU = { 'google.com/tpu': 4 };
const TYPE = 'NewClusterWithIncrementalUpgrade';

function pod(limits?: object): object {
  return { spec: { containers: [{ name: 'ray', image: 'ray:2.51.0', ...(limits && { resources: { limits } }) }] } };
}

function group(fields: object, limits?: object): object {
  return { groupName: 'workers', minReplicas: 0, template: pod(limits), ...fields };
}

function cluster(enableInTreeAutoscaling: boolean, ...workerGroupSpecs: object[]): object {
  return { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling, workerGroupSpecs } };
}

function doubled(object: object, kuberay = '1.7'): Finding[] {
  return rolloutOf(object, { versions: { kuberay } }).findings.filter(({ code }) => code === 'kuberay/doubles-accelerators');
}

describe('kuberay/doubles-accelerators', () => {
  test('NewCluster requests 16 more GPUs, and a smaller upgrade requests 8', () => {
    const object = rayService({ type: 'NewCluster' }, cluster(false, group({ replicas: 2, minReplicas: 2 }, { 'nvidia.com/gpu': 8 })));
    expect(factsOf(doubled(object))).toEqual([
      {
        code: 'kuberay/doubles-accelerators',
        severity: 'warning',
        messageId: 'newCluster',
        path: 'spec.upgradeStrategy.type',
        data: {
          accelerators: [{ resource: 'nvidia.com/gpu', count: 16, surge: 16 }],
          scale: 'fixed',
          smaller: {
            maxSurgePercent: 50,
            minReplicas: [{ group: 'workers', atMost: 1, path: 'spec.rayClusterConfig.workerGroupSpecs[0].minReplicas' }],
            accelerators: [{ resource: 'nvidia.com/gpu', count: 16, surge: 8 }],
            turnsAutoscalerOn: true,
          },
        },
      },
    ]);
  });

  test('a service without upgradeStrategy uses NewCluster, and TPUs count too', () => {
    const object = rayService(undefined, cluster(false, group({ replicas: 3, numOfHosts: 2 }, TPU)));
    expect(doubled(object)).toMatchObject([{ data: { accelerators: [{ resource: 'google.com/tpu', count: 24, surge: 24 }] } }]);
  });

  test('accelerators of the head count', () => {
    const head = { headGroupSpec: { template: pod({ 'nvidia.com/gpu': 1 }) }, workerGroupSpecs: [] };
    expect(doubled(rayService({ type: 'NewCluster' }, { rayClusterConfig: head }))).toMatchObject([
      { data: { accelerators: [{ resource: 'nvidia.com/gpu', count: 1, surge: 1 }], scale: 'fixed' } },
    ]);
  });

  test('with an autoscaler the numbers are its maximum, or the written replicas if a group has no maxReplicas', () => {
    const limited = rayService({ type: 'NewCluster' }, cluster(true, group({ replicas: 2, maxReplicas: 6 }, TPU)));
    expect(doubled(limited)).toMatchObject([{ data: { scale: 'up-to', accelerators: [{ count: 24, surge: 24 }] } }]);
    const open = rayService({ type: 'NewCluster' }, cluster(true, group({ replicas: 2 }, TPU)));
    expect(doubled(open)).toMatchObject([{ data: { scale: 'open', accelerators: [{ count: 8, surge: 8 }] } }]);
    const oneOfTwo = cluster(true, group({ replicas: 2, maxReplicas: 6 }, TPU), group({ groupName: 'more', replicas: 1 }, TPU));
    expect(doubled(rayService({ type: 'NewCluster' }, oneOfTwo))).toMatchObject([
      { data: { scale: 'open', accelerators: [{ count: 12, surge: 12 }] } },
    ]);
  });

  test('an accelerator with a request of 0 does not count', () => {
    const none = rayService({ type: 'NewCluster' }, cluster(false, group({ replicas: 2 }, { 'nvidia.com/gpu': 0, cpu: 4 })));
    expect(doubled(none)).toEqual([]);
    expect(rolloutOf(none).workers).toEqual({ pods: 2, gpus: 0, surgePods: 2, surgeGpus: 0 });
  });

  test('every upgrade doubles one replica, and no smaller upgrade is suggested', () => {
    const one = cluster(true, group({ replicas: 1, minReplicas: 1, maxReplicas: 1 }, TPU));
    const [newCluster] = doubled(rayService({ type: 'NewCluster' }, one));
    expect(newCluster!.data).toEqual({ scale: 'fixed', accelerators: [{ resource: 'google.com/tpu', count: 4, surge: 4 }] });
    const strategy = { type: TYPE, clusterUpgradeOptions: OPTIONS };
    expect(rolloutOf(rayService(strategy, one)).findings.map(({ code, messageId }) => [code, messageId])).toEqual([
      ['kuberay/doubles-accelerators', 'incremental'],
    ]);
  });

  test('before the feature gate is on, an incremental upgrade is mentioned with its version but not suggested', () => {
    const [finding] = doubled(rayService({ type: 'NewCluster' }), '1.6');
    expect(finding!.data).toMatchObject({ enabledSince: '1.7' });
    expect(finding!.data).not.toHaveProperty('smaller');
  });

  test('nothing is reported for an upgrade in parts, for None, and for pods without accelerators', () => {
    expect(doubled(incremental())).toEqual([]);
    expect(doubled(rayService({ type: 'None' }))).toEqual([]);
    expect(doubled(rayService({ type: 'NewCluster' }, cluster(false, group({ replicas: 3 }, { cpu: 4 }))))).toEqual([]);
  });

  test('an error about insufficient capacity replaces it', () => {
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'team', namespace: 'models' },
      spec: { hard: { 'requests.nvidia.com/gpu': 6 } },
    };
    expect(rolloutOf([rayService({ type: 'NewCluster' }), quota]).findings.map(({ code }) => code)).toEqual([
      'kubernetes/insufficient-capacity',
    ]);
  });
});

interface Group {
  readonly groupName: string;
  minReplicas: number;
}

interface Options {
  maxSurgePercent: number;
  stepSizePercent: number;
}

interface Service {
  readonly spec: {
    readonly rayClusterConfig: { enableInTreeAutoscaling: boolean; readonly workerGroupSpecs: Group[] };
    upgradeStrategy: { type?: string; clusterUpgradeOptions?: Options };
  };
}

/** The data of a finding about the surge that its help names. */
interface Advice {
  readonly smaller?: { readonly maxSurgePercent: number; readonly minReplicas: readonly { group: string; atMost: number }[] };
  readonly group?: string;
  readonly safe?: number;
  readonly surge?: number;
}

/** Changes a RayService as the help of its finding says. */
function applyHelp(object: Service, { data, messageId }: Finding): Service {
  const { smaller, group: groupName, safe, surge } = data as Advice;
  const next = structuredClone(object);
  const { rayClusterConfig, upgradeStrategy } = next.spec;
  const lower = (name: string | undefined, atMost: number) => {
    const found = rayClusterConfig.workerGroupSpecs.find((workers) => workers.groupName === name);
    if (found) found.minReplicas = atMost;
  };
  if (smaller) {
    const { maxSurgePercent } = smaller;
    const before = upgradeStrategy.clusterUpgradeOptions ?? OPTIONS;
    const stepSizePercent = Math.min(before.stepSizePercent, maxSurgePercent);
    next.spec.upgradeStrategy = { type: TYPE, clusterUpgradeOptions: { ...before, maxSurgePercent, stepSizePercent } };
    rayClusterConfig.enableInTreeAutoscaling = true;
    for (const { group: name, atMost } of smaller.minReplicas) lower(name, atMost);
  }
  if (messageId === 'lessThanOne' && safe !== undefined) upgradeStrategy.clusterUpgradeOptions!.maxSurgePercent = safe;
  if (messageId === 'startsWithMore' && surge !== undefined) lower(groupName, surge);
  return next;
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

const anyGroup = record({
  replicas: integer({ min: 1, max: 7 }),
  minReplicas: integer({ min: 0, max: 7 }),
  maxReplicas: constantFrom(undefined, 7, 9),
  limits: constantFrom(undefined, TPU, { 'nvidia.com/gpu': 2 }),
});

test('following the help of a finding about the surge causes no other finding, for any cluster', () => {
  assert(
    property(
      array(anyGroup, { minLength: 1, maxLength: 3 }),
      boolean(),
      boolean(),
      integer({ min: 1, max: 100 }),
      (groups, autoscaler, isNew, surge) => {
        const specs = groups.map(({ limits, minReplicas, maxReplicas, replicas }, index) => {
          const fields = {
            groupName: `g${index}`,
            replicas,
            minReplicas: Math.min(minReplicas, replicas),
            ...(maxReplicas && { maxReplicas }),
          };
          return group(fields, limits);
        });
        const pace = { ...OPTIONS, maxSurgePercent: surge, stepSizePercent: 1 };
        const strategy = isNew ? { type: 'NewCluster' } : { type: TYPE, clusterUpgradeOptions: pace };
        let object = rayService(strategy, cluster(autoscaler || !isNew, ...specs)) as Service;
        let { findings } = rolloutOf(object);
        let next: Service | undefined = object;
        for (let round = 0; round < 12 && next; round++) {
          const known = new Set(findings.map(({ code }) => code));
          object = next;
          ({ findings } = rolloutOf(object));
          expect(findings.map(({ code }) => code).filter((code) => !known.has(code))).toEqual([]);
          next = findings.map((finding) => applyHelp(object, finding)).find((one) => !isSame(one, object));
        }
        expect(next).toBeUndefined();
      },
    ),
  );
});

test('the text says "up to" if an autoscaler decides, and names accelerators other than GPUs', () => {
  const workersLine = (object: object) =>
    renderPlanText(planManifests([object]))
      .split('\n')
      .find((line) => line.includes('workers:'))!
      .trim();
  expect(workersLine(incremental())).toBe(
    'workers: up to 10 pods with 10 GPUs; the peak adds up to 2 pods and 2 GPUs, and the new head pod',
  );
  expect(workersLine(rayService({ type: 'NewCluster' }, cluster(false, group({ replicas: 2 }, TPU))))).toBe(
    'workers: 2 pods with 8 google.com/tpu; the peak adds 2 pods and 8 google.com/tpu, and the new head pod',
  );
  expect(workersLine(rayService({ type: 'NewCluster' }, cluster(true, group({ replicas: 2 }, TPU))))).toBe(
    'workers: 2 pods with 8 google.com/tpu; the peak adds 2 pods and 8 google.com/tpu, and the new head pod (as declared: a worker group has no maxReplicas, so the autoscaler may add more)',
  );
});
