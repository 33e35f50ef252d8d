import { at } from '../../core/field-path';
import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { seen, show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { hasBothLimits } from '../disruption-budget';
import { invalidStrategy } from './invalid-strategy';

interface BothLimitsData {
  readonly minAvailable: Seen;
  readonly maxUnavailable: Seen;
}

/** What the API server refuses in a PodDisruptionBudget. */
export const invalidBudget = partOf(invalidStrategy, {
  bothLimits: message<BothLimitsData>({
    text: ({ minAvailable, maxUnavailable }) =>
      `minAvailable is ${show(minAvailable)} and maxUnavailable ${show(maxUnavailable)}, which the API server refuses: a budget has one of them.`,
    help: () => 'Keep one of them.',
    sample: { minAvailable: 1, maxUnavailable: 1 },
  }),
});

/** The API server refuses a budget with both limits. Source: k/k pkg/apis/policy/validation/validation.go. */
export function bothLimitsFindings(budget: Manifest): Finding[] {
  if (!hasBothLimits(budget)) return [];
  const { minAvailable, maxUnavailable } = fieldsAt(budget, 'spec');
  return [
    invalidBudget.finding('bothLimits', {
      path: at`spec`,
      data: { minAvailable: seen(minAvailable), maxUnavailable: seen(maxUnavailable) },
    }),
  ];
}
