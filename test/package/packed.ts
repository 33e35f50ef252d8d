import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const ROOT = path.resolve(__dirname, '../..');
const exec = promisify(execFile);

/** The package as it would be published, and a folder for the projects that install it. */
export interface Packed {
  readonly tarball: string;
  /** The published paths: `lib/index.js`. */
  readonly files: readonly string[];
  readonly home: string;
}

/** Builds and packs as `npm publish` does. This deletes and writes `lib`, so the tests of the package do not run side by side. */
export async function packed(): Promise<Packed> {
  const home = mkdtempSync(path.join(tmpdir(), 'rolloutkit-packed-'));
  const { stdout } = await exec('npm', ['pack', '--json', '--pack-destination', home], { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [archive] = JSON.parse(stdout) as [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
  return { tarball: path.join(home, archive.filename), files: archive.files.map((file) => file.path), home };
}

/** Creates a project with these files in a folder and installs packages from a registry. */
export async function installed(folder: string, packages: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: path.basename(folder), private: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await exec('npm', ['install', ...quiet, ...packages], { cwd: folder, maxBuffer: 2 ** 26 });
  return folder;
}

/** Creates a project with our package and other packages. */
export async function project(
  { tarball, home }: Packed,
  name: string,
  others: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  return installed(path.join(home, name), [tarball, ...others], files);
}

/** Runs a program in a folder and returns its output and exit code. */
export async function runIn(folder: string, program: string, ...args: readonly string[]) {
  return exec(program, [...args], { cwd: folder, maxBuffer: 2 ** 26 }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failure: { readonly code: number; readonly stdout: string; readonly stderr: string }) => ({
      code: failure.code,
      stdout: failure.stdout,
      stderr: failure.stderr,
    }),
  );
}

export function remove({ home }: Packed): void {
  rmSync(home, { recursive: true, force: true });
}
