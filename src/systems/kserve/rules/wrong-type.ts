import type { FieldPath } from '../../../core/field-path';
import { defineMessage, extendRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';

interface EntryData {
  /** The entry of the ConfigMap: `deploy`. */
  readonly entry: string;
  readonly value: DisplayValue;
}

/** An entry of KServe's ConfigMap that is not text. */
export const kserveWrongType = extendRule(wrongType, {
  jsonText: defineMessage<EntryData>({
    text: ({ entry, value }) =>
      `${entry} is ${formatDisplayValue(value)}, but a ConfigMap holds text alone, so the API server refuses the whole object.`,
    help: ({ entry }) => `Write the JSON as text: begin with \`${entry}: |-\`.`,
    sample: { entry: 'deploy', value: { described: 'a map' } },
  }),
});

/** Says of an entry that it is not text. */
export function reportNonTextEntry(path: FieldPath, entry: string, value: unknown): Finding {
  return kserveWrongType.createFinding('jsonText', { path, data: { entry, value: toDisplayValue(value) } });
}
