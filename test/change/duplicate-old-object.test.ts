import type { PlanDocument } from '../../src/core/document/plan-document';
import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { rolloutkit } from '../cli/command-line';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';
import { deployment, podTemplate } from '../builders/workload';

function web(image: string, metadata: object = {}) {
  return deployment({ replicas: 4, template: podTemplate({ image }) }, { name: 'web', namespace: 'shop', ...metadata });
}

function changed(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  const { change, findings } = expectValidPlan(planChange(old, next, options));
  const duplicates = factsOf(findings.filter(({ code }) => code === 'change/duplicate-old-object')).map(({ messageId, data, severity }) => [
    messageId,
    data,
    severity,
  ]);
  return {
    effects: change.objects.map(({ effect }) => effect),
    replaced: change.summary.podsReplaced,
    kept: change.summary.kept,
    duplicates,
  };
}

const ONCE = [['objects', { objects: 1, first: 'Deployment shop/web' }, 'info']];

describe('an object that OLD contains twice', () => {
  test('counts once, with its last copy, which is reported once', () => {
    const next = [web('web:2')];
    expect(changed([web('web:1'), web('web:1')], next)).toEqual({
      effects: ['roll'],
      replaced: 4,
      kept: 0,
      duplicates: ONCE,
    });
    expect(changed([web('web:1'), web('web:2')], next)).toEqual({
      effects: ['none'],
      replaced: 0,
      kept: 0,
      duplicates: ONCE,
    });
  });

  test('is not deleted next to its change', () => {
    expect(changed([web('web:1'), web('web:1')], [web('web:2')], { prune: true }).effects).toEqual(['roll']);
    expect(changed([web('web:1'), web('web:1')], [], { prune: true })).toMatchObject({
      effects: ['delete'],
      duplicates: ONCE,
    });
  });

  test('from a cluster is identified by its uid', () => {
    const live = web('web:1', { uid: '1' });
    expect(changed([live, live], [web('web:2')])).toMatchObject({ effects: ['roll'], duplicates: ONCE });
  });

  test('is matched copy by copy if NEW contains it twice too', () => {
    const old = [web('web:1'), web('web:2')];
    expect(changed(old, [web('web:1'), web('web:3')])).toEqual({
      effects: ['none', 'roll'],
      replaced: 4,
      kept: 0,
      duplicates: [],
    });
  });
});

describe('copies in one folder: kubectl applies the last one last, so the cluster keeps it', () => {
  const write = (image: string) =>
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: main, image: "${image}"}]}
`;
  const images = async (files: Readonly<Record<string, string>>) => {
    const { stdout } = await rolloutkit('plan --from old new --format json', { files });
    const { change } = JSON.parse(stdout) as PlanDocument;
    return change!.objects.map(({ effect, because }) => [effect, ...because.map(({ old, new: next }) => [old, next])]);
  };
  const OLD = { 'old/a.yaml': write('web:1'), 'old/z.yaml': write('web:2') };

  test('a change that deletes the last one rolls', async () => {
    expect(await images({ ...OLD, 'new/a.yaml': write('web:1') })).toEqual([['roll', ['web:2', 'web:1']]]);
  });

  test('a change that renames the first one to be the last one rolls', async () => {
    expect(await images({ ...OLD, 'new/z.yaml': write('web:2'), 'new/zz.yaml': write('web:1') })).toEqual([
      ['roll', ['web:1', 'web:2']],
      ['roll', ['web:2', 'web:1']],
    ]);
  });

  test('a change of neither rolls nothing', async () => {
    expect(await images({ ...OLD, 'new/a.yaml': write('web:1'), 'new/z.yaml': write('web:2') })).toEqual([['none'], ['none']]);
  });
});

describe('copies of OLD in separate folders may be for separate clusters, so each is compared', () => {
  const WEB = { 'old/a/web.json': JSON.stringify(web('web:1')), 'old/b/web.json': JSON.stringify(web('web:1')) };
  const changesOf = async (args: string, next: Readonly<Record<string, string>>) => {
    const { stdout } = await rolloutkit(`plan --from old new ${args} --format json`, { files: { ...WEB, ...next } });
    const { change, findings } = JSON.parse(stdout) as PlanDocument;
    const codes = findings.map(({ code }) => code).filter((code) => code === 'change/duplicate-old-object');
    return [change!.summary.kept, change!.objects.map(({ effect, source }) => [effect, source?.file]), codes];
  };

  test('one that is deleted is named, and the other one is compared with its own', async () => {
    const next = { 'new/b/web.json': JSON.stringify(web('web:1')) };
    expect(await changesOf('--prune', next)).toEqual([
      0,
      [
        ['none', 'new/b/web.json'],
        ['delete', undefined],
      ],
      [],
    ]);
    expect(await changesOf('', next)).toEqual([
      1,
      [
        ['none', 'new/b/web.json'],
        ['none', undefined],
      ],
      [],
    ]);
  });

  test('both are deleted if NEW has none', async () => {
    const next = { 'new/other.json': '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}' };
    expect(await changesOf('--prune', next)).toEqual([
      0,
      [
        ['create', 'new/other.json'],
        ['delete', undefined],
        ['delete', undefined],
      ],
      [],
    ]);
  });
});

describe('a uid makes one object of two live ones', () => {
  const LIVE = web('web:1', { uid: '1' });
  const deleted = async (
    from: string,
    old: Readonly<Record<string, object>>,
    next: Readonly<Record<string, object>>,
    empty: readonly string[] = [],
  ) => {
    const manifests = Object.entries({ ...old, ...next }).map(([file, object]) => [file, JSON.stringify(object)]);
    const files = Object.fromEntries([...manifests, ...empty.map((file) => [file, ''])]) as Record<string, string>;
    const { stdout } = await rolloutkit(`plan --prune ${from} new --format json`, { files });
    const { change } = JSON.parse(stdout) as PlanDocument;
    return change!.objects.map(({ effect, resource, source }) => [effect, resource.apiVersion, source?.file]);
  };

  const COPIES = { 'old/a/web.json': LIVE, 'old/b/web.json': LIVE };

  test('a copy in another folder is neither deleted nor kept, since no other cluster has an object with this uid', async () => {
    expect(await deleted('--from old', COPIES, { 'new/a/web.json': LIVE })).toEqual([['none', 'apps/v1', 'new/a/web.json']]);
    expect(await deleted('--from old', COPIES, { 'new/b/web.json': LIVE })).toEqual([['none', 'apps/v1', 'new/b/web.json']]);
    expect(await deleted('--from old', COPIES, { 'new/a/other.json': web('web:1', { name: 'other' }) })).toEqual([
      ['create', 'apps/v1', 'new/a/other.json'],
      ['delete', 'apps/v1', undefined],
    ]);
  });

  test('two copies that NEW has too are two objects', async () => {
    const next = { 'new/a/web.json': LIVE, 'new/b/web.json': LIVE };
    expect(await deleted('--from old', COPIES, next)).toEqual([
      ['none', 'apps/v1', 'new/a/web.json'],
      ['none', 'apps/v1', 'new/b/web.json'],
    ]);
  });

  test('copies in two folders of a repository are two manifests', async () => {
    expect(await deleted('--from old', COPIES, { 'new/a/web.json': LIVE }, ['old/.git/HEAD'])).toEqual([
      ['none', 'apps/v1', 'new/a/web.json'],
      ['delete', 'apps/v1', undefined],
    ]);
  });

  test('copies in two dumps are one object', async () => {
    expect(await deleted('--from old/a/web.json --from old/b/web.json', COPIES, { 'new/a/web.json': LIVE })).toEqual([
      ['none', 'apps/v1', 'new/a/web.json'],
    ]);
  });

  test('objects of two groups are two objects', async () => {
    const other = { apiVersion: 'x.io/v1', kind: 'Deployment', metadata: LIVE.metadata };
    expect(
      await deleted('--from old/web.json --from old/x.json', { 'old/web.json': LIVE, 'old/x.json': other }, { 'new/x.json': other }),
    ).toEqual([
      ['none', 'x.io/v1', 'new/x.json'],
      ['delete', 'apps/v1', undefined],
    ]);
  });
});

test('objects without a name are no copies if their names begin differently', () => {
  const job = (generateName: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { generateName, namespace: 'shop' },
    spec: { template: podTemplate({ image: 'a:1' }) },
  });
  expect(changed([job('a-'), job('b-')], [], { prune: true })).toMatchObject({ effects: ['delete', 'delete'], duplicates: [] });
});

test('ReplicaSets in two dumps count once, without a finding', () => {
  const live = {
    ...web('web:1', { uid: '1', resourceVersion: '7' }),
    status: { observedGeneration: 1, replicas: 4, availableReplicas: 4 },
  };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: '2',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '1', controller: true }],
    },
    spec: { replicas: 4, selector: {}, template: live.spec.template },
    status: { replicas: 4, availableReplicas: 4 },
  };
  const { rollouts, findings } = planChange([live, set, set], [web('web:2')]);
  expect(rollouts[0]!.initialState).toEqual({ replicas: 4, revisions: [{ replicas: 4, available: 4 }], underWay: false });
  expect(findings.map(({ code }) => code)).not.toContain('change/duplicate-old-object');
});

describe('an object that NEW contains once more than OLD', () => {
  test('is compared with the same old object if the copies are in one folder', () => {
    expect(changed([web('web:1')], [web('web:1'), web('web:2')])).toMatchObject({ effects: ['none', 'roll'], replaced: 4 });
    expect(changed([web('web:1')], [web('web:1'), web('web:2'), web('web:3')]).effects).toEqual(['none', 'roll', 'roll']);
  });

  test('is new in another folder, which is reported, since the folders may be for one cluster', async () => {
    const { stdout } = await rolloutkit('plan --format json --from old new', {
      files: {
        'old/a/web.json': JSON.stringify(web('web:1')),
        'new/a/web.json': JSON.stringify(web('web:1')),
        'new/b/web.json': JSON.stringify(web('web:2')),
        'new/a/other.json': JSON.stringify(web('web:3')),
      },
    });
    const { change, findings } = JSON.parse(stdout) as PlanDocument;
    expect(change!.objects.map(({ effect, source }) => [effect, source?.file])).toEqual([
      ['roll', 'new/a/other.json'],
      ['none', 'new/a/web.json'],
      ['create', 'new/b/web.json'],
    ]);
    expect(factsOf(findings).map(({ messageId, data }) => [messageId, data])).toEqual([
      ['copies', { objects: 1, first: 'Deployment shop/web', other: 'Deployment shop/web' }],
    ]);
  });

  test.each([
    ['without a namespace', web('web:1', { namespace: undefined }), web('web:2', { namespace: 'default' })],
    ['with one', web('web:1'), web('web:2', { namespace: undefined })],
  ])('may be the same in an unknown namespace, if the first is %s', (_, first, second) => {
    const { change, findings } = planChange([first], [first, second]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['none', 'create']);
    expect(factsOf(findings).map(({ messageId, severity }) => [messageId, severity])).toEqual([['copies', 'error']]);
  });

  test('may be the same in an unknown namespace, which only is reported of an object that rolls nothing', () => {
    const of = (namespace?: string) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'web', ...(namespace && { namespace }) },
    });
    const { findings } = planChange([of()], [of(), of('default')]);
    expect(factsOf(findings).map(({ messageId, severity }) => [messageId, severity])).toEqual([['copies', 'info']]);
  });

  test('is the same with an empty namespace as without one', () => {
    const [old, next] = [web('web:1', { namespace: undefined }), web('web:2', { namespace: '' })];
    expect(changed([old], [old, next]).effects).toEqual(['none', 'roll']);
  });
});
