import { mkdirSync, writeFileSync } from 'node:fs';
import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';

/* Files that a tool reads in another way than kubectl, and names that hide one file behind another. */

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;
const CONFIG_MAP = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm, namespace: shop}\ndata: {a: b}\n';
const STRICT = ['--require-planned', '--policy policy.yaml'];

/** Checks the folder `in`, and returns the exit code and the findings of the input as `severity code file:line`. */
async function check(files: Setting['files'], args = '', prepare?: Setting['prepare'], policy = 'requireReadinessProbe: false\n') {
  const { exitCode, stdout } = await rolloutkit(`check --format json ${args} in`, {
    files: { 'policy.yaml': policy, ...files },
    ...(prepare && { prepare }),
  });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  const found = findings.filter(({ code }) => code.startsWith('input/') || code.startsWith('guardrails/'));
  return { exitCode, found: found.map(({ severity, code, source }) => `${severity} ${code} ${source?.file}:${source?.line}`) };
}

describe('a document that is not an object, next to one that is planned', () => {
  test.each([
    ['after it', `${WEB}---\nfoo: bar\n`, 10],
    ['before it', `foo: bar\n---\n${WEB}`, 1],
    ['in JSON', '{"foo": 1}\n---\n{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}\n', 1],
  ])('%s makes Fleet or Argo CD leave out the file, which is then an error', async (_, text, line) => {
    expect((await check({ 'in/web.yaml': text })).found).toEqual([]);
    for (const option of STRICT)
      expect(await check({ 'in/web.yaml': text }, option)).toEqual({ exitCode: 1, found: [`error input/unreadable in/web.yaml:${line}`] });
  });

  test.each([
    ['in a file of its own', { 'in/web.yaml': WEB, 'in/settings.yaml': 'foo: bar\n' }],
    ['if it is empty', { 'in/web.yaml': `---\n# web\n---\n${WEB}---\n` }],
    ['next to an object that no plan reads', { 'in/web.yaml': WEB, 'in/cm.yaml': `${CONFIG_MAP}---\nfoo: bar\n` }],
  ])('is none %s', async (_, files) => {
    expect((await check(files, '--require-planned')).found).toEqual([]);
  });
});

describe('a key that an object has twice, which tools read differently', () => {
  const twice = WEB.replace('spec:\n', 'spec:\n  strategy: {type: Recreate}\n  strategy: {type: RollingUpdate}\n');

  test('is a warning, and then an error, in an object that plans read', async () => {
    expect((await check({ 'in/web.yaml': twice })).found).toEqual(['warning input/duplicate-key in/web.yaml:6']);
    for (const option of STRICT)
      expect(await check({ 'in/web.yaml': twice }, option)).toEqual({ exitCode: 1, found: ['error input/duplicate-key in/web.yaml:6'] });
  });

  test('is an error that no annotation hides', async () => {
    const ignored = twice.replace('namespace: shop', 'namespace: shop, annotations: {rolloutkit/ignore: "input/duplicate-key: x"}');
    expect(await check({ 'in/web.yaml': ignored }, '--require-planned')).toMatchObject({ exitCode: 1 });
  });

  test('stays a warning in an object that none reads', async () => {
    expect((await check({ 'in/cm.yaml': `${CONFIG_MAP}data: {}\n` }, '--require-planned')).found).toEqual([
      'warning input/duplicate-key in/cm.yaml:5',
    ]);
  });
});

describe('a kind or a version that Flux fills in, so that the object may be any, is then an error', () => {
  test.each([
    ['a placeholder', 'v${X:=1}', '${K:=Deployment}'],
    ['a version of it', '${G:=apps}/v1', 'Deploy'],
    ['a value that SOPS encrypts', 'ENC[AES256_GCM,data:a,type:str]', 'ENC[AES256_GCM,data:b,type:str]'],
  ])('%s', async (_, apiVersion, kind) => {
    const object = `apiVersion: "${apiVersion}"\nkind: "${kind}"\nmetadata: {name: x}\nspec: {replicas: 3}\n`;
    expect((await check({ 'in/x.yaml': object })).found).toEqual([]);
    for (const option of STRICT)
      expect(await check({ 'in/x.yaml': object }, option)).toEqual({ exitCode: 1, found: ['error input/kustomization in/x.yaml:1'] });
  });
});

describe('a name that is not UTF-8 looks like any other, which is then an error', () => {
  const other = (folder: string, name: string) =>
    Buffer.concat([Buffer.from(`${folder}/in/`), Buffer.from([0xff]), Buffer.from(`/${name}`)]);
  const write = (files: Readonly<Record<string, string>>) => (folder: string) => {
    mkdirSync(other(folder, ''), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(other(folder, name), text);
  };

  test('a kustomization behind one that changes nothing', async () => {
    const hidden = write({ 'kustomization.yaml': 'resources: [web.yaml]\nreplicas: [{name: web, count: 0}]\n', 'web.yaml': WEB });
    const files = { 'in/\ufffd/kustomization.yaml': 'resources: [web.yaml]\n', 'in/\ufffd/web.yaml': WEB };
    for (const option of STRICT) expect(await check(files, option, hidden)).toMatchObject({ exitCode: 1 });
  });

  test('a fleet.yaml that moves its folder into another namespace', async () => {
    const hidden = write({ 'fleet.yaml': 'namespace: prod\n', 'web.yaml': WEB });
    expect(await check({ 'in/cm.yaml': CONFIG_MAP }, '--policy policy.yaml', hidden)).toEqual({
      exitCode: 1,
      found: ['error input/unreadable in/\ufffd/fleet.yaml:1', 'error input/unreadable in/\ufffd/web.yaml:1'],
    });
    expect((await check({ 'in/cm.yaml': CONFIG_MAP }, '', hidden)).found).toEqual([]);
  });
});

test('guardrails for a namespace apply to a fleet.yaml that is too long to read', async () => {
  const files = { 'in/fleet.yaml': `namespace: prod\n${'#'.repeat(11_000_000)}\n`, 'in/web.yaml': WEB };
  const policy = 'requireReadinessProbe: true\nmatch: {namespaces: [prod]}\n';
  expect(await check(files, '--policy policy.yaml', undefined, policy)).toEqual({
    exitCode: 1,
    found: ['error guardrails/refused in/web.yaml:8'],
  });
});

describe('a folder templates without a chart, which Fleet renders with Helm', () => {
  const BUNDLE = { 'in/fleet.yaml': 'defaultNamespace: shop\n' };
  const REPOSITORY = {
    'in/repo.yaml': 'apiVersion: fleet.cattle.io/v1alpha1\nkind: GitRepo\nmetadata: {name: r}\nspec: {repo: x, paths: [in]}\n',
  };

  test.each<readonly [string, Setting['files']]>([
    ['next to a fleet.yaml', { ...BUNDLE, 'in/templates/web.yaml': `# {{ if false }}\n${WEB}# {{ end }}\n` }],
    ['without any action', { ...BUNDLE, 'in/templates/web.yaml': WEB }],
    ['with files that Helm leaves out', { ...BUNDLE, 'in/templates/sub/_web.yaml': WEB }],
    [
      'with an action that writes an object',
      { ...BUNDLE, 'in/templates/cm.yaml': `${CONFIG_MAP}  b: '{{ "\\n---\\nkind: Deployment" }}'\n`.replace('{a: b}', '\n  a: b') },
    ],
    [
      'with a kustomization of its own',
      { ...BUNDLE, 'in/templates/kustomization.yaml': 'resources: [web.yaml]\n', 'in/templates/web.yaml': WEB },
    ],
    [
      'with a kustomization that Fleet does not know',
      { ...BUNDLE, 'in/Kustomization': 'resources: [templates/web.yaml]\n', 'in/templates/web.yaml': WEB },
    ],
    ['in a folder that a GitRepo may name', { ...REPOSITORY, 'in/apps/templates/web.yaml': WEB }],
  ])('is an info, and then an error, %s', async (_, files) => {
    const file = Object.keys(files!).at(-1);
    expect((await check(files)).found).toEqual([`info input/kustomization ${file}:1`]);
    for (const option of STRICT)
      expect(await check(files, option)).toEqual({ exitCode: 1, found: [`error input/kustomization ${file}:1`] });
  });

  test.each(['in', 'in/', 'in//', './in/'])('also in the PATH %s, and so is a hidden file', async (path) => {
    const files = { ...BUNDLE, 'in/templates/web.yaml': WEB, 'in/.web.yaml': WEB.replace('name: web', 'name: db') };
    const { stdout } = await rolloutkit(`check --require-planned ${path}`, { files });
    expect(stdout.match(/^error {2}input\/kustomization {2}\S+/gm)).toHaveLength(2);
  });

  test('a file that Fleet replaces by what Helm renders is one too', async () => {
    const files = { ...BUNDLE, 'in/kustomization.yaml': 'resources: [fleet-manifests.yaml]\n', 'in/fleet-manifests.yaml': WEB };
    expect((await check(files)).found).toEqual(['info input/kustomization in/fleet-manifests.yaml:1']);
    expect((await check(files, '--require-planned')).found).toEqual(['error input/kustomization in/fleet-manifests.yaml:1']);
  });

  test.each<readonly [string, Setting['files']]>([
    ['if nothing shows Fleet', { 'in/templates/web.yaml': WEB }],
    [
      'if a kustomization lists the file',
      { ...BUNDLE, 'in/kustomization.yaml': 'resources: [templates/web.yaml]\n', 'in/templates/web.yaml': WEB },
    ],
    ['if no plan reads the file', { ...BUNDLE, 'in/templates/cm.yaml': CONFIG_MAP }],
  ])('is none %s', async (_, files) => {
    expect((await check(files, '--require-planned')).found).toEqual([]);
  });
});

describe('objects that a tool puts into one namespace, but that are planned in different ones', () => {
  const web = WEB.replace(', namespace: shop', '');
  const quota = (namespace: string) => `apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q${namespace}}\nspec: {hard: {pods: "1"}}\n`;
  const list = (...files: readonly string[]) => `namespace: prod\nresources: [${files.join(', ')}]\n`;
  const restricted = (name: string) =>
    `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, labels: {pod-security.kubernetes.io/enforce: restricted}}\n`;
  const PROD = ', namespace: prod';

  test.each<readonly [string, string, Setting['files']]>([
    [
      'a quota of another namespace',
      'q',
      { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': web, 'in/q.yaml': quota(', namespace: x') },
    ],
    [
      'a quota of that namespace',
      'q',
      { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': web, 'in/q.yaml': quota(PROD) },
    ],
    [
      'one in a folder that it does not include',
      'q',
      { 'in/a/kustomization.yaml': list('web.yaml'), 'in/a/web.yaml': web, 'in/q.yaml': quota(PROD) },
    ],
    [
      'one that an overlay puts there',
      'a/q',
      {
        'in/a/kustomization.yaml': list('../base', 'q.yaml'),
        'in/a/q.yaml': quota(PROD),
        'in/base/kustomization.yaml': 'resources: [web.yaml]\n',
        'in/base/web.yaml': web,
      },
    ],
    [
      'a Namespace that kustomize renames',
      'q',
      { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': web, 'in/q.yaml': restricted('x') },
    ],
    [
      'a Namespace of that name',
      'q',
      { 'in/a/kustomization.yaml': list('web.yaml'), 'in/a/web.yaml': web, 'in/q.yaml': restricted('prod') },
    ],
    ['a quota in a bundle', 'q', { 'in/fleet.yaml': 'namespace: prod\n', 'in/web.yaml': web, 'in/q.yaml': quota(', namespace: x') }],
    [
      'a quota that is put into the namespace of objects that write none',
      'k/q',
      {
        'in/web.yaml': web,
        'in/k/kustomization.yaml': 'namespace: default\nresources: [q.yaml]\n',
        'in/k/q.yaml': quota(', namespace: other'),
      },
    ],
    [
      'a quota in a bundle around another one',
      'q',
      {
        'in/fleet.yaml': 'namespace: prod\n',
        'in/kustomization.yaml': 'resources: [inner/web.yaml, q.yaml]\n',
        'in/q.yaml': quota(', namespace: other'),
        'in/inner/fleet.yaml': 'namespace: other\n',
        'in/inner/web.yaml': web,
      },
    ],
    [
      'a quota for a target of a bundle',
      'q',
      { 'in/fleet.yaml': 'targetCustomizations: [{namespace: prod}]\n', 'in/web.yaml': web, 'in/q.yaml': quota(PROD) },
    ],
  ])('are a warning, and then an error: %s', async (_, name, files) => {
    expect((await check(files)).found).toContain(`warning input/kustomization in/${name}.yaml:1`);
    for (const option of STRICT)
      expect(await check(files, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining([`error input/kustomization in/${name}.yaml:1`]),
      });
  });

  test.each<readonly [string, Setting['files']]>([
    ['none writes one', { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': web, 'in/q.yaml': quota('') }],
    [
      'each writes the same',
      { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': WEB, 'in/q.yaml': quota(', namespace: shop') },
    ],
    [
      'two workloads do not',
      { 'in/kustomization.yaml': list('web.yaml', 'q.yaml'), 'in/web.yaml': web, 'in/q.yaml': WEB.replace('name: web', 'name: db') },
    ],
    [
      'the other is of all namespaces',
      {
        'in/kustomization.yaml': list('web.yaml'),
        'in/web.yaml': WEB,
        'in/q.yaml': 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: p}\nvalue: 1\n',
      },
    ],
    [
      'a Namespace sets no rule for pods',
      {
        'in/kustomization.yaml': list('web.yaml'),
        'in/web.yaml': web,
        'in/q.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: prod}\n',
      },
    ],
    [
      'a bundle has only a default',
      { 'in/fleet.yaml': 'defaultNamespace: prod\n', 'in/web.yaml': web, 'in/q.yaml': quota(', namespace: x') },
    ],
    [
      'a Service does not',
      {
        'in/kustomization.yaml': list('web.yaml', 'q.yaml'),
        'in/web.yaml': web,
        'in/q.yaml':
          'apiVersion: v1\nkind: Service\nmetadata: {name: s, namespace: x}\nspec: {selector: {app: web}, ports: [{port: 80}]}\n',
      },
    ],
    [
      'none of both is put there',
      {
        'in/k/kustomization.yaml': 'namespace: default\nresources: [db.yaml]\n',
        'in/k/db.yaml': WEB.replace('name: web, namespace: shop', 'name: db, namespace: default'),
        'in/web.yaml': web,
        'in/q.yaml': quota(', namespace: default'),
      },
    ],
    [
      'a bundle of raw YAML around another one does not contain it',
      {
        'in/fleet.yaml': 'namespace: prod\n',
        'in/q.yaml': quota(PROD),
        'in/inner/fleet.yaml': 'defaultNamespace: dev\n',
        'in/inner/web.yaml': WEB,
      },
    ],
    [
      'one is of a custom kind for all namespaces, or only deploys others',
      {
        'in/kustomization.yaml': list('web.yaml', 'q.yaml'),
        'in/web.yaml': WEB,
        'in/q.yaml': [
          'karpenter.sh/v1 NodePool',
          'resource.k8s.io/v1 DeviceClass',
          'serving.kserve.io/v1alpha1 ClusterServingRuntime',
          'pkg.crossplane.io/v1 Provider',
          'argoproj.io/v1alpha1 Application',
        ]
          .map((type) => type.split(' '))
          .map(([apiVersion, kind]) => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`)
          .join('---\n'),
      },
    ],
    ['nothing sets one', { 'in/web.yaml': web, 'in/q.yaml': quota(PROD) }],
  ])('are none if %s', async (_, files) => {
    const { found } = await check(files, '--require-planned');
    expect(found.filter((each) => each.includes('input/kustomization'))).toEqual([]);
  });
});

test('a fleet.yaml that is also an object, which Fleet reads all the same, is then an error', async () => {
  const files = { 'in/fleet.yaml': `${CONFIG_MAP}yaml: {overlays: [x]}\npaused: true\n`, 'in/web.yaml': WEB };
  const dropped = ['warning input/unknown-field in/fleet.yaml:5', 'warning input/unknown-field in/fleet.yaml:6'];
  expect((await check(files)).found).toEqual(dropped);
  for (const option of STRICT)
    expect(await check(files, option)).toEqual({ exitCode: 1, found: ['error input/kustomization in/fleet.yaml:1', ...dropped] });
  const list = { ...files, 'in/fleet.yaml': 'apiVersion: v1\nkind: List\nitems: []\nnamespace: prod\n' };
  expect((await check(list, '--require-planned')).found).toContain('error input/kustomization in/fleet.yaml:1');
});

describe('a kustomization or a fleet.yaml of several documents, of which tools read only the first, is then an error', () => {
  const LIST = 'resources: [web.yaml]\n';

  test.each([
    ['an empty one before it', `---\n---\n${LIST}`],
    ['a comment before it', `---\n# web\n---\n${LIST}`],
    ['one after it', `${LIST}---\nnamespace: prod\n`],
    ['one after its end', `${LIST}...\n---\nnamespace: prod\n`],
    ['another line break', `---\r---\r${LIST}`],
  ])('with %s', async (_, text) => {
    for (const option of STRICT) {
      const { exitCode, found } = await check({ 'in/kustomization.yaml': text, 'in/web.yaml': WEB }, option);
      expect([exitCode, found[0]]).toEqual([1, 'error input/kustomization in/kustomization.yaml:1']);
      const bundle = { 'in/fleet.yaml': text.replace(LIST, 'defaultNamespace: shop\n'), 'in/web.yaml': WEB };
      expect((await check(bundle, option)).found[0]).toBe('error input/kustomization in/fleet.yaml:1');
    }
  });

  test.each([LIST, `---\n${LIST}`, `# web\n\n---\n# web\n${LIST}`, `${LIST}---\n`, `--- # web\n${LIST}...\n# end\n`, `\ufeff---\n${LIST}`])(
    'but not as %j',
    async (text) => {
      expect((await check({ 'in/kustomization.yaml': text, 'in/web.yaml': WEB }, '--require-planned')).found).toEqual([]);
      const bundle = { 'in/fleet.yaml': text.replace(LIST, 'defaultNamespace: shop\n'), 'in/web.yaml': WEB };
      expect((await check(bundle, '--require-planned')).found).toEqual([]);
    },
  );
});
