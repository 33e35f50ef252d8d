import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
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

/** Reports whether a finding only says that the files of a chart are planned as they are. */
function isPlainChart({ code, messageId }: { code: string; messageId: string }): boolean {
  return code === 'input/helm-template' && messageId === 'plain';
}

/** Plans the change from one chart to another, and returns its headline and its findings about the input, except that a chart is not rendered. */
async function planChart(next: Files, old = OLD): Promise<{ headline: string; kept: number; found: string[] }> {
  const place = (folder: string, files: Files) =>
    Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));
  const { stdout } = await rolloutkit('plan --from old new --format json', { files: { ...place('old', old), ...place('new', next) } });
  const { change, findings } = JSON.parse(stdout) as {
    change: { summary: { kept: number } };
    findings: { code: string; messageId: string; message: string }[];
  };
  const text = await rolloutkit('plan --from old new', { files: { ...place('old', old), ...place('new', next) } });
  return {
    headline: text.stdout.split('\n')[0]!,
    kept: change.summary.kept,
    found: findings
      .filter((finding) => finding.code.startsWith('input/') && !isPlainChart(finding))
      .map(({ code, message }) => `${code}: ${message}`),
  };
}

/** Checks a chart, and returns its findings, except that it is not rendered. */
async function checkChart(files: Files, option = ''): Promise<Pick<Result, 'exitCode'> & { found: string[]; planned: string }> {
  const { exitCode, stdout } = await rolloutkit(`check . ${option} --format json`, { files });
  const text = await rolloutkit(`check . ${option}`, { files });
  const { findings } = JSON.parse(stdout) as {
    findings: { code: string; messageId: string; severity: string; source?: { file: string } }[];
  };
  return {
    exitCode,
    found: findings
      .filter((finding) => !isPlainChart(finding))
      .map(({ severity, code, messageId, source }) => `${severity} ${code} ${messageId} ${source?.file}`),
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
  "headline": "incomplete: Helm or kustomize does not build some files; the object that was read does not differ; assumes Kubernetes 1.36",
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
  "headline": "incomplete: 1 folder is not rendered, Helm or kustomize does not build some files; the object that was read does not differ; assumes Kubernetes 1.36",
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
  "headline": "incomplete: 1 folder is not rendered, Helm or kustomize does not build some files; no object of NEW was read",
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
  "headline": "incomplete: Helm or kustomize does not build some files; the 2 objects that were read do not differ; assumes Kubernetes 1.36",
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
  "1 rollout on Kubernetes 1.36 (assumed): 1 info

info  input/helm-template  ./Chart.yaml:1
  . is a Helm chart that is not rendered: its files are read as they are, although Helm may read them otherwise.
  fix: Plan what Helm renders, with the values of the release: helm template . | rolloutkit check -, or --render

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
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
    expect(stdout).toContain('3 rollouts on Kubernetes 1.36 (assumed): 1 info\n');
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
    [
      'YAML after a JSON object without a separator',
      `{"apiVersion":"v1","kind":"ConfigMap",\n${hook}}\n\n${deployment('web')}`,
      'jsonStream',
    ],
  ])('are an error in what helm template prints, if everything must be planned: %s', async (_, text, message) => {
    expect(await checkChart({ 'rendered.yaml': text }, '--require-planned')).toMatchObject({
      exitCode: 1,
      found: [`error input/kustomization ${message} ./rendered.yaml`],
    });
  });

  test('have none if each is a document of its own, or the list has other annotations', async () => {
    const list = `{"apiVersion":"v1","kind":"List","metadata":{"annotations":{"team":"a"}},"items":[${web}]}`;
    const text = `${web.replace('"web"', '"api"')}\n---\n${list}`;
    for (const each of [text, `{"apiVersion":"v1","kind":"ConfigMap",${hook}}\n---\n${deployment('web')}`])
      expect((await checkChart({ 'rendered.yaml': each }, '--require-planned')).found).toEqual([]);
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
"incomplete: Helm or kustomize does not build some files; the 2 objects that were read do not differ; assumes Kubernetes 1.36

2 rollouts on Kubernetes 1.36: 3 infos

info  input/helm-template  ./Chart.yaml:1
  . is a Helm chart that is not rendered: its files are read as they are, although Helm may read them otherwise.
  fix: Plan what Helm renders, with the values of the release: helm template . | rolloutkit check -, or --render

info  input/not-read  2 times
  the first: Helm does not render ./templates/_x.yaml with Deployment x, as part of the chart .: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.
  fix: If kubectl applies it, name the file as a PATH, or move it out of the folder of the chart. If it is part of the chart, undo what keeps Helm from rendering it.
  at: ./templates/_x.yaml:1
  at: ./templates/api.yaml:1

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('has them below the folder of a chart too', async () => {
    expect(await planSinceCommit('templates')).toMatchInlineSnapshot(`
"incomplete: Helm or kustomize does not build some files; the 2 objects that were read do not differ; assumes Kubernetes 1.36

2 rollouts on Kubernetes 1.36: 3 infos

info  input/not-read  2 times
  the first: Helm does not render templates/_x.yaml with Deployment x, as part of the chart .: its name, or that of its chart in charts/, begins with _ or a dot. It is not planned.
  fix: If kubectl applies it, name the file as a PATH, or move it out of the folder of the chart. If it is part of the chart, undo what keeps Helm from rendering it.
  at: templates/_x.yaml:1
  at: templates/api.yaml:1

info  input/helm-template  ./Chart.yaml:1
  . is a Helm chart that is not rendered: its files are read as they are, although Helm may read them otherwise.
  fix: Plan what Helm renders, with the values of the release: helm template . | rolloutkit check -, or --render

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
  "headline": "incomplete: 1 folder is not rendered; the 2 objects that were read do not differ; assumes Kubernetes 1.36",
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
});

describe('a chart that is not rendered', () => {
  const POLICY = { 'policy.yaml': 'requireReadinessProbe: false\n' };

  test.each<readonly [what: string, files: Files]>([
    ['plain templates', { 'templates/web.yaml': deployment('web') }],
    ['templates with actions', { 'templates/web.yaml': '# {{ x }}\n' + deployment('web') }],
    ['a partial', { 'templates/_web.yaml': deployment('web') }],
    ['a file that .helmignore matches', { 'templates/web.yaml': deployment('web'), '.helmignore': 'web.yaml\n' }],
    ['a .helmignore that Helm refuses', { 'templates/web.yaml': deployment('web'), '.helmignore': '**\n[\n' }],
    ['a file outside of templates/', { 'web.yaml': deployment('web') }],
    ['the type library', { 'Chart.yaml': `${CHART}type: library\n`, 'templates/web.yaml': deployment('web') }],
    ['a kubeVersion', { 'Chart.yaml': `${CHART}kubeVersion: "<1.30"\n`, 'templates/web.yaml': deployment('web') }],
    ['dependencies that are a map', { 'Chart.yaml': `${CHART}dependencies: {name: a}\n`, 'web.yaml': deployment('web') }],
    ['dependencies in another repository', { 'Chart.yaml': `${CHART}dependencies: [{name: redis, version: 18.x}]\n` }],
    ['a chart in charts/', { 'charts/sub/Chart.yaml': CHART, 'charts/sub/templates/sub.yaml': deployment('sub') }],
    ['a Chart.yaml that is not YAML', { 'Chart.yaml': 'name: [\n', 'templates/web.yaml': deployment('web') }],
    ['a kustomization next to it', { 'kustomization.yaml': 'resources: [web.yaml]\n', 'web.yaml': deployment('web') }],
    ['only values', { 'values.yaml': 'b: null\n' }],
    ['only its Chart.yaml', {}],
  ])('is one error if everything must be planned, whatever it contains: %s', async (_, files) => {
    for (const option of ['--require-planned', '--policy policy.yaml']) {
      const { exitCode, found } = await checkChart({ 'Chart.yaml': CHART, ...files, ...POLICY }, option);
      expect([exitCode, found.filter((text) => / input\/(?:helm-template|not-read|skipped) /.test(text))]).toEqual([
        1,
        ['error input/helm-template unknown ./Chart.yaml'],
      ]);
    }
  });

  test('has an error that says what to do, and its files are planned as they are', async () => {
    expect((await rolloutkit('check . --require-planned', { files: OLD })).stdout).toMatchInlineSnapshot(`
"2 rollouts on Kubernetes 1.36 (assumed): 1 error

error  input/helm-template  ./Chart.yaml:1
  . is a Helm chart whose files were read but not rendered, so what Helm makes of it is not known: its files without template actions are planned as they are.
  fix: Plan what Helm renders, with the values of the release: helm template . | rolloutkit check -, or --render if the chart is trusted. Exclude the folder with --exclude if Helm does not apply it.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('has an info otherwise, which says so once', async () => {
    expect((await rolloutkit('check .', { files: OLD })).stdout).toMatchInlineSnapshot(`
"2 rollouts on Kubernetes 1.36 (assumed): 1 info

info  input/helm-template  ./Chart.yaml:1
  . is a Helm chart that is not rendered: its files are read as they are, although Helm may read them otherwise.
  fix: Plan what Helm renders, with the values of the release: helm template . | rolloutkit check -, or --render

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
    const inner = { 'charts/sub/Chart.yaml': CHART, 'charts/sub/templates/sub.yaml': deployment('sub') };
    expect((await rolloutkit('check .', { files: { ...OLD, ...inner } })).stdout.match(/input\/helm-template/g)).toHaveLength(1);
  });

  test.each([
    ['a folder of its templates', 'templates'],
    ['one of its templates', 'templates/web.yaml'],
    ['a folder of a chart in charts/', 'charts/sub/templates'],
  ])('may be above the PATH: %s', async (_, given) => {
    const inner = { 'charts/sub/Chart.yaml': CHART, 'charts/sub/templates/sub.yaml': deployment('sub') };
    const { exitCode, stdout } = await rolloutkit(`check ${given} --require-planned`, { files: { ...OLD, ...inner } });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('is a Helm chart whose files were read but not rendered');
  });

  test('is not what a PATH in its folder contains that Helm does not render: the user names these files', async () => {
    const files = { 'Chart.yaml': CHART, 'deploy/web.yaml': deployment('web') };
    expect(await rolloutkit('check deploy --require-planned', { files })).toMatchObject({ exitCode: 0 });
  });

  test('is an error on each side of a change', async () => {
    const errorsOf = async (args: string, files: Files, prepare?: (folder: string) => void) =>
      (await rolloutkit(`check ${args} --require-planned`, { files, ...(prepare && { prepare }) })).stdout
        .split('\n')
        .filter((line) => line.startsWith('error  input/helm-template'));
    const [chart, plain] = [{ 'c/Chart.yaml': CHART, 'c/templates/web.yaml': deployment('web') }, { 'p/web.yaml': deployment('web') }];
    expect(await errorsOf('--from p c', { ...chart, ...plain })).toEqual(['error  input/helm-template  c/Chart.yaml:1']);
    expect(await errorsOf('--from c p', { ...chart, ...plain })).toEqual(['error  input/helm-template  c/Chart.yaml:1']);
    const removeChart = (folder: string) => {
      commitAll(folder);
      rmSync(path.join(folder, 'c/Chart.yaml'));
    };
    expect(await errorsOf('--from git:HEAD c', chart, removeChart)).toEqual(['error  input/helm-template  git:HEAD:c/Chart.yaml:1']);
  });

  test('is none if its folder is excluded, or if a Chart.yaml is no part of the PATH', async () => {
    const files = { 'c/Chart.yaml': CHART, 'c/templates/web.yaml': deployment('web'), 'web.yaml': deployment('web') };
    expect(await checkChart(files, '--require-planned --exclude c')).toEqual({ exitCode: 0, found: [], planned: '1 rollout' });
    expect(await rolloutkit('check web.yaml --require-planned', { files })).toMatchObject({ exitCode: 0 });
  });

  test('without actions is comparable with what helm template prints of it', async () => {
    const { exitCode, stdout } = await rolloutkit('check --from . -', {
      files: OLD,
      stdin: `${deployment('api')}---\n${deployment('web')}`,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('nothing changes: all 2 objects are up to date')]);
  });

  test('keeps the warning of an object that Helm deletes', async () => {
    const { 'templates/web.yaml': _, ...others } = OLD;
    const { stdout } = await rolloutkit('plan --from old new', {
      files: Object.fromEntries([
        ...Object.entries(OLD).map(([file, text]) => [`old/${file}`, text]),
        ...Object.entries(others).map(([file, text]) => [`new/${file}`, text]),
      ]),
    });
    expect(stdout).toContain('NEW lacks Deployment web, which Helm then deletes. This plan keeps it.');
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
