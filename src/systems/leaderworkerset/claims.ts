import { isDeepEqual } from '../../core/deep-equal';
import { getFieldsAt, isFields, getListAt, nameOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { parseQuantityNanos } from '../../core/quantity';

/* The claims of a set as the controller hands them to the StatefulSet of the leaders, and as the API server compares them there.
 * Source: lws v0.8.0 and v0.9.0, pkg/utils/controller/controller_utils.go `GetPVCApplyConfiguration`; k/k 1.34 `ValidateStatefulSetUpdate`. */

function normalizeAmounts(resources: Fields, of: string): Fields {
  return Object.fromEntries(
    Object.entries(getFieldsAt(resources, of)).map(([name, amount]) => [name, String(parseQuantityNanos(amount) ?? amount)]),
  );
}

function normalizeClaim(template: unknown): Fields {
  const { accessModes, storageClassName, volumeMode, resources } = getFieldsAt(template, 'spec');
  const resourceFields = isFields(resources) ? resources : {};
  return {
    name: nameOf(template as Manifest),
    accessModes: accessModes ?? [],
    storageClassName: storageClassName ?? null,
    volumeMode: volumeMode ?? 'Filesystem',
    requests: normalizeAmounts(resourceFields, 'requests'),
    limits: normalizeAmounts(resourceFields, 'limits'),
  };
}

/**
 * Would the leaders' StatefulSet get other claims? It may not: the API server refuses that, and all else that the controller wants of it with it,
 * at every turn. Labels and annotations of a claim template are not handed on.
 */
export function hasChangedClaims(old: Manifest, next: Manifest): boolean {
  const [before, after] = [old, next].map((object) =>
    getListAt(object, 'spec', 'leaderWorkerTemplate', 'volumeClaimTemplates').filter(isFields).map(normalizeClaim),
  );
  return !isDeepEqual(before, after);
}
