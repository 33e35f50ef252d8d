import { spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/configuration';
import type { Fields } from '../../src/core/manifest/manifest';
import { RULE_CODES } from '../../src/plan/rules';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly uses?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly with?: Readonly<Record<string, unknown>>;
      readonly 'working-directory'?: string;
    }[];
  };
}

test('the action passes every input to its scripts by a variable, none as script text, and installs outside the checkout', () => {
  const action = parse(read('action.yml')) as Action;
  const [setup, ...runs] = action.runs.steps;
  const [install] = runs;
  const script = read('.ci/install.sh');
  const passed = runs.flatMap(({ env }) => Object.values(env!)).flatMap((value) => /\$\{\{ inputs\.(\w+) \}\}/.exec(value)?.[1] ?? []);

  expect(passed.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  expect(runs.filter(({ run }) => run!.includes('${{'))).toEqual([]);
  expect(install!.run).toBe('"$GITHUB_ACTION_PATH/.ci/install.sh" "$ROLLOUTKIT_PACKAGE" "$ROLLOUTKIT_INTEGRITY" "$RUNNER_TEMP/rolloutkit"');
  expect(script).toMatch(/^npm install --ignore-scripts .*\.\/rolloutkit\.tgz$/m);
  expect(setup!.uses).toMatch(/@[0-9a-f]{40}$/);
});

test('no step of the action runs a package manager in the checkout, whose package.json and .yarnrc.yml would name its code', () => {
  const { runs } = parse(read('action.yml')) as Action;
  expect(runs.steps.filter(({ uses }) => uses !== undefined).map(({ with: settings }) => settings)).toEqual([
    { 'node-version': 22, 'package-manager-cache': false },
  ]);
});

test('the pre-commit hook runs what is installed, and downloads nothing', () => {
  const [hook] = parse(read('.pre-commit-hooks.yaml')) as [{ readonly entry: string; readonly language: string; readonly args: string[] }];
  expect(hook).toMatchObject({ entry: 'rolloutkit check', language: 'system', args: ['--from', 'git:HEAD', '.'] });
});

test('the GitLab template uploads the reports that it writes', () => {
  const { rolloutkit } = parse(read('ci-templates/gitlab.yml')) as {
    readonly rolloutkit: {
      readonly image: string;
      readonly script: readonly string[];
      readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
    };
  };
  expect(Object.values(rolloutkit.artifacts.reports).filter((file) => !rolloutkit.script.join('\n').includes(`=${file}`))).toEqual([]);
  expect(rolloutkit.image).toMatch(/@sha256:[0-9a-f]{64}$/);
});

test('no template and no page downloads a package by its name, which is not registered', () => {
  const files = [
    'action.yml',
    'ci-templates/gitlab.yml',
    '.pre-commit-hooks.yaml',
    '.ci/action.sh',
    '.ci/install.sh',
    'README.md',
    'docs/pipeline.md',
  ];
  const commands = files.flatMap(
    (file) =>
      read(file)
        .replaceAll(/<!-- generated[\s\S]*?<!-- \/generated/g, '')
        .match(/^.*(?:npx --yes rolloutkit|rolloutkit@\d|npm install(?! --).* rolloutkit\b(?!-)).*$/gm) ?? [],
  );
  expect(commands.filter((line) => !line.includes('do not run'))).toEqual([]);
});

/** Runs the steps of the GitLab template, or the script of the action, with a stub of npm that installs a stub of rolloutkit. */
function runInstallation(
  integrity: string,
  run: (folder: string, env: NodeJS.ProcessEnv) => SpawnSyncReturns<string>,
): SpawnSyncReturns<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-install-'));
  try {
    writeFileSync(path.join(folder, 'rolloutkit-0.1.0.tgz'), 'packed');
    mkdirSync(path.join(folder, 'bin'));
    const stub =
      '#!/bin/sh\nmkdir -p node_modules/.bin\nprintf \'#!/bin/sh\\nprintf "<%%s>" "$@"\\n\' > node_modules/.bin/rolloutkit\nchmod +x node_modules/.bin/rolloutkit\necho npm "$@"\n';
    writeFileSync(path.join(folder, 'bin/npm'), stub, { mode: 0o755 });
    return run(folder, {
      ...process.env,
      PATH: `${folder}/bin:${process.env.PATH}`,
      ROLLOUTKIT_PACKAGE: 'rolloutkit-0.1.0.tgz',
      ROLLOUTKIT_INTEGRITY: integrity,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const INTEGRITY = `sha512-${createHash('sha512').update('packed').digest('base64')}`;
const NPM = 'npm install --ignore-scripts --no-save --no-audit --no-fund --prefix . ./rolloutkit.tgz';

test('the script of the action installs a file only if its integrity is the given one', () => {
  const run = (folder: string, env: NodeJS.ProcessEnv) =>
    spawnSync(path.join(ROOT, '.ci/install.sh'), ['rolloutkit-0.1.0.tgz', env.ROLLOUTKIT_INTEGRITY!, 'out'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  expect(runInstallation(INTEGRITY, run)).toMatchObject({ status: 0, stdout: `${NPM}\n` });
  expect(runInstallation('sha512-x', run)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(`has the integrity ${INTEGRITY} instead of sha512-x`),
  });
  expect(runInstallation('', run)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('set the inputs') });
});

test('the GitLab template does so too, and passes options and paths of several lines', () => {
  const { rolloutkit } = parse(read('ci-templates/gitlab.yml')) as { readonly rolloutkit: { readonly script: readonly string[] } };
  const run = (folder: string, env: NodeJS.ProcessEnv) =>
    spawnSync('bash', ['-c', rolloutkit.script.join('\n')], {
      cwd: folder,
      env: { ...env, ROLLOUTKIT_OPTIONS: '--no-config', ROLLOUTKIT_PATHS: 'apps\nclusters *' },
      encoding: 'utf8',
    });
  const { status, stdout } = runInstallation(INTEGRITY, run);
  expect([status, stdout.split('\n')[0]]).toEqual([0, NPM]);
  expect(stdout).toMatch(/<--no-config><--><apps><clusters><\*>$/);
  expect(runInstallation('sha512-x', run)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(`has the integrity ${INTEGRITY} instead of sha512-x`),
  });
  expect(runInstallation('', run)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('set the variables') });
});

test('both base images are pinned by digest, and the image runs without a shell and not as root', () => {
  const bases = read('Dockerfile').match(/^FROM .*$/gm)!;
  expect(bases.filter((base) => !/@sha256:[0-9a-f]{64}(?: AS build)?$/.test(base))).toEqual([]);
  expect(bases.at(-1)).toMatch(/distroless\/nodejs22-debian12:nonroot@/);
});

test('the configuration in docs/pipeline.md is valid', () => {
  const [, shown] = /in `rolloutkit\.yaml`[^`]*```yaml\n([\s\S]*?)```/.exec(read('docs/pipeline.md'))!;

  expect(parseConfiguration(parse(shown!, { version: '1.1' }) as Fields, () => RULE_CODES)).toEqual({
    versions: { kubernetes: '1.34', kserve: '0.17' },
    capacity: 'capacity.json',
    rules: {
      'kubernetes/fencepost': { severity: 'off' },
      'kubernetes/no-readiness-probe': { severity: 'error', paths: ['prod/**'] },
    },
    ignore: [{ rule: 'kubernetes/outage', resource: 'Deployment/shop/consumer', reason: 'one consumer only, by design' }],
  });
});
