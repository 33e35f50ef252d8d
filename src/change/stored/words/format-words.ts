import {
  LABEL_VALUE_WORDS,
  LABEL_WORDS,
  NAME_PART_WORDS,
  SUBDOMAIN_WORDS,
  TOO_MANY_PARTS_WORDS,
  lengthWords,
  patternWords,
} from '../../../core/name-words';
import { FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';

/* How the server says that a text is not written in a form: the first of its reasons. Source: apimachinery pkg/util/validation/validation.go. */

const LONGEST_NAME = 63;

/** A name with an optional domain in front, a part after the other. */
function qualifiedName(value: string): string {
  const parts = value.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) return TOO_MANY_PARTS_WORDS;
  if (parts.length === 2 && parts[0] === '') return 'prefix part must be non-empty';
  if (parts.length === 2 && !FORMATS['dns-subdomain'].fits(parts[0]!)) return `prefix part ${SUBDOMAIN_WORDS}`;
  if (name === '') return 'name part must be non-empty';
  return name.length > LONGEST_NAME ? `name part ${lengthWords(LONGEST_NAME)}` : `name part ${NAME_PART_WORDS}`;
}

function portName(value: string): string {
  if (value.length > 15) return lengthWords(15);
  if (!/^[-a-z0-9]+$/.test(value)) return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  if (!/[a-z]/.test(value)) return 'must contain at least one letter (a-z)';
  return value.includes('--') ? 'must not contain consecutive hyphens' : 'must not begin or end with a hyphen';
}

/** Names of files would step out of a folder. */
function configKey(value: string): string {
  if (value === '.' || value === '..') return `must not be '${value}'`;
  if (value.startsWith('..')) return "must not start with '..'";
  return patternWords(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    '[-._a-zA-Z0-9]+',
    'key.name',
    'KEY_NAME',
    'key-name',
  );
}

const WORDS: Readonly<Partial<Record<FormatName, (value: string) => string>>> = {
  'dns-label': () => LABEL_WORDS,
  'dns-subdomain': () => SUBDOMAIN_WORDS,
  'qualified-name': qualifiedName,
  'annotation-name': (value) => qualifiedName(value.toLowerCase()),
  'label-value': () => LABEL_VALUE_WORDS,
  'port-name': portName,
  'config-key': configKey,
  'header-name': () => patternWords("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name'),
  'ip-address': () => 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  registry: () => 'must be a host:port pair or multiple pairs separated by commas',
};

/** What the server says of a text that is not written so, or is too long; undefined where that is not known. */
export function formatWords(format: FormatName, value: string): string | undefined {
  const { fits, longest } = FORMATS[format];
  if (!fits(value)) return WORDS[format]?.(value);
  return longest !== undefined && value.length > longest ? lengthWords(longest) : undefined;
}
