import { posix } from 'node:path';
import type { Finding } from '../../core/finding';
import { createMarkerChangeFinding } from '../../core/rules/kustomization';
import type { InputTree, TreeMarker } from '../../input/input-tree';
import { CHART_FILE } from '../../input/marker-files';
import type { PlanInput } from '../../plan/plan-input';

/** Maximum number of files that are compared with ignore files. Beyond it, each ignore file that changes counts. */
const MAX_COMPARED_FILES = 100_000;

/** Lists the folders with files that both sides have, with those around them. */
function collectCommonFolders(old: InputTree, next: InputTree): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of next.files) {
    if (!old.files.has(file)) continue;
    for (let folder = posix.dirname(file); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return folders;
}

/** Returns the files of a folder that both sides have, by their paths below it. */
function listCommonFiles(folder: string, old: InputTree, next: InputTree): readonly string[] {
  const prefix = folder === '.' ? '' : `${folder}/`;
  return [...next.files].filter((file) => old.files.has(file) && file.startsWith(prefix)).map((file) => file.slice(prefix.length));
}

/** Reports whether Helm reads no .helmignore in a folder: it is no chart, or a chart inside another one. */
function isUnreadByHelm(folder: string, trees: readonly InputTree[]): boolean {
  const isChart = (at: string) => trees.some(({ markers }) => markers.has(posix.join(at, CHART_FILE)));
  const names = folder.split('/');
  return !isChart(folder) || names.some((name, index) => name === 'charts' && isChart(names.slice(0, index).join('/')));
}

/** Reports whether two ignore files leave out the same of the files that both sides have. */
function ignoreSameFiles(before: readonly TreeMarker[], after: readonly TreeMarker[], files: readonly string[]): boolean {
  const ignores = (markers: readonly TreeMarker[], file: string) => markers.some((each) => each.ignores!(file));
  return files.every((file) => ignores(before, file) === ignores(after, file));
}

function joinMeanings(markers: readonly TreeMarker[]): string {
  return JSON.stringify(markers.map(({ meaning }) => meaning).toSorted());
}

/**
 * Reports files with which a tool decides what it applies from a folder, if they are added, deleted or changed next to files that both sides have.
 * A kustomization or a fleet.yaml of NEW is an object of the change itself. An ignore file counts if it leaves out other files than before.
 */
export function checkMarkerChanges({ tree: old }: PlanInput, { tree: next, refusesPlaceholders: mustShowAll }: PlanInput): Finding[] {
  if (!old || !next) return [];
  const common = collectCommonFolders(old, next);
  let compared = 0;
  const ignoreTheSame = (folder: string, before: readonly TreeMarker[], after: readonly TreeMarker[]) => {
    compared += next.files.size;
    return compared <= MAX_COMPARED_FILES && ignoreSameFiles(before, after, listCommonFiles(folder, old, next));
  };
  return [...new Set([...old.markers.keys(), ...next.markers.keys()])].flatMap((path) => {
    const [before, after] = [old.markers.get(path) ?? [], next.markers.get(path) ?? []];
    const [marker] = after.length > 0 ? after : before;
    const isCompared = after.length > 0 && marker!.isObject;
    if (isCompared || !common.has(posix.dirname(path)) || joinMeanings(before) === joinMeanings(after)) return [];
    const folder = posix.dirname(path);
    if (marker!.tool === 'Helm' && marker!.ignores && isUnreadByHelm(folder, [old, next])) return [];
    if (marker!.ignores && ignoreTheSame(folder, before, after)) return [];
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'deleted' : 'changed';
    return [createMarkerChangeFinding({ file: marker!.file, tool: marker!.tool, change }, mustShowAll ? 'error' : 'warning')];
  });
}
