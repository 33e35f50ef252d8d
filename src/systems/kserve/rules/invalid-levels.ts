import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/values/int-or-percent';
import type { Provenance } from '../../../core/document/provenance';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';

interface TwoLevelsData {
  /** The component of an InferenceService: `predictor`. */
  readonly component: string;
}

interface ZerosOfLevelsData extends TwoLevelsData {
  readonly limits: readonly { readonly field: string; readonly value: DisplayValue; readonly layer: string }[];
}

/** Reports levels of configuration that combine into a strategy that the API server refuses. */
export const invalidLevels = extendRule(invalidStrategy, {
  bothIntents: defineMessage<TwoLevelsData>({
    text: ({ component }) => `${component} has both rollout and deploymentStrategy, which set the same level.`,
    help: () => 'Keep one of them.',
    sample: { component: 'predictor' },
  }),
  zerosFromDifferentLevels: defineMessage<ZerosOfLevelsData>({
    text: ({ limits }) => {
      const zeros = limits.map(({ field, value, layer }) => `${field} ${formatDisplayValue(value)} of level ${layer}`);
      return `${joinWords(zeros)} combine, and the API server refuses two limits of 0.`;
    },
    help: ({ component }) => `Set both limits of ${component}, at least one of them above 0.`,
    sample: {
      component: 'predictor',
      limits: [
        { field: 'maxSurge', value: 0, layer: 'user' },
        { field: 'maxUnavailable', value: 0, layer: 'platform-config' },
      ],
    },
  }),
});

/** Reports a component that sets its user level twice. */
export function reportBothIntents(path: FieldPath, component: string): Finding {
  return invalidLevels.createFinding('bothIntents', { path, data: { component } });
}

/** Reports whether both limits that several levels decide are 0. */
export function areZeros(limits: readonly Pick<Provenance, 'value'>[]): boolean {
  return limits.every(({ value }) => isIntOrPercent(value) && isLiteralZero(value));
}

/**
 * Reports two limits of 0 from different levels.
 *
 * @param path - the path of the limit that the user sets
 */
export function reportZerosOfLevels(path: FieldPath, component: string, limits: readonly Provenance[]): Finding {
  const data = { component, limits: limits.map(({ field, value, layer }) => ({ field, value: toDisplayValue(value), layer })) };
  return invalidLevels.createFinding('zerosFromDifferentLevels', { path, data });
}
