import type { Manifest } from '../../../src/core/manifest/manifest';
import { planChange, planManifests } from '../../../src/headless';
import { diffRayServices, rollsBack } from '../../../src/systems/kuberay/trigger';
import { CLUSTER, incremental, OPTIONS, rayService } from './plan';

const group = CLUSTER.workerGroupSpecs[0]!;
const head = CLUSTER.headGroupSpec;

/** Returns the effects of applying the guide's service with this spec over the guide's service, as lines `triggers path`. */
function effects(spec: object, options: object = {}): string[] {
  return diffRayServices(incremental() as Manifest, incremental(options, spec) as Manifest).changes.map(
    ({ triggers, path }) => `${triggers} ${path}`,
  );
}

function cluster(more: object): object {
  return { rayClusterConfig: { ...CLUSTER, ...more } };
}

function workers(...groups: object[]): object {
  return cluster({ workerGroupSpecs: groups });
}

function podWith(fields: object, container: object = {}): object {
  return { template: { spec: { containers: [{ ...group.template.spec.containers[0], ...container }], ...fields } } };
}

function withTypeNone(spec: object): Manifest {
  return rayService({ type: 'None', clusterUpgradeOptions: OPTIONS }, spec) as Manifest;
}

/** Returns the reason for the effect of one changed field. */
function reasonOf(path: string, spec: object): string | undefined {
  return diffRayServices(incremental() as Manifest, incremental({}, spec) as Manifest).changes.find((change) => change.path === path)
    ?.reason;
}

test('a change has its old and new value, its effect and a reason', () => {
  expect(diffRayServices(incremental() as Manifest, incremental({}, cluster({ rayVersion: '2.52.0' })) as Manifest)).toEqual({
    triggers: 'new-cluster',
    changes: [
      {
        path: 'spec.rayClusterConfig.rayVersion',
        old: undefined,
        new: '2.52.0',
        triggers: 'new-cluster',
        reason: 'The hash of the cluster changes.',
      },
    ],
  });
});

test('changes are ordered by path, whether the field existed before or not', () => {
  expect(effects(cluster({ enableInTreeAutoscaling: false, autoscalerOptions: { idleTimeoutSeconds: 10 } }))).toEqual([
    'new-cluster spec.rayClusterConfig.autoscalerOptions.idleTimeoutSeconds',
    'new-cluster spec.rayClusterConfig.enableInTreeAutoscaling',
  ]);
});

describe('a new cluster', () => {
  const CONFIG = 'new-cluster spec.rayClusterConfig';

  test.each<[string, object, string[]]>([
    [
      'another image',
      workers({ ...group, ...podWith({}, { image: 'rayproject/ray:2.52.0' }) }),
      [`${CONFIG}.workerGroupSpecs[0].template.spec.containers[0].image`],
    ],
    [
      'more memory',
      workers({ ...group, ...podWith({}, { resources: { limits: { 'nvidia.com/gpu': 2 } } }) }),
      [`${CONFIG}.workerGroupSpecs[0].template.spec.containers[0].resources.limits[nvidia.com/gpu]`],
    ],
    [
      'an environment variable',
      workers({ ...group, ...podWith({}, { env: [{ name: 'A' }] }) }),
      [`${CONFIG}.workerGroupSpecs[0].template.spec.containers[0].env[0].name`],
    ],
    [
      'the same number without an exponent, because Go keeps the notation',
      workers({ ...group, ...podWith({}, { resources: { limits: { 'nvidia.com/gpu': '1e0' } } }) }),
      [`${CONFIG}.workerGroupSpecs[0].template.spec.containers[0].resources.limits[nvidia.com/gpu]`],
    ],
    ['another number of hosts', workers({ ...group, numOfHosts: 2 }), [`${CONFIG}.workerGroupSpecs[0].numOfHosts`]],
    [
      "the autoscaler's options",
      cluster({ autoscalerOptions: { idleTimeoutSeconds: 10 } }),
      [`${CONFIG}.autoscalerOptions.idleTimeoutSeconds`],
    ],
    ['a worker group removed', workers(), [`${CONFIG}.workerGroupSpecs[0].groupName`]],
    ['a worker group renamed', workers({ ...group, groupName: 'gpu-2' }), [`${CONFIG}.workerGroupSpecs[0].groupName`]],
    [
      'a worker group inserted before',
      workers({ ...group, groupName: 'cpu' }, group),
      [`${CONFIG}.workerGroupSpecs[0].groupName`, `${CONFIG}.workerGroupSpecs[1].groupName`],
    ],
    [
      'a worker group appended, and another image',
      cluster({ rayVersion: '2.52.0', workerGroupSpecs: [group, { ...group, groupName: 'more' }] }),
      [`${CONFIG}.rayVersion`, `${CONFIG}.workerGroupSpecs[1].groupName`],
    ],
    [
      'a changed Serve config too',
      { ...cluster({ rayVersion: '2.52.0' }), serveConfigV2: 'applications: []' },
      [`${CONFIG}.rayVersion`, 'new-cluster spec.serveConfigV2'],
    ],
  ])('%s', (_what, spec, expected) => {
    expect(effects(spec)).toEqual(expected);
  });
});

describe('in place', () => {
  test.each<[string, object, string[]]>([
    [
      'only a worker group appended',
      workers(group, { ...group, groupName: 'more' }),
      ['in-place spec.rayClusterConfig.workerGroupSpecs[1].groupName'],
    ],
    [
      'a worker group appended, and other replicas',
      workers({ ...group, replicas: 9 }, { ...group, groupName: 'more' }),
      ['none spec.rayClusterConfig.workerGroupSpecs[0].replicas', 'in-place spec.rayClusterConfig.workerGroupSpecs[1].groupName'],
    ],
    ['the Serve config', { serveConfigV2: 'applications: []' }, ['in-place spec.serveConfigV2']],
    ['the head excluded from serving', { excludeHeadPodFromServeSvc: true }, ['in-place spec.excludeHeadPodFromServeSvc']],
    ['suspended', { suspend: true }, ['in-place spec.suspend']],
  ])('%s', (_what, spec, expected) => {
    expect(effects(spec)).toEqual(expected);
  });

  test('another GatewayClass', () => {
    expect(effects({}, { gatewayClassName: 'contour' })).toEqual(['in-place spec.upgradeStrategy.clusterUpgradeOptions.gatewayClassName']);
  });
});

describe('no effect', () => {
  test.each<[string, object, string[]]>([
    ['the same', {}, []],
    [
      'replicas, minReplicas and maxReplicas',
      workers({ ...group, replicas: 6, minReplicas: 1, maxReplicas: 20 }),
      ['maxReplicas', 'minReplicas', 'replicas'].map((field) => `none spec.rayClusterConfig.workerGroupSpecs[0].${field}`),
    ],
    [
      'tolerations',
      workers({ ...group, ...podWith({ tolerations: [{ key: 'gpu' }] }) }),
      ['none spec.rayClusterConfig.workerGroupSpecs[0].template.spec.tolerations[0].key'],
    ],
    [
      'scheduling gates of the head',
      cluster({ headGroupSpec: { template: { spec: { ...head.template.spec, schedulingGates: [{ name: 'wait' }] } } } }),
      ['none spec.rayClusterConfig.headGroupSpec.template.spec.schedulingGates[0].name'],
    ],
    [
      'workers to delete',
      workers({ ...group, scaleStrategy: { workersToDelete: ['w1'] } }),
      ['none spec.rayClusterConfig.workerGroupSpecs[0].scaleStrategy.workersToDelete[0]'],
    ],
    ['an explicit default', workers({ ...group, numOfHosts: 1, priority: 0 }), []],
    [
      'the same quantity in another notation',
      workers({ ...group, ...podWith({}, { resources: { limits: { 'nvidia.com/gpu': '1' } } }) }),
      [],
    ],
    ['the deletion delay', { rayClusterDeletionDelaySeconds: 5 }, ['none spec.rayClusterDeletionDelaySeconds']],
    ['serveService', { serveService: { metadata: { name: 'x' } } }, ['none spec.serveService.metadata.name']],
    ['managedBy, which is immutable', { managedBy: 'kueue.x-k8s.io/multikueue' }, ['none spec.managedBy']],
    ['a deprecated field', { serviceUnhealthySecondThreshold: 5 }, ['none spec.serviceUnhealthySecondThreshold']],
  ])('%s', (_what, spec, expected) => {
    const after = incremental({}, spec) as Manifest;
    expect(effects(spec)).toEqual(expected);
    expect(diffRayServices(incremental() as Manifest, after).triggers).toBe('none');
  });

  test('a change of managedBy is refused together with all other changes', () => {
    const running = incremental({}, { managedBy: 'ray.io/kuberay-operator' });
    const applied = incremental({}, { managedBy: 'kueue.x-k8s.io/multikueue', ...cluster({ rayVersion: '2.52.0' }) });
    expect(planChange([running], [applied]).change.objects).toMatchObject([
      { effect: 'refused', refusal: { path: 'spec.managedBy', message: 'the managedBy field is immutable' } },
    ]);
  });

  test('the options of the upgrade', () => {
    expect(effects({}, { intervalSeconds: 30, maxSurgePercent: 10 })).toEqual([
      'none spec.upgradeStrategy.clusterUpgradeOptions.intervalSeconds',
      'none spec.upgradeStrategy.clusterUpgradeOptions.maxSurgePercent',
    ]);
  });

  test('labels and annotations', () => {
    const labelled = { ...(incremental() as Manifest), metadata: { name: 'llm', namespace: 'models', labels: { tier: 'gold' } } };
    expect(diffRayServices(incremental() as Manifest, labelled).changes).toMatchObject([
      { path: 'metadata.labels.tier', old: undefined, new: 'gold', triggers: 'none' },
    ]);
  });

  test('any change of the cluster with type None; a changed Serve config is still applied in place', () => {
    const { triggers, changes } = diffRayServices(
      withTypeNone({}),
      withTypeNone({ ...cluster({ rayVersion: '2.52.0' }), serveConfigV2: 'applications: []' }),
    );
    expect(triggers).toBe('in-place');
    expect(changes).toMatchObject([
      {
        path: 'spec.rayClusterConfig.rayVersion',
        triggers: 'none',
        reason: expect.stringContaining('type is None') as string,
      },
      { path: 'spec.serveConfigV2', triggers: 'in-place' },
    ]);
  });

  test('unhashed fields have a reason that says when they take effect', () => {
    const fewer = { ...group, replicas: 6 };
    expect(reasonOf('spec.rayClusterConfig.workerGroupSpecs[0].replicas', workers(fewer))).toContain(
      'does not copy it to the running cluster',
    );
    expect(
      reasonOf('spec.rayClusterConfig.workerGroupSpecs[0].replicas', cluster({ rayVersion: '2.52.0', workerGroupSpecs: [fewer] })),
    ).toContain('the new cluster gets the new value');
  });
});

describe('during an upgrade from A to B', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((rayVersion) => incremental({}, cluster({ rayVersion })) as Manifest);

  test.each([
    ['applying B again continues', b, false],
    ['applying A again rolls back', a, true],
    ['a third cluster rolls back first', c, true],
    [
      'B with other replicas continues',
      incremental({}, cluster({ rayVersion: 'B', workerGroupSpecs: [{ ...group, replicas: 9 }] })) as Manifest,
      false,
    ],
    [
      'B with a worker group appended continues, because it is added to the pending cluster',
      incremental({}, cluster({ rayVersion: 'B', workerGroupSpecs: [group, { ...group, groupName: 'more' }] })) as Manifest,
      false,
    ],
    [
      'A with a worker group appended equals neither and rolls back first',
      incremental({}, cluster({ rayVersion: 'A', workerGroupSpecs: [group, { ...group, groupName: 'more' }] })) as Manifest,
      true,
    ],
  ])('%s', (_what, desired, expected) => {
    expect(rollsBack(desired!, a!, b!)).toBe(expected);
  });
});

test.each(['__proto__', 'constructor', 'toString'])(
  'a field named %s is treated like any other field, as a map and as an empty value',
  (name) => {
    const named = (value: unknown) => workers({ ...group, ...podWith({}, JSON.parse(`{"${name}": ${JSON.stringify(value)}}`) as object) });
    expect(effects(named({ a: 1 }))).toHaveLength(1);
    expect(effects(named(0)).length).toBeLessThanOrEqual(1);
  },
);

test('KubeRay 1.6.2 suspends the running cluster in place, which deletes its pods, and resumes it', () => {
  const countsOf = (old: object, next: object) => {
    const { change } = planChange([incremental({}, cluster(old))], [incremental({}, cluster(next))], { versions: { kuberay: '1.6.2' } });
    return [change.objects[0]!.effect, change.summary.podsAdded, change.summary.podsRemoved];
  };
  const pods = group.replicas + 1;
  expect(countsOf({}, { suspend: true })).toEqual(['scale', 0, pods]);
  expect(countsOf({ suspend: true }, { suspend: false })).toEqual(['scale', pods, 0]);
});

test('a suspended cluster is reported, unless Kueue resumes it', () => {
  const codesOf = (labels: object) => {
    const service = incremental({}, cluster({ suspend: true })) as Manifest;
    const [rollout] = planManifests([{ ...service, metadata: { ...service.metadata, labels } }]).rollouts;
    return rollout!.findings.map(({ code }) => code).filter((code) => code === 'kuberay/suspended');
  };
  expect([codesOf({}), codesOf({ 'kueue.x-k8s.io/queue-name': 'gpus' })]).toEqual([['kuberay/suspended'], []]);
});
