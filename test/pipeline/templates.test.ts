import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { parseConfiguration } from '../../src/config/configuration';
import type { Fields } from '../../src/core/manifest';
import { RULE_CODES } from '../../src/plan/rules';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly uses?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly 'working-directory'?: string;
    }[];
  };
}

test('the action passes every input to its scripts by a variable, none as script text, and installs outside the checkout', () => {
  const action = parse(read('action.yml')) as Action;
  const [setup, ...runs] = action.runs.steps;
  const [install] = runs;
  const passed = runs.flatMap(({ env }) => Object.values(env!)).flatMap((value) => /\$\{\{ inputs\.(\w+) \}\}/.exec(value)?.[1] ?? []);

  expect(passed.toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  expect(runs.filter(({ run }) => run!.includes('${{'))).toEqual([]);
  expect([install!['working-directory'], install!.run!.startsWith('npm install ')]).toEqual(['${{ runner.temp }}', true]);
  expect(setup!.uses).toMatch(/@[0-9a-f]{40}$/);
  expect(action.inputs.version!.default).toBe(version);
});

test('the pre-commit hook runs the version of the package', () => {
  const [hook] = parse(read('.pre-commit-hooks.yaml')) as [{ readonly entry: string; readonly language: string; readonly args: string[] }];
  expect(hook).toMatchObject({ entry: `npx --yes rolloutkit@${version} check`, language: 'system', args: ['--from', 'git:HEAD', '.'] });
});

test('the GitLab template uploads the reports that it writes', () => {
  const { rolloutkit } = parse(read('ci-templates/gitlab.yml')) as {
    readonly rolloutkit: {
      readonly image: string;
      readonly variables: { readonly ROLLOUTKIT_VERSION: string };
      readonly script: readonly [string];
      readonly artifacts: { readonly reports: Readonly<Record<string, string>> };
    };
  };
  expect(Object.values(rolloutkit.artifacts.reports).filter((file) => !rolloutkit.script[0].includes(`=${file}`))).toEqual([]);
  expect(rolloutkit.variables.ROLLOUTKIT_VERSION).toBe(version);
  expect(rolloutkit.image).toMatch(/@sha256:[0-9a-f]{64}$/);
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
