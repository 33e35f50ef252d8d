import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';

interface EntryData {
  /** The entry of the ConfigMap: `deploy`. */
  readonly entry: string;
  readonly value: DisplayValue;
}

/** Reports an entry of KServe's ConfigMap that is not a string. */
export const kserveWrongType = extendRule(wrongType, {
  jsonText: defineMessage<EntryData>({
    text: ({ entry, value }) =>
      `${entry} is ${formatDisplayValue(value)}, but a ConfigMap may contain only strings, so the API server refuses the entire object.`,
    help: ({ entry }) => `Write the JSON as a string: begin with \`${entry}: |-\`.`,
    sample: { entry: 'deploy', value: { described: 'a map' } },
  }),
});

/** Reports an entry that is not a string. */
export function reportNonTextEntry(path: FieldPath, entry: string, value: unknown): Finding {
  return kserveWrongType.createFinding('jsonText', { path, data: { entry, value: toDisplayValue(value) } });
}
