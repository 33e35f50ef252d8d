import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

const BUILD = 'npm run --silent build && ';

/** Does what `npm publish` does before it packs, except the build. */
async function prepack(): Promise<void> {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly prepack: string };
  };
  if (!scripts.prepack.startsWith(BUILD)) throw new Error('prepack does not build first');
  if (!existsSync(path.join(ROOT, 'lib/index.js'))) throw new Error('not built: run npm run build');
  await exec('sh', ['-c', scripts.prepack.slice(BUILD.length)], { cwd: ROOT });
}

/** Packs what `npm run build` wrote, as `npm publish` does. */
export async function packed(): Promise<Packed> {
  await prepack();
  const home = mkdtempSync(path.join(tmpdir(), 'rolloutkit-packed-'));
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', home];
  const { stdout } = await exec('npm', args, { cwd: ROOT, maxBuffer: 2 ** 26 });
  const [archive] = JSON.parse(stdout) as [{ readonly filename: string; readonly files: readonly { readonly path: string }[] }];
  return { tarball: path.join(home, archive.filename), files: archive.files.map((file) => file.path), home };
}

/** Creates a project with these files in a folder and installs packages from a registry. */
export async function installed(folder: string, packages: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: path.basename(folder), private: true }));
  await install(folder, packages, files);
  return folder;
}

async function install(folder: string, packages: readonly string[], files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  await exec('npm', ['install', ...quiet, ...packages], { cwd: folder, maxBuffer: 2 ** 26 });
}

/** Copies a project, adds files, and installs further packages. This takes less than half as long as to install our package again. */
export async function extended(
  project: string,
  name: string,
  packages: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = path.join(path.dirname(project), name);
  cpSync(project, folder, { recursive: true, verbatimSymlinks: true });
  await install(folder, packages, files);
  return folder;
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
