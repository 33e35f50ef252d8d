import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { collectFindings } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';

function web(name: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
`;
}

/** Programs in a folder that is the entire PATH variable. */
function programsIn(folder: string, programs: Readonly<Record<string, string>>): void {
  for (const [name, script] of Object.entries(programs)) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }
}

const PRINTS = `/bin/cat <<END\n${web('rendered')}END`;
const FAILS = 'echo "Error: no such chart value" >&2; exit 1';

const FILES = {
  'app/base/web.yaml': web('plain'),
  'app/base/kustomization.yaml': 'resources: [web.yaml]\n',
  'app/parts/web.yaml': web('part'),
  'app/parts/kustomization.yaml': 'kind: Component\nresources: [web.yaml]\n',
  'app/chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'app/chart/templates/web.yaml': `metadata: {name: {{ .Release.Name }}}\n`,
  'app/chart/charts/sub/Chart.yaml': 'apiVersion: v2\nname: sub\nversion: 1.0.0\n',
  'app/chart/charts/sub/templates/web.yaml': `metadata: {name: {{ .Release.Name }}}\n`,
  'app/plain/web.yaml': web('alone'),
};

async function planned(args: string, programs: Readonly<Record<string, string>>, files: Readonly<Record<string, string>> = FILES) {
  const bin = folderWith({});
  programsIn(bin.path, programs);
  const { stdout, stderr } = await rolloutkit(`plan ${args} --format json`, { files, env: { PATH: bin.path } });
  bin.remove();
  const plan = expectValidPlan(JSON.parse(stdout) as PlanDocument);
  return {
    names: plan.rollouts.map(({ resource, unit }) => [resource.name, unit]),
    findings: collectFindings(plan)
      .filter(({ code }) => code.startsWith('input/'))
      .map(({ code, severity, messageId, data, source }) => ({ code, severity, messageId, data, file: source?.file })),
    stderr,
  };
}

describe('--render plans the output of kustomize and helm in the unit of their folder', () => {
  test('once for each folder, a chart in a chart with the outer one, and components where they are used', async () => {
    expect(await planned('app --render', { kustomize: PRINTS, helm: PRINTS })).toEqual({
      names: [
        ['rendered', 'app/base'],
        ['rendered', 'app/chart'],
        ['part', undefined],
        ['alone', undefined],
      ],
      findings: [],
      stderr: 'rolloutkit: ran kustomize build app/base\nrolloutkit: ran helm template app/chart --include-crds\n',
    });
  });

  test.each(['github.com/shop/base', 'git@example.com', 'gh:shop', 'https:/example.com', '-x'])(
    'a folder is neither a repository to clone nor an option, whatever its name is: %s',
    async (folder) => {
      const { stderr } = await planned('. --render', { kustomize: PRINTS }, { [`${folder}/kustomization.yaml`]: 'resources: []\n' });
      expect(stderr).toBe(`rolloutkit: ran kustomize build ./${folder}\n`);
    },
  );

  test.each([
    ['Chart.yaml', 'type: library\n', 'helm template app --include-crds'],
    ['kustomization.yaml', 'kind: Component\n', 'kustomize build app'],
  ])('a link out of the PATH is not read to see whether the folder is only a part: %s', async (marker, text, command) => {
    const bin = folderWith({});
    programsIn(bin.path, { kustomize: PRINTS, helm: PRINTS });
    const { stderr } = await rolloutkit('plan app --render', {
      files: { outside: text, 'app/kustomization.yml': 'resources: [web.yaml]\n', 'app/web.yaml': web('plain') },
      prepare: (folder) => symlinkSync('../outside', path.join(folder, 'app', marker)),
      env: { PATH: bin.path },
    });
    bin.remove();
    expect(stderr).toBe(`rolloutkit: ran ${command}\n`);
  });

  test('kubectl replaces kustomize', async () => {
    const { names, stderr } = await planned('app/base --render', { kubectl: PRINTS });
    expect(names).toEqual([['rendered', undefined]]);
    expect(stderr).toBe('rolloutkit: ran kubectl kustomize app/base\n');
  });

  test('a missing program is one finding, and the files are read as they are', async () => {
    const { names, findings, stderr } = await planned('app --render', {});
    expect(names).toEqual([
      ['plain', undefined],
      ['part', undefined],
      ['alone', undefined],
    ]);
    expect(findings).toMatchObject([
      { code: 'input/helm-template', severity: 'info' },
      {
        code: 'input/not-rendered',
        severity: 'error',
        messageId: 'programMissing',
        data: { programs: ['kustomize', 'kubectl'], folders: 1 },
      },
      { code: 'input/not-rendered', severity: 'error', messageId: 'programMissing', data: { programs: ['helm'], folders: 1 } },
    ]);
    expect(stderr).toBe('');
  });

  test('a program that fails makes the check fail', async () => {
    const { names, findings } = await planned('app/chart --render', { helm: FAILS });
    expect(names).toEqual([]);
    expect(findings).toContainEqual({
      code: 'input/not-rendered',
      severity: 'error',
      messageId: 'failed',
      data: { folder: 'app/chart', command: 'helm template app/chart --include-crds', reason: 'Error: no such chart value' },
      file: 'app/chart',
    });
  });

  test('a failed folder is not also reported as empty', async () => {
    const { findings } = await planned('app/chart --render', { helm: FAILS });
    expect(findings.map(({ code }) => code)).toEqual(['input/not-rendered']);
  });

  test('the log of a program is shown without times', async () => {
    const logs = 'echo "E1122 06:34:32.327286    2585 run.go:72] no matches for Id web" >&2; exit 1';
    const { findings } = await planned('app/base --render', { kubectl: logs });
    expect(findings.at(-1)).toMatchObject({ messageId: 'failed', data: { reason: 'no matches for Id web' } });
  });

  test('no program runs without --render, nor for a file given by name', async () => {
    const silent = { kustomize: 'exit 9', helm: 'exit 9' };
    expect((await planned('app/plain app/base', silent)).stderr).toBe('');
    expect((await planned('app/base/web.yaml --render', silent)).stderr).toBe('');
  });

  test('a file Kustomization without extension is one, even if it is alone in its folder', async () => {
    const files = { 'app/base/web.yaml': web('plain'), 'app/prod/Kustomization': 'resources: [../base]\nnamePrefix: prod-\n' };
    const { names, findings, stderr } = await planned('app --render', { kustomize: PRINTS }, files);
    expect(names).toEqual([
      ['plain', undefined],
      ['rendered', undefined],
    ]);
    expect(findings).toEqual([]);
    expect(stderr).toBe('rolloutkit: ran kustomize build app/prod\n');
  });

  test('a library chart is rendered by the charts that use it', async () => {
    const files = {
      'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\ntype: library\n',
      'lib/templates/_helpers.yaml': '{{ define "a" }}{{ end }}',
    };
    expect((await planned('lib --render', { helm: FAILS }, files)).stderr).toBe('');
  });

  test('a chart is no error if everything must be planned, unless Helm does not render it', async () => {
    const check = async (args: string, helm: string) => {
      const bin = folderWith({});
      programsIn(bin.path, { helm });
      const { exitCode, stdout } = await rolloutkit(`check ${args} --render --require-planned`, { files: FILES, env: { PATH: bin.path } });
      bin.remove();
      return [exitCode, stdout.split('\n').filter((line) => line.startsWith('error'))];
    };
    expect(await check('app/chart', PRINTS)).toEqual([0, []]);
    expect(await check('app/chart', FAILS)).toEqual([1, ['error  input/not-rendered  app/chart/Chart.yaml:1 (app/chart:1)']]);
    // A template that is given by name is not rendered.
    expect(await check('app/chart/templates/web.yaml', PRINTS)).toEqual([
      1,
      expect.arrayContaining(['error  input/helm-template  app/chart/Chart.yaml:1']),
    ]);
  });

  test('--values is passed to helm in order', async () => {
    const { stderr } = await planned('app/chart --render --values a.yaml --values b.yaml', { helm: PRINTS });
    expect(stderr).toBe('rolloutkit: ran helm template app/chart --include-crds --values a.yaml --values b.yaml\n');
  });

  test('--values without --render is refused', async () => {
    const outcome = await rolloutkit('plan app --values a.yaml', { files: FILES });
    expect([outcome.exitCode, outcome.stdout]).toEqual([2, '']);
  });

  test('a folder that looks like an option is a folder', async () => {
    const { stderr } = await planned('. --render', { kustomize: PRINTS }, { '--output=x/kustomization.yaml': 'resources: []\n' });
    expect(stderr).toBe('rolloutkit: ran kustomize build ./--output=x\n');
  });

  test('a name with shell syntax is a name', async () => {
    const { stderr } = await planned('$(touch.x) --render', { kustomize: PRINTS }, { '$(touch.x)/kustomization.yaml': 'resources: []\n' });
    expect(stderr).toBe('rolloutkit: ran kustomize build $(touch.x)\n');
  });
});

describe('a kustomization that is not built', () => {
  const PATCH = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 5}\n';
  const files = {
    'app/base/web.yaml': web('plain'),
    'app/base/kustomization.yaml': 'resources: [web.yaml]\n',
    'app/overlays/prod/kustomization.yaml': 'resources: [../../base]\npatches: [{path: replicas.yaml}]\n',
    'app/overlays/prod/replicas.yaml': PATCH,
    'app/overlays/dev/Kustomization': 'resources: [../../base]\n',
    'app/parts/kustomization.yaml': 'kind: Component\npatches: [{path: replicas.yaml}]\n',
    'app/parts/replicas.yaml': PATCH,
  };
  const unbuilt = async (args: string, given: Readonly<Record<string, string>> = files) =>
    (await planned(args, {}, given)).findings
      .filter(({ code }) => code !== 'input/not-read')
      .map(({ code, severity, data, file }) => ({ code, severity, data, file }));

  test('is one info, unless its files are complete or another kustomization includes it', async () => {
    expect(await unbuilt('app')).toEqual([
      {
        code: 'input/kustomization',
        severity: 'info',
        data: { folder: 'app/overlays/dev' },
        file: 'app/overlays/dev/Kustomization',
      },
      {
        code: 'input/kustomization',
        severity: 'info',
        data: { folder: 'app/overlays/prod' },
        file: 'app/overlays/prod/kustomization.yaml',
      },
    ]);
  });

  test('has no resources in a Fleet folder, where it patches a rendered chart, and no program runs for it', async () => {
    const alone = { 'app/prod/kustomization.yaml': 'patchesStrategicMerge: [replicas.yaml]\n', 'app/prod/replicas.yaml': PATCH };
    for (const args of ['app', 'app --render']) {
      expect(await planned(args, { kustomize: FAILS }, alone)).toEqual({
        names: [],
        findings: [
          {
            code: 'input/kustomization',
            severity: 'info',
            messageId: 'notBuilt',
            data: { folder: 'app/prod', patchesAlone: true },
            file: 'app/prod/kustomization.yaml',
          },
          {
            code: 'input/not-read',
            severity: 'info',
            messageId: 'object',
            data: { file: 'app/prod/replicas.yaml', resource: 'Deployment web', others: 0, role: 'patch' },
            file: 'app/prod/replicas.yaml',
          },
        ],
        stderr: '',
      });
    }
  });

  test('is reported even if it is the only file', async () => {
    expect(await unbuilt('app/overlays/prod')).toMatchObject([{ code: 'input/kustomization', data: { folder: 'app/overlays/prod' } }]);
    expect(await unbuilt('app/overlays/dev')).toMatchObject([{ code: 'input/kustomization', data: { folder: 'app/overlays/dev' } }]);
  });

  test('is not reported for a file given by name', async () => {
    expect(await unbuilt('app/base/web.yaml')).toEqual([]);
  });

  test('changes pods by replicas, charts and transformers too, and not by labels', async () => {
    const of = async (kustomization: string) =>
      (await unbuilt('app', { 'app/web.yaml': web('plain'), 'app/kustomization.yaml': `resources: [web.yaml]\n${kustomization}` })).length;
    expect(await of('replicas: [{name: web, count: 3}]\n')).toBe(1);
    expect(await of('helmCharts: [{name: web}]\n')).toBe(1);
    expect(await of('commonLabels: {team: a}\nimages: [{name: web, newTag: "3"}]\n')).toBe(0);
  });
});

describe('--exclude excludes files that match a glob below a PATH', () => {
  const files = { 'a/web.yaml': web('a'), 'a/testdata/web.yaml': web('test'), 'b/web.test.yaml': web('b') };
  const names = async (args: string) => (await planned(args, {}, files)).names.map(([name]) => name);

  test.each([
    ['. --exclude testdata', ['a', 'b']],
    ['. --exclude a/testdata', ['a', 'b']],
    ['. --exclude **/*.test.yaml', ['test', 'a']],
    ['. --exclude *.test.yaml', ['test', 'a']],
    ['. --exclude a', ['b']],
    ['. --exclude a/ --exclude b', []],
    ['a --exclude testdata/*.yaml', ['a']],
    ['. --exclude web', ['test', 'a', 'b']],
  ])('%s', async (args, left) => {
    expect(await names(args)).toEqual(left);
  });

  test('a file given by name is not excluded', async () => {
    expect(await names('a/testdata/web.yaml --exclude testdata')).toEqual(['test']);
  });
});

test('a program that does not end is an error once the seconds of the budget are over, whatever signals it ignores', async () => {
  const { findings } = await planned('app --render --budget seconds=1', { kustomize: 'trap "" TERM; while :; do :; done', helm: PRINTS });
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'input/not-rendered',
      severity: 'error',
      data: expect.objectContaining({
        reason: 'rendering takes more than 1 second; raise the budget with --budget seconds=2, if you trust this input',
      }) as object,
    }),
  );
});
