import { posix } from 'node:path';
import type { Finding } from '../../core/findings/finding';
import { createMarkerChangeFinding } from '../../core/rules/kustomization';
import type { InputTree, TreeMarker } from '../../input/input-tree';
import { CHART_FILE } from '../../input/marker-files';
import type { PlanInput } from '../../plan/plan-input';
import type { ObjectPair } from './match-objects';

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

/** The paths of an object's file on both sides. */
interface MovedFile {
  readonly old: string;
  readonly next: string;
}

/** Lists the files whose objects NEW has in another file. */
function listMovedFiles(
  { tree: oldTree, textOf: oldTextOf }: PlanInput,
  { tree, textOf }: PlanInput,
  pairs: readonly ObjectPair[],
): MovedFile[] {
  const moved = pairs.flatMap(({ old, next }): [string, MovedFile][] => {
    const before = old && oldTree?.paths.get(oldTextOf?.(old)?.file ?? '');
    const after = tree?.paths.get(textOf?.(next)?.file ?? '');
    if (before === undefined || after === undefined || before === after) return [];
    return [[JSON.stringify([before, after]), { old: before, next: after }]];
  });
  return [...new Map(moved).values()];
}

/** Lists the markers of a name in the folders around a file, with the path of the file below the folder of each. */
function* listMarkersAround(file: string, name: string, { markers }: InputTree): Generator<readonly [TreeMarker, string]> {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, name);
    for (const marker of markers.get(path) ?? []) yield [marker, folder === '.' ? file : file.slice(folder.length + 1)];
    if (folder === posix.dirname(folder)) return;
  }
}

/** Reports whether a tool reads the markers of a name around a file of one side otherwise than those around the file of the other side. */
function isReadOtherwise(
  name: string,
  [file, tree]: readonly [string, InputTree],
  [other, otherTree]: readonly [string, InputTree],
): boolean {
  const own = [...listMarkersAround(file, name, tree)];
  const others = [...listMarkersAround(other, name, otherTree)];
  if (own[0]?.[0].ignores || others[0]?.[0].ignores) {
    const [isIgnored, wasIgnored] = [own, others].map((found) => found.some(([marker, path]) => marker.ignores!(path)));
    return isIgnored !== wasIgnored;
  }
  // A change compares the objects, wherever they are.
  return own.some(([marker]) => !others.some(([found]) => found.isObject || found.meaning === marker.meaning));
}

/**
 * Reports files with which a tool decides what it applies from a folder, if they are added, deleted or changed next to files or objects that both
 * sides have. A kustomization or a fleet.yaml of NEW is an object of the change itself. An ignore file counts if it leaves out other files than before.
 */
export function checkMarkerChanges(oldInput: PlanInput, nextInput: PlanInput, pairs: readonly ObjectPair[]): Finding[] {
  const { tree: old } = oldInput;
  const { tree: next, refusesPlaceholders: mustShowAll } = nextInput;
  if (!old || !next) return [];
  const moved = listMovedFiles(oldInput, nextInput, pairs);
  const common = collectCommonFolders(old, next);
  let compared = 0;
  const ignoreTheSame = (folder: string, before: readonly TreeMarker[], after: readonly TreeMarker[]) => {
    compared += next.files.size;
    return compared <= MAX_COMPARED_FILES && ignoreSameFiles(before, after, listCommonFiles(folder, old, next));
  };
  const concernsMoved = (path: string) => {
    const [folder, name] = [posix.dirname(path), posix.basename(path)];
    const isBelow = (file: string) => folder === '.' || file.startsWith(`${folder}/`);
    compared += moved.length;
    if (compared > MAX_COMPARED_FILES) return moved.length > 0;
    return moved.some(
      (file) =>
        (isBelow(file.old) && isReadOtherwise(name, [file.old, old], [file.next, next])) ||
        (isBelow(file.next) && isReadOtherwise(name, [file.next, next], [file.old, old])),
    );
  };
  return [...new Set([...old.markers.keys(), ...next.markers.keys()])].flatMap((path) => {
    const [before, after] = [old.markers.get(path) ?? [], next.markers.get(path) ?? []];
    const [marker] = after.length > 0 ? after : before;
    const isCompared = after.length > 0 && marker!.isObject;
    if (isCompared || joinMeanings(before) === joinMeanings(after)) return [];
    const folder = posix.dirname(path);
    if (marker!.tool === 'Helm' && marker!.ignores && isUnreadByHelm(folder, [old, next])) return [];
    const isNextToFiles = common.has(folder) && !(marker!.ignores && ignoreTheSame(folder, before, after));
    if (!isNextToFiles && !concernsMoved(path)) return [];
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'deleted' : 'changed';
    return [createMarkerChangeFinding({ file: marker!.file, tool: marker!.tool, change }, mustShowAll ? 'error' : 'warning')];
  });
}
