import { getFieldName } from '../field-path';
import type { FieldPath } from '../field-path';
import { defineMessage, defineRule } from '../finding';
import type { Finding } from '../finding';
import { pluralize } from '../text-format';
import { VALID_DEPLOYMENT } from './examples';

interface PlaceholderData {
  /** The field that has it, as a message names it. */
  readonly field: string;
  /** The value as it is written, placeholder included. */
  readonly value: string;
  /** How many values of the object the API server would refuse as they are written. */
  readonly values: number;
}

/** A manifest that another program has to fill in. */
export const placeholder = defineRule({
  code: 'input/placeholder',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A file of a folder holds a workload with a value that the API server would refuse, and that has a placeholder: `${REPLICAS}` of Flux or envsubst, `$(NAME)` of kustomize, ' +
    '`{{ name }}`, `$NAME`, `@NAME@`, `__NAME__`, `<name>`, `REPLACE_ME`; once a rollout. On standard input and in a file given by name the value is refused.',
  why: 'Who or what fills the placeholder in decides what the API server gets. Until then neither the value nor what depends on it can be judged.',
  fix: 'Plan what that program prints: `flux build kustomization … | rolloutkit check -`, `envsubst < web.yaml | rolloutkit check -`.',
  example: `# rolloutkit plan .
# apps/web.yaml
${VALID_DEPLOYMENT.replace('spec:\n', () => 'spec:\n  replicas: ${REPLICAS}\n')}`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notFilledIn: defineMessage<PlaceholderData>({
      text: ({ field, value, values }) =>
        `${field} is ${JSON.stringify(value)}, which is yet to be filled in${values === 1 ? '' : `, and ${pluralize(values - 1, 'value')} more`}: what depends on it is not judged.`,
      help: () => 'Plan what comes of it: pipe that into rolloutkit check -',
      sample: { field: 'replicas', value: '${REPLICAS}', values: 1 },
      variants: [{ field: 'replicas', value: '${REPLICAS}', values: 3 }],
    }),
  },
});

/** Says of a rollout that values of it are not filled in yet. @param path of the first */
export function createPlaceholderFinding(path: FieldPath, data: Omit<PlaceholderData, 'field'>): Finding {
  return placeholder.createFinding('notFilledIn', { path, data: { field: getFieldName(path), ...data } });
}
