/* Messages of the API server for text in the wrong format. Source: apimachinery v0.34 pkg/util/validation/validation.go. */

/** Formats a requirement with examples and its pattern: `… (e.g. 'my-name',  or '123-abc', regex used for validation is '…')`. */
export function formatPatternMessage(requirement: string, pattern: string, ...examples: readonly string[]): string {
  const exampleText = examples.map((example) => `'${example}'`).join(',  or ');
  return `${requirement} (e.g. ${exampleText}, regex used for validation is '${pattern}')`;
}

export function formatLengthMessage(maxLength: number): string {
  return `must be no more than ${maxLength} characters`;
}

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

export const LABEL_MESSAGE = formatPatternMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL_PATTERN,
  'my-name',
  '123-abc',
);

export const LABEL_1035_MESSAGE = formatPatternMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  '[a-z]([-a-z0-9]*[a-z0-9])?',
  'my-name',
  'abc-123',
);

export const SUBDOMAIN_MESSAGE = formatPatternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`,
  'example.com',
);

export const NAME_PART_MESSAGE = formatPatternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  'MyName',
  'my.name',
  '123-abc',
);

export const TOO_MANY_PARTS_MESSAGE = `a qualified name ${NAME_PART_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

export const LABEL_VALUE_MESSAGE = formatPatternMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
  'MyValue',
  'my_value',
  '12345',
);
