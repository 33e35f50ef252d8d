import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from './command-line';
import type { Result } from './command-line';

const CHART = 'apiVersion: v2\nname: web\nversion: 1.0.0\n';

function deployment(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: app, image: app:1}]}
`;
}

type Files = Readonly<Record<string, string>>;

const OLD: Files = { 'Chart.yaml': CHART, 'templates/web.yaml': deployment('web'), 'templates/api.yaml': deployment('api') };

/** Plans the change from one chart to another, and returns its headline and its findings about the input. */
async function planChart(next: Files, old = OLD): Promise<{ headline: string; kept: number; found: string[] }> {
  const place = (folder: string, files: Files) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));
  const { stdout } = await rolloutkit('plan --from old new --format json', { files: { ...place('old', old), ...place('new', next) } });
  const { change, findings } = JSON.parse(stdout) as {
    change: { summary: { kept: number } };
    findings: { code: string; message: string }[];
  };
  const text = await rolloutkit('plan --from old new', { files: { ...place('old', old), ...place('new', next) } });
  return {
    headline: text.stdout.split('\n')[0]!,
    kept: change.summary.kept,
    found: findings.filter(({ code }) => code.startsWith('input/')).map(({ code, message }) => `${code}: ${message}`),
  };
}

async function checkChart(files: Files, option = ''): Promise<Pick<Result, 'exitCode'> & { found: string[]; planned: string }> {
  const { exitCode, stdout } = await rolloutkit(`check . ${option} --format json`, { files });
  const text = await rolloutkit(`check . ${option}`, { files });
  const { findings } = JSON.parse(stdout) as {
    findings: { code: string; messageId: string; severity: string; source?: { file: string } }[];
  };
  return {
    exitCode,
    found: findings.map(({ severity, code, messageId, source }) => `${severity} ${code} ${messageId} ${source?.file}`),
    planned: /^\d+ rollouts?/.exec(text.stdout)?.[0] ?? '',
  };
}

/** Commits all files of a folder as those of a new repository. */
function commitAll(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'old');
}

describe('a file of a chart that Helm does not render', () => {
  test('is not planned, so a change that renames a template to a partial does not say that nothing changes', async () => {
    const { 'templates/web.yaml': web, ...others } = OLD;
    expect(await planChart({ ...others, 'templates/_web.yaml': web! })).toMatchInlineSnapshot(`
{
  "found": [
    "input/not-read: Helm does not render new/templates/_web.yaml with Deployment web, as part of the chart new: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.",
  ],
  "headline": "incomplete: Helm or kustomize does not build some files; the objects that were read do not differ; assumes Kubernetes 1.36",
  "kept": 1,
}
`);
  });

  test('is one that .helmignore matches, in a folder too', async () => {
    expect(await planChart({ ...OLD, '.helmignore': '# ignored\nweb*\n' })).toMatchInlineSnapshot(`
{
  "found": [
    "input/kustomization: new/.helmignore is added, so Helm may apply other objects from its folder: only the objects in the files are compared.",
    "input/not-read: Helm does not render new/templates/web.yaml with Deployment web, as part of the chart new: the .helmignore of the chart matches it, or Helm ignores it by default. It is not planned.",
  ],
  "headline": "incomplete: 1 folder is not rendered, Helm or kustomize does not build some files; the objects that were read do not differ; assumes Kubernetes 1.36",
  "kept": 1,
}
`);
    expect((await planChart({ ...OLD, '.helmignore': 'templates/\n' })).found).toMatchInlineSnapshot(`
[
  "input/kustomization: new/.helmignore is added, so Helm may apply other objects from its folder: only the objects in the files are compared.",
  "input/not-read: Helm does not render 2 files, such as new/templates/api.yaml with Deployment api, as part of the chart new: the .helmignore of the chart matches it, or Helm ignores it by default. They are not planned.",
]
`);
  });

  test('is every template of a library', async () => {
    expect(await planChart({ ...OLD, 'Chart.yaml': `${CHART}type: library\n` })).toMatchInlineSnapshot(`
{
  "found": [
    "input/kustomization: new/Chart.yaml is changed, so Helm may apply other objects from its folder: only the objects in the files are compared.",
    "input/not-read: Helm does not render 2 files, such as new/templates/api.yaml with Deployment api, as part of the chart new: its chart has the type library. They are not planned.",
  ],
  "headline": "incomplete: 1 folder is not rendered, Helm or kustomize does not build some files; the objects that were read do not differ",
  "kept": 2,
}
`);
  });

  test('is one that is moved out of templates. It is planned, since another tool may apply it, but a finding names it', async () => {
    const { 'templates/web.yaml': web, ...others } = OLD;
    expect(await planChart({ ...others, 'web.yaml': web! })).toMatchInlineSnapshot(`
{
  "found": [
    "input/not-read: Helm does not render new/web.yaml with Deployment web, as part of the chart new: it is not in templates/. It is planned as kubectl applies it.",
  ],
  "headline": "incomplete: Helm or kustomize does not build some files; the objects that were read do not differ; assumes Kubernetes 1.36",
  "kept": 0,
}
`);
  });

  test('is one in crds, which Helm never changes', async () => {
    const { 'templates/web.yaml': web, ...others } = OLD;
    expect((await planChart({ ...others, 'crds/web.yaml': web! })).found).toEqual([
      'input/not-read: Helm does not render new/crds/web.yaml with Deployment web, as part of the chart new: it is in crds/, which Helm creates with a new release and never changes. It is planned as kubectl applies it.',
    ]);
  });

  test.each(['//templates/web.yaml', '///templates/w*', '\u0085web.yaml\u0085'])(
    'is one that .helmignore matches as Helm reads it: %j',
    async (pattern) => {
      const { exitCode, found } = await checkChart({ ...OLD, '.helmignore': `${pattern}\n` }, '--require-planned');
      expect([exitCode, found]).toEqual([1, ['error input/not-read unrendered ./templates/web.yaml']]);
    },
  );

  test('is none that .helmignore matches only with a byte order mark, which Helm keeps', async () => {
    const { found } = await checkChart({ ...OLD, '.helmignore': '# x\nweb.yaml\ufeff\n' }, '--require-planned');
    expect(found).toEqual([]);
  });

  test.each([['**/web.yaml'], ['web[.yaml'], ['[]a]'], ['[a-]'], [`#${'x'.repeat(65_536)}`]])(
    'is none of those that .helmignore matches if Helm refuses it, which has a finding: %.20s',
    async (pattern) => {
      const files = { ...OLD, '.helmignore': `*.yaml\n${pattern}\n` };
      const { found, kept } = await planChart(files);
      expect([found.filter((text) => !text.startsWith('input/kustomization')), kept]).toEqual([
        [
          expect.stringContaining(
            'Helm may refuse to load the chart new: .helmignore contains a pattern that is not valid, **, or a line of more than 64 KiB.',
          ),
        ],
        0,
      ]);
      expect((await checkChart(files, '--require-planned')).found).toEqual(['error input/helm-template notLoaded ./.helmignore']);
    },
  );

  test('may be in a chart inside a chart, for which only the outer .helmignore counts', async () => {
    const old = { ...OLD, 'charts/sub/Chart.yaml': CHART, 'charts/sub/templates/sub.yaml': deployment('sub') };
    expect((await planChart({ ...old, 'charts/sub/.helmignore': 'sub.yaml' }, old)).found).toEqual([]);
    expect((await planChart({ ...old, '.helmignore': 'sub.yaml' }, old)).found).toMatchInlineSnapshot(`
[
  "input/kustomization: new/.helmignore is added, so Helm may apply other objects from its folder: only the objects in the files are compared.",
  "input/not-read: Helm does not render new/charts/sub/templates/sub.yaml with Deployment sub, as part of the chart new: the .helmignore of the chart matches it, or Helm ignores it by default. It is not planned.",
]
`);
    const skipped = { ...OLD, 'charts/_sub/Chart.yaml': CHART, 'charts/_sub/templates/sub.yaml': deployment('sub') };
    expect((await planChart(skipped, old)).found).toMatchInlineSnapshot(`
[
  "input/not-read: Helm does not render new/charts/_sub/templates/sub.yaml with Deployment sub, as part of the chart new: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.",
]
`);
  });

  test.each<readonly [string, Files]>([
    ['templates/_web.yaml', { 'templates/_web.yaml': deployment('web') }],
    ['templates/.web.yaml', { 'templates/.web.yaml': deployment('web') }],
    ['web.yaml', { 'web.yaml': deployment('web') }],
    ['templates/web.yaml', { 'templates/web.yaml': deployment('web'), '.helmignore': 'web.yaml' }],
    ['templates/web.yaml', { 'templates/web.yaml': deployment('web'), 'Chart.yaml': `${CHART}type: library` }],
  ])('is planned and an error if every file must be planned: %s %j', async (file, files) => {
    for (const option of ['--require-planned', '--policy policy.yaml']) {
      expect(await checkChart({ 'Chart.yaml': CHART, ...files, 'policy.yaml': 'requireReadinessProbe: false\n' }, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining([`error input/not-read unrendered ./${file}`]),
        planned: '1 rollout',
      });
    }
  });

  test('is no finding if it contains no object, as a partial, a default .helmignore and files beside the templates do not', async () => {
    const files = {
      ...OLD,
      '.helmignore': '.DS_Store\n.git/\n*.swp\n*.bak\n',
      'templates/_helpers.yaml': '# a: b\n',
      'templates/NOTES.txt': 'It is installed.\n',
      'files/dashboard.yaml': 'title: a\n',
      'crds/crd.yaml': '',
    };
    expect(await checkChart(files)).toEqual({ exitCode: 0, found: [], planned: '2 rollouts' });
  });

  test('is planned if it is given by name, or if the PATH is a folder below the chart', async () => {
    const files = { 'Chart.yaml': CHART, 'deploy/web.yaml': deployment('web'), 'templates/_api.yaml': deployment('api') };
    const run = async (given: string) => (await rolloutkit(`check ${given}`, { files })).stdout;
    expect([await run('deploy'), await run('templates/_api.yaml')]).toMatchInlineSnapshot(`
[
  "1 rollout on Kubernetes 1.36 (assumed): no findings
",
  "1 rollout on Kubernetes 1.36 (assumed): no findings
",
]
`);
  });

  test('belongs to kustomize if it is in the folder of a kustomization', async () => {
    const files = { 'Chart.yaml': CHART, 'app/kustomization.yaml': 'resources: [web.yaml]\n', 'app/web.yaml': deployment('web') };
    expect(await checkChart(files)).toEqual({ exitCode: 0, found: [], planned: '1 rollout' });
  });
});

describe('a template without the extension of a manifest', () => {
  test('is planned, since Helm renders it', async () => {
    const { 'templates/web.yaml': web, ...others } = OLD;
    expect(await planChart({ ...others, 'templates/web.tpl': web!, 'templates/new': deployment('new') })).toMatchInlineSnapshot(`
{
  "found": [],
  "headline": "1 of 3 objects differs: 1 is new; 1 pod is added; needs up to 1 extra pod; assumes Kubernetes 1.36",
  "kept": 0,
}
`);
  });

  test('is planned if it is a link, which Helm follows', async () => {
    const prepare = (folder: string) => symlinkSync('../web.tpl', path.join(folder, 'templates/web.tpl'));
    const { stdout } = await rolloutkit('check .', { files: { ...OLD, 'web.tpl': deployment('new') }, prepare });
    expect(stdout).toBe('3 rollouts on Kubernetes 1.36 (assumed): no findings\n');
  });

  test('is not planned outside of a chart, and neither are notes and partials', async () => {
    const files = { 'templates/web.tpl': deployment('web'), 'a/Chart.yaml': CHART, 'a/templates/_web.tpl': deployment('web') };
    expect(await checkChart({ ...files, 'a/templates/NOTES.txt': deployment('web'), 'api.yaml': deployment('api') })).toEqual({
      exitCode: 0,
      found: [],
      planned: '1 rollout',
    });
  });
});

describe('an annotation that only Helm reads', () => {
  test.each([
    ['Metadata.annotations', 'Metadata: {annotations: {helm.sh/hook: pre-delete}}\n'],
    ['METADATA.annotationſ', 'METADATA: {annotationſ: {helm.sh/resource-policy: keep}}\n'],
    ['metadata.Annotations', '', (text: string) => text.replace('{name: web}', '{name: web, Annotations: {helm.sh/hook: test}}')],
  ])('has a finding, since it can take the object out of the release: %s', async (field, text, edit = (same: string) => same) => {
    const web = edit(deployment('web')) + text;
    const files = { 'old/Chart.yaml': CHART, 'old/templates/web.yaml': deployment('web'), 'Chart.yaml': CHART, 'templates/web.yaml': web };
    const said = `input/kustomization  templates/web.yaml:1:1
  Deployment web in templates/web.yaml may make its tool apply other objects than the files show, with ${field}: the files are planned without it.`;
    expect((await rolloutkit('check --from old/templates templates', { files })).stdout).toContain(`warning  ${said}`);
    const { exitCode, stdout } = await rolloutkit('check --require-planned templates', { files });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`error  ${said}`);
  });

  test('has none if it is no annotation of Helm', async () => {
    const files = { 'web.yaml': `${deployment('web')}Metadata: {annotations: {team: a}}\n` };
    expect((await rolloutkit('check --require-planned .', { files })).stdout).not.toContain('input/kustomization');
  });
});

describe('several objects that Helm reads as one', () => {
  const web = JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'c:1' }] } },
    },
  });
  const hook = '"metadata":{"name":"hook","annotations":{"helm.sh/hook":"test"}}';

  test.each([
    ['a list with the annotation of a hook', `{"apiVersion":"v1","kind":"List",${hook},"items":[${web}]}`, 'alteredObjects'],
    [
      'JSON objects without a separator, the first of which is a hook',
      `{"apiVersion":"v1","kind":"ConfigMap",${hook}}\n${web}`,
      'jsonStream',
    ],
  ])('have a finding: %s', async (_, text, message) => {
    const files = { 'Chart.yaml': CHART, 'templates/all.yaml': text };
    expect((await checkChart(files)).found).toEqual([`warning input/kustomization ${message} ./templates/all.yaml`]);
    expect(await checkChart(files, '--require-planned')).toMatchObject({
      exitCode: 1,
      found: [`error input/kustomization ${message} ./templates/all.yaml`],
    });
  });

  test('have none if each is a document of its own, or the list has other annotations', async () => {
    const list = `{"apiVersion":"v1","kind":"List","metadata":{"annotations":{"team":"a"}},"items":[${web}]}`;
    const files = { 'Chart.yaml': CHART, 'templates/all.yaml': `${web.replace('"web"', '"api"')}\n---\n${list}` };
    expect((await checkChart(files, '--require-planned')).found).toEqual([]);
  });
});

describe('a link to a folder in a chart', () => {
  const lines = (stdout: string) => stdout.split('\n').filter((line) => /^(?:error|info)|^ {2}The/.test(line));
  const other = { 'Chart.yaml': CHART, 'other/web.yaml': deployment('web') };

  test.each([['templates'], ['templates/sub'], ['charts'], ['charts/redis'], ['crds']])(
    'has a finding, since Helm follows it, which is an error if everything must be planned: %s',
    async (link) => {
      const prepare = (folder: string) => {
        mkdirSync(path.join(folder, path.dirname(link)), { recursive: true });
        symlinkSync(path.join(folder, 'other'), path.join(folder, link));
      };
      const said = `  The symbolic link ./${link} leads to a folder, whose files Helm renders as a part of the chart: they are planned only where they are, as other files.`;
      const { exitCode, stdout } = await rolloutkit('check . --require-planned', { files: other, prepare });
      expect(exitCode).toBe(1);
      expect(lines(stdout)).toEqual(expect.arrayContaining([`error  input/skipped  ./${link}:1`, said]));
      const trusted = await rolloutkit('check .', { files: other, prepare });
      expect(trusted.exitCode).toBe(0);
      expect(lines(trusted.stdout)).toEqual(expect.arrayContaining([`info  input/skipped  ./${link}:1`, said]));
    },
  );

  test('has none where Helm does not read it, and neither has one without a chart', async () => {
    const prepare = (folder: string) => {
      for (const link of ['docs', 'plain/templates', 'templates']) symlinkSync(path.join(folder, 'other'), path.join(folder, link));
    };
    const files = { ...other, '.helmignore': 'templates\n', 'plain/kustomization.yaml': 'resources: []\n' };
    const { stdout } = await rolloutkit('check .', { files, prepare });
    expect(stdout).not.toContain('input/skipped');
  });

  test('has one in a revision too', async () => {
    const prepare = (folder: string) => {
      symlinkSync('other', path.join(folder, 'templates'));
      commitAll(folder);
    };
    const { stdout } = await rolloutkit('check . --from git:HEAD --require-planned', { files: other, prepare });
    expect(lines(stdout)).toContain('error  input/skipped  git:HEAD:templates:1');
  });
});

describe('a revision', () => {
  /** Plans the change of the working tree from its commit. */
  async function planSinceCommit(given: string): Promise<string> {
    const old = { ...OLD, '.helmignore': 'api*', 'templates/new.tpl': deployment('new'), 'templates/_x.yaml': deployment('x') };
    return (await rolloutkit(`plan --from git:HEAD ${given}`, { files: old, prepare: commitAll })).stdout;
  }

  test('has the same files of a chart as a folder', async () => {
    expect(await planSinceCommit('.')).toMatchInlineSnapshot(`
"incomplete: Helm or kustomize does not build some files; the objects that were read do not differ; assumes Kubernetes 1.36

2 rollouts on Kubernetes 1.36: 4 infos

info  input/not-read  4 times
  the first: Helm does not render ./templates/_x.yaml with Deployment x, as part of the chart .: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.
  fix: If kubectl applies it, name the file as a PATH, or move it out of the folder of the chart. If it is part of the chart, undo what keeps Helm from rendering it.
  at: ./templates/_x.yaml:1
  at: ./templates/api.yaml:1
  at: git:HEAD:templates/_x.yaml:1
  at: git:HEAD:templates/api.yaml:1

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('has them below the folder of a chart too', async () => {
    expect(await planSinceCommit('templates')).toMatchInlineSnapshot(`
"incomplete: Helm or kustomize does not build some files; the objects that were read do not differ; assumes Kubernetes 1.36

2 rollouts on Kubernetes 1.36: 2 infos

info  input/not-read  2 times
  the first: Helm does not render templates/_x.yaml with Deployment x, as part of the chart .: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.
  fix: If kubectl applies it, name the file as a PATH, or move it out of the folder of the chart. If it is part of the chart, undo what keeps Helm from rendering it.
  at: templates/_x.yaml:1
  at: templates/api.yaml:1

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });
});

describe('a dependency of a chart', () => {
  const DEPENDENCIES = `${CHART}dependencies:
  - {name: redis, version: 18.x, repository: "https://charts.example.com"}
  - {name: sub, version: 1.x, repository: "file://../sub"}
`;

  test('that is in another repository is not planned, which is a finding', async () => {
    expect(await planChart({ ...OLD, 'Chart.yaml': DEPENDENCIES })).toMatchInlineSnapshot(`
{
  "found": [
    "input/helm-template: new is a Helm chart that is not rendered: redis 18.x of https://charts.example.com and sub 1.x of file://../sub are not planned.",
    "input/kustomization: new/Chart.yaml is changed, so Helm may apply other objects from its folder: only the objects in the files are compared.",
  ],
  "headline": "incomplete: 1 folder is not rendered; the objects that were read do not differ; assumes Kubernetes 1.36",
  "kept": 0,
}
`);
  });

  test('is planned if it is in charts, and is a finding if values switch it on', async () => {
    const files = { ...OLD, 'charts/sub/Chart.yaml': CHART, 'charts/sub/templates/sub.yaml': deployment('sub') };
    const chart = `${CHART}dependencies: [{name: sub, version: 1.x, repository: "https://charts.example.com"}]\n`;
    expect((await planChart({ ...files, 'Chart.yaml': chart })).found).toEqual([]);
    expect((await planChart({ ...files, 'Chart.yaml': chart.replace('}', ', condition: sub.enabled}') })).found).toMatchInlineSnapshot(`
[
  "input/helm-template: new is a Helm chart that is not rendered: the values of the release decide whether Helm applies sub.",
  "input/kustomization: new/Chart.yaml is changed, so Helm may apply other objects from its folder: only the objects in the files are compared.",
]
`);
  });

  test('may be in requirements.yaml or in an archive that no file names', async () => {
    const requirements = 'dependencies: [{name: redis, version: 18.x, repository: "@stable"}]\n';
    const files = { ...OLD, 'Chart.yaml': CHART.replace('v2', 'v1'), 'requirements.yaml': requirements, 'charts/cache-1.0.0.tgz': 'x' };
    expect((await planChart(files)).found).toMatchInlineSnapshot(`
[
  "input/helm-template: new is a Helm chart that is not rendered: redis 18.x of @stable and charts/cache-1.0.0.tgz are not planned.",
  "input/kustomization: new/Chart.yaml is changed, so Helm may apply other objects from its folder: only the objects in the files are compared.",
]
`);
  });

  test.each(['--require-planned', '--policy policy.yaml'])('is an error with %s', async (option) => {
    expect(await checkChart({ ...OLD, 'Chart.yaml': DEPENDENCIES, 'policy.yaml': 'requireReadinessProbe: false\n' }, option)).toEqual({
      exitCode: 1,
      found: ['error input/helm-template dependencies ./Chart.yaml'],
      planned: '2 rollouts',
    });
  });
});

describe('a chart that Helm may refuse to load', () => {
  test.each<readonly [what: string, files: Files, file: string]>([
    ['no name', { 'Chart.yaml': 'apiVersion: v2\nversion: 1.0.0\n' }, 'Chart.yaml'],
    ['no version', { 'Chart.yaml': 'apiVersion: v2\nname: web\n' }, 'Chart.yaml'],
    ['a version that is none', { 'Chart.yaml': CHART.replace('1.0.0', 'latest') }, 'Chart.yaml'],
    ['a name with a folder', { 'Chart.yaml': CHART.replace('web', '../web') }, 'Chart.yaml'],
    ['an unknown type', { 'Chart.yaml': `${CHART}type: service\n` }, 'Chart.yaml'],
    ['a field in another case, which Go reads', { 'Chart.yaml': `${CHART}Dependencies: [{name: redis}]\n` }, 'Chart.yaml'],
    ['a dependency that is null', { 'Chart.yaml': `${CHART}dependencies: [null, {name: a/b, alias: a/b}]\n` }, 'Chart.yaml'],
    ['a key that it has twice', { 'Chart.yaml': `${CHART}name: api\n` }, 'Chart.yaml'],
    ['text that is not YAML', { 'Chart.yaml': 'name: [\n' }, 'Chart.yaml'],
    ['values that are a list', { 'values.yaml': '- a\n' }, 'values.yaml'],
    ['values that are not YAML', { 'values.yaml': 'a: [\n' }, 'values.yaml'],
    ['a lock that is text', { 'Chart.lock': 'locked\n' }, 'Chart.lock'],
    ['dependencies that are a map', { 'Chart.yaml': `${CHART}dependencies: {name: a}\n` }, 'Chart.yaml'],
    ['a dependency without a name', { 'Chart.yaml': `${CHART}dependencies: [{version: 1.0.0}]\n` }, 'Chart.yaml'],
    ['a dependency twice', { 'Chart.yaml': `${CHART}dependencies: [{name: a}, {name: b, alias: a}]\n` }, 'Chart.yaml'],
    ['an empty list in place of a value', { 'Chart.yaml': `${CHART}deprecated: []\n` }, 'Chart.yaml'],
    ['an empty list for a field in another case', { 'Chart.yaml': `${CHART}Name: []\n` }, 'Chart.yaml'],
    ['a manifest in charts/', { 'charts/sub.yaml': deployment('sub') }, 'charts/sub.yaml/Chart.yaml'],
    ['another file in charts/', { 'charts/README.md': '' }, 'charts/README.md/Chart.yaml'],
    ['a folder in charts/ that is no chart', { 'charts/sub/templates/sub.yaml': deployment('sub') }, 'charts/sub/Chart.yaml'],
  ])('%s is a warning, and an error if every file must be planned', async (_, files, file) => {
    const chart = { ...OLD, ...files };
    const finding = (severity: string) => `${severity} input/helm-template notLoaded ./${file}`;
    expect((await checkChart(chart)).found).toContain(finding('warning'));
    expect(await checkChart(chart, '--require-planned')).toMatchObject({ exitCode: 1, found: expect.arrayContaining([finding('error')]) });
  });

  test('is not one with every field that Helm knows, or without values', async () => {
    const chart = `apiVersion: v2
name: web
version: v1.0.0-rc.1+build
appVersion: 1.16
type: application
kubeVersion: ">=1.20"
description: a
keywords: [a]
home: https://example.com
sources: [https://example.com]
maintainers: [{name: a, email: a@example.com}]
icon: https://example.com/icon.png
deprecated: false
annotations: {a: b}
dependencies: []
`;
    expect(
      await checkChart(
        { ...OLD, 'Chart.yaml': chart, 'values.yaml': '# none\n', 'charts/_README.md': '', 'charts/.keep': '' },
        '--require-planned',
      ),
    ).toEqual({
      exitCode: 0,
      found: [],
      planned: '2 rollouts',
    });
  });
});

describe('a chart that Helm refuses on a version of Kubernetes', () => {
  const found = async (kubeVersion: string, option = '') =>
    (await checkChart({ ...OLD, 'Chart.yaml': `${CHART}kubeVersion: ${JSON.stringify(kubeVersion)}\n` }, option)).found;

  test.each(['<1.30', '>1.36', '>= 1.37.0-0', '>=1.20, <1.36', '<1.20 || >1.40'])(
    '%s is a warning, and an error if every file must be planned',
    async (kubeVersion) => {
      expect(await found(kubeVersion)).toEqual(['warning input/helm-template wrongVersion ./Chart.yaml']);
      expect(await found(kubeVersion, '--require-planned')).toEqual(['error input/helm-template wrongVersion ./Chart.yaml']);
    },
  );

  test.each(['>=1.20', '>1.35', '<=1.36', '<= 1', '>=v1.25.0-0 <1.40', '<1.20||>=1.30'])('%s is none', async (kubeVersion) => {
    expect(await found(kubeVersion, '--require-planned')).toEqual([]);
  });

  test.each(['~1.36', '1.36.x', '>=1.36.2', '1.20 - 1.40', '!=1.30', 'any', '>=1.20-rc.1', '>1.20-0', '>=1.20 ||'])(
    '%s is not evaluated, which is an info, and an error if every file must be planned',
    async (kubeVersion) => {
      expect(await found(kubeVersion)).toEqual(['info input/helm-template notEvaluated ./Chart.yaml']);
      expect(await found(kubeVersion, '--require-planned')).toEqual(['error input/helm-template notEvaluated ./Chart.yaml']);
    },
  );

  test('depends on the version of the plan, in a patch too', async () => {
    expect(await found('>=1.36.2', '--versions kubernetes=1.36.2')).toEqual([]);
    expect(await found('>=1.36.2', '--versions kubernetes=1.36.1')).toEqual(['warning input/helm-template wrongVersion ./Chart.yaml']);
    expect(await found('<1.30', '--versions kubernetes=1.29')).toEqual([]);
  });

  test('does not depend on the kubeVersion of a chart inside of it', async () => {
    const inner = { 'charts/sub/Chart.yaml': `${CHART.replace('web', 'sub')}kubeVersion: "<1.30"\n` };
    expect((await checkChart({ ...OLD, ...inner }, '--require-planned')).found).toEqual([]);
  });
});

describe('a chart that Helm refuses because of what is not evaluated', () => {
  test.each<readonly [file: string, text: string]>([
    ['values.schema.json', '{"required": ["replicas"]}'],
    ['templates/NOTES.txt', '{{ fail "no" }}\n'],
    ['templates/_web.tpl', '{{ if }}\n'],
    ['charts/sub/templates/NOTES.txt', '{{ fail "no" }}\n'],
  ])('%s is an info, and an error if every file must be planned', async (file, text) => {
    const inner: Files = file.startsWith('charts/') ? { 'charts/sub/Chart.yaml': CHART.replace('web', 'sub') } : {};
    const chart = { ...OLD, ...inner, [file]: text };
    expect((await checkChart(chart)).found).toEqual([`info input/helm-template notEvaluated ./${file}`]);
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await checkChart({ ...chart, 'policy.yaml': 'requireReadinessProbe: false\n' }, option)).toMatchObject({
        exitCode: 1,
        found: expect.arrayContaining([`error input/helm-template notEvaluated ./${file}`]),
      });
  });

  test.each<readonly [what: string, files: Files]>([
    ['notes without an action', { 'templates/NOTES.txt': 'Thank you.\n' }],
    ['files that .helmignore matches', { '.helmignore': 'values.schema.json\n', 'values.schema.json': '{}' }],
    ['files outside of a chart', { 'templates/other/NOTES.txt': 'x\n' }],
  ])('is none for %s', async (_, files) => {
    expect((await checkChart({ ...OLD, ...files }, '--require-planned')).found).toEqual([]);
  });

  test('is only said of templates that are not rendered, if there are some', async () => {
    const chart = { ...OLD, 'templates/x.yaml': 'a: {{ b }}\n', 'values.schema.json': '{}', 'templates/NOTES.txt': '{{ b }}\n' };
    expect((await checkChart(chart)).found).toEqual(['info input/helm-template notRendered ./Chart.yaml']);
  });

  test('keeps the warning of an object that Helm deletes', async () => {
    const { 'templates/web.yaml': _, ...others } = OLD;
    const { stdout } = await rolloutkit('plan --from old new', {
      files: Object.fromEntries([
        ...Object.entries(OLD).map(([file, text]) => [`old/${file}`, text]),
        ...Object.entries({ ...others, 'values.schema.json': '{}' }).map(([file, text]) => [`new/${file}`, text]),
      ]),
    });
    expect(stdout).toContain('NEW lacks Deployment web, which Helm then deletes. This plan keeps it.');
  });
});

describe('an archive in charts/ that is a link', () => {
  test.each([
    ['out of the PATH', '../../redis.tgz'],
    ['to a file of the PATH', '../redis.tgz'],
    ['to nothing', 'none.tgz'],
  ])('%s is not planned like others', async (_, target) => {
    const { stdout, exitCode } = await rolloutkit('check chart --require-planned', {
      files: {
        ...Object.fromEntries(Object.entries(OLD).map(([file, text]) => [`chart/${file}`, text])),
        'chart/charts/README.md': '',
        'chart/redis.tgz': '',
        'redis.tgz': '',
      },
      prepare: (folder) => symlinkSync(target, path.join(folder, 'chart/charts/redis.tgz')),
    });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('chart is a Helm chart that is not rendered: charts/redis.tgz is not planned.');
  });
});

describe('a file in the folder of a kustomization that lists others', () => {
  const OVERLAY: Files = {
    'web.yaml': deployment('web'),
    'api.yaml': deployment('api'),
    'kustomization.yaml': 'resources: [web.yaml, api.yaml]\n',
  };
  const UNLISTED = { ...OVERLAY, 'kustomization.yaml': 'resources: [api.yaml]\n' };

  test('is not built, so a change that removes it from the list does not say that nothing changes', async () => {
    expect(await planChart(UNLISTED, OVERLAY)).toMatchInlineSnapshot(`
{
  "found": [
    "input/not-read: The kustomization new does not list new/web.yaml with Deployment web, so kustomize does not build it. It is planned as kubectl applies it.",
  ],
  "headline": "1 of 3 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "kept": 0,
}
`);
  });

  test('is planned and an error if every file must be planned', async () => {
    for (const option of ['--require-planned', '--policy policy.yaml'])
      expect(await checkChart({ ...UNLISTED, 'policy.yaml': 'requireReadinessProbe: false\n' }, option)).toEqual({
        exitCode: 1,
        found: ['error input/not-read unrendered ./web.yaml'],
        planned: '2 rollouts',
      });
  });

  test('is none of its concern without an object of Kubernetes', async () => {
    const others: Files = {
      'README.md': '# web\n',
      'values.yaml': 'kind: small\nimage: {tag: "1"}\n',
      'dashboard.json': '{"title": "a", "kind": "x"}',
      'playbook.yaml': '- hosts: all\n',
      'empty.yaml': '',
    };
    expect(await checkChart({ ...OVERLAY, ...others, 'policy.yaml': 'requireReadinessProbe: false\n' }, '--policy policy.yaml')).toEqual({
      exitCode: 0,
      found: [],
      planned: '2 rollouts',
    });
  });

  test('is built if another kustomization lists it, or its folder has one of its own', async () => {
    const files = {
      'base/web.yaml': deployment('web'),
      'base/kustomization.yaml': 'resources: []\n',
      'kustomization.yaml': 'resources: [base/web.yaml, api]\n',
      'api/api.yaml': deployment('api'),
      'api/kustomization.yaml': 'resources: [api.yaml]\n',
    };
    expect(await checkChart(files)).toEqual({
      exitCode: 0,
      found: ['info input/kustomization notBuilt ./kustomization.yaml'],
      planned: '2 rollouts',
    });
  });
});
