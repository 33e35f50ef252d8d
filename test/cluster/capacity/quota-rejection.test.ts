import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { factsOf } from '../../facts';
import { deployment, statefulSet } from '../../builders/workload';
import { findingsOf, rolloutOf, template } from '../../workloads/plan';
import { limitRange, quota } from '../../builders/quota';

function web(resources?: object, podSpec: object = {}) {
  const { spec } = template({ name: 'web', ...(resources && { resources }) }) as { spec: object };
  return deployment({ replicas: 3, template: { spec: { ...spec, ...podSpec } } });
}

const PLENTY = { 'limits.cpu': 1000 };

/** Returns why pods are refused, and at which wave or batch the rollout deadlocks. */
function rejectionsOf(objects: readonly object[], kubernetes?: string) {
  const findings = findingsOf(objects, 'kubernetes/insufficient-capacity', kubernetes === undefined ? {} : { versions: { kubernetes } });
  return findings.map(({ path, messageId, data }) => ({ path, messageId, ...data }));
}

/** Builds the rejection by a quota for the containers of one pod that do not set a resource. */
function unsetResource(resource: string, container = 'web') {
  return {
    kind: 'unnamed',
    quota: 'compute',
    unnamed: [{ resource, containers: [container] }],
    fields: [`resources.${resource.includes('.') ? resource : `requests.${resource}`}`],
    containers: [container],
    field: ['containers', 0, 'resources'],
  };
}

describe('a quota on CPU or memory requires every container to set it', () => {
  test('with limits.cpu in the quota and none in the container, every new pod is refused', () => {
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
        data: { rejection: unsetResource('limits.cpu'), unit: 'wave', deadlockWave: 1 },
      },
    ]);
  });

  test('the fixes in the help work: the limit, or the LimitRange', () => {
    const range = limitRange([{ type: 'Container', default: { cpu: 2 } }]);
    expect(rolloutOf([web({ limits: { cpu: 1 } }), quota(PLENTY)]).capacity).toMatchObject({ verdict: 'fits' });
    expect(rolloutOf([web(), quota(PLENTY), range]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test.each([
    ['cpu', {}, 'cpu'],
    ['requests.memory', { requests: { cpu: 1 } }, 'requests.memory'],
    ['limits.memory', { requests: { memory: '1Gi' } }, 'limits.memory'],
  ])('a quota on %s refuses a container with %j', (resource, resources, missing) => {
    expect(rejectionsOf([web(resources), quota({ [resource]: 1000 })])).toMatchObject([
      { messageId: 'rejected', rejection: unsetResource(missing) },
    ]);
  });

  test.each([
    ['requests.cpu', { requests: { cpu: 0 } }], // a request of 0 counts
    ['requests.cpu', { limits: { cpu: 1 } }], // a limit counts as a request
    ['requests.ephemeral-storage', {}], // only CPU and memory must be set
    ['requests.nvidia.com/gpu', {}],
    ['pods', {}],
  ])('a quota on %s accepts a container with %j', (resource, resources) => {
    expect(rejectionsOf([web(resources), quota({ [resource]: 1000 })])).toEqual([]);
  });

  test('init containers and sidecars must set it as well, and everything missing is reported at once', () => {
    const resources = { limits: { cpu: 1, memory: '1Gi' } };
    const podSpec = { initContainers: [{ name: 'init' }, { name: 'proxy', restartPolicy: 'Always', resources: { limits: { cpu: 1 } } }] };
    expect(rejectionsOf([web(resources, podSpec), quota({ 'limits.memory': '1Ti', 'requests.cpu': 1000 })])).toMatchObject([
      {
        path: 'spec.template.spec.initContainers[0].resources',
        rejection: {
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

  test('pod-level resources count instead from 1.34 on, and the API server drops them before', () => {
    const objects = [web(undefined, { resources: { requests: { memory: '1Gi' } } }), quota(PLENTY)];
    expect(rejectionsOf(objects, '1.34')).toEqual([]);
    expect(rejectionsOf(objects, '1.33')).toMatchObject([{ rejection: unsetResource('limits.cpu') }]);
  });

  test('a quota with scopes that do not match the pods, or in another namespace, requires nothing', () => {
    expect(rejectionsOf([web(), quota(PLENTY, { spec: { scopes: ['Terminating'] } })])).toEqual([]);
    expect(rejectionsOf([web(), quota(PLENTY, { namespace: 'shop' })])).toEqual([]);
  });

  test('other quotas before it do not matter: for other resources, for other pods, or with the same requirement', () => {
    const named = (name: string, hard: object, spec: object = {}) => quota(hard, { name, spec });
    const others = [named('a', { pods: 1000 }), named('b', PLENTY, { scopes: ['Terminating'] })];
    expect(rejectionsOf([web(), ...others, quota(PLENTY)])).toMatchObject([{ rejection: unsetResource('limits.cpu') }]);
    expect(rejectionsOf([web(), ...others, quota(PLENTY), named('later', PLENTY)])).toMatchObject([
      { rejection: unsetResource('limits.cpu') },
    ]);
    expect(rejectionsOf([web(), ...others])).toEqual([]);
  });

  test('a StatefulSet deadlocks at its first batch, and Recreate once its old pods are gone', () => {
    const set = statefulSet({ replicas: 2, template: template() });
    expect(rejectionsOf([set, quota(PLENTY)])).toMatchObject([{ messageId: 'rejected', unit: 'batch', deadlockWave: 1 }]);
    const recreate = deployment({ replicas: 2, strategy: { type: 'Recreate' }, template: template() });
    expect(rejectionsOf([recreate, quota(PLENTY)])).toMatchObject([{ messageId: 'rejected', unit: 'wave', deadlockWave: 2 }]);
  });

  test('0 replicas need nothing, unless KEDA scales up', () => {
    const none = deployment({ replicas: 0, template: template() });
    const spec = { scaleTargetRef: { name: 'web' }, maxReplicaCount: 5 };
    const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'queue' }, spec };
    expect(rejectionsOf([none, quota(PLENTY)])).toEqual([]);
    const findings = findingsOf([none, quota(PLENTY), scaled], 'kubernetes/insufficient-capacity');
    expect(findings).toMatchObject([
      {
        severity: 'warning',
        messageId: 'maximum',
        path: 'spec.template.spec.containers',
        data: {
          autoscaler: 'ScaledObject "queue"',
          maximum: 5,
          shortage: {
            kind: 'quota',
            limit: 'ResourceQuota "compute"',
            resource: 'pods',
            refusal: 'ResourceQuota "compute" refuses every new pod (must specify limits.cpu for: app)',
          },
          unit: 'wave',
          deadlockWave: 1,
          rejection: unsetResource('limits.cpu', 'app'),
        },
      },
    ]);
  });

  test('a RayService keeps its running cluster', () => {
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
    expect(rejectionsOf([upgrade(undefined, limits), quota(PLENTY)])).toEqual([
      {
        path: 'spec.rayClusterConfig',
        messageId: 'clusterRejected',
        rejection: unsetResource('limits.cpu', 'head'),
        row: 1,
        capacity: { oldPercent: 100, newPercent: 0 },
      },
    ]);
    expect(rejectionsOf([upgrade(limits), quota(PLENTY)])).toMatchObject([
      { messageId: 'clusterRejected', rejection: unsetResource('limits.cpu', 'worker'), row: 2 },
    ]);
    expect(rejectionsOf([upgrade(limits, limits), quota(PLENTY)])).toEqual([]);
  });

  test('an InferenceService has no finding, because KServe fills in missing container resources', () => {
    const service = {
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'llm' },
      spec: { predictor: { model: { modelFormat: { name: 'onnx' } } } },
    };
    expect(rejectionsOf([service, quota(PLENTY)])).toEqual([]);
    const { rollouts, findings } = planManifests([service, limitRange([{ type: 'Container', max: { cpu: '1m' } }])]);
    expect([rollouts.map(({ capacity }) => capacity), findings.map(({ code }) => code)]).toEqual([
      [undefined],
      ['kserve/no-platform-config'],
    ]);
  });
});

describe('a quota on ReplicaSets must allow one more than there are', () => {
  const DEPLOYMENTS = [web(), deployment({ replicas: 1, template: template() }, { name: 'other' })];

  test('two Deployments have one each, so neither can roll out with a quota of two', () => {
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

  test('with a quota of three they roll out one after another, unless the status counts old ones', () => {
    const three = { 'count/replicasets.apps': 3 };
    expect(rejectionsOf([...DEPLOYMENTS, quota(three)])).toEqual([]);
    const full = { status: { used: { 'count/replicasets.apps': 3 } } };
    expect(rejectionsOf([...DEPLOYMENTS, quota(three, full)])).toMatchObject([
      { rejection: { kind: 'replica-sets', used: '3', hard: '3', needed: '4' } },
    ]);
  });

  test('a quota with scopes counts none, and a StatefulSet has none', () => {
    const scoped = quota({ 'count/replicasets.apps': 1 }, { spec: { scopes: ['NotTerminating'] } });
    expect(rejectionsOf([web(), scoped])).toEqual([]);
    expect(rejectionsOf([statefulSet({ replicas: 2, template: template() }), quota({ 'count/replicasets.apps': 0 })])).toEqual([]);
  });
});
