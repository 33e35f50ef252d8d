import { nameOf } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { Finding } from '../../src/core/findings/finding';
import type { RolloutSystem } from '../../src/cluster/context/context';
import { planChangedInput } from '../../src/change/plan-change';
import { planChange } from '../../src/headless';
import { planInput } from '../../src/plan/plan';
import { SYSTEMS } from '../../src/plan/registry';
import { InventoryError } from '../../src/systems/fleet/inventory';
import { planUpgrade } from '../../src/upgrade/plan-upgrade';
import { parseUpgrade } from '../../src/upgrade/version-pair';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';
import { widgetSystem } from './fake-system';

function widget(name: string): Manifest {
  return { apiVersion: 'toys/v1', kind: 'Widget', metadata: { name, namespace: 'shop' } };
}

/** Throws for widgets of these names, and if both of a pair are in the input. */
function brittleSystem(alone: readonly string[], together: readonly (readonly [string, string])[] = []): RolloutSystem {
  return {
    ...widgetSystem,
    plan: (object, context) => {
      if (alone.includes(nameOf(object))) throw new RangeError(`no room for ${nameOf(object)}`);
      return widgetSystem.plan(object, context);
    },
    contextFindings: ({ objects }) => {
      const names = new Set(objects.map(nameOf));
      if (together.some((pair) => pair.every((name) => names.has(name)))) throw new TypeError('they meet');
      return [];
    },
  };
}

function planOf(system: RolloutSystem, ...names: readonly string[]) {
  const locate = (object: object) => ({ file: 'toys.yaml', line: names.indexOf(nameOf(object as Manifest)) + 1 });
  const { rollouts, findings } = expectValidPlan(
    planInput({ objects: names.map(widget), systems: [system], locate, files: ['toys.yaml'] }, {}),
  );
  return { planned: rollouts.map(({ resource }) => resource.name), findings: factsOf(findings) };
}

function failure(name: string, line: number, message: string) {
  return {
    code: 'input/unreadable',
    severity: 'error',
    messageId: 'failed',
    data: { resource: `Widget shop/${name}`, error: message },
    path: '',
    source: { file: 'toys.yaml', line },
  };
}

describe('an object for which planning fails is one finding with its file, line and name, and the others are planned', () => {
  test('one of many', () => {
    expect(planOf(brittleSystem(['c']), 'a', 'b', 'c', 'd', 'e')).toEqual({
      planned: ['a', 'b', 'd', 'e'],
      findings: [failure('c', 3, 'no room for c')],
    });
  });

  test('several of many, in input order', () => {
    expect(planOf(brittleSystem(['e', 'a', 'b']), 'a', 'b', 'c', 'd', 'e')).toEqual({
      planned: ['c', 'd'],
      findings: [failure('a', 1, 'no room for a'), failure('b', 2, 'no room for b'), failure('e', 5, 'no room for e')],
    });
  });

  test('the only one', () => {
    expect(planOf(brittleSystem(['a']), 'a')).toEqual({ planned: [], findings: [failure('a', 1, 'no room for a')] });
  });

  test('one with generateName, which has no name', () => {
    const { metadata, ...rest } = widget('');
    const object = { ...rest, metadata: { ...metadata, name: undefined, generateName: 'a-' } } as unknown as Manifest;
    const { findings } = planInput({ objects: [object], systems: [brittleSystem([''])] }, {});
    expect(findings.map(({ data }) => data)).toEqual([{ resource: 'Widget shop/(without name)', error: 'no room for ' }]);
  });

  test('the later one of two that fail only together', () => {
    expect(planOf(brittleSystem([], [['b', 'd']]), 'a', 'b', 'c', 'd', 'e')).toEqual({
      planned: ['a', 'b', 'c', 'e'],
      findings: [failure('d', 4, 'they meet')],
    });
  });

  test.each([
    [
      ['b', 'd'],
      ['b', 'e'],
    ] as const,
    [
      ['b', 'd'],
      ['c', 'b'],
    ] as const,
  ])('the one that fails together with each of two others', (...together) => {
    expect(planOf(brittleSystem([], together), 'a', 'b', 'c', 'd', 'e')).toEqual({
      planned: ['a', 'c', 'd', 'e'],
      findings: [failure('b', 2, 'they meet')],
    });
  });

  test.each([[['config', 'a', 'b', 'c']], [['a', 'b', 'c', 'config']], [['a', 'config', 'b', 'c']]] as const)(
    'those that roll out and fail together with one that only surrounds them: %j',
    (names) => {
      const system = brittleSystem(
        [],
        [
          ['config', 'a'],
          ['config', 'c'],
        ],
      );
      const objects = names.map((name) => ({ ...widget(name), kind: name === 'config' ? 'Gadget' : 'Widget' }));
      const { rollouts, findings } = expectValidPlan(planInput({ objects, systems: [system] }, {}));
      expect(rollouts.map(({ resource }) => resource.name)).toEqual(['b']);
      expect(factsOf(findings).map(({ data }) => data)).toEqual([
        { resource: 'Widget shop/a', error: 'they meet' },
        { resource: 'Widget shop/c', error: 'they meet' },
      ]);
    },
  );

  test('the later one of each of many pairs that fail only together', () => {
    const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
    const pairs = names.slice(0, 30).map((name, index) => [name, names[30 + index]!] as const);
    const { planned, findings } = planOf(brittleSystem([], pairs), ...names);
    expect(planned).toEqual(names.slice(0, 30));
    expect(findings).toEqual(names.slice(30).map((name, index) => failure(name, 31 + index, 'they meet')));
  });

  test('an error about the inventory is thrown, since it is about no object', () => {
    const system: RolloutSystem = {
      ...widgetSystem,
      plan: () => {
        throw new InventoryError('no inventory');
      },
    };
    expect(() => planOf(system, 'a', 'b')).toThrow(InventoryError);
  });
});

test('the rollouts and pods of a change are those of its plan, and not also of what is planned to find a failing object', () => {
  const deployment = (name: string, image: string): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image }] } },
    },
  });
  const evaluated: unknown[] = [];
  const { change, findings } = planChangedInput(
    { objects: [deployment('web', 'app:1'), widget('bad')] },
    {
      objects: [deployment('web', 'app:2'), widget('bad'), deployment('api', 'app:2')],
      systems: [...SYSTEMS, brittleSystem([], [['bad', 'web']])],
      onEvaluated: (rollouts) => evaluated.push(rollouts.map(({ rollout }) => rollout.resource.name)),
    },
  );

  expect(factsOf(findings)).toMatchObject([{ messageId: 'failed', data: { resource: 'Widget shop/bad' } }]);
  expect(change!.objects.map(({ resource, pods }) => [resource.name, pods])).toEqual([
    ['web', { before: 3, after: 3 }],
    ['bad', undefined],
    ['api', { before: 0, after: 3 }],
  ]);
  expect(change!.summary).toMatchObject({ podsReplaced: 3, podsAdded: 3 });
  expect(evaluated).toEqual([['web', 'api']]);
});

test('finding a failing object takes only a few more plans, however many objects there are', () => {
  let plans = 0;
  const system: RolloutSystem = {
    ...brittleSystem(['w700']),
    recognises: () => {
      plans++;
      return true;
    },
  };
  planInput({ objects: Array.from({ length: 1_000 }, (_, index) => widget(`w${index}`)), systems: [system] });
  expect(plans).toBeLessThan(1_000 * 2 * 8);
});

test('objects that all fail are planned less than twice each', () => {
  let plans = 0;
  const system: RolloutSystem = {
    ...widgetSystem,
    plan: () => {
      plans++;
      throw new RangeError('no room');
    },
  };
  const { findings } = planInput({ objects: Array.from({ length: 1_000 }, (_, index) => widget(`w${index}`)), systems: [system] });
  expect(findings.filter(({ messageId }) => messageId === 'failed')).toHaveLength(1_000);
  expect(plans).toBeLessThan(1_700);
});

describe('a map whose fields have the names of methods, in place of a text or a number, stops nothing', () => {
  const hostile = { toString: 1, valueOf: 1 };
  const webhook = (resource: unknown) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'checks' },
    webhooks: [{ name: 'a.example.com', rules: [{ apiGroups: ['*'], operations: ['*'], resources: [resource] }] }],
  });
  const definition = (group: unknown, kind: unknown, properties: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.toys' },
    spec: { group, names: { kind }, versions: [{ name: 'v1', schema: { openAPIV3Schema: { properties } } }] },
  });
  const kustomization = (kind: unknown) => ({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'apps', namespace: 'flux-system' },
    spec: { path: 'apps', sourceRef: { kind, name: 'main' } },
  });

  test.each<readonly [string, object, object]>([
    ['the resources of a webhook', webhook('pods'), webhook(hostile)],
    ['the group of a definition', definition('toys', 'Widget', {}), definition(hostile, 'Widget', { a: {} })],
    ['the kind of a definition', definition('toys', 'Widget', {}), definition('toys', hostile, { a: {} })],
    ['the source of a Kustomization', kustomization('GitRepository'), kustomization(hostile)],
  ])('%s', (_, old, next) => {
    const { findings, change } = planChange([old], [next]);
    expect(factsOf(findings).filter(({ code, messageId }) => code === 'input/unreadable' && messageId === 'failed')).toEqual([]);
    expect(change.objects.map(({ effect }) => effect)).not.toContain('none');
  });
});

test('an object that can be neither compared with OLD nor planned is one finding', () => {
  const serviceOf = (serveConfigV2?: string) => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm', namespace: 'shop' },
    spec: {
      ...(serveConfigV2 !== undefined && { serveConfigV2 }),
      rayClusterConfig: {
        headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'head', image: 'rayproject/ray:2.9' }] } } },
      },
    },
  });
  const { findings } = planChange([serviceOf()], [serviceOf(`applications:\n- &a { name: a }\n${'- *a\n'.repeat(150)}`)]);

  expect(factsOf(findings).filter(({ code }) => code === 'input/unreadable')).toEqual([
    {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'text',
      data: { resource: 'RayService shop/llm', field: 'serveConfigV2', problem: { kind: 'too-many-aliases', aliases: 100 } },
      path: '',
    },
  ]);
});

test.each([
  ['that the apply deletes', undefined],
  ['that NEW mends', 'applications: []'],
])('an object of OLD %s and that cannot be planned is one finding at its place, and the objects of NEW are planned', (_, mended) => {
  const container = { name: 'app', image: 'app:1' };
  const serviceOf = (serveConfigV2: string) => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm', namespace: 'shop' },
    spec: { serveConfigV2, rayClusterConfig: { headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [container] } } } } },
  });
  const deploymentOf = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image }] } },
    },
  });
  const old: Manifest[] = [serviceOf(`a: ${'['.repeat(1_001)}`), deploymentOf('app:1')];
  const next = [deploymentOf('app:2'), ...(mended === undefined ? [] : [serviceOf(mended)])];
  const locate = (object: object) => ({ file: old.includes(object as Manifest) ? 'old.yaml' : 'new.yaml', line: 1 });
  const { change, rollouts, findings } = planChangedInput({ objects: old, locate }, { objects: next, locate }, { prune: true });

  expect(rollouts.map(({ resource }) => resource.name)).toEqual(next.map(nameOf));
  expect(change!.objects.find(({ resource }) => resource.name === 'web')?.effect).toBe('roll');
  expect(factsOf(findings).filter(({ code }) => code === 'input/unreadable')).toEqual([
    {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'text',
      data: { resource: 'RayService shop/llm', field: 'serveConfigV2', problem: { kind: 'too-deep', levels: 1000 } },
      path: '',
      source: { file: 'old.yaml', line: 1 },
    },
  ]);
});

test('an object of OLD that stays and cannot be planned is one finding, and the others are planned', () => {
  const deploymentOf = (name: string, image: string, args: readonly string[] = []) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image, args, env: [{ name: 'LONG', value: 'x'.repeat(50_000) }] }] },
      },
    },
  });
  // Its arguments have more characters than a text of JavaScript may have.
  const broken = deploymentOf('broken', 'app:1', ['$(LONG)'.repeat(12_000)]);
  const { change, rollouts, findings } = planChange([broken, deploymentOf('web', 'app:1')], [deploymentOf('web', 'app:2')]);

  expect(change.objects.map(({ resource, effect }) => [resource.name, effect])).toEqual([
    ['web', 'roll'],
    ['broken', 'none'],
  ]);
  expect(rollouts.map(({ resource }) => resource.name)).toEqual(['web']);
  expect(factsOf(findings)).toEqual([
    {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'failed',
      data: { resource: 'Deployment shop/broken', error: 'Invalid string length' },
      path: '',
    },
  ]);
});

describe('an object whose next rollout alone cannot be planned is a finding', () => {
  // The hook keeps the plan from reading the arguments, which have more characters than a text of JavaScript may have, unless pods are replaced.
  const deploymentOf = (maxUnavailable: number | string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 3,
      strategy: { rollingUpdate: { maxUnavailable, maxSurge: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: {
          shareProcessNamespace: true,
          containers: [
            {
              name: 'web',
              image: 'web:1',
              args: ['$(LONG)'.repeat(12_000)],
              env: [{ name: 'LONG', value: 'x'.repeat(50_000) }],
              lifecycle: { preStop: { exec: { command: ['sleep', '60'] } } },
            },
          ],
        },
      },
    },
  });
  const FAILURE = {
    code: 'input/unreadable',
    severity: 'error',
    messageId: 'failed',
    data: { resource: 'Deployment shop/web', error: 'Invalid string length' },
    path: '',
  };
  const failuresOf = (findings: readonly Finding[]) => factsOf(findings).filter(({ code }) => code === 'input/unreadable');

  test.each([
    ['with other settings', [deploymentOf(1)]],
    ['that is new', []],
  ])('in a change, %s', (_, old) => {
    const { findings, summary } = planChange(old, [deploymentOf('100%')]);
    expect([failuresOf(findings), summary.errors]).toEqual([[FAILURE], 1]);
  });

  test('in the upgrade of an operator', () => {
    const { findings, summary } = planUpgrade({ objects: [deploymentOf(1)] }, parseUpgrade('kserve=0.17..0.20'));
    expect([failuresOf(findings), summary.errors]).toEqual([[FAILURE], 1]);
  });
});
