import { planChangedInput } from '../../src/change/plan-change';
import type { Manifest } from '../../src/core/manifest/manifest';
import { planChange, planManifests } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { autoscaler } from '../builders/autoscaler';
import { quota } from '../builders/quota';
import { podTemplate, workload } from '../builders/workload';

const GPU = 'nvidia.com/gpu';
const ONE_GPU = { limits: { [GPU]: 1 } };

interface Pods {
  readonly resources?: object;
  readonly pod?: object;
  readonly spec?: object;
  readonly image?: string;
}

function podsOf(kind: string, name: string, replicas: number, { resources = {}, pod = {}, spec = {}, image = 'app:1' }: Pods = {}) {
  const service = kind === 'StatefulSet' ? { serviceName: name } : {};
  return workload(kind, { replicas, ...service, template: podTemplate({ image, resources }, pod), ...spec }, { name, namespace: 'shop' });
}

const deployment = (name: string, replicas: number, pods?: Pods) => podsOf('Deployment', name, replicas, pods);
const statefulSet = (name: string, replicas: number, pods?: Pods) => podsOf('StatefulSet', name, replicas, pods);

const SHOP = { namespace: 'shop' };

function planned(old: readonly object[], next: readonly object[], options?: ChangeOptions) {
  return expectValidPlan(planChange(old, next, options));
}

/** Returns the capacity of each rollout: its verdict, and its findings with their data. */
function capacityOf(old: readonly object[], next: readonly object[], options?: ChangeOptions) {
  return planned(old, next, options).rollouts.map(({ resource, capacity, findings }) => ({
    name: resource.name,
    ...(capacity && { verdict: capacity.verdict, pods: `${capacity.podsThatFit} of ${capacity.peakPods}` }),
    findings: findings
      .filter(({ code }) => code === 'kubernetes/insufficient-capacity')
      .map(({ severity, messageId, path, data }) => ({ severity, messageId, path, data })),
  }));
}

const quotaShortage = (resource: string, needed: string, available: string) => ({
  kind: 'quota',
  limit: 'ResourceQuota "compute"',
  resource,
  needed,
  available,
});

describe('a scale into a full quota', () => {
  test('reports how many of its pods run and what refuses the others, which their controller retries', () => {
    expect(capacityOf([deployment('web', 9)], [deployment('web', 14), quota({ pods: 10 }, SHOP)])).toEqual([
      {
        name: 'web',
        verdict: 'deadlocks',
        pods: '10 of 14',
        findings: [
          {
            severity: 'error',
            messageId: 'added',
            path: 'spec.replicas',
            data: {
              pods: 14,
              running: 9,
              podsThatFit: 10,
              shortage: quotaShortage('pods', '14', '10'),
              isRejected: true,
              startsInOrder: false,
            },
          },
        ],
      },
    ]);
  });

  test('reports in a sentence how many pods fit', () => {
    const messageFor = (pods: number) =>
      planned([deployment('web', 0)], [deployment('web', 6), quota({ pods }, SHOP)]).rollouts[0]!.capacity!.message;
    expect([0, 1, 2].map(messageFor)).toEqual([
      'None of the 6 pods fit: together they request 6 pods and ResourceQuota "compute" has 0 left.',
      'Only 1 of 6 pods fits: together they request 6 pods and ResourceQuota "compute" has 1 left.',
      'Only 2 of 6 pods fit: together they request 6 pods and ResourceQuota "compute" has 2 left.',
    ]);
  });

  test('of a StatefulSet stops at the first refused pod, unless it starts all pods at once', () => {
    const startOrderOf = (spec: object) =>
      capacityOf([statefulSet('db', 2, { spec })], [statefulSet('db', 6, { spec }), quota({ pods: 3 }, SHOP)]).map(({ pods, findings }) => [
        pods,
        findings.map(({ data }) => data.startsInOrder),
      ]);
    expect(startOrderOf({})).toEqual([['3 of 6', [true]]]);
    expect(startOrderOf({ podManagementPolicy: 'Parallel' })).toEqual([['3 of 6', [false]]]);
  });

  test('fits if there is capacity, and is not evaluated if nothing limits it', () => {
    expect(capacityOf([deployment('web', 9)], [deployment('web', 10), quota({ pods: 10 }, SHOP)])).toEqual([
      { name: 'web', verdict: 'fits', pods: '10 of 10', findings: [] },
    ]);
    expect(capacityOf([deployment('web', 9)], [deployment('web', 14)])).toEqual([{ name: 'web', findings: [] }]);
  });

  test('reports nothing for an object that is scaled down or unchanged', () => {
    const full = quota({ pods: 10 }, SHOP);
    expect(capacityOf([deployment('web', 9), full], [deployment('web', 5), full])).toEqual([{ name: 'web', findings: [] }]);
    expect(capacityOf([deployment('web', 12), full], [deployment('web', 12), full])).toEqual([{ name: 'web', findings: [] }]);
  });

  test('uses the status of a live quota for pods that are not in the input, and counts the pods before the apply as its own', () => {
    const live = quota({ pods: 10 }, { ...SHOP, status: { hard: { pods: '10' }, used: { pods: '9' } } });
    expect(capacityOf([deployment('web', 5)], [deployment('web', 8), live])).toMatchObject([{ verdict: 'deadlocks', pods: '6 of 8' }]);
  });

  test('evaluates a live workload by the pods that exist', () => {
    const spec = { replicas: 9 };
    const live = {
      ...deployment('web', 9),
      metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '1', generation: 1 },
      status: { observedGeneration: 1, replicas: 9, updatedReplicas: 9, readyReplicas: 9, availableReplicas: 9 },
    };
    expect(capacityOf([live], [deployment('web', 14), quota({ pods: spec.replicas }, SHOP)])).toMatchObject([{ pods: '9 of 14' }]);
  });

  test.each<[string, object, object, string]>([
    ['count/pods', { 'count/pods': 6 }, {}, '6 of 8'],
    ['CPU', { 'requests.cpu': 3 }, {}, '6 of 8'],
    ['memory limits', { 'limits.memory': '7Gi' }, {}, '7 of 8'],
    [
      'pods of its priority class',
      { pods: 6 },
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] } },
      '6 of 8',
    ],
    ['pods that are not best effort', { pods: 6 }, { scopes: ['NotBestEffort'] }, '6 of 8'],
    [
      'pods of another priority class',
      { pods: 6 },
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['low'] }] } },
      'not limited',
    ],
    ['pods that are best effort', { pods: 6 }, { scopes: ['BestEffort'] }, 'not limited'],
    ['ReplicaSets, since a scale creates none', { 'count/replicasets.apps': 1 }, {}, 'not limited'],
  ])('is evaluated against quotas on %s as the server counts them', (_what, hard, spec, pods) => {
    const web = (replicas: number) =>
      deployment('web', replicas, {
        resources: { requests: { cpu: '500m' }, limits: { memory: '1Gi' } },
        pod: { priorityClassName: 'high' },
      });
    const [rollout] = capacityOf([web(5)], [web(8), quota(hard, { ...SHOP, spec })]);
    expect(rollout?.pods ?? 'not limited').toBe(pods);
  });

  test('reports which requests its containers lack if the quota refuses each pod because of that', () => {
    const [rollout] = capacityOf([deployment('web', 5)], [deployment('web', 8), quota({ 'requests.cpu': 6 }, SHOP)]);
    expect(rollout).toMatchObject({ pods: '5 of 8', findings: [{ messageId: 'addedRejected', data: { pods: 8, running: 5 } }] });
  });

  test.each<[string, object]>([
    ['a paused Deployment', { paused: true }],
    ['a Recreate strategy', { strategy: { type: 'Recreate' } }],
  ])('is evaluated the same for %s, whose pods are only added', (_what, spec) => {
    expect(capacityOf([deployment('web', 5, { spec })], [deployment('web', 8, { spec }), quota({ pods: 6 }, SHOP)])).toMatchObject([
      { pods: '6 of 8', findings: [{ messageId: 'added' }] },
    ]);
  });

  test.each<[string, object]>([
    ['OnDelete', { updateStrategy: { type: 'OnDelete' } }],
    ['a partition above every ordinal', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 9 } } }],
  ])('is evaluated the same under %s, while the new template waits', (_what, spec) => {
    const [old, next] = [statefulSet('db', 4, { spec }), statefulSet('db', 8, { spec, image: 'app:2' })];
    expect(capacityOf([old], [next, quota({ pods: 5 }, SHOP)])).toMatchObject([{ pods: '5 of 8', findings: [{ messageId: 'added' }] }]);
  });
});

describe('a scale onto full nodes or used-up accelerators', () => {
  const gpuPods = (replicas: number) => deployment('llm', replicas, { resources: ONE_GPU });
  const pool = (more: object = {}) => ({ nodePools: [{ name: 'a100', count: 2, allocatable: { [GPU]: 2, cpu: 8 }, ...more }] });

  test('leaves pods Pending that exceed the total capacity, or the free capacity next to the running pods', () => {
    const lacking = (available: string) => ({ kind: 'capacity', limit: 'capacity', resource: GPU, needed: '6', available });
    const data = { pods: 6, running: 2, isRejected: false, startsInOrder: false };
    expect(capacityOf([gpuPods(2)], [gpuPods(6)], { capacity: { total: { [GPU]: 4 } } })).toMatchObject([
      { pods: '4 of 6', findings: [{ data: { ...data, podsThatFit: 4, shortage: lacking('4') } }] },
    ]);
    expect(capacityOf([gpuPods(2)], [gpuPods(6)], { capacity: { free: { [GPU]: 1 } } })).toMatchObject([
      { pods: '3 of 6', findings: [{ data: { ...data, podsThatFit: 3, shortage: lacking('3') } }] },
    ]);
  });

  test('reports how many more nodes let all pods fit', () => {
    expect(capacityOf([gpuPods(2)], [gpuPods(6)], { capacity: pool() })).toMatchObject([
      { pods: '4 of 6', findings: [{ data: { shortage: { kind: 'one-node', resource: GPU }, moreNodes: { pool: 'a100', nodes: 1 } } }] },
    ]);
  });

  test.each<[string, object, object, object, string]>([
    ['labels', { nodeSelector: { disk: 'ssd' } }, { labels: { disk: 'hdd' } }, { kind: 'labels', needed: 'disk=ssd' }, '1 of 2'],
    ['taints', {}, { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }, { kind: 'taints', needed: 'gpu:NoSchedule' }, '1 of 2'],
    ['host ports', { hostNetwork: true }, {}, { kind: 'own-nodes' }, '2 of 4'],
  ])('reports the %s that keep pods off nodes', (_what, pod, nodes, shortage, pods) => {
    const [running, wanted] = pods === '2 of 4' ? [1, 4] : [1, 2];
    const ports = { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 80, hostPort: 80 }] }] };
    const web = (replicas: number) => deployment('web', replicas, { pod: 'hostNetwork' in pod ? { ...pod, ...ports } : pod });
    expect(capacityOf([web(running)], [web(wanted)], { capacity: pool(nodes) })).toMatchObject([
      { pods, findings: [{ data: { shortage } }] },
    ]);
  });

  test('suggests what to write if no node accepts the pods', () => {
    const web = (replicas: number) => deployment('web', replicas, { pod: { nodeSelector: { disk: 'ssd' } } });
    const [rollout] = planned([web(1)], [web(2)], { capacity: pool({ labels: { disk: 'hdd' } }) }).rollouts;
    expect(rollout!.findings.map(({ help }) => help)).toEqual([
      'Use labels that nodes have in nodeSelector and node affinity (a pool in a capacity file only has the labels that it lists).',
    ]);
  });
});

describe('several workloads that scale in one apply', () => {
  const full = quota({ pods: 14 }, SHOP);

  test('into the last capacity report the range in which each one ends up, and their rivals', () => {
    const [old, next] = [5, 8].map((replicas) => [deployment('a', replicas), deployment('b', replicas), full]);
    const finding = (rival: string) => ({
      severity: 'error',
      messageId: 'added',
      path: 'spec.replicas',
      data: {
        pods: 8,
        running: 5,
        podsThatFit: 6,
        mostPodsThatFit: 8,
        rivals: { names: [`Deployment shop/${rival}`] },
        shortage: quotaShortage('pods', '8', '6'),
        isRejected: true,
        startsInOrder: false,
      },
    });
    expect(capacityOf(old!, next!)).toEqual([
      { name: 'a', verdict: 'deadlocks', pods: '6 of 8', findings: [finding('b')] },
      { name: 'b', verdict: 'deadlocks', pods: '6 of 8', findings: [finding('a')] },
    ]);
  });

  test('with one of them scaled down report that the other may have to wait for its pods', () => {
    const old = [deployment('a', 8), deployment('b', 5), full];
    const next = [deployment('a', 5), deployment('b', 8), full];
    expect(capacityOf(old, next)).toEqual([
      { name: 'a', findings: [] },
      {
        name: 'b',
        verdict: 'slower',
        pods: '6 of 8',
        findings: [
          {
            severity: 'info',
            messageId: 'addedLater',
            path: 'spec.replicas',
            data: {
              pods: 8,
              running: 5,
              podsThatFit: 6,
              shrinkingWorkloads: { names: ['Deployment shop/a'] },
              shortage: quotaShortage('pods', '8', '6'),
              isRejected: true,
            },
          },
        ],
      },
    ]);
  });

  test('onto the same nodes are evaluated the same way', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 4, allocatable: { [GPU]: 1 } }] };
    const model = (name: string, replicas: number) => deployment(name, replicas, { resources: ONE_GPU });
    expect(capacityOf([model('a', 1), model('b', 1)], [model('a', 3), model('b', 3)], { capacity })).toMatchObject([
      { pods: '1 of 3', findings: [{ data: { podsThatFit: 1, mostPodsThatFit: 3, rivals: { names: ['Deployment shop/b'] } } }] },
      { pods: '1 of 3', findings: [{ data: { podsThatFit: 1, mostPodsThatFit: 3, rivals: { names: ['Deployment shop/a'] } } }] },
    ]);
    expect(capacityOf([model('a', 3), model('b', 1)], [model('a', 1), model('b', 3)], { capacity })).toMatchObject([
      { findings: [] },
      {
        verdict: 'slower',
        pods: '1 of 3',
        findings: [{ severity: 'info', data: { shrinkingWorkloads: { names: ['Deployment shop/a'] } } }],
      },
    ]);
  });
});

describe('a new object', () => {
  test('reports its first pods, and how many of them fit', () => {
    const plan = planned([deployment('web', 5)], [deployment('web', 5), statefulSet('db', 4), quota({ pods: 7 }, SHOP)]);
    expect(plan.change.objects.map(({ resource, effect, pods }) => [resource.kind, effect, pods])).toEqual([
      ['Deployment', 'none', { before: 5, after: 5 }],
      ['StatefulSet', 'create', { before: 0, after: 4 }],
      ['ResourceQuota', 'create', undefined],
    ]);
    expect(plan.change.summary).toMatchObject({ podsAdded: 2, peakExtraPods: 2 });
    expect(plan.rollouts.map(({ capacity }) => capacity && `${capacity.podsThatFit} of ${capacity.peakPods}`)).toEqual([
      undefined,
      '2 of 4',
    ]);
    expect(plan.rollouts[1]!.findings.map(({ messageId, data }) => [messageId, data.running, data.startsInOrder])).toEqual([
      ['added', 0, true],
    ]);
  });

  test('reports the pods of groups and of objects without a rollout', () => {
    const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x:1' }] } };
    const metadata = { name: 'x', namespace: 'shop' };
    const set = {
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata,
      spec: { replicas: 2, leaderWorkerTemplate: { size: 4, workerTemplate: template } },
    };
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: { parallelism: 3, completions: 9, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } },
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec };
    expect(planned([], [set, job, pod]).change.objects.map(({ resource, pods }) => [resource.kind, pods?.after])).toEqual([
      ['LeaderWorkerSet', 8],
      ['Job', 3],
      ['Pod', 1],
    ]);
  });
});

describe('groups and clusters that grow', () => {
  const container = { name: 'x', image: 'x:1', resources: ONE_GPU };

  test('LeaderWorkerSets report how many complete groups fit', () => {
    const set = (replicas: number) => ({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'llm', namespace: 'shop' },
      spec: { replicas, leaderWorkerTemplate: { size: 4, workerTemplate: { spec: { containers: [container] } } } },
    });
    expect(capacityOf([set(2)], [set(6), quota({ pods: 12 }, SHOP)])).toMatchObject([
      { pods: '12 of 24', findings: [{ messageId: 'addedGroups', data: { groups: 6, groupsThatFit: 3, running: 8 } }] },
    ]);
  });

  test('a RayService that gets a worker group counts its pods', () => {
    const service = (groups: readonly number[]) => ({
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'llm', namespace: 'shop' },
      spec: {
        rayClusterConfig: {
          rayVersion: '2.52.0',
          headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'head', image: 'ray:1' }] } } },
          workerGroupSpecs: groups.map((replicas, index) => ({
            groupName: `group-${index}`,
            replicas,
            minReplicas: replicas,
            maxReplicas: replicas,
            rayStartParams: {},
            template: { spec: { containers: [container] } },
          })),
        },
      },
    });
    const plan = planned([service([2])], [service([2, 3]), quota({ pods: 4 }, SHOP)]);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'scale', pods: { before: 3, after: 6 } });
    expect(plan.rollouts[0]!.findings).toMatchObject([{ messageId: 'added', data: { pods: 6, running: 3, podsThatFit: 4 } }]);
  });

  test('the minimum replicas of an InferenceService are evaluated like those of the Deployment that KServe creates', () => {
    const service = (minReplicas: number) => ({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'iris', namespace: 'shop', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
      spec: { predictor: { minReplicas, maxReplicas: 9, containers: [{ ...container, name: 'kserve-container' }] } },
    });
    expect(capacityOf([service(2)], [service(5), quota({ pods: 4 }, SHOP)])).toMatchObject([
      { pods: '4 of 5', findings: [{ messageId: 'added', data: { running: 2 } }] },
    ]);
  });
});

describe('a scale that rolls as well', () => {
  test('of a StatefulSet replaces no pod, since the missing pods are created first and do not fit', () => {
    const [rollout] = planned([statefulSet('db', 4)], [statefulSet('db', 8, { image: 'app:2' }), quota({ pods: 5 }, SHOP)]).rollouts;
    expect(rollout!.simulation).toMatchObject({ order: [], batches: [], untouched: [0, 1, 2, 3], minAvailable: 4, halted: { wave: 1 } });
    expect(rollout!.capacity).toMatchObject({ verdict: 'deadlocks', peakPods: 8, podsThatFit: 5 });
  });

  test('of a Deployment counts the pods before the apply as its own if a quota has a used amount', () => {
    const live = quota({ pods: 12 }, { ...SHOP, status: { hard: { pods: '12' }, used: { pods: '9' } } });
    expect(capacityOf([deployment('web', 5)], [deployment('web', 9, { image: 'app:2' }), live])).toMatchObject([
      { verdict: 'deadlocks', pods: '8 of 12' },
    ]);
  });
});

describe('pods without a rollout', () => {
  const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'x', image: 'x:1' }] } };
  const metadata = { name: 'x', namespace: 'shop' };
  const job = (spec: object) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata,
    spec: { completions: 20, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } }, ...spec },
  });
  const replicaSet = (replicas: number) => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata,
    spec: { replicas, selector: { matchLabels: { app: 'x' } }, template },
  });
  const describeChange = (old: readonly object[], next: readonly object[]) => {
    const plan = planned(old, next);
    return {
      effect: plan.change.objects[0]!.effect,
      pods: plan.change.objects[0]!.pods,
      added: plan.change.summary.podsAdded,
      findings: plan.findings
        .filter(({ code }) => code === 'kubernetes/insufficient-capacity')
        .map(({ severity, path, data }) => [severity, path, data.object, data.running, data.podsThatFit]),
    };
  };

  test('are evaluated too: those of a bare ReplicaSet permanently, those of a Job until they end and free capacity', () => {
    expect(describeChange([replicaSet(2)], [replicaSet(8), quota({ pods: 4 }, SHOP)])).toEqual({
      effect: 'scale',
      pods: { before: 2, after: 8 },
      added: 2,
      findings: [['error', 'spec.replicas', 'ReplicaSet shop/x', 2, 4]],
    });
    expect(describeChange([job({ parallelism: 2 })], [job({ parallelism: 8 }), quota({ pods: 4 }, SHOP)])).toEqual({
      effect: 'unknown',
      pods: undefined,
      added: 0,
      findings: [['info', 'spec.parallelism', 'Job shop/x', 2, 4]],
    });
    expect(describeChange([], [job({ parallelism: 3 }), quota({ pods: 0 }, SHOP)])).toMatchObject({
      effect: 'create',
      findings: [['error', 'spec.parallelism', 'Job shop/x', 0, 0]],
    });
  });

  test('are not reported if they do not change', () => {
    expect(describeChange([replicaSet(8), quota({ pods: 4 }, SHOP)], [replicaSet(8), quota({ pods: 4 }, SHOP)])).toEqual({
      effect: 'none',
      pods: undefined,
      added: 0,
      findings: [],
    });
  });

  test('and pods of a rollout that compete for capacity name each other', () => {
    const plan = planned([deployment('web', 2)], [deployment('web', 4), job({ parallelism: 8 }), quota({ pods: 10 }, SHOP)]);
    expect(plan.rollouts[0]!.findings).toMatchObject([{ data: { podsThatFit: 2, mostPodsThatFit: 4, rivals: { names: ['Job shop/x'] } } }]);
    expect(plan.findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity')).toMatchObject([
      { data: { podsThatFit: 6, mostPodsThatFit: 8, rivals: { names: ['Deployment shop/web'] } } },
    ]);
  });
});

test('a new object whose number of pods is not known has no pods field', () => {
  const bundle = {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'web', namespace: 'fleet-default' },
    spec: {},
  };
  const { change } = planned([], [bundle]);
  expect(change.objects).toMatchObject([{ effect: 'create' }]);
  expect(change.objects[0]).not.toHaveProperty('pods');
});

describe('a quota that the apply changes', () => {
  const lowered = (old: readonly object[], next: readonly object[]) =>
    planned(old, next)
      .findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity')
      .map(({ severity, messageId, path, data }) => ({ severity, messageId, path, data }));
  const web = deployment('web', 8);

  test('below the current use keeps those pods, and reports that replacements are refused', () => {
    const finding = {
      severity: 'warning',
      messageId: 'lowered',
      path: 'spec.hard[pods]',
      data: { quota: 'ResourceQuota "compute"', resource: 'pods', allowed: '5', used: '8' },
    };
    expect(lowered([web, quota({ pods: 10 }, SHOP)], [web, quota({ pods: 5 }, SHOP)])).toEqual([finding]);
    expect(lowered([web], [web, quota({ pods: 5 }, SHOP)])).toEqual([finding]);
  });

  test('is reported at the position of its limit', () => {
    const locate = (object: object, path: string) => ({ file: `${(object as Manifest).kind}.yaml`, line: path.length });
    const [old, next] = [10, 5].map((pods) => ({ objects: [web, quota({ pods }, SHOP)] as Manifest[], locate }));
    const { findings } = planChangedInput(old!, next!);
    expect(findings.filter(({ messageId }) => messageId === 'lowered').map(({ source }) => source)).toEqual([
      { file: 'ResourceQuota.yaml', line: 'spec.hard[pods]'.length },
    ]);
  });

  test('is not reported if it was already exceeded, is raised, or the same apply removes pods', () => {
    expect(lowered([web, quota({ pods: 5 }, SHOP)], [web, quota({ pods: 5 }, SHOP)])).toEqual([]);
    expect(lowered([web, quota({ pods: 5 }, SHOP)], [web, quota({ pods: 6 }, SHOP)])).toEqual([]);
    expect(lowered([web, quota({ pods: 10 }, SHOP)], [deployment('web', 4), quota({ pods: 5 }, SHOP)])).toEqual([]);
  });

  test('raised in the apply that adds the pods is evaluated with its new limit', () => {
    expect(capacityOf([web, quota({ pods: 8 }, SHOP)], [deployment('web', 12), quota({ pods: 12 }, SHOP)])).toMatchObject([
      { verdict: 'fits', findings: [] },
    ]);
  });

  test('on ReplicaSets refuses that of a new Deployment', () => {
    const one = quota({ 'count/replicasets.apps': 1 }, SHOP);
    expect(capacityOf([web, one], [web, deployment('api', 2), one])).toMatchObject([
      { findings: [] },
      {
        pods: '0 of 2',
        findings: [{ messageId: 'addedRejected', data: { running: 0, rejection: { kind: 'replica-sets', used: '1', hard: '1' } } }],
      },
    ]);
    const two = quota({ 'count/replicasets.apps': 2 }, SHOP);
    // Both fit now, but the next rollout of either one needs a third ReplicaSet.
    const refusedLater = { messageId: 'rejected', data: { appliesTo: 'next-rollout', rejection: { needed: '3', hard: '2' } } };
    expect(capacityOf([web, two], [web, deployment('api', 2), two])).toMatchObject([
      { findings: [refusedLater] },
      { findings: [refusedLater] },
    ]);
  });
});

describe('an autoscaler whose maximum is raised', () => {
  const metrics = [{ type: 'Pods', pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '10' } } }];
  const hpa = (minReplicas: number, maxReplicas: number) => autoscaler({ minReplicas, maxReplicas, metrics }, SHOP);
  const { replicas: _, ...spec } = deployment('web', 1).spec;
  const web = { ...deployment('web', 1), spec };
  const of = (old: object, next: object) =>
    capacityOf([web, old, quota({ pods: 10 }, SHOP)], [web, next, quota({ pods: 10 }, SHOP)])[0]!.findings;

  test('above the capacity is an info, and its minimum is a scale', () => {
    expect(of(hpa(2, 5), hpa(2, 20))).toMatchObject([
      {
        severity: 'info',
        messageId: 'raisedMaximum',
        data: { autoscaler: 'HorizontalPodAutoscaler "web"', maximum: 20, podsThatFit: 10, shortage: quotaShortage('pods', '20', '10') },
      },
    ]);
    expect(of(hpa(2, 20), hpa(12, 20))).toMatchObject([{ severity: 'error', messageId: 'added', data: { pods: 12, running: 2 } }]);
  });

  test('is not reported if all pods fit, or its maximum is not raised', () => {
    expect(of(hpa(2, 5), hpa(2, 10))).toEqual([]);
    expect(of(hpa(2, 20), hpa(2, 20))).toEqual([]);
    expect(of(hpa(2, 20), hpa(2, 15))).toEqual([]);
    const raised = planned([web, hpa(2, 5), quota({ pods: 10 }, SHOP)], [web, hpa(2, 10), quota({ pods: 10 }, SHOP)]);
    expect(raised.findings).toEqual([]);
  });
});

test('a plan of a paused workload also reports how many of its pods fit', () => {
  const paused = deployment('web', 14, { spec: { paused: true } });
  const { rollouts } = planManifests([paused, quota({ pods: 10 }, SHOP)]);
  expect(rollouts[0]).toMatchObject({ simulation: null, capacity: { verdict: 'deadlocks', podsThatFit: 10 } });
  expect(rollouts[0]!.findings.map(({ code, messageId }) => [code, messageId])).toContainEqual([
    'kubernetes/insufficient-capacity',
    'added',
  ]);
});

test('a plan of a paused workload counts its pods on the nodes once', () => {
  const capacityOn = (count: number) =>
    planManifests([deployment('llm', 4, { resources: ONE_GPU, spec: { paused: true } })], {
      capacity: { nodePools: [{ name: 'a100', count, allocatable: { [GPU]: 1 } }] },
    }).rollouts[0]!.capacity;
  expect(capacityOn(4)).toMatchObject({ verdict: 'fits', podsThatFit: 4 });
  expect(capacityOn(3)).toMatchObject({ verdict: 'deadlocks', podsThatFit: 3, moreNodes: { pool: 'a100', nodes: 1 } });
});

test('of many workloads that compete for capacity each one names three rivals and counts the others', () => {
  const of = (replicas: number) => Array.from({ length: 150 }, (_, index) => deployment(`web-${index}`, replicas, { resources: ONE_GPU }));
  const first = { names: ['Deployment shop/web-1', 'Deployment shop/web-10', 'Deployment shop/web-100'], omitted: 146 };
  const [byQuota] = planned(of(1), [...of(2), quota({ pods: 200 }, SHOP)]).rollouts;
  expect(byQuota!.findings).toMatchObject([{ data: { podsThatFit: 1, mostPodsThatFit: 2, rivals: first } }]);
  // With so many rivals, only the order of placement decides which pods get a node.
  const nodes = { nodePools: [{ name: 'a100', count: 200, allocatable: { [GPU]: 1 } }] };
  const onNodes = planned(of(1), of(2), { capacity: nodes }).rollouts.map(({ capacity }) => capacity!.podsThatFit);
  expect(onNodes.reduce((sum, pods) => sum + pods, 0)).toBe(200);
});

test('the line of an object reports how many of its pods fit', () => {
  const full = quota({ pods: 14 }, SHOP);
  const lines = (old: readonly object[], next: readonly object[]) =>
    renderPlanText(planned(old, next), { details: 'none' })
      .split('\n')
      .filter((line) => /^[~+] (scale|create) +Deployment/.test(line));
  expect(lines([deployment('a', 9)], [deployment('a', 20), full])).toEqual([
    '~ scale    Deployment shop/a            9 -> 20 pods, nothing is replaced   only 14 of 20 pods fit',
  ]);
  expect(lines([], [deployment('a', 20), full])).toEqual(['+ create   Deployment shop/a            20 pods   only 14 of 20 pods fit']);
  expect(lines([deployment('a', 5), deployment('b', 5)], [deployment('a', 8), deployment('b', 8), full])).toEqual([
    '~ scale    Deployment shop/a            5 -> 8 pods, nothing is replaced   6 to 8 of 8 pods fit',
    '~ scale    Deployment shop/b            5 -> 8 pods, nothing is replaced   6 to 8 of 8 pods fit',
  ]);
  expect(lines([deployment('a', 8), deployment('b', 5), full], [deployment('a', 5), deployment('b', 8), full])[1]).toBe(
    '~ scale   Deployment shop/b   5 -> 8 pods, nothing is replaced   only 6 of 8 pods fit at first',
  );
});

describe('the totals of a change whose objects compete for the last capacity', () => {
  const figures = (old: readonly object[], next: readonly object[], options?: ChangeOptions) => {
    const { podsAdded, peakExtraPods } = planned(old, next, options).change.summary;
    return { podsAdded, peakExtraPods };
  };
  const five = [deployment('a', 5), deployment('b', 5)];
  const eight = [deployment('a', 8), deployment('b', 8)];

  test('count no capacity twice, whichever object gets it', () => {
    expect(figures(five, [...eight, quota({ pods: 14 }, SHOP)])).toEqual({ podsAdded: 4, peakExtraPods: 4 });
    expect(figures([], [...eight, quota({ pods: 14 }, SHOP)])).toEqual({ podsAdded: 14, peakExtraPods: 14 });
    expect(figures(five, [deployment('a', 8, { image: 'app:2' }), deployment('b', 8), quota({ pods: 14 }, SHOP)])).toEqual({
      podsAdded: 4,
      peakExtraPods: 4,
    });
  });

  test('count no node twice', () => {
    const onGpus = (replicas: number) => ['a', 'b'].map((name) => deployment(name, replicas, { resources: ONE_GPU }));
    const capacity = { nodePools: [{ name: 'a100', count: 14, allocatable: { [GPU]: 1 } }] };
    expect(figures(onGpus(5), onGpus(8), { capacity })).toEqual({ podsAdded: 4, peakExtraPods: 4 });
  });

  test('count the larger number of pods if they request different amounts', () => {
    const asking = (name: string, replicas: number, cpu: number) => deployment(name, replicas, { resources: { requests: { cpu } } });
    const hard = quota({ 'requests.cpu': 8 }, SHOP);
    expect(figures([], [asking('large', 2, 4), asking('small', 5, 1), hard])).toEqual({ podsAdded: 5, peakExtraPods: 5 });
    expect(figures([], [asking('large', 2, 4), asking('small', 3, 1), hard])).toEqual({ podsAdded: 4, peakExtraPods: 4 });
  });

  test('do not count pods twice that replace those of other objects', () => {
    const old = [deployment('a', 8), deployment('b', 5), quota({ pods: 14 }, SHOP)];
    const next = [deployment('a', 5), deployment('b', 8), quota({ pods: 14 }, SHOP)];
    expect(figures(old, next)).toEqual({ podsAdded: 3, peakExtraPods: 1 });
  });

  test('are limited by the quota of each namespace', () => {
    const elsewhere = (object: object) => ({ ...object, metadata: { ...(object as { metadata: object }).metadata, namespace: 'other' } });
    const old = [...five, ...five.map(elsewhere)];
    const next = [...eight, ...eight.map(elsewhere), quota({ pods: 14 }, SHOP), elsewhere(quota({ pods: 11 }, SHOP))];
    expect(figures(old, next)).toEqual({ podsAdded: 5, peakExtraPods: 5 });
  });
});

describe('the totals of a change', () => {
  const figures = (old: readonly object[], next: readonly object[]) => {
    const { podsReplaced, podsAdded, podsRemoved } = planned(old, next).change.summary;
    return { podsReplaced, podsAdded, podsRemoved };
  };

  test('do not count added pods that do not fit', () => {
    expect(figures([deployment('web', 4), quota({ pods: 6 }, SHOP)], [deployment('web', 8), quota({ pods: 6 }, SHOP)])).toEqual({
      podsReplaced: 0,
      podsAdded: 2,
      podsRemoved: 0,
    });
    expect(figures([quota({ pods: 6 }, SHOP)], [deployment('web', 8), quota({ pods: 6 }, SHOP)])).toMatchObject({ podsAdded: 6 });
  });

  test.each(['Deployment', 'StatefulSet'])('for a %s that also gets another template: a pod that never existed is not replaced', (kind) => {
    const old = [podsOf(kind, 'web', 4), quota({ pods: 6 }, SHOP)];
    const next = [podsOf(kind, 'web', 8, { image: 'app:2' }), quota({ pods: 6 }, SHOP)];
    expect(figures(old, next)).toEqual({ podsReplaced: 0, podsAdded: 2, podsRemoved: 0 });
  });

  test('count added and removed pods if there is capacity', () => {
    const old = [deployment('web', 4), deployment('shop', 4), quota({ pods: 30 }, SHOP)];
    const next = [deployment('web', 8, { image: 'app:2' }), deployment('shop', 1), quota({ pods: 30 }, SHOP)];
    expect(figures(old, next)).toEqual({ podsReplaced: 8, podsAdded: 4, podsRemoved: 3 });
  });
});
