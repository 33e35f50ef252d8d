import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { wrongType } from '../../../core/rules/wrong-type';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';

interface EntryData {
  /** The entry of the ConfigMap: `deploy`. */
  readonly entry: string;
  readonly value: Seen;
}

/** An entry of KServe's ConfigMap that is not text. */
export const jsonAsText = partOf(wrongType, {
  jsonText: message<EntryData>({
    text: ({ entry, value }) => `${entry} is ${show(value)}, but a ConfigMap holds text alone, so the API server refuses the whole object.`,
    help: ({ entry }) => `Write the JSON as text: begin with \`${entry}: |-\`.`,
    sample: { entry: 'deploy', value: { described: 'a map' } },
  }),
});

/** Says of an entry that it is not text. */
export function jsonTextFinding(path: FieldPath, entry: string, value: unknown): Finding {
  return jsonAsText.finding('jsonText', { path, data: { entry, value: seen(value) } });
}
