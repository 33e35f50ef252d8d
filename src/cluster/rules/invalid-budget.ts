import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { hasBothLimits } from '../disruption-budgets/disruption-budget';
import { invalidStrategy } from './invalid-strategy';

interface BothLimitsData {
  readonly minAvailable: DisplayValue;
  readonly maxUnavailable: DisplayValue;
}

/** The message for what the API server refuses in a PodDisruptionBudget. */
export const invalidBudget = extendRule(invalidStrategy, {
  bothLimits: defineMessage<BothLimitsData>({
    text: ({ minAvailable, maxUnavailable }) =>
      `minAvailable is ${formatDisplayValue(minAvailable)} and maxUnavailable is ${formatDisplayValue(maxUnavailable)}, which the API server refuses: a budget can only have one of them.`,
    help: () => 'Keep only one of them.',
    sample: { minAvailable: 1, maxUnavailable: 1 },
  }),
});

/** Reports a budget with both limits, which the API server refuses. Source: k/k pkg/apis/policy/validation/validation.go. */
export function checkInvalidBudget(budget: Manifest): Finding[] {
  if (!hasBothLimits(budget)) return [];
  const { minAvailable, maxUnavailable } = getFieldsAt(budget, 'spec');
  return [
    invalidBudget.createFinding('bothLimits', {
      path: toFieldPath`spec`,
      data: { minAvailable: toDisplayValue(minAvailable), maxUnavailable: toDisplayValue(maxUnavailable) },
    }),
  ];
}
