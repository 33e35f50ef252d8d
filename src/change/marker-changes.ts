import { posix } from 'node:path';
import type { Finding } from '../core/finding';
import { createMarkerChangeFinding } from '../core/rules/kustomization';
import type { InputTree, TreeMarker } from '../input/input-tree';
import type { PlanInput } from '../plan/plan-input';

/** Lists the folders with files that both sides have, with those around them. */
function collectCommonFolders(old: InputTree, next: InputTree): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of next.files) {
    if (!old.files.has(file)) continue;
    for (let folder = posix.dirname(file); !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return folders;
}

function joinMeanings(markers: readonly TreeMarker[]): string {
  return JSON.stringify(markers.map(({ meaning }) => meaning).toSorted());
}

/**
 * Reports files with which a tool decides what it applies from a folder, if they are added, deleted or changed next to files that both sides have.
 * A kustomization or a fleet.yaml of NEW is an object of the change itself.
 */
export function checkMarkerChanges({ tree: old }: PlanInput, { tree: next, refusesPlaceholders: mustShowAll }: PlanInput): Finding[] {
  if (!old || !next) return [];
  const common = collectCommonFolders(old, next);
  return [...new Set([...old.markers.keys(), ...next.markers.keys()])].flatMap((path) => {
    const [before, after] = [old.markers.get(path) ?? [], next.markers.get(path) ?? []];
    const [marker] = after.length > 0 ? after : before;
    const isCompared = after.length > 0 && marker!.isObject;
    if (isCompared || !common.has(posix.dirname(path)) || joinMeanings(before) === joinMeanings(after)) return [];
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'deleted' : 'changed';
    return [createMarkerChangeFinding({ file: marker!.file, tool: marker!.tool, change }, mustShowAll ? 'error' : 'warning')];
  });
}
