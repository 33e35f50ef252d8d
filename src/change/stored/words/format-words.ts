import { FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';

/* How the server says that a text is not written in a form: the first of its reasons. Source: apimachinery pkg/util/validation/validation.go. */

function byPattern(wanted: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ');
  return `${wanted} (e.g. ${shown}, regex used for validation is '${pattern}')`;
}

const LABEL_PATTERN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const SUBDOMAIN = byPattern(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  `${LABEL_PATTERN}(\\.${LABEL_PATTERN})*`,
  'example.com',
);

const NAME_PART = byPattern(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]',
  'MyName',
  'my.name',
  '123-abc',
);

const LONGEST_NAME = 63;

/** A name with an optional domain in front, a part after the other. */
function qualifiedName(value: string): string {
  const parts = value.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) return `a qualified name ${NAME_PART} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  if (parts.length === 2 && parts[0] === '') return 'prefix part must be non-empty';
  if (parts.length === 2 && !FORMATS['dns-subdomain'].fits(parts[0]!)) return `prefix part ${SUBDOMAIN}`;
  if (name === '') return 'name part must be non-empty';
  return name.length > LONGEST_NAME ? `name part must be no more than ${LONGEST_NAME} characters` : `name part ${NAME_PART}`;
}

function portName(value: string): string {
  if (value.length > 15) return 'must be no more than 15 characters';
  if (!/^[-a-z0-9]+$/.test(value)) return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  if (!/[a-z]/.test(value)) return 'must contain at least one letter (a-z)';
  return value.includes('--') ? 'must not contain consecutive hyphens' : 'must not begin or end with a hyphen';
}

/** Names of files would step out of a folder. */
function configKey(value: string): string {
  if (value === '.' || value === '..') return `must not be '${value}'`;
  if (value.startsWith('..')) return "must not start with '..'";
  return byPattern(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    '[-._a-zA-Z0-9]+',
    'key.name',
    'KEY_NAME',
    'key-name',
  );
}

const WORDS: Readonly<Partial<Record<FormatName, (value: string) => string>>> = {
  'dns-label': () =>
    byPattern(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      LABEL_PATTERN,
      'my-name',
      '123-abc',
    ),
  'dns-subdomain': () => SUBDOMAIN,
  'qualified-name': qualifiedName,
  'annotation-name': (value) => qualifiedName(value.toLowerCase()),
  'label-value': () =>
    byPattern(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
      'MyValue',
      'my_value',
      '12345',
    ),
  'port-name': portName,
  'config-key': configKey,
  'header-name': () => byPattern("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name'),
  'ip-address': () => 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  registry: () => 'must be a host:port pair or multiple pairs separated by commas',
};

/** What the server says of a text that is not written so, or is too long; undefined where that is not known. */
export function formatWords(format: FormatName, value: string): string | undefined {
  const { fits, longest } = FORMATS[format];
  if (!fits(value)) return WORDS[format]?.(value);
  return longest !== undefined && value.length > longest ? `must be no more than ${longest} characters` : undefined;
}
