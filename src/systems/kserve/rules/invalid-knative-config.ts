import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { KnativeValueType } from '../../../workloads/revision/config';
import { invalidConfig } from './invalid-config';

const EXPECTED_VALUES: Readonly<Record<KnativeValueType, string>> = {
  count: 'a whole number of at least 0, in quotes',
  'count-above-zero': 'a whole number of at least 1, in quotes; 0 is only allowed with allow-zero-initial-scale: "true"',
  duration: 'a duration above 0, in quotes, such as "600s"',
  seconds: 'a whole number of seconds, in quotes',
};

interface KnativeValueData {
  /** `config-autoscaler`. */
  readonly configMap: string;
  readonly key: string;
  readonly value: DisplayValue;
  readonly expected: KnativeValueType;
}

/** Reports a value in one of Knative's ConfigMaps that Knative's webhook refuses. */
export const invalidKnativeConfig = extendRule(invalidConfig, {
  knativeValue: defineMessage<KnativeValueData>({
    text: ({ configMap, key, value }) =>
      `Knative refuses ${configMap}: ${key} is ${formatDisplayValue(value)}. The plan uses the default that Knative ships for this key.`,
    help: ({ expected }) => `Write ${EXPECTED_VALUES[expected]}. Or delete the line to use the default that Knative ships.`,
    suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
    sample: { configMap: 'config-autoscaler', key: 'initial-scale', value: 'two', expected: 'count' },
    variants: [
      { configMap: 'config-autoscaler', key: 'initial-scale', value: '0', expected: 'count-above-zero' },
      { configMap: 'config-deployment', key: 'progress-deadline', value: '600', expected: 'duration' },
      { configMap: 'config-network', key: 'rollout-duration', value: '1m', expected: 'seconds' },
    ],
  }),
});

/** Reports a value that Knative refuses. */
export function reportInvalidKnativeValue(path: FieldPath, data: Omit<KnativeValueData, 'value'> & { readonly value: unknown }): Finding {
  return invalidKnativeConfig.createFinding('knativeValue', { path, data: { ...data, value: toDisplayValue(data.value) } });
}
