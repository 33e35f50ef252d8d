import { intOrPercentFindings } from '../../../cluster/refusals';
import { invalidStrategy, refusedText, refusedValue } from '../../../cluster/rules/invalid-strategy';
import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import { seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import { isLeftOut } from '../../deployment/validation';
import type { ChoiceData } from '../../rules/invalid-type';

/** What the API server refuses in a StatefulSet beside single values. */
export const invalidStatefulSet = partOf(invalidStrategy, {
  unknownPolicy: message<ChoiceData>({
    text: (data) =>
      refusedText(
        data,
        `must be ${listed(
          data.choices.map((choice) => `'${choice}'`),
          'or',
        )}`,
      ),
    help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
    sample: { field: 'podManagementPolicy', value: 'parallel', choices: ['OrderedReady', 'Parallel'] },
  }),
  cannotBeZero: refusedValue('cannot be 0', 'Write maxUnavailable: 1, or leave the field out.', { field: 'maxUnavailable', value: 0 }),
});

const POLICIES = ['OrderedReady', 'Parallel'];

/** A podManagementPolicy that there is not. */
export function policyFindings(policy: unknown): Finding[] {
  if (typeof policy !== 'string' || isLeftOut(policy) || POLICIES.includes(policy)) return [];
  const data = { field: 'podManagementPolicy', value: seen(policy), choices: POLICIES };
  return [invalidStatefulSet.finding('unknownPolicy', { path: at`spec.podManagementPolicy`, data })];
}

/** What the API server refuses in maxUnavailable, for a version that keeps it. */
export function maxUnavailableFindings(value: unknown, path: FieldPath): Finding[] {
  const malformed = intOrPercentFindings({ path, value }, 'at most 100%');
  if (malformed.length > 0 || !isIntOrPercent(value) || !isLiteralZero(value)) return malformed;
  return [invalidStatefulSet.finding('cannotBeZero', { path, data: { field: 'maxUnavailable', value: seen(value) } })];
}
