import { getFieldName } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { defineMessage, defineRule } from '../findings/finding';
import type { Finding } from '../findings/finding';
import { pluralize } from '../text/text-format';
import { VALID_DEPLOYMENT } from './examples';

interface PlaceholderData {
  /** Field with the placeholder, as a message names it. */
  readonly field: string;
  /** Value as written, including the placeholder. */
  readonly value: string;
  /** Number of values of the object that the API server would refuse as written. */
  readonly values: number;
}

/** A manifest with placeholders that another program fills in. */
export const placeholder = defineRule({
  code: 'input/placeholder',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A file of a folder contains a workload with a placeholder in a value that the API server would refuse: `${REPLICAS}` of Flux or envsubst, `$(NAME)` of kustomize, ' +
    '`{{ name }}`, `$NAME`, `@NAME@`, `__NAME__`, `<name>` or `REPLACE_ME` (reported once per rollout).',
  why:
    'The API server gets whatever replaces the placeholder. Until then neither the value nor anything that depends on it can be checked. ' +
    'On standard input and in a file given by name the value is refused.',
  fix: 'Plan the output of the program that fills in the placeholder: `flux build kustomization … | rolloutkit check -`, `envsubst < web.yaml | rolloutkit check -`.',
  example: `# rolloutkit plan .
# apps/web.yaml
${VALID_DEPLOYMENT.replace('spec:\n', () => 'spec:\n  replicas: ${REPLICAS}\n')}`,
  fixedExample: VALID_DEPLOYMENT,
  messages: {
    notFilledIn: defineMessage<PlaceholderData>({
      text: ({ field, value, values }) =>
        `${field} is ${JSON.stringify(value)}, a placeholder that is not filled in yet${values === 1 ? '' : ` (${pluralize(values - 1, 'more value has', 'more values have')} one too)`}: nothing that depends on it is checked.`,
      help: () => 'Plan the manifest with the values filled in: pipe it into rolloutkit check -',
      sample: { field: 'replicas', value: '${REPLICAS}', values: 1 },
      variants: [{ field: 'replicas', value: '${REPLICAS}', values: 3 }],
    }),
  },
});

/** Creates the finding for a rollout with placeholders. @param path of the first one */
export function createPlaceholderFinding(path: FieldPath, data: Omit<PlaceholderData, 'field'>): Finding {
  return placeholder.createFinding('notFilledIn', { path, data: { field: getFieldName(path), ...data } });
}
