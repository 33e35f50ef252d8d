import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const packageJson = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as PackageJson;

/** The entries with types, by import path, each with its declarations: `rolloutkit/plan` is `lib/headless.d.ts`. */
export const entries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(packageJson.exports).flatMap(([subpath, target]) =>
    typeof target === 'string' ? [] : [[`rolloutkit${subpath.slice(1)}`, target.types.replace(/^\.\//, '')]],
  ),
);

/** Returns the compiler of the package with this name; `typescript` is the compiler of the project. */
export function compilerOf(packageName: string): string {
  return path.join(ROOT, 'node_modules', packageName, 'bin/tsc');
}

/**
 * Creates a folder with the package in its `node_modules`. Its declarations are those that `npm run build` wrote. Other packages are resolved
 * from the `node_modules` of the project.
 */
export function installedPackage(): { readonly consumer: string; readonly library: string } {
  const lib = path.join(ROOT, 'lib');
  if (!existsSync(path.join(lib, 'index.d.ts'))) throw new Error('not built: run npm run build');
  const home = mkdtempSync(path.join(tmpdir(), 'rolloutkit-types-'));
  const consumer = path.join(home, 'consumer');
  const library = path.join(consumer, 'node_modules/rolloutkit');
  mkdirSync(library, { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(home, 'node_modules'));
  copyFileSync(path.join(ROOT, 'package.json'), path.join(library, 'package.json'));
  cpSync(lib, path.join(library, 'lib'), { recursive: true, filter: (file) => file.endsWith('.d.ts') || statSync(file).isDirectory() });
  return { consumer, library };
}
