import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { folderOf, writeFolder } from '../../oracle/folders/folders';
import type { FolderEntry } from '../../oracle/folders/folders';
import type { Finding } from '../../src/core/findings/finding';
import { groupOf, nameOf } from '../../src/core/manifest/manifest';
import { readFiles } from '../../src/input/read';
import type { InputObjects } from '../../src/input/read';
import { readPath } from '../../src/input/read-paths';
import { PLAN_READING } from '../../src/plan/registry';

const RECORDING = path.join(__dirname, '../fixtures/upstream/kubectl-folders.json.gz');

/** The objects that kubectl lists in the folder of each seed, such as `deployment.apps/c1-f0-0`. */
export function recordedFolders(): ReadonlyMap<number, readonly string[]> {
  const { cases } = JSON.parse(gunzipSync(readFileSync(RECORDING)).toString()) as { cases: Record<string, readonly string[]> };
  return new Map(Object.entries(cases).map(([seed, names]) => [Number(seed), names]));
}

/** Reports whether a finding names a file, or the folder that contains it. */
function namesFile({ source, data }: Finding, file: string): boolean {
  return source?.file === file || (typeof data.folder === 'string' && file.startsWith(`${data.folder}/`));
}

/** Returns the paths at which kubectl finds an object: the file that contains its name, and the links to this file. */
function pathsOf(resource: string, files: Readonly<Record<string, FolderEntry>>): string[] {
  const name = resource.slice(resource.indexOf('/') + 1);
  const isText = (entry: FolderEntry) => typeof entry === 'string' || entry instanceof Uint8Array;
  // In UTF-16 and UTF-32, each byte of a name stands between zeros.
  const textOf = (entry: FolderEntry) => Buffer.from(Buffer.from(entry as string).filter((byte) => byte !== 0));
  const found = new Set(Object.keys(files).filter((file) => isText(files[file]!) && textOf(files[file]).includes(name)));
  const isLinkTo = (file: string) => found.has((files[file] as { link: string }).link);
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const file of Object.keys(files)) if (!isText(files[file]!) && isLinkTo(file)) found.add(file);
  }
  return [...found].map((file) => `files/${file}`);
}

function countNames(names: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Reports whether kubectl could apply what it lists. It lists an object without an apiVersion, but no server has its kind. */
function hasGroup(name: string): boolean {
  return name.slice(0, name.indexOf('/')).includes('.');
}

/** Lists the objects that kubectl lists and that are neither planned nor in a file that a finding names. */
function findHidden(
  listed: readonly string[],
  { objects, findings }: InputObjects,
  files: Readonly<Record<string, FolderEntry>>,
  namesObjects: (finding: Finding) => boolean,
): string[] {
  const planned = countNames(objects.map((object) => `${object.kind.toLowerCase()}.${groupOf(object)}/${nameOf(object)}`));
  const reports = findings.filter(namesObjects);
  return [...countNames(listed.filter(hasGroup))]
    .filter(([name, count]) => {
      if ((planned.get(name) ?? 0) >= count) return false;
      // A link has the same objects again, so one report is enough.
      return !pathsOf(name, files).some((file) => reports.some((finding) => namesFile(finding, file)));
    })
    .map(([name]) => name);
}

/** Lists the objects of a folder that are hidden: from a run that trusts the input, and from one that does not. */
export function findHiddenObjects(seed: number, listed: readonly string[], root: string): string[] {
  const files = folderOf(seed);
  const cwd = path.join(root, String(seed));
  mkdirSync(cwd, { recursive: true });
  try {
    writeFolder(path.join(cwd, 'files'), files);
    const trusting = readFiles(readPath('files', cwd), PLAN_READING);
    const strict = readFiles(readPath('files', cwd, { readsAllFolders: true }), { ...PLAN_READING, trustsInput: false });
    return [
      ...findHidden(listed, trusting, files, () => true).map((name) => `${name} of ${seed}`),
      ...findHidden(listed, strict, files, ({ severity }) => severity === 'error').map(
        (name) => `${name} of ${seed} with --require-planned`,
      ),
    ];
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
