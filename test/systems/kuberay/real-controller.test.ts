import { planChange, planManifests } from '../../../src/headless';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { diffRayServices } from '../../../src/systems/kuberay/trigger';
import { CLUSTER, incremental, lines, OPTIONS, rayService } from './plan';

/* What KubeRay's real controller did that a reader of its documents does not expect, a row of the list each: runs of 1.5.1, 1.6.2 and 1.7.0. */

const [GROUP] = CLUSTER.workerGroupSpecs as [(typeof CLUSTER.workerGroupSpecs)[number]];
const VERSIONS = ['1.5.1', '1.6.2', '1.7'];

/** Returns the effect of a change in a version: `new-cluster`, `in-place` or `none`. The comparison and the change plan must agree. */
function effect(type: string, change: { cluster?: object; spec?: object; before?: object }, kuberay = '1.7'): string {
  const side = (cluster: object, spec: object) =>
    rayService({ type }, { rayClusterConfig: { ...CLUSTER, ...cluster }, ...spec }) as Manifest;
  const old = side(change.before ?? {}, {});
  const next = side({ ...change.before, ...change.cluster }, change.spec ?? {});
  return compareEffects(old, next, kuberay);
}

function compareEffects(old: Manifest, next: Manifest, kuberay = '1.7'): string {
  const { triggers } = diffRayServices(old, next, kuberay);
  const { change } = planChange([old], [next], { versions: { kuberay } });
  expect([triggers, change.objects[0]!.effect === 'roll']).toEqual([triggers, triggers === 'new-cluster']);
  return triggers;
}

function worker(fields: object): object {
  return { workerGroupSpecs: [{ ...GROUP, ...fields }] };
}

function pods(spec: object, container: object = {}): object {
  const [first] = GROUP.template.spec.containers;
  return { template: { spec: { containers: [{ ...first, ...container }], ...spec } } };
}

describe('K1: type None', () => {
  const appended = { workerGroupSpecs: [GROUP, { ...GROUP, groupName: 'more', replicas: 8 }] };

  test.each(VERSIONS)('%s: an appended worker group is added to the running cluster anyway', (version) => {
    expect(effect('None', { cluster: appended }, version)).toBe('in-place');
  });

  test.each(VERSIONS)('%s: another image is not rolled out', (version) => {
    expect(effect('None', { cluster: worker(pods({}, { image: 'rayproject/ray:2.52.0' })) }, version)).toBe('none');
  });

  test('an upgrade of the operator writes the full spec over the cluster, and the plan says so', () => {
    const { findings } = planManifests([rayService({ type: 'None' })]).rollouts[0]!;
    expect(findings.find(({ code }) => code === 'kuberay/no-upgrade')!.message).toMatch(/operator/);
  });
});

describe('K2: changes that create a new cluster, by version', () => {
  const tolerations = worker(pods({ tolerations: [{ operator: 'Exists' }] }));
  const gates = worker(pods({ schedulingGates: [{ name: 'wait' }] }));

  test.each([
    ['1.5.1', true],
    ['1.5.2', false],
    ['1.6.2', false],
    ['1.7', false],
  ])('%s: tolerations and schedulingGates: %p', (version, isNew) => {
    expect(effect('NewCluster', { cluster: tolerations }, version)).toBe(isNew ? 'new-cluster' : 'none');
    expect(effect('NewCluster', { cluster: gates }, version)).toBe(isNew ? 'new-cluster' : 'none');
  });

  test.each([
    ['1.5.1', true, 'new-cluster'],
    ['1.5.1', false, 'new-cluster'],
    ['1.6.2', true, 'in-place'],
    ['1.6.2', false, 'new-cluster'],
    ['1.7', true, 'none'],
    ['1.7', false, 'none'],
  ])('%s: suspend %p of the cluster: %s', (version, suspend, expected) => {
    expect(effect('NewCluster', { cluster: { suspend } }, version)).toBe(expected);
  });

  test.each(['1.5.1', '1.6.2'])('%s has no spec.suspend and no priority, so they have no effect', (version) => {
    expect(effect('NewCluster', { spec: { suspend: true } }, version)).toBe('none');
    expect(effect('NewCluster', { cluster: worker({ priority: 5 }) }, version)).toBe('none');
  });
});

describe('K5: values that Go omits from the hash', () => {
  test.each<[string, object]>([
    [
      'resources: {} of a head',
      { headGroupSpec: { template: { spec: { containers: [{ ...CLUSTER.headGroupSpec.template.spec.containers[0], resources: {} }] } } } },
    ],
    ['nodeSelector: {}', worker(pods({ nodeSelector: {} }))],
    ['labels: {} of a group', worker({ labels: {} })],
    ['metadata: {}', worker({ template: { metadata: {}, ...GROUP.template } })],
    ['headServiceAnnotations: {}', { headServiceAnnotations: {} }],
    ['scaleStrategy: {}', worker({ scaleStrategy: {} })],
    ['hostNetwork: false', worker(pods({ hostNetwork: false }))],
  ])('%s is omitted', (_what, cluster) => {
    expect(effect('NewCluster', { cluster })).toBe('none');
  });

  test('an empty value of a variable is omitted, and 1Gi equals 1024Mi outside resources too', () => {
    const variable = (env: object) => worker(pods({}, { env: [env] }));
    expect(effect('NewCluster', { before: variable({ name: 'A' }), cluster: variable({ name: 'A', value: '' }) })).not.toContain(
      'new-cluster',
    );
    const volume = (sizeLimit: string) => worker(pods({ volumes: [{ name: 'tmp', emptyDir: { sizeLimit } }] }));
    expect(effect('NewCluster', { before: volume('1Gi'), cluster: volume('1024Mi') })).toBe('none');
    expect(effect('NewCluster', { before: volume('1Gi'), cluster: volume('1025Mi') })).toBe('new-cluster');
  });

  test.each<[string, object]>([
    ['securityContext: {}', worker(pods({ securityContext: {} }))],
    ['affinity: {}', worker(pods({ affinity: {} }))],
    ['autoscalerOptions: {}', { autoscalerOptions: {} }],
  ])('%s is a pointer and creates a new cluster', (_what, cluster) => {
    expect(effect('NewCluster', { cluster })).toBe('new-cluster');
  });

  test.each<[string, object]>([
    ['excludeHeadPodFromServeSvc: false', { excludeHeadPodFromServeSvc: false }],
    ['suspend: false', { suspend: false }],
  ])('%s of the service is omitted', (_what, spec) => {
    expect(effect('NewCluster', { spec })).toBe('none');
  });
});

describe('K6: accepted values, by version', () => {
  const withGroup = (fields: object) => rayService({ type: 'NewCluster' }, { rayClusterConfig: { ...CLUSTER, ...worker(fields) } });
  const errors = (object: object, kuberay: string) => lines(object, { versions: { kuberay } }).filter((line) => line.startsWith('error'));

  test('1.5.1 accepts minReplicas above maxReplicas, which 1.6 refuses', () => {
    expect(errors(withGroup({ minReplicas: 20 }), '1.5.1')).toEqual([]);
    expect(errors(withGroup({ minReplicas: 20 }), '1.6.2')).toHaveLength(1);
  });

  test('options without a type crash the operator before 1.7', () => {
    expect(errors(rayService({}), '1.6.2')).toHaveLength(1);
    expect(errors(rayService({}), '1.7')).toEqual([]);
  });

  test('an empty num-cpus with resources is accepted', () => {
    expect(errors(withGroup({ rayStartParams: { 'num-cpus': '' }, resources: { CPU: '1' } }), '1.7')).toEqual([]);
  });

  test.each([
    ['+5m', true],
    ['.5s', true],
    ['5.s', true],
    ['1μs', true],
    ['', true],
    ['9223372036854775808', false],
    ['99999999h', false],
  ])('ray.io/initializing-timeout %p is accepted: %p', (timeout, isAccepted) => {
    const metadata = { name: 'llm', namespace: 'models', annotations: { 'ray.io/initializing-timeout': timeout } };
    expect(errors(rayService({ type: 'NewCluster' }, {}, metadata), '1.7').length === 0).toBe(isAccepted);
  });

  test('a fractional target_capacity stalls an incremental upgrade, but an integer does not', () => {
    const outcome = (capacity: string) => {
      const { simulation } = planManifests([incremental({}, { serveConfigV2: `target_capacity: ${capacity}\n` })]).rollouts[0]!;
      return simulation?.kind === 'rayservice' && simulation.outcome;
    };
    expect([outcome('20.5'), outcome('20.0')]).toEqual(['stalled', 'promoted']);
  });
});

describe('K7: fields that another type does not use', () => {
  const service = (strategy: object) => rayService(strategy) as Manifest;

  test.each([[{ type: 'NewCluster' }], [{ type: 'None' }], [{}]])('options with %p have no effect', (strategy) => {
    expect(compareEffects(service(strategy), service({ ...strategy, clusterUpgradeOptions: OPTIONS }))).toBe('none');
  });

  test.each(['NewCluster', 'None'])('from the incremental type to %s the operator creates the Service again, in place', (type) => {
    expect(compareEffects(incremental() as Manifest, service({ type }))).toBe('in-place');
  });
});
