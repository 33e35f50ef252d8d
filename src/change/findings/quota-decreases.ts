import { getFieldsAt, groupOf, getOwnValue } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { parseQuantityNanos } from '../../core/quantity';
import type { ObjectComparison } from '../compare/object-comparison';

function isResourceQuota(object: Manifest): boolean {
  return object.kind === 'ResourceQuota' && groupOf(object) === '';
}

/** Returns a check for the quotas that an apply creates or lowers, resource by resource. */
export function createLoweredQuotaCheck(comparisons: readonly ObjectComparison[]): (quota: Manifest, resource: string) => boolean {
  const before = new Map(comparisons.flatMap(({ old, result }) => (isResourceQuota(result) ? [[result, old?.manifest] as const] : [])));
  return (quota, resource) => {
    if (!before.has(quota)) return false;
    const old = before.get(quota);
    const [was, is] = [old, quota].map((object) => parseQuantityNanos(getOwnValue(getFieldsAt(object, 'spec', 'hard'), resource)));
    return is !== undefined && (was === undefined || is < was);
  };
}
