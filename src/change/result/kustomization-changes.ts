import { posix } from 'node:path';
import { toCheckoutPath } from '../../core/sources/checkout-path';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { INCLUDING_FIELDS } from '../../input/kustomize/kustomization';
import type { ChangeSide } from '../match/match-objects';
import type { ObjectEffect } from '../effects/object-effect';
import type { PlannedResult } from '../change-state';

/** Reports whether a field path is of a list that includes files and folders: `resources`, `resources[0]`. */
function isInclusion(path: string): boolean {
  return INCLUDING_FIELDS.includes(path.split('[', 1)[0]!);
}

function pathOf(side: ChangeSide, object: Manifest): string | undefined {
  const file = side.textOf?.(object)?.file;
  return file === undefined ? undefined : toCheckoutPath(file);
}

/** Lists the paths that a kustomization includes. */
function listIncludedPaths(side: ChangeSide, kustomization: Manifest): ReadonlySet<string> {
  const file = pathOf(side, kustomization);
  if (file === undefined) return new Set();
  const entries = INCLUDING_FIELDS.flatMap((field) => getListAt(kustomization, field)).filter((entry) => typeof entry === 'string');
  return new Set(entries.map((entry) => posix.join(posix.dirname(file), entry)));
}

/** Reports whether a file is one of these paths or is below one. */
function isBelow(paths: ReadonlySet<string>, file: string): boolean {
  for (let path = file; ; path = posix.dirname(path)) {
    if (paths.has(path)) return true;
    if (path === posix.dirname(path)) return false;
  }
}

/** The files of an object that both sides have. */
interface KnownFiles {
  readonly old: string;
  readonly next: string;
}

function listKnownFiles({ pairs, old: oldSide, next: nextSide }: PlannedResult): readonly KnownFiles[] {
  return pairs.flatMap(({ old, next }) => {
    const [before, after] = [old && pathOf(oldSide, old), pathOf(nextSide, next)];
    return before === undefined || after === undefined || isKustomization(next) ? [] : [{ old: before, next: after }];
  });
}

/** Lists the kustomizations that make something else of objects than their files show, although both sides have the files. */
export function listKustomizedOtherwise(planned: PlannedResult): readonly Manifest[] {
  const candidates = planned.objectEffects.filter(({ comparison }) => isKustomization(comparison.next));
  const files = candidates.length === 0 ? [] : listKnownFiles(planned);
  return candidates.filter((each) => isKustomizedOtherwise(each, planned, files)).map(({ comparison }) => comparison.next);
}

/**
 * Reports whether a kustomization that differs or is new makes something else of objects than their files show. One that lists other files is not
 * among them, because their objects are in the change, and so is one that sets the namespace of new objects only.
 */
function isKustomizedOtherwise({ effect, comparison }: ObjectEffect, planned: PlannedResult, files: readonly KnownFiles[]): boolean {
  const { next, old, differences } = comparison;
  const includesOthers = () => {
    const known = old ? listIncludedPaths(planned.old, old.manifest) : new Set<string>();
    const included = listIncludedPaths(planned.next, next);
    return files.some((file) => isBelow(included, file.next) && !isBelow(known, file.old));
  };
  if (!old) return effect === 'unknown' || (getValueAt(next, 'namespace') !== undefined && includesOthers());
  return effect === 'unknown' && (differences.some(({ path }) => !isInclusion(path)) || includesOthers());
}
