import type { Finding } from '../../src/core/finding';
import type { PlanDocument } from '../../src/core/plan-document';
import { allFindings } from '../../src/core/plan-document';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { WEB } from './manifests';

/** The findings about the input, as code, severity, place, messageId and data; the names of the rollouts; and the exit code of a check. */
async function inputOf(paths: string, setting: Setting) {
  const { stdout, stderr } = await rolloutkit(`plan ${paths} --format json`, setting);
  expect(stderr).toBe('');
  const plan = JSON.parse(stdout) as PlanDocument;
  const { exitCode } = await rolloutkit(`check ${paths}`, setting);
  const said = ({ code, severity, source, messageId, data }: Finding) => {
    return { code, severity, place: source ? `${source.file}:${source.line}` : '', messageId, data };
  };
  return {
    findings: allFindings(plan)
      .filter(({ code }) => code.startsWith('input/'))
      .map(said),
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
    data: { begin: Number(place.split(':')[1]), problem },
  };
}

const HELM_ERROR = 'Error: path "web" not found\n';
const PLAN = '{"formatVersion": "1.1", "rollouts": []}';

describe('input/empty', () => {
  test.each(['', '\n', '# nothing\n---\n'])(
    'is an error for %j on standard input, since helm writes its words elsewhere',
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

  test('is a warning for a folder that holds nothing but documents of others', async () => {
    const files = {
      'a/playbook.yml': '- hosts: all\n---\n- hosts: web\n',
      'a/values.yaml': 'replicas: 3\n',
      'a/out.yaml': 'release failed\n',
    };
    expect(await inputOf('a', { files })).toEqual({
      findings: [{ code: 'input/empty', severity: 'warning', place: '', messageId: 'noObjects', data: { path: 'a', documents: 4 } }],
      rollouts: [],
      exitCode: 0,
    });
  });

  test('is silent for a folder in which one file of several is empty, and for a fleet.yaml, which may be', async () => {
    expect((await inputOf('.', { files: { 'a.yaml': '', 'web.yaml': WEB } })).findings).toEqual([]);
    expect((await inputOf('fleet.yaml', { files: { 'fleet.yaml': '' } })).findings).toEqual([]);
  });
});

describe('what is no object', () => {
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

  test.each(['release failed\n', '- hosts: all\n', 'replicas: 3\n', PLAN])(
    '%j is skipped in a folder: it is somebody else’s',
    async (text) => {
      expect(await inputOf('.', { files: { 'values.yaml': text, 'web.yaml': WEB } })).toMatchObject({ findings: [], exitCode: 0 });
    },
  );

  test.each(['kustomization.yaml', 'Chart.yaml'])('%s, given by name, is read by its own tool', async (file) => {
    expect((await inputOf(file, { files: { [file]: 'name: web\n' } })).findings).toEqual([]);
  });
});

describe('what cannot be read in a folder', () => {
  const said = async (name: string, text: string) =>
    (await inputOf('.', { files: { [name]: text, 'web.yaml': WEB } })).findings.map(({ code, severity }) => `${severity} ${code}`);

  test.each([['settings with comments', 'tsconfig.json', '// ours\n{"compilerOptions": {},}\n']])(
    'is an info where it is somebody else’s: %s',
    async (_, name, text) => {
      expect(await said(name, text)).toEqual(['info input/unreadable']);
      expect((await inputOf(name, { files: { [name]: text } })).findings).toMatchObject([{ severity: 'error' }]);
    },
  );

  test.each([
    ['an error of a program', 'web2.yaml', 'Error: INSTALLATION FAILED: name in use\n'],
    ['an error of a program in a .json', 'web.json', 'Error from server: {"a": 1\n'],
    ['an error behind what alerts put in', 'alert.yaml', 'kind: Rule\nsummary: "{{ $labels.pod }}"\nfor: [5m\n'],
    ['a manifest in broken JSON', 'web4.json', '{"apiVersion": "v1", "kind": [}'],
  ])('is an error where an object may have been meant: %s', async (_, name, text) => {
    expect(await said(name, text)).toEqual(['error input/unreadable']);
  });
});

describe('a template that belongs to no chart', () => {
  const DEPLOYMENT = 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ .Name }}-v1\n---\nkind: {{ .Kind }}\n';

  test.each([
    ['of Go', DEPLOYMENT, 4, 2],
    ['with instructions alone', 'apiVersion: apps/v1\n{{- if .x }}\nkind: Deployment\n{{- end }}\n', 2, 1],
    ['of helmfile', 'releases:\n{{ range .Values.all }}\n  - name: a\n{{ end }}\n', 2, 1],
    ['of Jinja', '{% if a %}\nb: 1\n{% endif %}\n', 1, 1],
  ])('is one info in a folder, whatever it holds, and unreadable where it is given by name: %s', async (_, text, line, documents) => {
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

describe('a value that another program fills in', () => {
  const REPLICAS = WEB.replace('replicas: 10', 'replicas: ${REPLICAS:=3}');
  const NAMES = WEB.replace('name: web', 'name: web-$(ENV)\n  labels: {env: "{{ env }}"}');

  test.each([
    [REPLICAS, { field: 'replicas', value: '${REPLICAS:=3}', values: 1 }],
    [NAMES, { field: 'name', value: 'web-$(ENV)', values: 2 }],
  ])('is one info in a folder, for nobody knows what the API server will get', async (text, data) => {
    const { findings, exitCode } = await inputOf('.', { files: { 'web.yaml': text } });
    expect(findings).toMatchObject([{ code: 'input/placeholder', severity: 'info', messageId: 'notFilledIn', data }]);
    expect([findings.length, exitCode]).toEqual([1, 0]);
  });

  test.each([REPLICAS, NAMES])('is refused on standard input and in a file given by name, as the API server refuses it', async (text) => {
    expect((await inputOf('web.yaml', { files: { 'web.yaml': text } })).exitCode).toBe(1);
    expect((await inputOf('-', { stdin: text })).exitCode).toBe(1);
  });

  test('does not hide what is wrong beside it', async () => {
    const text = NAMES.replace('replicas: 10', 'replicas: three');
    expect((await inputOf('.', { files: { 'web.yaml': text } })).findings.map(({ code }) => code)).toEqual(['input/wrong-type']);
  });
});

describe('input/duplicate-key', () => {
  test('says which one does not count, and the plan takes the last, as kubectl does', async () => {
    const twice = WEB.replace('  replicas: 10\n', '  replicas: 3\n  replicas: 10\n');
    const { findings, rollouts, exitCode } = await inputOf('.', { files: { 'web.yaml': twice } });
    expect(findings).toEqual([
      { code: 'input/duplicate-key', severity: 'warning', place: './web.yaml:8', messageId: 'twice', data: { key: 'replicas', first: 7 } },
    ]);
    expect([rollouts, exitCode]).toEqual([(await inputOf('.', { files: { 'web.yaml': WEB } })).rollouts, 0]);
  });

  test('is an error in what a kustomization names, for kustomize refuses it', async () => {
    const twice = WEB.replace('  replicas: 10\n', '  replicas: 3\n  replicas: 10\n');
    const files = {
      'web.yaml': twice,
      'other.yaml': twice.replace('name: web', 'name: other'),
      'kustomization.yaml': 'resources: [./web.yaml]\n',
    };
    const refused = { code: 'input/duplicate-key', severity: 'error', messageId: 'refused', data: { key: 'replicas', first: 7 } };
    expect(await inputOf('.', { files })).toMatchObject({
      findings: [
        { code: 'input/duplicate-key', severity: 'warning', place: './other.yaml:8' },
        { ...refused, place: './web.yaml:8' },
      ],
      exitCode: 1,
    });
    expect((await inputOf('web.yaml', { files })).findings).toEqual([{ ...refused, place: 'web.yaml:8' }]);
  });

  test('is silent for what is no object', async () => {
    expect((await inputOf('.', { files: { 'values.yaml': 'a: 1\na: 2\n', 'web.yaml': WEB } })).findings).toEqual([]);
  });
});

describe('input/helm-template', () => {
  const TEMPLATE = WEB.replace('name: web', 'name: {{ .Release.Name }}');

  test('is one info for a chart, which names the command', async () => {
    const files = {
      'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\n',
      'charts/web/values.yaml': 'replicas: 3\n',
      'charts/web/templates/web.yaml': TEMPLATE,
      'charts/web/templates/sub/more.yaml': '{{- if .Values.more }}\nkind: [\n{{ end }}\n',
      'charts/web/charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\n',
      'charts/web/charts/cache/templates/cache.yaml': TEMPLATE,
      'charts/api/Chart.yaml': 'apiVersion: v2\nname: api\n',
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

  test('is silent for templates that Helm leaves as they are, which are planned', async () => {
    const files = { 'web/Chart.yaml': 'apiVersion: v2\nname: web\n', 'web/templates/web.yaml': WEB };
    expect(await inputOf('web', { files })).toMatchObject({ findings: [], rollouts: [{ name: 'web' }] });
  });

  test('is silent beside no chart, where such a file is a template of its own', async () => {
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

describe('an object of which kind or apiVersion was forgotten, in a folder', () => {
  const said = async (files: Readonly<Record<string, string>>) => {
    const { stdout } = await rolloutkit('plan . --format json', {
      files: { ...files, 'web.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\n' },
    });
    return (JSON.parse(stdout) as PlanDocument).findings.map(({ code, severity, data, source }) => [code, severity, data, source?.file]);
  };
  const BODY = 'metadata: {name: a}\nspec: {replicas: 2}\n';

  test('is an error, as kubectl refuses it', async () => {
    expect(await said({ 'a.yaml': `kind: Deployment\n${BODY}` })).toMatchObject([['input/unreadable', 'error', {}, './a.yaml']]);
    expect(await said({ 'a.yaml': `apiVersion: apps/v1\n${BODY}` })).toMatchObject([['input/unreadable', 'error', {}, './a.yaml']]);
  });

  test('is none of ours where it says nothing of an object, or is the values of a chart', async () => {
    expect(await said({ 'a.yaml': 'kind: DaemonSet\nreplicas: 2\n', 'b.yaml': BODY })).toEqual([]);
    expect(await said({ 'values.yaml': `kind: DaemonSet\n${BODY}` })).toEqual([]);
  });
});
