import { fieldsAt, groupOf, ownValue } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { nanosOf } from '../core/quantity';
import type { Compared } from './compared';

function isQuota(object: Manifest): boolean {
  return object.kind === 'ResourceQuota' && groupOf(object) === '';
}

/** Which quotas an apply makes or lowers, resource by resource. */
export function loweredQuotas(all: readonly Compared[]): (quota: Manifest, resource: string) => boolean {
  const before = new Map(all.flatMap(({ old, result }) => (isQuota(result) ? [[result, old?.given] as const] : [])));
  return (quota, resource) => {
    if (!before.has(quota)) return false;
    const old = before.get(quota);
    const [was, is] = [old, quota].map((object) => nanosOf(ownValue(fieldsAt(object, 'spec', 'hard'), resource)));
    return is !== undefined && (was === undefined || is < was);
  };
}
