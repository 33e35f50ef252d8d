import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';

/** Quantities by resource name, as written. */
export interface Resources {
  readonly requests: Fields;
  readonly limits: Fields;
}

/**
 * Returns what an item of a LimitRange fills in for a container.
 *
 * The default limit defaults to the maximum. The default request defaults to the default limit, or else to the minimum. Source: k/k
 * pkg/apis/core/v1/defaults.go, `SetDefaults_LimitRangeItem`.
 */
export function containerDefaultsOf(item: unknown): Resources {
  const limits = { ...getFieldsAt(item, 'max'), ...getFieldsAt(item, 'default') };
  const requests = { ...getFieldsAt(item, 'min'), ...limits, ...getFieldsAt(item, 'defaultRequest') };
  return { limits, requests };
}
