import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from './command-line';

/** Completes the words after `kubectl rollout-plan`. */
async function complete(...words: string[]): Promise<string[]> {
  const { exitCode, stdout } = await rolloutkit(['__complete', ...words]);
  expect(exitCode).toBe(0);
  return stdout.trimEnd().split('\n');
}

describe('kubectl rollout-plan', () => {
  test('is installed as a plugin of kubectl: the same program, and one that completes its words', () => {
    const { bin } = JSON.parse(readFileSync(path.resolve(__dirname, '../../package.json'), 'utf8')) as { bin: object };

    expect(bin).toEqual({
      rolloutkit: 'lib/cli/main.js',
      'kubectl-rollout_plan': 'lib/cli/main.js',
      'kubectl_complete-rollout_plan': 'lib/cli/kubectl-complete.js',
    });
  });

  test('completes commands with their descriptions', async () => {
    expect(await complete('pl')).toEqual(['plan\tShow how the rollouts of manifests will proceed, before they are applied.', ':4']);
  });

  test('completes options', async () => {
    expect(await complete('plan', '--fr')).toEqual([expect.stringMatching(/^--from\t/), ':4']);
  });

  test('completes the values of an option', async () => {
    expect(await complete('check', '--fail-on', 'w')).toEqual(['warning', ':4']);
  });

  test('completes the codes of rules', async () => {
    expect(await complete('rules', 'kubernetes/out')).toEqual(['kubernetes/outage', ':4']);
  });

  test('leaves files to the shell', async () => {
    expect(await complete('plan', 'di')).toEqual([':0']);
    expect(await complete('plan', '--from', '')).toEqual([':0']);
  });

  test('does not list the command that completes', async () => {
    const { stdout } = await rolloutkit('--help');

    expect(stdout).not.toContain('__complete');
  });
});
