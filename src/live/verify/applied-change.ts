import type { ObjectChange } from '../../core/document/change';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';

/** Splits a path for people into names, indexes and keys: `spec.containers[web].image` into spec, containers, web, image. */
function splitPath(path: string): string[] {
  return path.match(/[^.[\]]+|\[[^[\]]*\]/g)?.map((part) => part.replace(/^\[|\]$/g, '')) ?? [];
}

/** Returns the item that a key names: by its name, else by any other value, such as a port. */
function findItem(items: readonly unknown[], key: string): unknown {
  const isNamed = (item: unknown) => isFields(item) && item.name === key;
  const hasValue = (item: unknown) => isFields(item) && Object.values(item).some((value) => toSafeText(value) === key);
  return items.find(isNamed) ?? items.find(hasValue) ?? items[Number(key)];
}

/** Returns the value at a path for people, whose list items are named by their key. */
function getValueAtDisplayPath(object: unknown, path: string): unknown {
  return splitPath(path).reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return findItem(value, part);
    return isFields(value) ? value[part] : undefined;
  }, object);
}

/** Path without quotes, whose names contain no dots. */
const PLAIN_PATH = /^spec[\w.[\]-]*$/;

/**
 * Reports whether an object has the state after its planned change: no stored field that the plan names has its old value any more. A
 * field may have another value than planned, since an autoscaler or a user may be faster than a watch. A change without such fields counts
 * as applied.
 */
export function isChangeApplied({ because }: Pick<ObjectChange, 'because'>, object: Manifest): boolean {
  return because
    .filter(({ path, secret, new: value }) => PLAIN_PATH.test(path) && secret !== true && value !== undefined && !isFields(value))
    .every(({ path, old, new: value }) => {
      const current = getValueAtDisplayPath(object, path);
      return isDeepEqual(current, value) || !isDeepEqual(current, old);
    });
}
