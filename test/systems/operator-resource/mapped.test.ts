import type { OperatorResourceMap } from '../../../src/core/sources/operator-resource-map';
import { diffPlans, planChange, planManifests } from '../../../src/headless';
import { mappedNotVerified } from '../../../src/systems/operator-resource/rules/mapped-not-verified';
import { renderDiffMarkdown } from '../../../src/render/markdown/diff';
import { renderDiffText } from '../../../src/render/text/diff';
import { rolloutkit } from '../../cli/command-line';
import { testRule } from '../../rule-tester';

const POSTGRES: OperatorResourceMap = {
  group: 'postgresql.cnpg.io',
  kind: 'Cluster',
  rollsLike: 'statefulset',
  replicas: 'spec.instances',
  image: 'spec.imageName',
  strategy: 'spec.update',
};

function postgres(spec: object) {
  return { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', metadata: { name: 'orders' }, spec };
}

function planOne(spec: object, map: OperatorResourceMap = POSTGRES) {
  const { rollouts } = planManifests([postgres(spec)], { operatorResources: [map] });
  expect(rollouts).toHaveLength(1);
  return rollouts[0]!;
}

/** Returns the effect of a change to the spec, and the pods before and after. */
function effectOf(old: object, next: object) {
  const { change } = planChange([postgres(old)], [postgres(next)], { operatorResources: [POSTGRES] });
  const { effect, pods, heldUntil } = change.objects[0]!;
  return { effect, pods, heldUntil };
}

describe('a resource that the configuration maps', () => {
  test('rolls like a statefulset, and is marked as mapped', () => {
    expect(planOne({ instances: 3, imageName: 'postgres:17' })).toMatchObject({
      system: 'operator',
      resource: { apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', name: 'orders' },
      mapped: { isVerified: false, rollsLike: 'statefulset' },
      simulation: { kind: 'statefulset', replicas: 3, order: [2, 1, 0] },
      provenance: [
        { field: 'type', value: 'RollingUpdate', layer: 'assumed-default' },
        { field: 'partition', value: 0, layer: 'assumed-default' },
      ],
      findings: [{ code: 'operator/mapped-not-verified', severity: 'info', messageId: 'mapped', path: 'spec.instances' }],
    });
  });

  test('rolls like a deployment, with a strategy in camelCase or in snake_case', () => {
    const map = { ...POSTGRES, rollsLike: 'deployment' } as const;
    const expected = {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
      simulation: { kind: 'deployment', replicas: 4, surge: 2, unavailable: 0 },
      provenance: [
        { field: 'type', layer: 'assumed-default' },
        { field: 'maxSurge', layer: 'mapped' },
        { field: 'maxUnavailable', layer: 'mapped' },
      ],
    };
    expect(planOne({ instances: 4, update: { rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } }, map)).toMatchObject(expected);
    expect(planOne({ instances: '4', update: { rolling_update: { max_surge: '2', max_unavailable: 0 } } }, map)).toMatchObject(expected);
  });

  test('rolls like a leaderworkerset, in groups of the mapped size', () => {
    const map = { ...POSTGRES, rollsLike: 'leaderworkerset', size: 'spec.nodes' } as const;
    const update = { rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0 } };
    expect(planOne({ instances: 2, nodes: 4, update }, map)).toMatchObject({
      simulation: { kind: 'leaderworkerset', replicas: 2, peakGroups: 3, minAvailable: 2 },
      groups: { size: 4, pods: 8, surgeGroups: 1 },
    });
  });

  test('has 1 replica if it sets none', () => {
    expect(planOne({})).toMatchObject({ simulation: { replicas: 1 } });
  });

  test.each([
    [{ instances: 'three' }, 'spec.instances', '"three" is not a number of replicas'],
    [{ instances: 3, update: 'unsupervised' }, 'spec.update', '"unsupervised" is not a map with a strategy'],
    [{ instances: 3, update: { type: 'Sometimes' } }, 'spec.update', expect.stringContaining('a statefulset does not accept it')],
  ])('shows no rollout for a field that it cannot read: %j', (spec, path, reason) => {
    expect(planOne(spec)).toMatchObject({
      mapped: { isVerified: false },
      strategy: null,
      simulation: null,
      findings: [{ code: 'operator/mapped-not-verified', severity: 'info', messageId: 'unreadable', path, data: { reason } }],
    });
  });

  test('is not planned without a map, and a map does not replace a controller that was analysed', () => {
    expect(planManifests([postgres({ instances: 3 })]).rollouts).toEqual([]);
    const map: OperatorResourceMap = { ...POSTGRES, group: 'leaderworkerset.x-k8s.io', kind: 'LeaderWorkerSet' };
    const pod = { spec: { containers: [{ name: 'a', image: 'a' }] } };
    const set = {
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'a' },
      spec: { leaderWorkerTemplate: { workerTemplate: pod } },
    };
    expect(planManifests([set], { operatorResources: [map] }).rollouts).toMatchObject([{ system: 'lws' }]);
  });

  test('is refused as an option for the same reasons as in the configuration', () => {
    const map = { ...POSTGRES, replicas: 'instances' };
    expect(() => planManifests([], { operatorResources: [map] })).toThrow(
      'operatorResources[0].replicas: "instances" is not a field below spec; write a path such as spec.instances',
    );
  });
});

describe('every output marks a mapped rollout', () => {
  const files = {
    'rolloutkit.yaml': `operatorResources: [${JSON.stringify(POSTGRES)}]`,
    'orders.yaml': JSON.stringify(postgres({ instances: 3, imageName: 'postgres:17' })),
    'old.yaml': JSON.stringify(postgres({ instances: 3, imageName: 'postgres:16' })),
  };

  test.each(['text', 'markdown', 'html', 'svg'])('plan as %s, of a state and of a change', async (format) => {
    for (const from of ['', '--from old.yaml ']) {
      const { stdout } = await rolloutkit(`plan --format ${format} ${from}orders.yaml`, { files });
      expect(stdout).toContain('mapped, not verified');
    }
  });

  test('explain', async () => {
    const { stdout } = await rolloutkit('explain orders.yaml', { files });
    expect(stdout).toContain('Cluster orders (operator: mapped, not verified)');
  });
});

describe('a change to a mapped resource', () => {
  test.each([
    ['cnpg.io/hibernation', 'unknown'],
    ['kubectl.kubernetes.io/restartedAt', 'unknown'],
    ['app.example.com/team', 'metadata'],
  ])('the annotation %s has the effect %s with a map, and an unknown one without', (name, effect) => {
    const object = postgres({ instances: 3 });
    const next = { ...object, metadata: { ...object.metadata, annotations: { [name]: 'on' } } };
    const effectWith = (options: object) => planChange([object], [next], options).change.objects[0]!.effect;
    expect([effectWith({ operatorResources: [POSTGRES] }), effectWith({})]).toEqual([effect, 'unknown']);
  });

  test('is unknown if a field next to the spec differs', () => {
    const withField = (data: number) => ({ ...postgres({ instances: 3 }), data });
    const { change } = planChange([withField(1)], [withField(2)], { operatorResources: [POSTGRES] });
    expect(change.objects).toMatchObject([{ effect: 'unknown' }]);
  });

  test('counts the pods of one that is new or deleted', () => {
    const options = { operatorResources: [POSTGRES], prune: true };
    const object = postgres({ instances: 3 });
    expect(planChange([], [object], options).change.summary).toMatchObject({ podsAdded: 3, podsRemoved: 0 });
    expect(planChange([object], [], options).change.summary).toMatchObject({ podsAdded: 0, podsRemoved: 3 });
  });

  test.each([
    ['another image rolls', { instances: 3, imageName: 'a' }, { instances: 3, imageName: 'b' }, { effect: 'roll' }],
    ['other replicas scale', { instances: 3 }, { instances: 5 }, { effect: 'scale', pods: { before: 3, after: 5 } }],
    ['both roll and scale', { instances: 3, imageName: 'a' }, { instances: 5, imageName: 'b' }, { effect: 'roll-and-scale' }],
    ['another strategy is a setting', { instances: 3 }, { instances: 3, update: { type: 'OnDelete' } }, { effect: 'settings' }],
    [
      'replicas that become text are unknown, as the definition may refuse them',
      { instances: 3 },
      { instances: '5' },
      { effect: 'unknown' },
    ],
    ['replicas that stay text scale', { instances: '3' }, { instances: '5' }, { effect: 'scale', pods: { before: 3, after: 5 } }],
    ['any other field is unknown', { instances: 3, a: 1 }, { instances: 3, a: 2 }, { effect: 'unknown' }],
    [
      'an image is held by OnDelete',
      { instances: 3, imageName: 'a', update: { type: 'OnDelete' } },
      { instances: 3, imageName: 'b', update: { type: 'OnDelete' } },
      { effect: 'held', heldUntil: 'its pods are deleted' },
    ],
  ])('%s', (_what, old, next, expected) => {
    expect(effectOf(old, next)).toMatchObject(expected);
  });

  test('is marked in a diff too, which shows no rollouts', () => {
    const options = { operatorResources: [POSTGRES] };
    const [old, next] = [[postgres({ instances: 3, imageName: 'postgres:17' })], [postgres({ instances: 3, imageName: 'postgres:18' })]];
    const { change } = planChange(old, next, options);
    const diff = diffPlans(planManifests(old, options), planManifests(next, options), change);

    expect(diff.change!.objects[0]).toMatchObject({ effect: 'roll', mapped: { isVerified: false, rollsLike: 'statefulset' } });
    expect(renderDiffText(diff)).toContain('! roll   Cluster orders   imageName postgres:17 -> postgres:18   mapped, not verified');
  });

  test('is marked in the comparison of two saved plans, as text, Markdown and JSON', () => {
    const planOf = (instances: number) => planManifests([postgres({ instances })], { operatorResources: [POSTGRES] });
    const diff = diffPlans(planOf(3), planOf(5));

    expect(renderDiffText(diff)).toContain('Cluster orders (mapped, not verified)\n  replicas      3  ->  5');
    expect(renderDiffMarkdown(diff)).toContain('<summary>Cluster orders (mapped, not verified): 2 fields</summary>');
    expect(diff.changed[0]).toMatchObject({ field: 'replicas', mapped: { isVerified: false, rollsLike: 'statefulset' } });
  });

  test('has no rollback, because the operator was not analysed', () => {
    const plan = planChange([postgres({ imageName: 'a' })], [postgres({ imageName: 'b' })], { operatorResources: [POSTGRES] });
    expect(plan.rollouts[0]).not.toHaveProperty('rollback');
  });
});

testRule(mappedNotVerified, {
  valid: [],
  invalid: [
    {
      name: 'replicas that are not a number, with their line',
      yaml: `# rolloutkit plan orders.yaml
# rolloutkit.yaml
operatorResources:
  - {group: postgresql.cnpg.io, kind: Cluster, rollsLike: statefulset, replicas: spec.instances}
# orders.yaml
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata: {name: orders}
spec: {instances: three}
`,
      findings: [{ messageId: 'unreadable', path: 'spec.instances', severity: 'info' }],
    },
  ],
});
