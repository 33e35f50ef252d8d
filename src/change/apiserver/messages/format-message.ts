import {
  LABEL_1035_MESSAGE,
  LABEL_VALUE_MESSAGE,
  LABEL_MESSAGE,
  NAME_PART_MESSAGE,
  SUBDOMAIN_MESSAGE,
  TOO_MANY_PARTS_MESSAGE,
  formatLengthMessage,
  formatPatternMessage,
} from '../../../core/errors/name-format-messages';
import { TEXT_FORMATS } from '../../../workloads/pod/validation/formats';
import type { FormatName } from '../../../workloads/pod/validation/formats';

/* The server's message for text that does not match a format: the first of its reasons. Source: apimachinery pkg/util/validation/validation.go. */

const MAX_NAME_LENGTH = 63;

/** Describes what is wrong with a name with an optional domain prefix, checking one part after the other. */
function describeQualifiedName(value: string): string {
  const parts = value.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) return TOO_MANY_PARTS_MESSAGE;
  if (parts.length === 2 && parts[0] === '') return 'prefix part must be non-empty';
  if (parts.length === 2 && !TEXT_FORMATS['dns-subdomain'].matches(parts[0]!)) return `prefix part ${SUBDOMAIN_MESSAGE}`;
  if (name === '') return 'name part must be non-empty';
  return name.length > MAX_NAME_LENGTH ? `name part ${formatLengthMessage(MAX_NAME_LENGTH)}` : `name part ${NAME_PART_MESSAGE}`;
}

function describePortName(value: string): string {
  if (value.length > 15) return formatLengthMessage(15);
  if (!/^[-a-z0-9]+$/.test(value)) return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  if (!/[a-z]/.test(value)) return 'must contain at least one letter (a-z)';
  return value.includes('--') ? 'must not contain consecutive hyphens' : 'must not begin or end with a hyphen';
}

/** Describes what is wrong with a config key. Names such as `..` would escape the mounted folder. */
function describeConfigKey(value: string): string {
  if (value === '.' || value === '..') return `must not be '${value}'`;
  if (value.startsWith('..')) return "must not start with '..'";
  return formatPatternMessage(
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
    '[-._a-zA-Z0-9]+',
    'key.name',
    'KEY_NAME',
    'key-name',
  );
}

const FORMAT_DESCRIBERS: Readonly<Partial<Record<FormatName, (value: string) => string>>> = {
  'dns-label': () => LABEL_MESSAGE,
  'dns-1035-label': () => LABEL_1035_MESSAGE,
  'dns-subdomain': () => SUBDOMAIN_MESSAGE,
  'path-segment': (value) =>
    value === '.' || value === '..' ? `may not be '${value}'` : `may not contain '${value.includes('/') ? '/' : '%'}'`,
  'qualified-name': describeQualifiedName,
  'annotation-name': (value) => describeQualifiedName(value.toLowerCase()),
  'label-value': () => LABEL_VALUE_MESSAGE,
  'port-name': describePortName,
  'config-key': describeConfigKey,
  'header-name': () =>
    formatPatternMessage("a valid HTTP header must consist of alphanumeric characters or '-'", '[-A-Za-z0-9]+', 'X-Header-Name'),
  'ip-address': () => 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  registry: () => 'must be a host:port pair or multiple pairs separated by commas',
};

/** Returns the server's message for text that does not match a format or is too long; undefined if it is not known. */
export function describeFormatRequirement(format: FormatName, value: string): string | undefined {
  const { matches, maxLength } = TEXT_FORMATS[format];
  if (!matches(value)) return FORMAT_DESCRIBERS[format]?.(value);
  return maxLength !== undefined && value.length > maxLength ? formatLengthMessage(maxLength) : undefined;
}
