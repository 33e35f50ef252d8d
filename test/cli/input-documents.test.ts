import type { Finding } from '../../src/core/findings/finding';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { collectFindings } from '../../src/core/document/plan-document';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { WEB } from './manifests';

/** Returns the findings about the input (code, severity, position, messageId and data), the names of the rollouts, and the exit code of a check. */
async function inputOf(paths: string, setting: Setting) {
  const { stdout, stderr } = await rolloutkit(`plan ${paths} --format json`, setting);
  expect(stderr).toBe('');
  const plan = JSON.parse(stdout) as PlanDocument;
  const { exitCode } = await rolloutkit(`check ${paths}`, setting);
  const summarize = ({ code, severity, source, messageId, data }: Finding) => {
    return { code, severity, place: source ? `${source.file}:${source.line}` : '', messageId, data };
  };
  return {
    findings: collectFindings(plan)
      .filter(({ code }) => code.startsWith('input/'))
      .map(summarize),
    rollouts: plan.rollouts.map(({ resource, simulation }) => ({ name: resource.name, simulation })),
    exitCode,
  };
}

function unreadable(place: string, problem: object) {
  return {
    code: 'input/unreadable',
    severity: 'error',
    place,
    messageId: 'document',
    data: { startLine: Number(place.split(':')[1]), problem },
  };
}

const HELM_ERROR = 'Error: path "web" not found\n';
const PLAN = '{"formatVersion": "1.2", "rollouts": []}';

describe('input/empty', () => {
  test.each(['', '\n', '# nothing\n---\n'])(
    'is an error for %j on standard input, since a failed helm prints its error to standard error',
    async (stdin) => {
      expect(await inputOf('-', { stdin })).toEqual({
        findings: [{ code: 'input/empty', severity: 'error', place: '', messageId: 'stream', data: { path: '-' } }],
        rollouts: [],
        exitCode: 1,
      });
    },
  );

  test('is a warning for a file and for a folder', async () => {
    const files = { 'a.yaml': '# nothing\n', 'b/c.yaml': '', 'b/readme.md': '# b\n' };
    expect(await inputOf('a.yaml b', { files })).toEqual({
      findings: [
        { code: 'input/empty', severity: 'warning', place: '', messageId: 'file', data: { path: 'a.yaml' } },
        { code: 'input/empty', severity: 'warning', place: '', messageId: 'folder', data: { path: 'b' } },
      ],
      rollouts: [],
      exitCode: 0,
    });
  });

  test('is a warning for a folder with only documents of other programs', async () => {
    const files = {
      'a/playbook.yml': '- hosts: all\n---\n- hosts: web\n',
      'a/values.yaml': 'replicas: 3\n',
    };
    expect(await inputOf('a', { files })).toEqual({
      findings: [{ code: 'input/empty', severity: 'warning', place: '', messageId: 'noObjects', data: { path: 'a', documents: 3 } }],
      rollouts: [],
      exitCode: 0,
    });
  });

  test('is silent for a folder with an empty file among others, and for an empty fleet.yaml', async () => {
    expect((await inputOf('.', { files: { 'a.yaml': '', 'web.yaml': WEB } })).findings).toEqual([]);
    expect((await inputOf('fleet.yaml', { files: { 'fleet.yaml': '' } })).findings).toEqual([]);
  });
});

describe('a document that is not an object', () => {
  test.each([
    ['text', 'release failed\n', { kind: 'not-a-map', value: 'release failed' }],
    ['a list', '- hosts: all\n', { kind: 'not-a-map', value: { described: 'a list' } }],
    ['an error of Helm, which is a map', HELM_ERROR, { kind: 'no-object', missing: ['apiVersion', 'kind'] }],
    ['a kind without apiVersion', 'kind: Deployment\n', { kind: 'no-object', missing: ['apiVersion'] }],
    ['a plan', PLAN, { kind: 'plan-document' }],
  ])('%s is unreadable on standard input and in a file given by name', async (_, text, problem) => {
    expect(await inputOf('-', { stdin: text })).toMatchObject({ findings: [unreadable('-:1', problem)], exitCode: 1 });
    expect(await inputOf('a.yaml', { files: { 'a.yaml': text } })).toMatchObject({
      findings: [unreadable('a.yaml:1', problem)],
      exitCode: 1,
    });
  });

  test.each(['- hosts: all\n', '- op: replace\n  path: /spec\n', 'replicas: 3\n', 'kind: Deployment\n', PLAN])(
    '%j is skipped in a folder, since it belongs to another program',
    async (text) => {
      expect(await inputOf('.', { files: { 'more.yaml': text, 'web.yaml': WEB } })).toMatchObject({ findings: [], exitCode: 0 });
    },
  );

  test.each([
    ['values of a chart with an apiVersion of their own', 'values-prod.yaml', 'apiVersion: v1\nkind: DaemonSet\n'],
    ['values with which chart-testing installs a chart', 'ci/test.yaml', 'apiVersion: v1\nkind: DaemonSet\n'],
    ['a file that Ansible has encrypted', 'secret.yaml', '$ANSIBLE_VAULT;1.1;AES256\n6162\n'],
    ['a number in JSON', 'count.json', '42\n'],
  ])('%s is skipped', async (_, file, text) => {
    const files = { 'Chart.yaml': 'name: web\nversion: 1.0.0\n', [file]: text, 'templates/web.yaml': WEB };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [{ code: 'input/helm-template', messageId: 'plain' }],
      rollouts: [{ name: 'web' }],
    });
  });

  test('is a warning in a folder if a YAML file is only text', async () => {
    const files = { 'out.yaml': 'release failed\n', 'web.yaml': WEB };
    const problem = { kind: 'not-a-map', value: 'release failed' };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [{ ...unreadable('./out.yaml:1', problem), severity: 'warning' }],
      exitCode: 0,
    });
  });

  test('is an error in a folder if it is a list of objects without a List', async () => {
    const files = { 'more.yaml': '# of Jsonnet\n- apiVersion: v1\n  kind: Service\n', 'web.yaml': WEB };
    const problem = { kind: 'not-a-map', value: { described: 'a list' } };
    expect(await inputOf('.', { files })).toMatchObject({ findings: [unreadable('./more.yaml:2', problem)], exitCode: 1 });
  });

  test.each(['kustomization.yaml', 'Chart.yaml'])('%s, given by name, is read by its own tool', async (file) => {
    expect((await inputOf(file, { files: { [file]: 'name: web\nversion: 1.0.0\n' } })).findings).toEqual([]);
  });
});

describe('an item of a List that is not an object', () => {
  const LIST = `apiVersion: v1
kind: List
items:
  - release failed
  -
  - metadata: {name: a}
  - kind: List
    apiVersion: v1
    items: [{kind: Service}]
`;

  test.each(['a.yaml', '.'])('is an error, since kubectl refuses the list: %s', async (path) => {
    const { findings, exitCode } = await inputOf(path, { files: { 'a.yaml': LIST } });
    expect(
      findings.map(({ code, messageId, severity, place, data }) => ({ code, messageId, severity, line: place.split(':')[1], data })),
    ).toEqual(
      [
        ['4', 'items[0]', { kind: 'not-a-map', value: 'release failed' }],
        ['5', 'items[1]', { kind: 'nothing' }],
        ['6', 'items[2]', { kind: 'no-object', missing: ['apiVersion', 'kind'] }],
        ['9', 'items[3].items[0]', { kind: 'no-object', missing: ['apiVersion'] }],
      ].map(([line, item, problem]) => ({ code: 'input/unreadable', messageId: 'item', severity: 'error', line, data: { item, problem } })),
    );
    expect(exitCode).toBe(1);
  });

  test('is reported in a typed List, unless it has neither apiVersion nor kind', async () => {
    const text = 'apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: a}\n- kind: Deployment\n  metadata: {name: b}\n';
    expect((await inputOf('-', { stdin: text })).findings).toMatchObject([
      { messageId: 'item', data: { item: 'items[1]', problem: { kind: 'no-object', missing: ['apiVersion'] } } },
    ]);
  });

  test.each(['apiVersion: 5\n', ''])(
    'lacks only an apiVersion in a typed List without one, also if its own are empty: %j',
    async (version) => {
      const text = `kind: DeploymentList\n${version}items:\n- {kind: "", apiVersion: ""}\n- metadata: {name: a}\n`;
      const noVersion = { kind: 'no-object', missing: ['apiVersion'] };
      expect((await inputOf('-', { stdin: text })).findings).toMatchObject([
        { messageId: 'document', data: { problem: noVersion } },
        { messageId: 'item', data: { item: 'items[0]', problem: noVersion } },
        { messageId: 'item', data: { item: 'items[1]', problem: noVersion } },
      ]);
    },
  );
});

test('each alias of an item of a List is one more rollout', async () => {
  const item = WEB.trimEnd().replaceAll('\n', '\n  ');
  const stdin = `apiVersion: v1\nkind: List\nitems:\n- &web\n  ${item}\n- *web\n- {apiVersion: v1, kind: List, items: [*web]}\n`;
  expect((await inputOf('-', { stdin })).rollouts.map(({ name }) => name)).toEqual(['web', 'web', 'web']);
});

describe('the expectations of a cluster test', () => {
  const PART = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 2}\n';
  const TEST = `apiVersion: chainsaw.kyverno.io/v1alpha1
kind: Test
metadata: {name: web}
spec:
  steps:
    - try:
        - apply: {file: web.yaml}
        - assert: {file: there.yaml}
        - error: {file: "../gone/*.yaml"}
        - patch: {file: more.yaml}
      finally:
        - assert: {file: ../last.yaml}
`;
  const summaryOf = async (files: Readonly<Record<string, string>>, path = '.') => {
    const { findings, rollouts } = await inputOf(path, { files });
    return [...findings.map(({ code, data }) => ({ code, data })), ...rollouts.map(({ name }) => name)];
  };
  const expectationFinding = (files: number, first: string) => ({ code: 'input/test-expectation', data: { files, first } });
  const asideFinding = (file: string, role = 'expectation') => ({
    code: 'input/not-read',
    data: { file, resource: 'Deployment web', others: 0, role },
  });

  test('are one info, and not planned: by the file names of kuttl', async () => {
    const config = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n';
    const files = { 't/00-assert.yaml': config, 't/01-errors-two.yaml': config, 't/00-install.yaml': WEB };
    expect(await summaryOf(files)).toEqual([expectationFinding(2, './t/00-assert.yaml'), 'web']);
  });

  test('are one info each if they contain objects that plans read', async () => {
    const files = { 't/00-assert.yaml': PART, 't/01-errors-two.yaml': PART, 't/00-install.yaml': WEB };
    expect(await summaryOf(files)).toEqual([asideFinding('./t/00-assert.yaml'), asideFinding('./t/01-errors-two.yaml'), 'web']);
  });

  test('are the files that a chainsaw test names, in any folder', async () => {
    const files = {
      't/a/chainsaw-test.yaml': TEST,
      't/a/web.yaml': WEB,
      't/a/there.yaml': PART,
      't/gone/a.yaml': PART,
      't/gone/b.yaml': PART,
      't/last.yaml': PART,
      't/a/more.yaml': PART,
    };
    expect(await summaryOf(files)).toEqual([
      asideFinding('./t/a/more.yaml', 'patch'),
      asideFinding('./t/a/there.yaml'),
      asideFinding('./t/gone/a.yaml'),
      asideFinding('./t/gone/b.yaml'),
      asideFinding('./t/last.yaml'),
      'web',
    ]);
  });

  test('are planned if given by name, or if no test names them', async () => {
    expect(await summaryOf({ 't/00-assert.yaml': WEB }, 't/00-assert.yaml')).toEqual(['web']);
    expect(await summaryOf({ 't/assert.yaml': WEB, 't/00-assertion.yaml': WEB.replace('name: web', 'name: b') })).toEqual(['b', 'web']);
  });

  test('may be next to an applied part of an object', async () => {
    expect(await summaryOf({ 't/01-assert.yaml': PART, 't/01-scale.yaml': PART })).toEqual([
      asideFinding('./t/01-assert.yaml'),
      asideFinding('./t/01-scale.yaml', 'patch-object'),
    ]);
  });
});

describe('a file in a folder that cannot be read', () => {
  const findingsOf = async (name: string, text: string) =>
    (await inputOf('.', { files: { [name]: text, 'web.yaml': WEB } })).findings.map(({ code, severity }) => `${severity} ${code}`);

  test.each([['settings with comments', 'tsconfig.json', '// ours\n{"compilerOptions": {},}\n']])(
    'is an info if it belongs to another program: %s',
    async (_, name, text) => {
      expect(await findingsOf(name, text)).toEqual(['info input/unreadable']);
      expect((await inputOf(name, { files: { [name]: text } })).findings).toMatchObject([{ severity: 'error' }]);
    },
  );

  test.each([
    ['an error of a program', 'web2.yaml', 'Error: INSTALLATION FAILED: name in use\n'],
    ['an error of a program in a .json', 'web.json', 'Error from server: {"a": 1\n'],
    ['an error after a template of an alert', 'alert.yaml', 'kind: Rule\nsummary: "{{ $labels.pod }}"\nfor: [5m\n'],
    [
      'JSON before an object whose words have escapes',
      'web5.json',
      '{"x": @}\n---\n"\\u0061piVersion": v1\n"\\u006bind": ServiceAccount\nmetadata: {name: a}\n',
    ],
    ['a manifest in broken JSON', 'web4.json', '{"apiVersion": "v1", "kind": [}'],
  ])('is an error if it may be an object: %s', async (_, name, text) => {
    expect(await findingsOf(name, text)).toEqual(['error input/unreadable']);
  });
});

describe('a template outside of a chart', () => {
  const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Name }}-v1\n---\nkind: {{ .Kind }}\n';

  test.each([
    ['of Go', DEPLOYMENT, 4, 2],
    ['with instructions alone', 'apiVersion: apps/v1\n{{- if .x }}\nkind: Deployment\n{{- end }}\n', 2, 1],
    ['of helmfile', 'releases:\n{{ range .Values.all }}\n  - name: a\n{{ end }}\n', 2, 1],
    ['of Jinja', '{% if a %}\nb: 1\n{% endif %}\n', 1, 1],
  ])('is one info in a folder, whatever it contains, and unreadable if given by name: %s', async (_, text, line, documents) => {
    const files = { 'web.tmpl.yaml': text, 'web.yaml': WEB };
    const data = { file: './web.tmpl.yaml', documents };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [{ code: 'input/template', severity: 'info', messageId: 'notFilledIn', place: `./web.tmpl.yaml:${line}`, data }],
      exitCode: 0,
    });
    const given = await inputOf('web.tmpl.yaml', { files });
    expect(given.findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(Array(documents).fill('error input/unreadable'));
  });
});

describe('a template of ytt', () => {
  const YTT = `#@ load("@ytt:data", "data")\n---\n${WEB.replace('name: web', 'name: #@ data.values.name')}`;

  test('is one info in a folder, since its values are in comments', async () => {
    const files = { 'a.yaml': YTT, 'values.yaml': '#@data/values\n---\nname: web\n', 'web.yaml': `#@note by hand\n${WEB}` };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [{ code: 'input/template', severity: 'info', messageId: 'ytt', place: './a.yaml:1', data: { file: './a.yaml' } }],
      rollouts: [{ name: 'web' }],
    });
    expect((await inputOf('a.yaml', { files })).exitCode).toBe(1);
  });
});

describe('a placeholder for a value', () => {
  const REPLICAS = WEB.replace('replicas: 10', 'replicas: ${REPLICAS:=3}');
  const NAMES = WEB.replace('name: web', 'name: web-$(ENV)\n  labels: {env: "{{ env }}"}');

  test.each([
    [REPLICAS, { field: 'replicas', value: '${REPLICAS:=3}', values: 1 }],
    [NAMES, { field: 'name', value: 'web-$(ENV)', values: 2 }],
  ])('is one info in a folder, since the final value is not known', async (text, data) => {
    const { findings, exitCode } = await inputOf('.', { files: { 'web.yaml': text } });
    expect(findings).toMatchObject([{ code: 'input/placeholder', severity: 'info', messageId: 'notFilledIn', data }]);
    expect([findings.length, exitCode]).toEqual([1, 0]);
  });

  test.each([
    '$NAME',
    'web-$$name$$',
    '($test.name)',
    '@NAME@',
    '%NAME%',
    '__NAME__',
    '<your-name>',
    'REPLACE_ME',
    'web-CHANGEME',
    'YOUR_NAME',
  ])('may have the form %s', async (value) => {
    const files = { 'web.yaml': WEB.replace('name: web', () => `name: "${value}"`) };
    const { findings } = await inputOf('.', { files });
    expect(findings).toMatchObject([{ code: 'input/placeholder', data: { field: 'name', value, values: 1 } }]);
  });

  test.each([REPLICAS, NAMES])('is refused on standard input and in a file given by name, as the API server refuses it', async (text) => {
    expect((await inputOf('web.yaml', { files: { 'web.yaml': text } })).exitCode).toBe(1);
    expect((await inputOf('-', { stdin: text })).exitCode).toBe(1);
  });

  test('does not hide other errors', async () => {
    const text = NAMES.replace('replicas: 10', 'replicas: three');
    expect((await inputOf('.', { files: { 'web.yaml': text } })).findings.map(({ code }) => code)).toEqual(['input/wrong-type']);
  });
});

describe('input/duplicate-key', () => {
  test('names the one that is ignored, and the plan uses the last, as kubectl does', async () => {
    const twice = WEB.replace('  replicas: 10\n', '  replicas: 3\n  replicas: 10\n');
    const { findings, rollouts, exitCode } = await inputOf('.', { files: { 'web.yaml': twice } });
    expect(findings).toEqual([
      {
        code: 'input/duplicate-key',
        severity: 'warning',
        place: './web.yaml:8',
        messageId: 'duplicate',
        data: { key: 'replicas', first: 7 },
      },
    ]);
    expect([rollouts, exitCode]).toEqual([(await inputOf('.', { files: { 'web.yaml': WEB } })).rollouts, 0]);
  });

  test('is an error in a file that a kustomization names, since kustomize refuses it', async () => {
    const twice = WEB.replace('  replicas: 10\n', '  replicas: 3\n  replicas: 10\n');
    const files = {
      'web.yaml': twice,
      'other.yaml': twice.replace('name: web', 'name: other'),
      'kustomization.yaml': 'resources: [./web.yaml]\n',
    };
    const refused = { code: 'input/duplicate-key', severity: 'error', messageId: 'refused', data: { key: 'replicas', first: 7 } };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [
        { code: 'input/not-read', severity: 'info', data: { reason: 'unlisted' }, place: './other.yaml:1' },
        { code: 'input/duplicate-key', severity: 'warning', place: './other.yaml:8' },
        { ...refused, place: './web.yaml:8' },
      ],
      exitCode: 1,
    });
    expect((await inputOf('web.yaml', { files })).findings).toEqual([{ ...refused, place: 'web.yaml:8' }]);
  });

  test('is silent for a document that is not an object', async () => {
    expect((await inputOf('.', { files: { 'values.yaml': 'a: 1\na: 2\n', 'web.yaml': WEB } })).findings).toEqual([]);
  });
});

describe('input/helm-template', () => {
  const TEMPLATE = WEB.replace('name: web', 'name: {{ .Release.Name }}');

  test('is one info for a chart, which names the command', async () => {
    const files = {
      'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'charts/web/values.yaml': 'replicas: 3\n',
      'charts/web/templates/web.yaml': TEMPLATE,
      'charts/web/templates/sub/more.yaml': '{{- if .Values.more }}\nkind: [\n{{ end }}\n',
      'charts/web/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
      'charts/web/charts/cache/templates/cache.yaml': TEMPLATE,
      'charts/api/Chart.yaml': 'apiVersion: v2\nname: api\nversion: 1.0.0\n',
      'charts/api/templates/api.yaml': TEMPLATE,
    };
    const info = (chart: string, templates: number) => {
      return {
        code: 'input/helm-template',
        severity: 'info',
        place: `${chart}/Chart.yaml:1`,
        messageId: 'notRendered',
        data: { chart, templates },
      };
    };
    expect(await inputOf('charts', { files })).toEqual({
      findings: [info('charts/api', 1), info('charts/web', 3)],
      rollouts: [],
      exitCode: 0,
    });
    expect((await inputOf('charts/web/templates/web.yaml', { files })).findings).toEqual([info('charts/web', 1)]);
  });

  test.each([
    ['.', './charts/web'],
    ['charts', 'charts/web'],
    ['./charts', './charts/web'],
    ['charts/web/templates', 'charts/web'],
    ['./charts/web/templates/web.yaml', './charts/web'],
  ])('names the chart of %s in the style of its files: %s', async (path, chart) => {
    const files = { 'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'charts/web/templates/web.yaml': TEMPLATE };
    expect((await inputOf(path, { files })).findings).toMatchObject([{ place: `${chart}/Chart.yaml:1`, data: { chart } }]);
  });

  test.each(['kustomization.yaml', 'kustomization.yml', 'fleet.yaml', 'fleet.yml'])(
    'finds the chart above a PATH next to %s',
    async (other) => {
      const files = {
        'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        [`web/${other}`]: '',
        'web/templates/web.yaml': TEMPLATE,
      };
      expect((await inputOf('web/templates', { files })).findings).toMatchObject([{ place: 'web/Chart.yaml:1', data: { chart: 'web' } }]);
    },
  );

  test.each([
    ['.', './web'],
    ['web', 'web'],
    ['./web', './web'],
  ])('names a chart below a chart, reached by %s, in the same way: %s', async (path, chart) => {
    const files = {
      'Chart.yaml': 'apiVersion: v2\nname: all\nversion: 1.0.0\n',
      'web/sub/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/sub/templates/web.yaml': TEMPLATE,
    };
    const outer = path === '.' ? [{ messageId: 'plain', data: { chart: '.' }, place: './Chart.yaml:1' }] : [];
    expect((await inputOf(path, { files })).findings).toMatchObject([...outer, { data: { chart: `${chart}/sub` } }]);
  });

  test('is another info for templates without directives, which are planned', async () => {
    const files = { 'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n', 'web/templates/web.yaml': WEB };
    expect(await inputOf('web', { files })).toMatchObject({
      findings: [{ severity: 'info', messageId: 'plain', place: 'web/Chart.yaml:1' }],
      rollouts: [{ name: 'web' }],
    });
  });

  test('is silent without a chart, where such a file is another template', async () => {
    const { findings } = await inputOf('.', { files: { 'templates/web.yaml': TEMPLATE } });
    expect(findings).toMatchObject([{ code: 'input/template' }]);
  });
});

describe('input/unknown-version', () => {
  test.each([
    ['1.99', 'later'],
    ['1.16', 'earlier'],
  ])('names the known range for %s, which is %s', async (version, messageId) => {
    const { findings } = await inputOf(`web.yaml --versions kubernetes=${version}`, { files: { 'web.yaml': WEB } });
    const data = { product: 'kubernetes', version, oldest: '1.21', newest: '1.37' };
    expect(findings).toEqual([{ code: 'input/unknown-version', severity: 'info', place: '', messageId, data }]);
  });
});

describe('an object in a folder without kind or apiVersion', () => {
  const findingsOf = async (files: Readonly<Record<string, string>>) => {
    const { stdout } = await rolloutkit('plan . --format json', {
      files: { ...files, 'web.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' },
    });
    return (JSON.parse(stdout) as PlanDocument).findings.map(({ code, severity, data, source }) => [code, severity, data, source?.file]);
  };
  const BODY = 'metadata: {name: a}\nspec: {replicas: 2}\n';

  test('is an error, as kubectl refuses it', async () => {
    expect(await findingsOf({ 'a.yaml': `kind: Deployment\n${BODY}` })).toMatchObject([['input/unreadable', 'error', {}, './a.yaml']]);
    expect(await findingsOf({ 'a.yaml': `apiVersion: apps/v1\n${BODY}` })).toMatchObject([['input/unreadable', 'error', {}, './a.yaml']]);
  });

  test('is skipped if it does not look like an object, or contains the values of a chart', async () => {
    expect(await findingsOf({ 'a.yaml': 'kind: DaemonSet\nreplicas: 2\n', 'b.yaml': BODY })).toEqual([]);
    expect(await findingsOf({ 'values.yaml': `kind: DaemonSet\n${BODY}` })).toEqual([]);
  });
});

describe('a number that JSON cannot represent', () => {
  const widget = (spec: string) => `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n${spec}`;
  const finding = (place: string, field: string) => ({
    code: 'input/wrong-type',
    severity: 'error',
    place,
    messageId: 'notFinite',
    data: { field },
  });

  test.each([
    ['.nan', widget('  weight: .nan\n'), finding('-:6', 'weight')],
    ['-.INF in a list', widget('  list: [1, {weight: -.INF}]\n'), finding('-:6', 'weight')],
    [
      'an infinity in an item of a List',
      'apiVersion: v1\nkind: List\nitems:\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata: {name: a}\n  size: .inf\n',
      finding('-:7', 'size'),
    ],
    [
      'an exponent in JSON',
      '{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "size": 1e999}',
      finding('-:1', 'size'),
    ],
    ['an escape in a text with a tag', widget('  weight: !!float "\\x2einf"\n'), finding('-:6', 'weight')],
    [
      'many digits with a short exponent in JSON',
      `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "size": 1${'0'.repeat(250)}e99}`,
      finding('-:1', 'size'),
    ],
    [
      'a number of 400 digits in JSON',
      `{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "size": ${'9'.repeat(400)}}`,
      finding('-:1', 'size'),
    ],
  ])('is an error in an object without a schema, because kubectl cannot encode it: %s', async (_, stdin, found) => {
    expect(await inputOf('-', { stdin })).toEqual({ findings: [found], rollouts: [], exitCode: 1 });
  });

  test.each([
    ['a text', widget('  weight: ".nan"\n')],
    ['a text, since kubectl reads no such number in YAML', widget('  weight: 1e999\n')],
    ['a large number', widget('  weight: 1.0e+300\n')],
  ])('is not %s', async (_, stdin) => {
    expect(await inputOf('-', { stdin })).toEqual({ findings: [], rollouts: [], exitCode: 0 });
  });
});
