import { getFieldsAt } from '../../../core/manifest/manifest';
import type { ApplyRejection, StoredObject } from '../types';
import { toNumberOrZero, toTextOrEmpty } from './checks';

/* PriorityClasses. Source: k/k pkg/apis/scheduling/validation/validation.go, `ValidatePriorityClass`. */

/** Highest value of a class without the prefix of the system. */
const HIGHEST_USER_PRIORITY = 1_000_000_000;

const SYSTEM_PREFIX = 'system-';

/** Refuses a value that only classes of the system may have. */
export function validatePriorityClass(object: StoredObject): ApplyRejection | undefined {
  const isOfSystem = toTextOrEmpty(getFieldsAt(object, 'metadata').name).startsWith(SYSTEM_PREFIX);
  if (isOfSystem || toNumberOrZero(object.value) <= HIGHEST_USER_PRIORITY) return undefined;
  return { path: 'value', message: `Forbidden: maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}` };
}
