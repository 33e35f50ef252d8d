import { ROOT_PATH, appendLazily, appendMapKey, resolveLazyPath } from '../core/manifest/field-path';
import type { LazyFieldPath } from '../core/manifest/field-path';
import { getFieldsAt, getOwnValue, isClassInstance, isFields } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { normalizeQuantity } from '../core/values/normalize-quantity';

function findInAmounts(resources: Fields, location: LazyFieldPath): string[] {
  return ['requests', 'limits'].flatMap((list) =>
    Object.entries(getFieldsAt(resources, list)).flatMap(([name, amount]) => {
      if (typeof amount !== 'number' || !Number.isFinite(amount) || Number.isInteger(amount)) return [];
      const path = appendMapKey(resolveLazyPath(appendLazily(location, list)), name);
      return [
        `${path} is ${amount}, which the definition of a custom resource does not take as a number; write ${JSON.stringify(normalizeQuantity(amount, true))}`,
      ];
    }),
  );
}

/**
 * Finds amounts of resources that are written as numbers with a fraction. Returns one line each.
 *
 * The API server refuses them, unless a mutating webhook of the kind changes another field of the object too, and so rewrites the amount
 * before the object is validated. Those of KServe and LeaderWorkerSet do so for a new object, but not for one that has all defaults.
 *
 * Source: controller-runtime v0.24.1 pkg/webhook/admission/defaulter_custom.go, `Handle`.
 */
export function findFractions(props: unknown, location: LazyFieldPath = ROOT_PATH): string[] {
  if (Array.isArray(props)) return props.flatMap((item, index) => findFractions(item, appendLazily(location, index)));
  if (!isFields(props) || isClassInstance(props)) return [];
  return Object.keys(props).flatMap((name) => {
    const value = getOwnValue(props, name);
    if (typeof value !== 'object' || value === null) return [];
    const path = appendLazily(location, name);
    const own = name === 'resources' && isFields(value) && !isClassInstance(value) ? findInAmounts(value, path) : [];
    return [...own, ...findFractions(value, path)];
  });
}
