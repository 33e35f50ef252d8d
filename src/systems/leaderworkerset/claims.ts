import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, isFields, getListAt, nameOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { parseQuantityNanos } from '../../core/values/quantity';
import { toSafeText } from '../../core/text/value-text';

/* Compares the claims of a set as the controller copies them to the StatefulSet of the leaders and the API server compares them there.
 * Source: lws v0.8.0 and v0.9.0, pkg/utils/controller/controller_utils.go `GetPVCApplyConfiguration`; k/k 1.34 `ValidateStatefulSetUpdate`.
 * */

function normalizeAmounts(resources: Fields, of: string): Fields {
  return Object.fromEntries(
    Object.entries(getFieldsAt(resources, of)).map(([name, amount]) => [name, toSafeText(parseQuantityNanos(amount) ?? amount)]),
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
 * Reports whether the StatefulSet of the leaders would get changed claims.
 *
 * The API server refuses such an update at every reconcile, including all other changes of the StatefulSet.
 * Labels and annotations of a claim template are not copied.
 */
export function hasChangedClaims(old: Manifest, next: Manifest): boolean {
  const [before, after] = [old, next].map((object) =>
    getListAt(object, 'spec', 'leaderWorkerTemplate', 'volumeClaimTemplates').filter(isFields).map(normalizeClaim),
  );
  return !isDeepEqual(before, after);
}
