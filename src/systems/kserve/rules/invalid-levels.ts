import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import type { Provenance } from '../../../core/provenance';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { joinWords } from '../../../core/text-format';

interface TwoLevelsData {
  /** The component of an InferenceService: `predictor`. */
  readonly component: string;
}

interface ZerosOfLevelsData extends TwoLevelsData {
  readonly limits: readonly { readonly field: string; readonly value: DisplayValue; readonly layer: string }[];
}

/** Levels of configuration that together make a strategy which the API server refuses. */
export const invalidLevels = extendRule(invalidStrategy, {
  bothIntents: defineMessage<TwoLevelsData>({
    text: ({ component }) => `${component} has both rollout and deploymentStrategy, and both are its user level.`,
    help: () => 'Keep one of them.',
    sample: { component: 'predictor' },
  }),
  zerosFromDifferentLevels: defineMessage<ZerosOfLevelsData>({
    text: ({ limits }) => {
      const zeros = limits.map(({ field, value, layer }) => `${field} ${formatDisplayValue(value)} of level ${layer}`);
      return `${joinWords(zeros)} come together, and the API server refuses both to be 0.`;
    },
    help: ({ component }) => `Give ${component} both limits, at least one of them above 0.`,
    sample: {
      component: 'predictor',
      limits: [
        { field: 'maxSurge', value: 0, layer: 'user' },
        { field: 'maxUnavailable', value: 0, layer: 'platform-config' },
      ],
    },
  }),
});

/** A component that has its user level twice. */
export function reportBothIntents(path: FieldPath, component: string): Finding {
  return invalidLevels.createFinding('bothIntents', { path, data: { component } });
}

/** Are the limits that several levels have decided both 0? */
export function areZeros(limits: readonly Pick<Provenance, 'value'>[]): boolean {
  return limits.every(({ value }) => isIntOrPercent(value) && isLiteralZero(value));
}

/** A 0 of each level. @param path of the one that the user gives */
export function reportZerosOfLevels(path: FieldPath, component: string, limits: readonly Provenance[]): Finding {
  const data = { component, limits: limits.map(({ field, value, layer }) => ({ field, value: toDisplayValue(value), layer })) };
  return invalidLevels.createFinding('zerosFromDifferentLevels', { path, data });
}
