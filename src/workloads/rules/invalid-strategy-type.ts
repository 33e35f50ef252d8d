import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { FieldPath } from '../../core/manifest/field-path';
import { toDisplayValue } from '../../core/text/display-value';
import { joinWords } from '../../core/text/text-format';
import { toRejectionSourceData, formatRejectionSource } from '../../cluster/rejections/rejection-source';
import type { RejectionSource } from '../../cluster/rejections/rejection-source';
import { invalidStrategy, formatRejectedValue } from '../../cluster/rules/invalid-strategy';
import type { ValueData } from '../../cluster/rules/invalid-strategy';

export interface ChoiceData extends ValueData {
  /** The values that the field allows. */
  readonly choices: readonly string[];
}

interface UnusedLimitsData extends RejectionSource {
  /** The field name that the object uses for the limits: `rollingUpdate`. */
  readonly field: string;
  readonly type: 'Recreate' | 'OnDelete';
}

/** Reports strategy types that the API server refuses, and limits that a type does not allow. */
export const invalidStrategyType = extendRule(invalidStrategy, {
  unknownType: defineMessage<ChoiceData>({
    text: (data) => formatRejectedValue(data, `supported values are ${joinWords(data.choices.map((choice) => JSON.stringify(choice)))}`),
    help: ({ choices }) => `Write type: ${joinWords(choices.toReversed(), 'or type:')}.`,
    sample: { field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'] },
    variants: [{ field: 'type', value: 'Rolling', choices: ['Recreate', 'RollingUpdate'], writer: 'the operator' }],
  }),
  unknownUpdateType: defineMessage<ChoiceData>({
    text: (data) =>
      formatRejectedValue(
        data,
        `must be ${joinWords(
          data.choices.map((choice) => `'${choice}'`),
          'or',
        )}`,
      ),
    help: ({ choices }) => `Write type: ${joinWords(choices, 'or type:')}.`,
    sample: { field: 'type', value: 'Recreate', choices: ['RollingUpdate', 'OnDelete'] },
  }),
  unusedLimits: defineMessage<UnusedLimitsData>({
    text: ({ field, type, ...rejection }) =>
      `${field} is set with type ${type}, which ${formatRejectionSource(rejection)}: ` +
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

/** Reports an unknown type in the strategy of a Deployment. */
export function reportUnknownType(path: FieldPath, type: unknown, choices: readonly string[], rejection: RejectionSource = {}): Finding {
  return invalidStrategyType.createFinding('unknownType', {
    path,
    data: { field: 'type', value: toDisplayValue(type), choices, ...toRejectionSourceData(rejection) },
  });
}

/** Reports an unknown type in the update strategy of a StatefulSet or a DaemonSet. */
export function reportUnknownUpdateType(path: FieldPath, type: unknown, choices: readonly string[]): Finding {
  return invalidStrategyType.createFinding('unknownUpdateType', { path, data: { field: 'type', value: toDisplayValue(type), choices } });
}

/**
 * Reports rolling update limits that are set with a type that does not allow them.
 *
 * @param field the field name of the limits in the object
 */
export function reportUnusedLimits(
  path: FieldPath,
  field: string,
  type: UnusedLimitsData['type'],
  rejection: RejectionSource = {},
): Finding {
  return invalidStrategyType.createFinding('unusedLimits', { path, data: { field, type, ...toRejectionSourceData(rejection) } });
}
