import { symlinkSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { parse } from 'yaml';
import configSchema from '../../schemas/config-1.2.json';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { WEB, withStrategy } from './manifests';
import { parseOptionFile } from '../../src/cli/options/option-file';

const valid = new Ajv2020({ strict: true }).compile(configSchema);

/** No pod is available during the rollout: kubernetes/outage, a warning. */
const OUTAGE = withStrategy('{rollingUpdate: {maxSurge: 0, maxUnavailable: "100%"}}');

/** Printed to standard error by every run that finds a configuration. */
const USES_CONFIGURATION = 'rolloutkit: uses the configuration rolloutkit.yaml\n';

interface Judged {
  readonly exitCode: number;
  readonly stderr: string;
  /** `code severity`, and what suppressed it. */
  readonly findings: readonly string[];
}

async function check(args: string, setting: Setting): Promise<Judged> {
  const { exitCode, stdout, stderr } = await rolloutkit(`check --format json ${args}`, setting);
  const { findings } = JSON.parse(stdout || '{"findings":[]}') as {
    readonly findings: readonly {
      readonly code: string;
      readonly severity: string;
      readonly suppressed?: { readonly by: string; readonly reason: string };
    }[];
  };
  return {
    exitCode,
    stderr,
    findings: findings.map(({ code, severity, suppressed }) =>
      [code, severity, ...(suppressed ? [`(${suppressed.by}: ${suppressed.reason})`] : [])].join(' '),
    ),
  };
}

describe('the search for rolloutkit.yaml', () => {
  const off = 'rules: {kubernetes/outage: off}\n';
  const files = { 'rolloutkit.yaml': off, 'repository/apps/web.yaml': OUTAGE };

  test('ends at the root of the repository', async () => {
    const inRepository = { ...files, 'repository/.git/HEAD': 'ref: refs/heads/main\n' };
    expect((await check('--no-config repository/apps', { files: inRepository })).findings).toEqual(['kubernetes/outage warning']);
    const cwd = { cwd: 'repository' };
    expect(await check('apps', { files: inRepository, ...cwd })).toEqual({
      exitCode: 0,
      stderr: '',
      findings: ['kubernetes/outage warning'],
    });
    expect(await check('apps', { files: { ...inRepository, 'repository/rolloutkit.yaml': off }, ...cwd })).toMatchObject({
      stderr: USES_CONFIGURATION,
      findings: ['kubernetes/outage warning (configuration: the rule is off)'],
    });
  });

  test('ends at the working directory outside a repository', async () => {
    expect(await check('apps', { files, cwd: 'repository' })).toEqual({ exitCode: 0, stderr: '', findings: ['kubernetes/outage warning'] });
    expect((await check('repository/apps', { files })).findings).toEqual(['kubernetes/outage warning (configuration: the rule is off)']);
  });
});

describe('rolloutkit.yaml', () => {
  test('sets severities and switches rules off, everywhere or for some files', async () => {
    const config = `rules:
  kubernetes/outage:
    severity: error
    paths: [prod]
`;
    expect(valid(parse(config))).toBe(true);
    const files = { 'rolloutkit.yaml': config, 'prod/web.yaml': OUTAGE, 'test/web.yaml': OUTAGE };
    expect(await check('prod test', { files })).toEqual({
      exitCode: 1,
      stderr: USES_CONFIGURATION,
      findings: ['kubernetes/outage error', 'kubernetes/outage warning'],
    });
    expect(await check('prod', { files: { ...files, 'rolloutkit.yaml': 'rules: {kubernetes/outage: off}\n' } })).toEqual({
      exitCode: 0,
      stderr: USES_CONFIGURATION,
      findings: ['kubernetes/outage warning (configuration: the rule is off)'],
    });
  });

  test('ignores findings by rule, path and resource, for a reason', async () => {
    const config = `ignore:
  - rule: kubernetes/outage
    resource: Deployment/shop/web
    paths: ["prod/**"]
    reason: one consumer only, by design
`;
    expect(valid(parse(config))).toBe(true);
    const other = OUTAGE.replaceAll('web', 'other');
    const files = { 'rolloutkit.yaml': config, 'prod/web.yaml': OUTAGE, 'prod/other.yaml': other, 'test/web.yaml': OUTAGE };
    expect(await check('. --fail-on warning', { files })).toEqual({
      exitCode: 1,
      stderr: USES_CONFIGURATION,
      findings: [
        'kubernetes/outage warning',
        'kubernetes/outage warning (configuration: one consumer only, by design)',
        'kubernetes/outage warning',
      ],
    });
  });

  test('sets versions and files, relative to its own folder, and a flag overrides it', async () => {
    const files = {
      'deploy/rolloutkit.yaml': 'versions: {kubernetes: "1.33", kserve: "0.18"}\ncapacity: capacity.yaml\nstartupSeconds: 30\n',
      'deploy/capacity.yaml': 'total: {cpu: 4}\n',
      'deploy/manifests/web.yaml': OUTAGE,
    };
    const { stdout, stderr } = await rolloutkit('plan deploy/manifests --versions kubernetes=1.35 --format json', { files });
    expect(stderr).toBe('rolloutkit: uses the configuration deploy/rolloutkit.yaml\n');
    expect((JSON.parse(stdout) as { versions: object }).versions).toMatchObject({ kubernetes: '1.35', kserve: '0.18' });
    expect((JSON.parse(stdout) as { rollouts: object[] }).rollouts[0]).toMatchObject({ duration: { startupSeconds: 30 } });
  });

  test('is found from the working directory upwards for standard input, is named with --config, and is ignored with --no-config', async () => {
    const off = 'rules: {kubernetes/outage: off}\n';
    const ignored = ['kubernetes/outage warning (configuration: the rule is off)'];
    expect((await check('-', { files: { 'rolloutkit.yaml': off }, stdin: OUTAGE })).findings).toEqual(ignored);
    expect((await check('web.yaml --config other.yaml', { files: { 'web.yaml': OUTAGE, 'other.yaml': off } })).findings).toEqual(ignored);
    expect((await check('web.yaml --no-config', { files: { 'web.yaml': OUTAGE, 'rolloutkit.yaml': off } })).findings).toEqual([
      'kubernetes/outage warning',
    ]);
  });

  test('maps a custom resource to the kind that its pods roll like', async () => {
    const config = `
operatorResources:
  - group: postgresql.cnpg.io
    kind: Cluster
    rollsLike: statefulset
    replicas: spec.instances
    image: spec.imageName
`;
    const cluster = 'apiVersion: postgresql.cnpg.io/v1\nkind: Cluster\nmetadata: {name: orders}\nspec: {instances: 3}\n';
    expect(valid(parse(config))).toBe(true);
    expect(await check('cluster.yaml', { files: { 'rolloutkit.yaml': config, 'cluster.yaml': cluster } })).toEqual({
      exitCode: 0,
      stderr: USES_CONFIGURATION,
      findings: ['operator/mapped-not-verified info'],
    });
  });

  test.each([
    [
      'group: cnpg.io/v1, kind: A, rollsLike: statefulset, replicas: spec.a',
      '.group: "cnpg.io/v1" has a version; write only the group, cnpg.io',
    ],
    ['group: apps, kind: A', '.group: "apps" is not the group of a custom resource; write one such as postgresql.cnpg.io'],
    ['kind: A', ': names no group; write group: and the API group, such as postgresql.cnpg.io'],
    ['group: a.io', ': names no kind; write kind: and the kind, such as Cluster'],
    ['group: a.io, kind: A', ': does not say what it rolls like; write rollsLike: and deployment, statefulset or leaderworkerset'],
    ['group: a.io, kind: A, rollsLike: StatefulSet', '.rollsLike: "StatefulSet" is not a kind to roll like; write statefulset'],
    [
      'group: a.io, kind: A, rollsLike: statefulset',
      ': names no field with the replicas; write replicas: and its path, such as spec.instances',
    ],
    [
      'group: a.io, kind: A, rollsLike: statefulset, replicas: instances',
      '.replicas: "instances" is not a field below spec; write a path such as spec.instances',
    ],
    [
      'group: a.io, kind: A, rollsLike: statefulset, replicas: spec.a, size: spec.b',
      '.size: only a leaderworkerset has groups, not a statefulset; leave size out',
    ],
    ['group: a.io, kind: A, rollsLike: statefulset, replicas: spec.a, img: spec.b', '.img: there is no such key; write image'],
  ])('refuses the map {%s}', async (map, problem) => {
    const config = `operatorResources:\n  - {${map}}\n`;
    expect(await check('web.yaml', { files: { 'rolloutkit.yaml': config, 'web.yaml': OUTAGE } })).toEqual({
      exitCode: 2,
      stderr: `rolloutkit: rolloutkit.yaml:2: operatorResources[0]${problem}\n`,
      findings: [],
    });
    expect(valid(parse(config))).toBe(false);
  });

  test('refuses a second map of the same resource', async () => {
    const map = '  - {group: a.io, kind: A, rollsLike: statefulset, replicas: spec.a}\n';
    const { stderr } = await check('web.yaml', { files: { 'rolloutkit.yaml': `operatorResources:\n${map}${map}`, 'web.yaml': OUTAGE } });
    expect(stderr).toBe(
      'rolloutkit: rolloutkit.yaml:3: operatorResources[1]: maps A of a.io again, after operatorResources[0]; keep only one\n',
    );
  });

  test.each([
    ['ruls: {}\n', 'rolloutkit: rolloutkit.yaml:1: ruls: there is no such key; write rules\n'],
    ['versions:\n  kubernetes: 1.33\n', 'rolloutkit: rolloutkit.yaml:2: versions[kubernetes]: 1.33 is not a string; put it in quotes\n'],
    [
      'rules:\n  kubernetes/outtage: off\n',
      'rolloutkit: rolloutkit.yaml:2: rules[kubernetes/outtage]: no rule has the code "kubernetes/outtage"; write kubernetes/outage\n',
    ],
    [
      'rules:\n  change/scaled-down: off\n',
      'rolloutkit: rolloutkit.yaml:2: rules[change/scaled-down]: "change/scaled-down" is about one apply, which no configuration suppresses; delete it, or use a baseline\n',
    ],
    [
      'rules: {kubernetes/outage: fatal}\n',
      'rolloutkit: rolloutkit.yaml:1: rules[kubernetes/outage]: "fatal" is not a severity; write error, warning, info or off\n',
    ],
    ['ignore: [{rule: kubernetes/outage}]\n', 'rolloutkit: rolloutkit.yaml:1: ignore[0]: gives no reason; write reason: and why\n'],
    [
      'ignore: [{rule: kubernetes/outage, reason: }]\n',
      'rolloutkit: rolloutkit.yaml:1: ignore[0]: gives no reason; write reason: and why\n',
    ],
    ['ignore: [{rule: , reason: known}]\n', 'rolloutkit: rolloutkit.yaml:1: ignore[0]: names no rule; write rule: and the code\n'],
    [
      'ignore: [{rule: kubernetes/outage, reason: x, resource: web}]\n',
      'rolloutkit: rolloutkit.yaml:1: ignore[0].resource: "web" is not KIND/NAME or KIND/NAMESPACE/NAME\n',
    ],
    ['startupSeconds: -1\n', 'rolloutkit: rolloutkit.yaml:1: startupSeconds: -1 is not a number of seconds from 0 up\n'],
    ['- a\n', 'rolloutkit: rolloutkit.yaml, the configuration, is not a map; write a map, for example versions: {kubernetes: "1.34"}\n'],
  ])('%s is refused, and nothing is printed', async (config, stderr) => {
    const result = await rolloutkit('check web.yaml', { files: { 'web.yaml': OUTAGE, 'rolloutkit.yaml': config } });
    expect(result).toEqual({ exitCode: 2, stdout: '', stderr });
  });

  test.each([
    ['capacity', '/dev/tty'],
    ['clusters', '[/dev/null]'],
    ['kserveConfig', '.'],
  ])('names no file for %s that a run would wait for: %s', async (field, file) => {
    const files = { 'web.yaml': OUTAGE, 'rolloutkit.yaml': `${field}: ${file}\n` };
    expect(await rolloutkit('check web.yaml', { files })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `rolloutkit: uses the configuration rolloutkit.yaml\nrolloutkit: rolloutkit.yaml names ${file.replace(/[[\]]/g, '')}, which cannot be read: it is not a regular file; name another file\n`,
    });
  });

  test('names no file by a path in which .. follows a link, nor is a link to itself an internal error', async () => {
    const prepare = (folder: string) => {
      symlinkSync('deploy/sub', path.join(folder, 'link'));
      symlinkSync('loop.yaml', path.join(folder, 'loop.yaml'));
    };
    const stderrOf = async (file: string) => {
      const files = { 'web.yaml': OUTAGE, 'deploy/sub/a': '', 'rolloutkit.yaml': `capacity: ${file}\n` };
      const { exitCode, stderr } = await rolloutkit('check web.yaml', { files, prepare });
      return [exitCode, stderr.split('\n')[1]];
    };
    expect(await stderrOf('link/../web.yaml')).toEqual([
      2,
      'rolloutkit: rolloutkit.yaml names link/../web.yaml, which cannot be read: ".." follows the symbolic link link, so it leads elsewhere for other programs; name another file',
    ]);
    expect(await stderrOf('loop.yaml')).toEqual([2, 'rolloutkit: cannot read loop.yaml, given with --capacity: too many symbolic links']);
  });

  test.each([['no/such.yaml', 'cannot read no/such.yaml, given with --config: no such file or folder']])(
    'names the file of --config as on the command line: "%s"',
    async (config, stderr) => {
      const result = await rolloutkit(['check', 'web.yaml', '--config', config], { files: { 'web.yaml': OUTAGE } });
      expect(result).toEqual({ exitCode: 2, stdout: '', stderr: `rolloutkit: ${stderr}\n` });
    },
  );

  test('names no cluster: only the command line can', async () => {
    const { exitCode, stderr } = await rolloutkit('check .', { files: { 'rolloutkit.yaml': 'from: [cluster]\n', 'web.yaml': OUTAGE } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('rolloutkit.yaml:1: from: there is no such key')]);
  });

  test('excludes files by patterns relative to its own folder', async () => {
    const config = 'exclude: ["prod/testdata", "*.test.yaml"]\n';
    expect(valid(parse(config))).toBe(true);
    const files = {
      'rolloutkit.yaml': config,
      'prod/web.yaml': OUTAGE,
      'prod/testdata/a.yaml': OUTAGE,
      'testdata/b.yaml': OUTAGE,
      'prod/web.test.yaml': OUTAGE,
    };
    const found = async (args: string) => (await check(args, { files })).findings;
    expect(await found('. --exclude testdata/b.yaml')).toEqual(['input/not-read info', 'kubernetes/outage warning']);
    expect(await found('.')).toEqual(['input/not-read info', 'kubernetes/outage warning', 'kubernetes/outage warning']);
    expect((await check('prod/web.test.yaml', { files })).findings).toHaveLength(1);
  });

  test('paths under different configurations are refused with a message that says what to write', async () => {
    const files = { 'a/rolloutkit.yaml': '', 'a/web.yaml': OUTAGE, 'b/web.yaml': OUTAGE };
    expect(await rolloutkit('check a b', { files })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'rolloutkit: the paths have different configurations (a/rolloutkit.yaml, none); name one with --config, or write --no-config\n',
    });
  });
});

test('a configuration that is found cannot silence what is not planned under --policy, and one that an option names can', async () => {
  const files = {
    'policy.yaml': 'requireReadinessProbe: false\n',
    'in/rolloutkit.yaml': 'rules: {input/kustomization: off, input/not-read: off, input/unreadable: off}\n',
    'in/kustomization.yaml': 'resources: [../base]\npatches: [{path: web.yaml}]\n',
    'in/web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 0}\n',
    'in/broken.yaml': 'apiVersion: apps/v1\nkind: [\n',
  };
  const found = await check('--policy policy.yaml in', { files });
  expect(found).toMatchObject({ exitCode: 1, findings: expect.arrayContaining(['input/not-read error', 'input/unreadable error']) });
  const named = await check('--policy policy.yaml --config in/rolloutkit.yaml in', { files });
  expect(named).toMatchObject({ exitCode: 0, findings: expect.arrayContaining(['input/not-read error (configuration: the rule is off)']) });
});

test.each([
  'capacity',
  'kserveConfig',
  'startupSeconds',
  'clusters',
  'exclude',
  'ignore',
  'rules',
  'operatorResources',
  'versions',
  'versions:\n  kubernetes',
])('the key %s without a value counts as omitted', async (key) => {
  const without = await rolloutkit('check web.yaml', { files: { 'web.yaml': OUTAGE } });
  const result = await rolloutkit('check web.yaml', { files: { 'web.yaml': OUTAGE, 'rolloutkit.yaml': `${key}:\n` } });
  expect(result).toEqual({ ...without, stderr: USES_CONFIGURATION });
});

test('a configuration above 1 MB is not read, since a pull request can bring one', async () => {
  const files = { 'web.yaml': WEB, 'rolloutkit.yaml': 'exclude: [a]\n'.repeat(80_000) };
  expect(await rolloutkit('check web.yaml', { files })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'rolloutkit: rolloutkit.yaml, the configuration, is larger than 1 MB; name a smaller file\n',
  });
});

test('the files that a configuration names have the seconds of a run', () => {
  const content = Buffer.from('{total: {pods: 5}}\n');
  expect(() => parseOptionFile('capacity.yaml', content, 'given with --capacity', { seconds: -1 })).toThrow(
    'capacity.yaml:1, given with --capacity: The document that begins at line 1 cannot be read: reading takes more than -1 seconds',
  );
});

test('the inventories that a configuration names have the budgets of a run together, however often it names one', async () => {
  const cluster = '{apiVersion: fleet.cattle.io/v1alpha1, kind: Cluster, metadata: {name: a, namespace: fleet-default}}';
  const files = {
    'web.yaml': '',
    'clusters.yaml': `${cluster}\n# ${'x'.repeat(400_000)}\n`,
    'rolloutkit.yaml': `clusters: [${Array.from({ length: 100 }, () => 'clusters.yaml').join(', ')}]\n`,
  };
  const { exitCode, stderr } = await rolloutkit('check web.yaml --budget total-megabytes=1', { files });
  expect([exitCode, stderr]).toMatchInlineSnapshot(`
[
  2,
  "rolloutkit: uses the configuration rolloutkit.yaml
rolloutkit: cannot read clusters.yaml, given with --clusters: it and the files before it are larger than 1 megabyte. Raise the budget with --budget total-megabytes=2, if you trust this input.
",
]
`);
});

test.each([
  ['a link that leads out of the repository is refused', '../../outside.yaml', 2],
  ['a link into .git is refused', '../.git/HEAD', 2],
  ['a link in the repository is followed', '../rolloutkit-shared.yaml', 0],
])('%s', async (_, target, exitCode) => {
  const files = { 'repo/.git/HEAD': '', 'repo/in/web.yaml': WEB, 'repo/rolloutkit-shared.yaml': 'rules: {}\n', 'outside.yaml': '' };
  const judged = await check('repo/in', { files, prepare: (folder) => symlinkSync(target, path.join(folder, 'repo/in/rolloutkit.yaml')) });
  expect(judged.exitCode).toBe(exitCode);
  expect(judged.stderr).toBe(
    exitCode === 0
      ? 'rolloutkit: uses the configuration repo/in/rolloutkit.yaml\n'
      : 'rolloutkit: the configuration repo/in/rolloutkit.yaml is a symbolic link that leads out of repo or into .git; name its target with --config, or write --no-config\n',
  );
});
