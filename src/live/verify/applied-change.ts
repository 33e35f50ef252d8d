import type { ObjectChange } from '../../core/change';
import { isDeepEqual } from '../../core/deep-equal';
import { isFields } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';

/** Splits a path for people into names, indexes and keys: `spec.containers[web].image` into spec, containers, web, image. */
function splitPath(path: string): string[] {
  return path.match(/[^.[\]]+|\[[^[\]]*\]/g)?.map((part) => part.replace(/^\[|\]$/g, '')) ?? [];
}

/** Returns the value at a path for people, whose list items are named by their key. */
function getValueAtDisplayPath(object: unknown, path: string): unknown {
  return splitPath(path).reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)] ?? value.find((item) => isFields(item) && Object.values(item).includes(part));
    return isFields(value) ? value[part] : undefined;
  }, object);
}

/** Path without quotes, whose names contain no dots. */
const PLAIN_PATH = /^spec[\w.[\]-]*$/;

/**
 * Reports whether an object has the state after its planned change: every stored field that the plan names has its new
 * value. A change without such fields counts as applied.
 */
export function isChangeApplied({ because }: Pick<ObjectChange, 'because'>, object: Manifest): boolean {
  return because
    .filter(({ path, secret, new: value }) => PLAIN_PATH.test(path) && secret !== true && value !== undefined && !isFields(value))
    .every(({ path, new: value }) => isDeepEqual(getValueAtDisplayPath(object, path), value));
}
