import { checkIntOrPercent } from '../../../cluster/rules/type-errors';
import { invalidStrategy, formatRejectedValue, defineRejectedValueMessage } from '../../../cluster/rules/invalid-strategy';
import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import { toDisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import { isUnset } from '../../deployment/validation';
import type { ChoiceData } from '../../rules/invalid-strategy-type';

/** Reports the policies and limits that the API server refuses in a StatefulSet. */
export const statefulSetInvalidStrategy = extendRule(invalidStrategy, {
  unknownPolicy: defineMessage<ChoiceData>({
    text: (data) =>
      formatRejectedValue(
        data,
        `must be ${joinWords(
          data.choices.map((choice) => `'${choice}'`),
          'or',
        )}`,
      ),
    help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
    sample: { field: 'podManagementPolicy', value: 'parallel', choices: ['OrderedReady', 'Parallel'] },
  }),
  cannotBeZero: defineRejectedValueMessage('cannot be 0', 'Write maxUnavailable: 1, or delete the field.', {
    field: 'maxUnavailable',
    value: 0,
  }),
});

const POD_MANAGEMENT_POLICIES = ['OrderedReady', 'Parallel'];

/** Reports an unknown podManagementPolicy. */
export function validatePodManagementPolicy(policy: unknown): Finding[] {
  if (typeof policy !== 'string' || isUnset(policy) || POD_MANAGEMENT_POLICIES.includes(policy)) return [];
  const data = { field: 'podManagementPolicy', value: toDisplayValue(policy), choices: POD_MANAGEMENT_POLICIES };
  return [statefulSetInvalidStrategy.createFinding('unknownPolicy', { path: toFieldPath`spec.podManagementPolicy`, data })];
}

/** Reports a maxUnavailable that the API server refuses, in a version that keeps the field. */
export function validateStatefulSetMaxUnavailable(value: unknown, path: FieldPath): Finding[] {
  const malformed = checkIntOrPercent({ path, value }, 'at most 100%');
  if (malformed.length > 0 || !isIntOrPercent(value) || !isLiteralZero(value)) return malformed;
  return [
    statefulSetInvalidStrategy.createFinding('cannotBeZero', { path, data: { field: 'maxUnavailable', value: toDisplayValue(value) } }),
  ];
}
