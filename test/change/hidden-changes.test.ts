/** What a pull request writes so that its change reads as another one: as that of a new object, or as none. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planChangedInput } from '../../src/change/plan-change';
import { nameOf } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { planChange } from '../../src/headless';
import { rolloutkit } from '../cli/command-line';

function web(maxUnavailable: string, metadata = '', type = 'RollingUpdate'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web${metadata} }
spec:
  replicas: 4
  strategy: { type: ${type}, rollingUpdate: { maxUnavailable: ${maxUnavailable} } }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:${maxUnavailable}", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;
}

const OLD = web('25%');
const OUTAGE = web('100%');
const IN_DEFAULT = web('100%', ', namespace: default');
const RECREATED = ', annotations: { argocd.argoproj.io/sync-options: "Force=true,Replace=true" }';
const CONFIG = '---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: other, uid: abc }\n';

const CANARY = `apiVersion: flagger.app/v1beta1
kind: Canary
metadata: { name: web }
spec:
  targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  service: { port: 80 }
  analysis: { interval: 1m, threshold: 5, maxWeight: 50, stepWeight: 10 }
`;

type Outcome = readonly [exitCode: number, effects: readonly string[]];

async function outcomeOf(files: Readonly<Record<string, string>>): Promise<Outcome> {
  const { exitCode } = await rolloutkit('check --from old new', { files });
  const { stdout } = await rolloutkit('plan --from old new --format json', { files });
  return [exitCode, (JSON.parse(stdout) as PlanDocument).change!.objects.map(({ effect }) => effect)];
}

describe('an outage is an error, as if only the object changed', () => {
  test.each<[what: string, files: Readonly<Record<string, string>>, effects: readonly string[]]>([
    ['alone', { 'old/a.yaml': OLD, 'new/a.yaml': OUTAGE }, ['roll']],
    ['with a namespace that OLD leaves to the command line', { 'old/a.yaml': OLD, 'new/a.yaml': IN_DEFAULT }, ['roll']],
    ['twice with such a namespace', { 'old/a.yaml': OLD, 'new/a.yaml': IN_DEFAULT, 'new/b.yaml': IN_DEFAULT }, ['roll', 'roll']],
    [
      'next to a new one in another namespace',
      { 'old/a.yaml': OLD, 'new/0.yaml': web('25%', ', namespace: other'), 'new/a.yaml': IN_DEFAULT },
      ['create', 'roll'],
    ],
    ['with sync options that recreate it', { 'old/a.yaml': OLD, 'new/a.yaml': web('100%', RECREATED) }, ['replace']],
    ['with a new Canary that claims it', { 'old/a.yaml': OLD, 'new/a.yaml': OUTAGE, 'new/b.yaml': CANARY }, ['roll', 'create']],
    ['behind a copy that does not change', { 'old/a.yaml': OLD, 'new/a.yaml': OLD, 'new/b.yaml': OUTAGE }, ['none', 'roll']],
    [
      'next to an object with its uid',
      { 'old/a.yaml': web('25%', ', uid: abc') + CONFIG, 'new/a.yaml': web('100%', ', uid: abc') + CONFIG },
      ['roll', 'none'],
    ],
  ])('%s', async (_, files, effects) => {
    expect(await outcomeOf(files)).toEqual([1, effects]);
  });
});

/** Returns the fields of Deployment web that differ, if OLD writes metadata into a folder of a repository, and NEW omits the strategy. */
async function listDifferencesFrom(from: string, metadata: string, isRepository = true): Promise<readonly string[]> {
  const { stdout } = await rolloutkit(`plan --from ${from} deploy --format json`, {
    files: { 'deploy/a.yaml': web('null', metadata, 'Recreate'), 'base/a.yaml': web('null', metadata, 'Recreate') },
    prepare: (folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
      if (isRepository) {
        git('init', '-q', '-b', 'main');
        git('add', '-A');
        git('commit', '-q', '-m', 'first');
      }
      writeFileSync(join(folder, 'deploy/a.yaml'), web('null', metadata).replace(/ {2}strategy.*\n/, ''));
    },
  });
  const [object] = (JSON.parse(stdout) as PlanDocument).change!.objects;
  return object!.because.map(({ path }) => path);
}

test('a manifest of a checkout in the folder of --from is none of a cluster either', async () => {
  const files = {
    'old/base/a.yaml': web('null', ', uid: abc', 'Recreate'),
    'new/a.yaml': web('null', ', uid: abc').replace(/ {2}strategy.*\n/, ''),
  };
  const differencesIn = async (folder: string) => {
    const prepare = (root: string) => mkdirSync(join(root, folder, '.git'), { recursive: true });
    const { stdout } = await rolloutkit('plan --from old new --format json', { files, prepare });
    return (JSON.parse(stdout) as PlanDocument).change!.objects.map(({ because }) => because.map(({ path }) => path));
  };
  expect(await differencesIn('old/base')).toEqual([expect.arrayContaining(['spec.strategy.type'])]);
  expect(await differencesIn('new')).toEqual([[]]);
});

describe('a manifest of a revision or of a folder of a repository is none of a cluster, whatever it writes', () => {
  test.each([
    ['a uid', ', uid: abc'],
    ['a resourceVersion', ', resourceVersion: "1"'],
    ['managed fields', ', managedFields: []'],
    ['what kubectl applied last', ", annotations: { kubectl.kubernetes.io/last-applied-configuration: '{}' }"],
  ])('%s', async (_, metadata) => {
    expect(await listDifferencesFrom('git:HEAD', metadata)).toContain('spec.strategy.type');
    expect(await listDifferencesFrom('git:HEAD:base', metadata)).toContain('spec.strategy.type');
    expect(await listDifferencesFrom('base', metadata)).toContain('spec.strategy.type');
  });

  test('a file that is named, and a folder outside of a repository, may be what kubectl printed', async () => {
    expect(await listDifferencesFrom('git:HEAD:base/a.yaml', ', uid: abc')).not.toContain('spec.strategy.type');
    expect(await listDifferencesFrom('base/a.yaml', ', uid: abc')).not.toContain('spec.strategy.type');
    expect(await listDifferencesFrom('base', ', uid: abc', false)).not.toContain('spec.strategy.type');
  });

  test('a folder whose objects are read as manifests is named on standard error', async () => {
    const { stderr } = await rolloutkit('plan --from base new.yaml', {
      files: { 'base/a.yaml': web('25%', ', uid: abc'), 'new.yaml': OLD },
      prepare: (folder) => mkdirSync(join(folder, '.git')),
    });
    expect(stderr).toContain(
      'rolloutkit: base contains files of a repository, so their objects are manifests, also with a uid; if kubectl printed them, name the files\n',
    );
  });
});

test('the status that a manifest of an unknown kind has in a repository is compared with that of NEW', async () => {
  const widget = (x: number) => `apiVersion: x.io/v1\nkind: Widget\nmetadata: { name: w, uid: abc }\nstatus: { x: ${x} }\n`;
  const effectsOf = async (next: string) => {
    const { stdout } = await rolloutkit('plan --from old new.yaml --format json', {
      files: { 'old/a.yaml': widget(1), 'new.yaml': next },
      prepare: (folder) => mkdirSync(join(folder, '.git')),
    });
    return (JSON.parse(stdout) as PlanDocument).change!.objects.map(({ effect }) => effect);
  };
  expect(await effectsOf(widget(1))).toEqual(['none']);
  expect(await effectsOf(widget(2))).toEqual(['unknown']);
});

test.each(['.', 'apps', 'apps/a.yaml'])('objects of a submodule, which OLD lacks, do not look new in silence: %s', async (given) => {
  const { exitCode, stdout } = await rolloutkit(`check --from git:HEAD ${given} --require-planned`, {
    files: { 'apps/a.yaml': OLD },
    prepare: (folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
      git('init', '-q', '-b', 'main');
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},apps`);
      git('commit', '-q', '-m', 'first');
    },
  });
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining('git:HEAD:apps is a submodule, whose files are in another repository')]);
});

test('an object on which comparing fails is one finding with an unknown effect, and the others are planned', () => {
  const config = (name: string, value: string): Manifest => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  const side = (value: string) => ({ objects: ['a', 'b', 'c'].map((name) => config(name, value)) });
  const admission = (object: Manifest) => {
    if (nameOf(object) === 'b') throw new RangeError('too deep');
    return undefined;
  };

  const { change, findings } = planChangedInput(side('1'), side('2'), { admission });

  expect(change!.objects.map(({ effect }) => effect)).toEqual(['settings', 'unknown', 'settings']);
  expect(findings.map(({ messageId, data }) => [messageId, data])).toEqual([['failed', { resource: 'ConfigMap b', error: 'too deep' }]]);
});

describe('a kustomization is an object of the change, although kustomize needs no kind in it', () => {
  const headlineOf = async (old: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>) => {
    const files = [
      ...Object.entries(old).map(([name, text]) => [`old/${name}`, text]),
      ...Object.entries(next).map(([name, text]) => [`new/${name}`, text]),
    ];
    const { stdout } = await rolloutkit('plan --from old new', {
      files: { 'old/web.yaml': OLD, 'new/web.yaml': OLD, ...Object.fromEntries(files) },
    });
    return stdout.split('\n')[0];
  };
  const UNKNOWN = '1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36';

  test.each<readonly [what: string, file: string, next: string]>([
    ['a namespace', 'kustomization.yaml', 'resources: [web.yaml]\nnamespace: other\n'],
    ['a prefix', 'kustomization.yml', 'resources: [web.yaml]\nnamePrefix: x-\n'],
    ['an image', 'Kustomization', 'resources: [web.yaml]\nimages: [{ name: web, newTag: "2" }]\n'],
    ['a resource less', 'kustomization.yaml', 'resources: []\n'],
    ['nothing', 'kustomization.yaml', ''],
    ['a kind', 'kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n'],
  ])('with %s', async (_, file, next) => {
    expect(await headlineOf({ [file]: 'resources: [web.yaml]\n' }, { [file]: next })).toBe(UNKNOWN);
  });

  test('with another name of its file', async () => {
    expect(await headlineOf({ 'kustomization.yaml': 'resources: [web.yaml]\n' }, { Kustomization: 'resources: []\n' })).toBe(UNKNOWN);
  });

  test('that is new has an unknown effect if its files do not show what it builds', async () => {
    const patch = 'resources: [web.yaml]\nreplicas: [{ name: web, count: 0 }]\n';
    expect(await headlineOf({}, { Kustomization: patch })).toBe(UNKNOWN);
    expect(await headlineOf({}, { Kustomization: 'resources: [web.yaml]\n' })).toBe(
      '1 of 2 objects differs: 1 is new; no pods are affected; assumes Kubernetes 1.36',
    );
  });

  test('that is new and does not list a file of its folder affects an unknown number of pods', async () => {
    expect(await headlineOf({}, { 'kustomization.yaml': 'resources: []\n' })).toBe(
      '1 of 2 objects differs: 1 is new; the number of affected pods is unknown; assumes Kubernetes 1.36',
    );
  });
});

describe('a kustomization counts if kustomize makes something else of objects than their files show', () => {
  const LISTS = 'resources: [web.yaml]\n';
  const IN_OTHER = `${LISTS}namespace: other\n`;
  const named = (name: string) => OLD.replace('name: web', `name: ${name}`);

  test.each<[what: string, old: Readonly<Record<string, string>>, next: Readonly<Record<string, string>>, count: number]>([
    ['a namespace', { 'kustomization.yaml': LISTS }, { 'kustomization.yaml': IN_OTHER }, 1],
    ['a namespace in a new one', {}, { 'kustomization.yaml': IN_OTHER }, 1],
    ['a patch in a new one', {}, { 'kustomization.yaml': `${LISTS}replicas: [{ name: web, count: 0 }]\n` }, 1],
    ['a new one that includes a folder in another namespace', {}, { 'prod/kustomization.yaml': 'resources: [..]\nnamespace: prod\n' }, 1],
    [
      'an entry that exists',
      { 'a/kustomization.yaml': '', 'b/api.yaml': named('api') },
      { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/api.yaml': named('api') },
      1,
    ],
    [
      'an entry that is new',
      { 'kustomization.yaml': LISTS },
      { 'kustomization.yaml': 'resources: [web.yaml, api.yaml]\n', 'api.yaml': named('api') },
      0,
    ],
    [
      'an entry with another name',
      { 'kustomization.yaml': 'resources: [web.yaml, api.yaml]\n', 'api.yaml': named('api') },
      { 'kustomization.yaml': 'resources: [web.yaml, b.yaml]\n', 'b.yaml': named('api') },
      0,
    ],
    [
      'a namespace of new objects',
      {},
      { 'api/kustomization.yaml': 'resources: [api.yaml]\nnamespace: api\n', 'api/api.yaml': named('api') },
      0,
    ],
    ['labels, which the objects show', { 'kustomization.yaml': LISTS }, { 'kustomization.yaml': `${LISTS}commonLabels: { a: b }\n` }, 0],
  ])('%s', async (_, old, next, count) => {
    const files = { 'old/web.yaml': OLD, 'new/web.yaml': OLD };
    const sides = Object.fromEntries([
      ...Object.entries(old).map(([name, text]) => [`old/${name}`, text]),
      ...Object.entries(next).map(([name, text]) => [`new/${name}`, text]),
    ]) as Readonly<Record<string, string>>;
    const { stdout } = await rolloutkit('plan --from old new --format json', { files: { ...files, ...sides } });
    const { notPlanned } = JSON.parse(stdout) as PlanDocument;
    expect(notPlanned.map((unplanned) => [unplanned.kind, unplanned.count])).toEqual(count === 0 ? [] : [['Kustomization', count]]);
  });
});

describe('a file at the root of a revision is read as in a folder of it', () => {
  const changesOf = async (name: string, old: string, next: string, folder = '') => {
    const { stdout } = await rolloutkit('plan --from git:HEAD . --format json', {
      files: { [`${folder}${name}`]: old, [`${folder}web.yaml`]: OLD },
      prepare: (root) => {
        const git = (...args: readonly string[]) =>
          execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root });
        git('init', '-q', '-b', 'main');
        git('add', '-A');
        git('commit', '-q', '-m', 'first');
        writeFileSync(join(root, folder, name), next);
      },
    });
    const { objects } = (JSON.parse(stdout) as PlanDocument).change!;
    return objects.map(({ effect, because }) => [effect, because.map(({ path }) => path)]);
  };

  test.each(['', 'a/'])('a fleet.yaml, in the folder "%s"', async (folder) => {
    expect(await changesOf('fleet.yaml', 'paused: false\n', 'paused: true\n', folder)).toEqual([
      ['settings', ['paused']],
      ['none', []],
    ]);
  });

  test.each(['', 'a/'])('a kustomization without a kind, in the folder "%s"', async (folder) => {
    const text = 'resources: [web.yaml]\n';
    expect(await changesOf('kustomization.yaml', text, `${text}namespace: shop\n`, folder)).toEqual([
      ['unknown', ['namespace']],
      ['none', []],
    ]);
  });
});

describe('an object that is stored differently is listed', () => {
  const effectOf = (old: Manifest, next: Manifest) => planChange([old], [next]).change.objects.map(({ effect }) => effect);
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
  const withAnnotation = (kind: string, apiVersion: string, annotation: string, value: string): Manifest => ({
    apiVersion,
    kind,
    metadata: { name: 'a', annotations: { [annotation]: value } },
    ...(apiVersion === 'apps/v1' && { spec: { selector: { matchLabels: { app: 'a' } }, template } }),
  });

  test.each([
    ['ConfigMap', 'v1', 'deployment.kubernetes.io/revision', 'metadata'],
    ['DaemonSet', 'apps/v1', 'deployment.kubernetes.io/revision', 'metadata'],
    ['Deployment', 'apps/v1', 'deprecated.daemonset.template.generation', 'metadata'],
    ['Deployment', 'apps/v1', 'deployment.kubernetes.io/revision', 'none'],
    ['DaemonSet', 'apps/v1', 'deprecated.daemonset.template.generation', 'none'],
  ])('%s of %s with another value of the annotation %s: %s', (kind, apiVersion, annotation, effect) => {
    const [old, next] = ['1', '2'].map((value) => withAnnotation(kind, apiVersion, annotation, value));
    expect(effectOf(old!, next!)).toEqual([effect]);
  });

  test.each([
    ['Namespace', 'v1'],
    ['ServiceAccount', 'v1'],
    ['Deployment', 'apps/v1'],
    ['Ingress', 'networking.k8s.io/v1'],
    ['VirtualService', 'networking.istio.io/v1'],
  ])('%s of %s with a label or an annotation that is null, which the API server stores as an empty text', (kind, apiVersion) => {
    const old = withAnnotation(kind, apiVersion, 'a', 'b');
    const changesOf = (metadata: object) =>
      planChange([old], [{ ...old, metadata: { ...old.metadata, ...metadata } }], { apply: 'server' }).change.objects;
    const changes = [...changesOf({ labels: { a: null } }), ...changesOf({ annotations: { a: 'b', c: null } })];
    expect(changes.map(({ effect, because }) => [effect, because.map(({ new: after }) => after)])).toEqual([
      ['metadata', [{ a: '' }]],
      ['metadata', ['']],
    ]);
  });

  test.each([
    ['EnvoyFilter', 'networking.istio.io/v1alpha3', 'settings', (value: object) => ({ configPatches: [{ patch: { value } }] })],
    ['HelmRelease', 'helm.toolkit.fluxcd.io/v2', 'unknown', (values: object) => ({ values })],
    ['CustomResourceDefinition', 'apiextensions.k8s.io/v1', 'settings', definitionWithEnum],
    ['PodDisruptionBudget', 'policy/v1', 'none', (value: object) => ({ maxUnavailable: 1, ...('b' in value && { selector: null }) })],
  ])('%s of %s with a null in a field that may keep it: %s', (kind, apiVersion, effect, toSpec) => {
    const [old, next] = [{ a: '1' }, { a: '1', b: null }]
      .map(toSpec)
      .map((spec) => ({ apiVersion, kind, metadata: { name: 'as.x.io' }, spec }));
    expect(effectOf(old!, next!)).toEqual([effect]);
  });
});

test('a null that moves to a field whose path has the same names differs', () => {
  const filter = (value: object): Manifest => ({
    apiVersion: 'networking.istio.io/v1alpha3',
    kind: 'EnvoyFilter',
    metadata: { name: 'a' },
    spec: { configPatches: [{ patch: { value } }] },
  });
  const [old, next] = [
    { a: { 'b/c': null }, 'a/b': {} },
    { a: {}, 'a/b': { c: null } },
  ].map(filter);
  expect(planChange([old!], [next!]).change.objects.map(({ effect }) => effect)).toEqual(['settings']);
});

describe('a change of the API version alone is validated, and listed unless the fields of both versions are known', () => {
  const scaled = { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } };
  test.each<[kind: string, versions: readonly [string, string], outcome: readonly string[], spec: object]>([
    ['HorizontalPodAutoscaler', ['autoscaling/v1', 'autoscaling/v2'], ['none'], scaled],
    [
      'HorizontalPodAutoscaler',
      ['autoscaling/v1', 'autoscaling/v2'],
      ['refused', 'strict decoding error: unknown field "spec.targetCPUUtilizationPercentage"'],
      { ...scaled, targetCPUUtilizationPercentage: 50 },
    ],
    ['Certificate', ['cert-manager.io/v1alpha2', 'cert-manager.io/v1'], ['settings'], { secretName: 'a', keySize: 4096 }],
    ['PriorityLevelConfiguration', ['flowcontrol.apiserver.k8s.io/v1beta2', 'flowcontrol.apiserver.k8s.io/v1'], ['settings'], {}],
    ['Widget', ['x.io/v1', 'x.io/v2'], ['unknown'], {}],
    ['Rollout', ['argoproj.io/v1alpha1', 'argoproj.io/v1'], ['unknown'], { paused: true }],
  ])('%s from %j: %j', (kind, versions, outcome, spec) => {
    const [old, next] = versions.map((apiVersion): Manifest => ({ apiVersion, kind, metadata: { name: 'a' }, spec }));
    const { objects } = planChange([old!], [next!]).change;
    expect(objects.map(({ effect, refusal }) => [effect, ...(refusal ? [refusal.message] : [])])).toEqual([outcome]);
  });
});

function definitionWithEnum(value: object): object {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', enum: [value], properties: { a: { type: 'string' } } } } },
  };
  return {
    group: 'x.io',
    scope: 'Namespaced',
    names: { kind: 'A', plural: 'as', singular: 'a', listKind: 'AList' },
    versions: [{ name: 'v1', served: true, storage: true, schema }],
  };
}
