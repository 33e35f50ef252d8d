import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

beforeAll(() => {
  if (!existsSync(path.join(root, 'lib/pulumi/index.js'))) throw new Error('not built: run npm run build');
});

const loadedFiles = new Map<string, readonly string[]>();

/** Returns the files that an entry of the built package loads. */
function filesOf(entry: string): readonly string[] {
  const known = loadedFiles.get(entry);
  if (known) return known;
  const program = `require('${entry}'); console.log(Object.keys(require.cache).join('\\n'))`;
  const files = execFileSync(process.execPath, ['-e', program], { cwd: root, encoding: 'utf8' }).split('\n');
  loadedFiles.set(entry, files);
  return files;
}

/** Returns the packages with a scope or name that an entry of the built package loads. */
function loadedWith(entry: string, packages: string): string[] {
  const files = filesOf(entry);
  const names = files.map((file) => new RegExp(`node_modules/((?:${packages})[^/]*(?:/[^/]+)?)/`).exec(file)?.[1] ?? '');
  return [...new Set(names)].filter((name) => name !== '').toSorted();
}

test('a plan without a picture does not load the drawing code', () => {
  expect(loadedWith('rolloutkit/plan', 'd3-')).toEqual([]);
  expect(loadedWith('rolloutkit', 'd3-')).toEqual([]);
});

describe('a user of one adapter does not load the other', () => {
  test.each(['rolloutkit', 'rolloutkit/plan', 'rolloutkit/cdk8s-validation'])('%s loads nothing of Pulumi', (entry) => {
    expect(loadedWith(entry, '@pulumi')).toEqual([]);
  });

  test('rolloutkit/pulumi loads Pulumi and its Kubernetes package, and neither cdk8s nor the policy SDK', () => {
    expect(loadedWith('rolloutkit/pulumi', '@pulumi')).toEqual(['@pulumi/kubernetes', '@pulumi/pulumi']);
    expect(loadedWith('rolloutkit/pulumi', 'cdk8s|constructs')).toEqual([]);
  });

  test('rolloutkit/pulumi-policy loads the policy SDK, but not the Kubernetes package', () => {
    expect(loadedWith('rolloutkit/pulumi-policy', '@pulumi')).toEqual(['@pulumi/policy', '@pulumi/pulumi']);
  });
});
