import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';

const ROOT = path.resolve(__dirname, '../..');

/** Runs the release check in a folder with its own package.json and changelog. */
function checkRelease(tag: string, packageJson: object, changelog: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-release-'));
  try {
    cpSync(path.join(ROOT, '.ci'), path.join(folder, '.ci'), { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(packageJson));
    writeFileSync(path.join(folder, 'CHANGELOG.md'), changelog);
    const { status, stderr } = spawnSync(process.execPath, ['.ci/release-ready.js', tag], { cwd: folder, encoding: 'utf8' });
    return { status, stderr: stderr.split('\n').filter((line) => line !== '') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a release of the version that package.json and the changelog name is ready', () => {
  expect(checkRelease('v0.1.0', { version: '0.1.0', repository: { type: 'git' } }, '# Changelog\n\n## 0.1.0\n')).toEqual({
    status: 0,
    stderr: [],
  });
});

test('a release is refused with all reasons at once', () => {
  const { status, stderr } = checkRelease('v0.2.0', { version: '0.1.0' }, '# Changelog\n\n## Unreleased\n');

  expect(status).toBe(1);
  expect(stderr).toHaveLength(3);
});

test('the bill of materials lists the dependencies of the package and their dependencies, even if development tools use them too', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-sbom-'));
  const list = {
    metadata: { component: { 'bom-ref': 'a@1.0.0' } },
    components: ['yaml@2.9.1', '@b/needed@1.0.0', 'jest@30.0.0'].map((ref) => ({ 'bom-ref': ref })),
    dependencies: [
      { ref: 'a@1.0.0', dependsOn: ['yaml@2.9.1', 'jest@30.0.0'] },
      { ref: 'yaml@2.9.1', dependsOn: ['@b/needed@1.0.0'] },
      { ref: 'jest@30.0.0', dependsOn: ['yaml@2.9.1'] },
    ],
  };
  writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\ncat ${folder}/list.json\n`, { mode: 0o755 });
  writeFileSync(path.join(folder, 'list.json'), JSON.stringify(list));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ dependencies: { yaml: '^2.9.1' } }));
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  const printed = execFileSync(process.execPath, [path.join(ROOT, '.ci/sbom.mjs')], { cwd: folder, encoding: 'utf8', env });
  rmSync(folder, { recursive: true, force: true });
  const { components } = JSON.parse(printed) as { components: { 'bom-ref': string }[] };

  expect(components.map((component) => component['bom-ref'])).toEqual(['yaml@2.9.1', '@b/needed@1.0.0']);
});

test('every action of a workflow is pinned by a digest, with its release in a comment', () => {
  const folder = path.join(ROOT, '.github/workflows');
  const used = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').match(/uses: .*/g) ?? []);

  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

test('the publishing workflow only has permission to read the code and sign the package', () => {
  const workflow = parse(readFileSync(path.join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
    readonly permissions: object;
    readonly jobs: Readonly<Record<string, { readonly permissions: object }>>;
  };

  expect(workflow.permissions).toEqual({});
  expect(Object.entries(workflow.jobs).map(([name, { permissions }]) => [name, permissions])).toEqual([
    ['npm', { contents: 'read', 'id-token': 'write' }],
    // Runs no package scripts, and attaches the bill of materials to the release.
    ['bill-of-materials', { contents: 'write' }],
  ]);
});

test('the license is the one that package.json names', () => {
  expect(readFileSync(path.join(ROOT, 'LICENSE'), 'utf8')).toMatch(/^\s+Apache License\n\s+Version 2\.0, January 2004\n/);
  expect(execFileSync('npm', ['pkg', 'get', 'license'], { cwd: ROOT, encoding: 'utf8' }).trim()).toBe('"Apache-2.0"');
});
