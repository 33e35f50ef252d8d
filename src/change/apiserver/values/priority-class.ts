import { SYSTEM_PRIORITIES } from '../../../cluster/capacity/system-priorities';
import { getFieldsAt } from '../../../core/manifest/manifest';
import type { ApplyRejection, StoredObject } from '../types';
import { allowValues, toNumberOrZero, toTextOrEmpty } from './checks';
import { checkField } from './rule';
import type { ValueRule } from './rule';

/* PriorityClasses. Source: k/k pkg/apis/scheduling/validation/validation.go, `ValidatePriorityClass`. */

/** Highest value of a class without the prefix of the system. */
const HIGHEST_USER_PRIORITY = 1_000_000_000;

const SYSTEM_PREFIX = 'system-';

/** Returns how a class with the prefix of the system differs from those that every cluster has. */
function findSystemDifference(name: string, { value, globalDefault }: StoredObject): string | undefined {
  const required = SYSTEM_PRIORITIES.get(name);
  if (required === undefined) return `${name} is not a known system priority class`;
  if (toNumberOrZero(value) !== required) return `value of ${name} PriorityClass must be ${required}`;
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

/** Refuses a name or a value that only classes of the system may have. */
export function validatePriorityClass(object: StoredObject): ApplyRejection | undefined {
  const name = toTextOrEmpty(getFieldsAt(object, 'metadata').name);
  if (name.startsWith(SYSTEM_PREFIX)) {
    const difference = findSystemDifference(name, object);
    if (difference === undefined) return undefined;
    const why = `priority class names with '${SYSTEM_PREFIX}' prefix are reserved for system use only`;
    return { path: 'metadata.name', message: `Forbidden: ${why}. error: ${difference}` };
  }
  if (toNumberOrZero(object.value) <= HIGHEST_USER_PRIORITY) return undefined;
  return { path: 'value', message: `Forbidden: maximum allowed value of a user defined priority is ${HIGHEST_USER_PRIORITY}` };
}

/** Policies of preemption. Source: k/k pkg/apis/core/validation/validation.go, `ValidatePreemptionPolicy`. */
export const PREEMPTION_VALUES: readonly ValueRule[] = [checkField('preemptionPolicy', allowValues('PreemptLowerPriority', 'Never'))];
