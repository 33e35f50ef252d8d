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
    }[];
  };
}

test('the action passes every input to its scripts by a variable, none as script text, and installs outside the checkout', () => {
  const action = parse(read('action.yml')) as Action;
  const runs = action.runs.steps;
  const [install] = runs;
  const script = read('.ci/install.sh');
  const passed = runs.flatMap(({ env }) => Object.values(env!)).flatMap((value) => /\$\{\{ inputs\.(\w+) \}\}/.exec(value)?.[1] ?? []);

  expect(passed.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  expect(runs.filter(({ run }) => run!.includes('${{'))).toEqual([]);
  expect(install!.run).toBe('"$GITHUB_ACTION_PATH/.ci/install.sh" "$ROLLOUTKIT_PACKAGE" "$ROLLOUTKIT_INTEGRITY" "$RUNNER_TEMP/rolloutkit"');
  expect(script).toMatch(/^npm install --ignore-scripts .*\.\/rolloutkit\.tgz$/m);
});

test('the action uses no other action: actions/setup-node runs yarn and npm in the checkout, whose .yarnrc would name its code', () => {
  const { runs } = parse(read('action.yml')) as Action;
  expect(runs.steps.filter(({ uses }) => uses !== undefined)).toEqual([]);
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

test('the script of the action installs nothing with a Node.js of the runner that is older than the package supports', () => {
  const { engines } = JSON.parse(read('package.json')) as { readonly engines: { readonly node: string } };
  const run = (folder: string, env: NodeJS.ProcessEnv) => {
    const stub = `#!/bin/sh\nexec '${process.execPath}' "$1" 'Object.defineProperty(process.versions, "node", { value: "18.20.8" });'"$2"\n`;
    writeFileSync(path.join(folder, 'bin/node'), stub, { mode: 0o755 });
    return spawnSync(path.join(ROOT, '.ci/install.sh'), ['rolloutkit-0.1.0.tgz', INTEGRITY, 'out'], { cwd: folder, env, encoding: 'utf8' });
  };
  expect(engines.node).toBe('>=20');
  expect(runInstallation(INTEGRITY, run)).toMatchObject({
    status: 2,
    stdout: '',
    stderr: 'rolloutkit: the runner has no Node.js 20 or later; install it there, or run actions/setup-node before actions/checkout\n',
  });
});

test('the GitLab template checks the integrity too, and passes options and paths of several lines', () => {
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

test.each([
  ['', '<--from><git:abc123><--fail-on><warning>'],
  ['--fail-on error', '<--from><git:abc123>'],
  ['--fail-on=error', '<--from><git:abc123>'],
])('in a merge request the GitLab template fails for a warning, unless an option says otherwise: %s', (options, from) => {
  const { rolloutkit } = parse(read('ci-templates/gitlab.yml')) as { readonly rolloutkit: { readonly script: readonly string[] } };
  const run = (folder: string, env: NodeJS.ProcessEnv) =>
    spawnSync('bash', ['-c', rolloutkit.script.join('\n')], {
      cwd: folder,
      env: { ...env, CI_MERGE_REQUEST_DIFF_BASE_SHA: 'abc123', ROLLOUTKIT_OPTIONS: options, ROLLOUTKIT_PATHS: '.' },
      encoding: 'utf8',
    });
  expect(runInstallation(INTEGRITY, run).stdout).toContain(`<check>${from}<--format>`);
});

test('the GitLab template refuses an option that only prints the help', () => {
  const { rolloutkit } = parse(read('ci-templates/gitlab.yml')) as { readonly rolloutkit: { readonly script: readonly string[] } };
  const run = (folder: string, env: NodeJS.ProcessEnv) =>
    spawnSync('bash', ['-c', rolloutkit.script.join('\n')], {
      cwd: folder,
      env: { ...env, ROLLOUTKIT_OPTIONS: '--render --help', ROLLOUTKIT_PATHS: '.' },
      encoding: 'utf8',
    });
  expect(runInstallation(INTEGRITY, run)).toMatchObject({
    status: 2,
    stderr: 'rolloutkit: ROLLOUTKIT_OPTIONS contains --help, which only prints the help; nothing would be checked\n',
  });
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
