import { byChoice, remove } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { invalidConfig } from './invalid-config';

/** What a value of one of Knative's ConfigMaps has to be. */
export type KnativeValueType = 'count' | 'count-above-zero' | 'duration' | 'seconds';

const WANTED: Readonly<Record<KnativeValueType, string>> = {
  count: 'a whole number from 0 up, in quotes',
  'count-above-zero': 'a whole number from 1 up, in quotes; 0 is taken only beside allow-zero-initial-scale: "true"',
  duration: 'a duration above 0 in quotes, such as "600s"',
  seconds: 'a whole number of seconds in quotes',
};

interface KnativeValueData {
  /** `config-autoscaler`. */
  readonly configMap: string;
  readonly key: string;
  readonly value: Seen;
  readonly wanted: KnativeValueType;
}

/** A value in one of Knative's ConfigMaps that Knative's webhook refuses. */
export const invalidKnativeConfig = partOf(invalidConfig, {
  knativeValue: message<KnativeValueData>({
    text: ({ configMap, key, value }) =>
      `Knative refuses ${configMap}: ${key} is ${show(value)}. The plan takes what Knative is shipped with for this key.`,
    help: ({ wanted }) => `Write ${WANTED[wanted]}; or delete the line, and Knative takes what it is shipped with.`,
    advice: (_data, path) => byChoice(remove(path)),
    sample: { configMap: 'config-autoscaler', key: 'initial-scale', value: 'two', wanted: 'count' },
    variants: [
      { configMap: 'config-autoscaler', key: 'initial-scale', value: '0', wanted: 'count-above-zero' },
      { configMap: 'config-deployment', key: 'progress-deadline', value: '600', wanted: 'duration' },
      { configMap: 'config-network', key: 'rollout-duration', value: '1m', wanted: 'seconds' },
    ],
  }),
});

/** Says of a value that Knative does not take it. */
export function knativeValueFinding(path: FieldPath, data: Omit<KnativeValueData, 'value'> & { readonly value: unknown }): Finding {
  return invalidKnativeConfig.finding('knativeValue', { path, data: { ...data, value: seen(data.value) } });
}
