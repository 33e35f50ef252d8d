import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { factsOf } from '../../facts';
import { deployment, findingsOf, rolloutOf, statefulSet, template } from '../../workloads/plan';

function quota(hard: object, more: object = {}) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'compute' }, spec: { hard }, ...more };
}

function web(resources?: object, podSpec: object = {}) {
  const { spec } = template({ name: 'web', ...(resources && { resources }) }) as { spec: object };
  return deployment({ replicas: 3, template: { spec: { ...spec, ...podSpec } } });
}

const PLENTY = { 'limits.cpu': 1000 };

/** Why pods are refused, and at which wave or batch the rollout stands still. */
function refusals(objects: readonly object[], kubernetes?: string) {
  const findings = findingsOf(objects, 'kubernetes/insufficient-capacity', kubernetes === undefined ? {} : { versions: { kubernetes } });
  return findings.map(({ path, messageId, data }) => ({ path, messageId, ...data }));
}

/** What a quota refuses for the containers of one pod that do not name a resource. */
function unnamed(resource: string, container = 'web') {
  return {
    kind: 'unnamed',
    quota: 'compute',
    unnamed: [{ resource, containers: [container] }],
    fields: [`resources.${resource.includes('.') ? resource : `requests.${resource}`}`],
    containers: [container],
    field: ['containers', 0, 'resources'],
  };
}

describe('a quota on CPU or memory wants every container to name it', () => {
  test('with limits.cpu in the quota and none in the container, no new pod is ever let in', () => {
    const { capacity, findings } = rolloutOf([web({ requests: { cpu: 1 } }), quota(PLENTY)]);
    expect(capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 0,
      shortage: {
        kind: 'quota',
        limit: 'ResourceQuota "compute"',
        resource: 'pods',
        needed: '4',
        available: '0',
        refusal: 'ResourceQuota "compute" refuses every new pod (must specify limits.cpu for: web)',
      },
      message: 'Deadlocks at wave 1: ResourceQuota "compute" refuses every new pod (must specify limits.cpu for: web).',
    });
    expect(factsOf(findings.filter(({ severity }) => severity === 'error'))).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'rejected',
        path: 'spec.template.spec.containers[0].resources',
        data: { rejection: unnamed('limits.cpu'), unit: 'wave', deadlockWave: 1 },
      },
    ]);
  });

  test('what the help says ends it: the limit, or the LimitRange', () => {
    const spec = { limits: [{ type: 'Container', default: { cpu: 2 } }] };
    const limitRange = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults' }, spec };
    expect(rolloutOf([web({ limits: { cpu: 1 } }), quota(PLENTY)]).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([web(), quota(PLENTY), limitRange]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test.each([
    ['cpu', {}, 'cpu'],
    ['requests.memory', { requests: { cpu: 1 } }, 'requests.memory'],
    ['limits.memory', { requests: { memory: '1Gi' } }, 'limits.memory'],
  ])('a quota on %s refuses a container with %j', (resource, resources, missing) => {
    expect(refusals([web(resources), quota({ [resource]: 1000 })])).toMatchObject([{ messageId: 'refused', refusal: unnamed(missing) }]);
  });

  test.each([
    ['requests.cpu', { requests: { cpu: 0 } }], // a request of 0 is one
    ['requests.cpu', { limits: { cpu: 1 } }], // a limit is a request too
    ['requests.ephemeral-storage', {}], // CPU and memory alone have to be named
    ['requests.nvidia.com/gpu', {}],
    ['pods', {}],
  ])('a quota on %s takes a container with %j', (resource, resources) => {
    expect(refusals([web(resources), quota({ [resource]: 1000 })])).toEqual([]);
  });

  test('it wants it of init containers and sidecars as well, and says all that is lacking at once', () => {
    const named = { limits: { cpu: 1, memory: '1Gi' } };
    const podSpec = { initContainers: [{ name: 'init' }, { name: 'proxy', restartPolicy: 'Always', resources: { limits: { cpu: 1 } } }] };
    expect(refusals([web(named, podSpec), quota({ 'limits.memory': '1Ti', 'requests.cpu': 1000 })])).toMatchObject([
      {
        path: 'spec.template.spec.initContainers[0].resources',
        refusal: {
          kind: 'unnamed',
          quota: 'compute',
          unnamed: [
            { resource: 'limits.memory', containers: ['init', 'proxy'] },
            { resource: 'requests.cpu', containers: ['init'] },
          ],
          fields: ['resources.limits.memory', 'resources.requests.cpu'],
          containers: ['init', 'proxy'],
        },
      },
    ]);
  });

  test('resources of the pod itself make up for it, from 1.34 on; before, the server drops them', () => {
    const objects = [web(undefined, { resources: { requests: { memory: '1Gi' } } }), quota(PLENTY)];
    expect(refusals(objects, '1.34')).toEqual([]);
    expect(refusals(objects, '1.33')).toMatchObject([{ refusal: unnamed('limits.cpu') }]);
  });

  test('a quota whose scopes do not cover the pods, or of another namespace, wants nothing', () => {
    expect(refusals([web(), { ...quota(PLENTY), spec: { hard: PLENTY, scopes: ['Terminating'] } }])).toEqual([]);
    expect(refusals([web(), { ...quota(PLENTY), metadata: { name: 'compute', namespace: 'shop' } }])).toEqual([]);
  });

  test('whatever quotas stand before it: on something else, on other pods, and with the same demand', () => {
    const named = (name: string, hard: object, more: object = {}) => ({ ...quota(hard), metadata: { name }, spec: { hard, ...more } });
    const others = [named('a', { pods: 1000 }), named('b', PLENTY, { scopes: ['Terminating'] })];
    expect(refusals([web(), ...others, quota(PLENTY)])).toMatchObject([{ refusal: unnamed('limits.cpu') }]);
    expect(refusals([web(), ...others, quota(PLENTY), named('later', PLENTY)])).toMatchObject([{ refusal: unnamed('limits.cpu') }]);
    expect(refusals([web(), ...others])).toEqual([]);
  });

  test('a StatefulSet stands still at its first batch, Recreate once its old pods are gone', () => {
    const set = statefulSet({ replicas: 2, template: template() });
    expect(refusals([set, quota(PLENTY)])).toMatchObject([{ messageId: 'refused', unit: 'batch', deadlockWave: 1 }]);
    const recreate = deployment({ replicas: 2, strategy: { type: 'Recreate' }, template: template() });
    expect(refusals([recreate, quota(PLENTY)])).toMatchObject([{ messageId: 'refused', unit: 'wave', deadlockWave: 2 }]);
  });

  test('no replicas ask for nothing, until KEDA starts some', () => {
    const none = deployment({ replicas: 0, template: template() });
    const spec = { scaleTargetRef: { name: 'web' }, maxReplicaCount: 5 };
    const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'queue' }, spec };
    expect(refusals([none, quota(PLENTY)])).toEqual([]);
    const findings = findingsOf([none, quota(PLENTY), scaled], 'kubernetes/insufficient-capacity');
    expect(findings).toMatchObject([
      {
        severity: 'warning',
        messageId: 'maximum',
        path: 'spec.template.spec.containers',
        data: {
          by: 'ScaledObject "queue"',
          maximum: 5,
          shortage: {
            kind: 'quota',
            limit: 'ResourceQuota "compute"',
            resource: 'pods',
            refusal: 'ResourceQuota "compute" refuses every new pod (must specify limits.cpu for: app)',
          },
          unit: 'wave',
          deadlockWave: 1,
          refusal: unnamed('limits.cpu', 'app'),
        },
      },
    ]);
  });

  test('a RayService keeps the cluster that runs', () => {
    const pods = (name: string, limits?: object) => ({ template: { spec: { containers: [{ name, resources: { limits } }] } } });
    const upgrade = (head?: object, worker?: object) => ({
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'llm' },
      spec: {
        upgradeStrategy: {
          type: 'NewClusterWithIncrementalUpgrade',
          clusterUpgradeOptions: { gatewayClassName: 'istio', intervalSeconds: 10, maxSurgePercent: 50, stepSizePercent: 10 },
        },
        rayClusterConfig: {
          enableInTreeAutoscaling: true,
          headGroupSpec: pods('head', head),
          workerGroupSpecs: [{ groupName: 'gpu', replicas: 2, minReplicas: 0, maxReplicas: 2, ...pods('worker', worker) }],
        },
      },
    });
    const limits = { cpu: 1 };
    expect(refusals([upgrade(undefined, limits), quota(PLENTY)])).toEqual([
      {
        path: 'spec.rayClusterConfig',
        messageId: 'clusterRefused',
        refusal: unnamed('limits.cpu', 'head'),
        row: 1,
        capacity: { oldPercent: 100, newPercent: 0 },
      },
    ]);
    expect(refusals([upgrade(limits), quota(PLENTY)])).toMatchObject([
      { messageId: 'clusterRefused', refusal: unnamed('limits.cpu', 'worker'), row: 2 },
    ]);
    expect(refusals([upgrade(limits, limits), quota(PLENTY)])).toEqual([]);
  });

  test('of an InferenceService nothing is said: KServe fills in what its containers leave out', () => {
    const service = {
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'llm' },
      spec: { predictor: { model: { modelFormat: { name: 'onnx' } } } },
    };
    expect(refusals([service, quota(PLENTY)])).toEqual([]);
    const spec = { limits: [{ type: 'Container', max: { cpu: '1m' } }] };
    const limitRange = { apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'tight' }, spec };
    const { rollouts, findings } = planManifests([service, limitRange]);
    expect([rollouts.map(({ capacity }) => capacity), findings.map(({ code }) => code)]).toEqual([
      [undefined],
      ['kserve/no-platform-config'],
    ]);
  });
});

describe('a quota on ReplicaSets needs room for one more than there are', () => {
  const DEPLOYMENTS = [web(), deployment({ replicas: 1, template: template() }, { name: 'other' })];

  test('two Deployments have one each, so that with two neither can roll out', () => {
    const { rollouts } = expectValidPlan(planManifests([...DEPLOYMENTS, quota({ 'count/replicasets.apps': 2 })]));
    expect(rollouts.map(({ capacity }) => capacity?.message)).toEqual([
      'Deadlocks at wave 1: ResourceQuota "compute" refuses the ReplicaSet of the new pods (count/replicasets.apps: 2 of 2 used).',
      'Deadlocks at wave 1: ResourceQuota "compute" refuses the ReplicaSet of the new pods (count/replicasets.apps: 2 of 2 used).',
    ]);
    expect(factsOf(findingsOf([...DEPLOYMENTS, quota({ 'count/replicasets.apps': 2 })], 'kubernetes/insufficient-capacity'))).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'rejected',
        path: 'spec.strategy',
        data: {
          rejection: { kind: 'replica-sets', quota: 'compute', used: '2', hard: '2', needed: '3' },
          unit: 'wave',
          deadlockWave: 1,
        },
      },
    ]);
  });

  test('with three they go one after another, unless the status knows of old ones', () => {
    const three = { 'count/replicasets.apps': 3 };
    expect(refusals([...DEPLOYMENTS, quota(three)])).toEqual([]);
    const full = { status: { used: { 'count/replicasets.apps': 3 } } };
    expect(refusals([...DEPLOYMENTS, quota(three, full)])).toMatchObject([
      { refusal: { kind: 'replica-sets', used: '3', hard: '3', needed: '4' } },
    ]);
  });

  test('a quota with scopes counts none, and a StatefulSet has none', () => {
    const scoped = { ...quota({}), spec: { hard: { 'count/replicasets.apps': 1 }, scopes: ['NotTerminating'] } };
    expect(refusals([web(), scoped])).toEqual([]);
    expect(refusals([statefulSet({ replicas: 2, template: template() }), quota({ 'count/replicasets.apps': 0 })])).toEqual([]);
  });
});
