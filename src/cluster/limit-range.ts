import { getFieldsAt } from '../core/manifest';
import type { Fields } from '../core/manifest';

/** Quantities by resource name, as they are written. */
export interface Resources {
  readonly requests: Fields;
  readonly limits: Fields;
}

/**
 * What an item of a LimitRange fills in for a container.
 *
 * A maximum is the default limit where none is given, a default limit the default request, and a minimum where there is neither.
 * Source: k/k pkg/apis/core/v1/defaults.go, `SetDefaults_LimitRangeItem`.
 */
export function containerDefaultsOf(item: unknown): Resources {
  const limits = { ...getFieldsAt(item, 'max'), ...getFieldsAt(item, 'default') };
  const requests = { ...getFieldsAt(item, 'min'), ...limits, ...getFieldsAt(item, 'defaultRequest') };
  return { limits, requests };
}
