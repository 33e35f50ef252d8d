import { message, partOf } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { FieldPath } from '../../core/field-path';
import { seen } from '../../core/seen';
import { listed } from '../../core/words';
import { refusedBy, refuser } from '../../cluster/refuser';
import type { Refused } from '../../cluster/refuser';
import { invalidStrategy, refusedText } from '../../cluster/rules/invalid-strategy';
import type { ValueData } from '../../cluster/rules/invalid-strategy';

export interface ChoiceData extends ValueData {
  /** The values that the field takes. */
  readonly choices: readonly string[];
}

interface StrayLimitsData extends Refused {
  /** What the object calls the limits: `rollingUpdate`. */
  readonly field: string;
  readonly type: 'Recreate' | 'OnDelete';
}

/** What the API server refuses in the type of a strategy, and beside it. */
export const invalidUpdateType = partOf(invalidStrategy, {
  unknownType: message<ChoiceData>({
    text: (data) => refusedText(data, `supported values are ${listed(data.choices.map((choice) => JSON.stringify(choice)))}`),
    help: ({ choices }) => `Write type: ${listed(choices.toReversed(), 'or type:')}.`,
    sample: { field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'] },
    variants: [{ field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'], writer: 'the operator' }],
  }),
  unknownUpdateType: message<ChoiceData>({
    text: (data) =>
      refusedText(
        data,
        `must be ${listed(
          data.choices.map((choice) => `'${choice}'`),
          'or',
        )}`,
      ),
    help: ({ choices }) => `Write type: ${listed(choices, 'or type:')}.`,
    sample: { field: 'type', value: 'Recreate', choices: ['RollingUpdate', 'OnDelete'] },
  }),
  limitsBesideType: message<StrayLimitsData>({
    text: ({ field, type, ...refused }) =>
      `${field} stands beside type ${type}, which ${refuser(refused)}: ` +
      (type === 'Recreate'
        ? "may not be specified when strategy `type` is 'Recreate'."
        : "only allowed for updateStrategy 'RollingUpdate'."),
    help: ({ field }) => `Delete ${field}, or write type: RollingUpdate.`,
    sample: { field: 'rollingUpdate', type: 'Recreate' },
    variants: [
      { field: 'rollingUpdate', type: 'OnDelete' },
      { field: 'rolling_update', type: 'Recreate', writer: 'the operator' },
    ],
  }),
});

/** A type that the strategy of a Deployment does not have. */
export function unknownTypeFinding(path: FieldPath, type: unknown, choices: readonly string[], refused: Refused = {}): Finding {
  return invalidUpdateType.finding('unknownType', { path, data: { field: 'type', value: seen(type), choices, ...refusedBy(refused) } });
}

/** A type that the update strategy of a StatefulSet or a DaemonSet does not have. */
export function unknownUpdateTypeFinding(path: FieldPath, type: unknown, choices: readonly string[]): Finding {
  return invalidUpdateType.finding('unknownUpdateType', { path, data: { field: 'type', value: seen(type), choices } });
}

/** Limits of a rolling update beside a type that takes none. @param field what the object calls the limits */
export function strayLimitsFinding(path: FieldPath, field: string, type: StrayLimitsData['type'], refused: Refused = {}): Finding {
  return invalidUpdateType.finding('limitsBesideType', { path, data: { field, type, ...refusedBy(refused) } });
}
