import { invalidStrategy } from '../../../cluster/rules/invalid-strategy';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isIntOrPercent, isLiteralZero } from '../../../core/int-or-percent';
import type { Provenance } from '../../../core/provenance';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';

interface TwoLevelsData {
  /** The component of an InferenceService: `predictor`. */
  readonly component: string;
}

interface ZerosOfLevelsData extends TwoLevelsData {
  readonly limits: readonly { readonly field: string; readonly value: Seen; readonly layer: string }[];
}

/** Levels of configuration that together make a strategy which the API server refuses. */
export const invalidLevels = partOf(invalidStrategy, {
  bothIntents: message<TwoLevelsData>({
    text: ({ component }) => `${component} has both rollout and deploymentStrategy, and both are its user level.`,
    help: () => 'Keep one of them.',
    sample: { component: 'predictor' },
  }),
  zerosOfLevels: message<ZerosOfLevelsData>({
    text: ({ limits }) => {
      const zeros = limits.map(({ field, value, layer }) => `${field} ${show(value)} of level ${layer}`);
      return `${listed(zeros)} come together, and the API server refuses both to be 0.`;
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
export function bothIntentsFinding(path: FieldPath, component: string): Finding {
  return invalidLevels.finding('bothIntents', { path, data: { component } });
}

/** Are the limits that several levels have decided both 0? */
export function areZeros(limits: readonly Pick<Provenance, 'value'>[]): boolean {
  return limits.every(({ value }) => isIntOrPercent(value) && isLiteralZero(value));
}

/** A 0 of each level. @param path of the one that the user gives */
export function zerosOfLevelsFinding(path: FieldPath, component: string, limits: readonly Provenance[]): Finding {
  const data = { component, limits: limits.map(({ field, value, layer }) => ({ field, value: seen(value), layer })) };
  return invalidLevels.finding('zerosOfLevels', { path, data });
}
