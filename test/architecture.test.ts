import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');

/** Lints one file with one import, at the place given, under the project's own lint rules. */
function lintImport(folder: string, imported: string): 'allowed' | 'refused' {
  const sandbox = mkdtempSync(path.join(tmpdir(), 'arrows-'));
  try {
    copyFileSync(path.join(ROOT, '.oxlintrc.json'), path.join(sandbox, '.oxlintrc.json'));
    const file = path.join(sandbox, 'src', folder, 'probe.ts');
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `import * as probe from '${imported}';\nexport const seen = probe;\n`);
    execFileSync(process.execPath, [path.join(ROOT, 'node_modules/oxlint/bin/oxlint'), '-A', 'all', '-c', '.oxlintrc.json', 'src'], {
      cwd: sandbox,
      stdio: 'pipe',
    });
    return 'allowed';
  } catch (failure) {
    const printed = String((failure as { stdout?: unknown }).stdout);
    if (!printed.includes('no-restricted-imports')) throw failure;
    return 'refused';
  } finally {
    rmSync(sandbox, { recursive: true, force: true });
  }
}

describe('imports run downwards only: core <- systems <- plan <- constructs, pulumi and cli; render uses core alone', () => {
  test.each([
    ['core', './finding', 'allowed'],
    ['core', '../systems/kubernetes/types', 'refused'],
    ['core', 'cdk8s', 'refused'],
    ['systems/kserve', '../kubernetes/types', 'allowed'],
    ['systems/kubernetes', '../kserve/types', 'refused'],
    ['systems/fleet', '../kubernetes/types', 'refused'],
    ['systems/kserve', '../../plan/plan', 'refused'],
    ['plan', '../systems/kserve/system', 'allowed'],
    ['plan', '../render/text', 'refused'],
    ['plan', 'constructs', 'refused'],
    ['render', '../core/plan-document', 'allowed'],
    ['render', '../systems/kubernetes/types', 'refused'],
    ['constructs', '../plan/plan', 'allowed'],
    ['constructs', 'cdk8s', 'allowed'],
    ['constructs', '../cli/main', 'refused'],
    ['constructs', '@pulumi/pulumi', 'refused'],
    ['pulumi', '../plan/plan', 'allowed'],
    ['pulumi', '../systems/kserve/manifests', 'allowed'],
    ['pulumi', '@pulumi/pulumi', 'allowed'],
    ['pulumi', '../constructs/inference-service-rollout', 'refused'],
    ['pulumi', 'cdk8s', 'refused'],
    ['cli', '../plan/plan', 'allowed'],
    ['cli', '../constructs/deployment-policy', 'refused'],
  ] as const)('a file in src/%s that imports %s is %s', (folder, imported, verdict) => {
    expect(lintImport(folder, imported)).toBe(verdict);
  });
});
