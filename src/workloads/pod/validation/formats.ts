/** The format of a string. */
export interface Format {
  /** The description as part of a sentence: `a DNS label`. */
  readonly description: string;
  readonly example: string;
  /** The maximum number of characters. @default - unlimited */
  readonly maxLength?: number;
  /** Reports whether a string matches the format, apart from its length. */
  readonly matches: (value: string) => boolean;
}

const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const SEARCH_LABEL = /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const PORT_NAME = /^(?!-)(?!.*--)(?=.*[a-z])[-a-z0-9]+(?<!-)$/;
const SYSCTL_SEGMENT = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

/**
 * Reports whether a string matches `iqn\.\d{4}-\d{2}\.([[:alnum:]-.]+)(:[^,;*&$|\s]+)$` anywhere, as Go's RE2 does. A pattern of JavaScript would
 * take quadratic time for many beginnings.
 */
function isQualifiedInitiatorName(value: string): boolean {
  const afterLastForbidden = value.split(/[,;*&$|\t\n\f\r ]/).at(-1)!;
  // The last character is after the colon.
  const parts = afterLastForbidden.slice(0, -1).split(/([^A-Za-z0-9.-])/);
  return parts.some((name, index) => parts[index + 1] === ':' && /iqn\.\d{4}-\d{2}\../.test(name));
}

/** Reports whether each part of a string between separators matches. */
function matchesEachPart(value: string, separator: RegExp | string, part: RegExp): boolean {
  // Most strings have one part, and splitting would take most of the time.
  return part.test(value) || value.split(separator).every((each) => part.test(each));
}

const SUBDOMAIN_LENGTH = 253;
const LABEL_LENGTH = 63;

function isSubdomain(value: string): boolean {
  return value.length <= SUBDOMAIN_LENGTH && matchesEachPart(value, '.', DNS_LABEL);
}

/** Reports whether a string is a name of at most 63 characters with an optional domain prefix: `example.com/role`. */
function isQualifiedName(value: string): boolean {
  const slash = value.lastIndexOf('/');
  const name = value.slice(slash + 1);
  return name.length <= LABEL_LENGTH && QUALIFIED_NAME.test(name) && (slash < 0 || isSubdomain(value.slice(0, slash)));
}

/** Reports whether a file name would point outside its folder. */
function isParentPath(value: string): boolean {
  return value === '.' || value.startsWith('..');
}

/** Reports whether a string is an address for Go's sloppy parser, which allows leading zeros. */
function isAddress(value: string): boolean {
  const bytes = value.split('.');
  if (bytes.length === 4 && bytes.every((byte) => /^[0-9]+$/.test(byte) && Number(byte) <= 255)) return true;
  return isAddress6(value);
}

function isAddress6(value: string): boolean {
  if (!value.includes(':') || !/^[0-9A-Fa-f:.]+$/.test(value) || value.split('::').length > 2) return false;
  const [head = '', tail] = value.split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const groups = [...groupsOf(head), ...groupsOf(tail ?? '')];
  const last = groups.at(-1) ?? '';
  const isMapped = last.includes('.');
  if (isMapped && !isAddress(last)) return false;
  const plain = isMapped ? groups.slice(0, -1) : groups;
  const count = plain.length + (isMapped ? 2 : 0);
  return plain.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group)) && (tail === undefined ? count === 8 : count < 8);
}

function isSignerName(value: string): boolean {
  const [domain = '', path, ...more] = value.split('/');
  if (path === undefined || more.length > 0) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((label) => label.length <= LABEL_LENGTH && DNS_LABEL.test(label)) && isSubdomain(path);
}

/** Reports whether a string is the name of a ClusterTrustBundle: a subdomain, prefixed by the signer's name with colons if it has one. */
function isTrustBundleName(value: string): boolean {
  return isSubdomain(value.slice(value.lastIndexOf(':') + 1));
}

/** Source: apimachinery `pkg/util/validation/validation.go`. */
const FORMATS_BY_NAME = {
  'dns-label': {
    description: 'a DNS label (lower-case letters, digits and hyphens, a letter or digit at both ends)',
    example: 'web-1',
    maxLength: LABEL_LENGTH,
    matches: (value) => DNS_LABEL.test(value),
  },
  'dns-subdomain': {
    description: 'a DNS name (lower-case letters, digits, hyphens and dots, a letter or digit at both ends of each part)',
    example: 'web-1.shop',
    maxLength: SUBDOMAIN_LENGTH,
    matches: (value) => matchesEachPart(value, '.', DNS_LABEL),
  },
  'dns-1035-label': {
    description: 'a DNS label that begins with a letter (lower-case letters, digits and hyphens, a letter or digit at the end)',
    example: 'web-1',
    maxLength: LABEL_LENGTH,
    matches: (value) => /^[a-z]/.test(value) && DNS_LABEL.test(value),
  },
  'path-segment': {
    description: 'a name that fits into a URL (without / and %, and neither . nor ..)',
    example: 'web:read',
    matches: (value) => value !== '.' && value !== '..' && !/[/%]/.test(value),
  },
  'search-domain': {
    description: 'a DNS name (lower-case letters, digits, hyphens, underscores and dots)',
    example: 'shop.example.com',
    maxLength: SUBDOMAIN_LENGTH,
    matches: (value) => matchesEachPart(value, '.', SEARCH_LABEL),
  },
  'qualified-name': {
    description: 'a name of at most 63 letters, digits, hyphens, underscores and dots, with an optional prefix of a domain and a slash',
    example: 'example.com/role',
    matches: isQualifiedName,
  },
  'annotation-name': {
    description: 'a name of at most 63 letters, digits, hyphens, underscores and dots, with an optional prefix of a domain and a slash',
    example: 'example.com/note',
    matches: (value) => isQualifiedName(value.toLowerCase()),
  },
  'label-value': {
    description: 'a label value (letters, digits, hyphens, underscores and dots, a letter or digit at both ends, or nothing)',
    example: 'web_1.2',
    maxLength: LABEL_LENGTH,
    matches: (value) => value === '' || QUALIFIED_NAME.test(value),
  },
  'port-name': {
    description: 'a port name (lower-case letters, digits and single hyphens, at least one letter, no hyphen at the ends)',
    example: 'http',
    maxLength: 15,
    matches: (value) => PORT_NAME.test(value),
  },
  'variable-name': {
    description: 'a variable name (printable ASCII characters other than =)',
    example: 'WEB_MODE',
    matches: (value) => /^[ -<>-~]+$/.test(value),
  },
  'variable-name-before-1.32': {
    description: 'a variable name (letters, digits, underscores, hyphens and dots, not starting with a digit)',
    example: 'WEB_MODE',
    matches: (value) => /^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(value) && !isParentPath(value),
  },
  'config-key': {
    description: 'a key of a ConfigMap or Secret (letters, digits, hyphens, underscores and dots)',
    example: 'app.conf',
    maxLength: SUBDOMAIN_LENGTH,
    matches: (value) => /^[-._a-zA-Z0-9]+$/.test(value) && !isParentPath(value),
  },
  'header-name': {
    description: 'the name of an HTTP header (letters, digits and hyphens)',
    example: 'X-Probe',
    matches: (value) => /^[-A-Za-z0-9]+$/.test(value),
  },
  'ip-address': { description: 'an IP address', example: '10.9.8.7', matches: isAddress },
  sysctl: {
    description: 'the name of a kernel parameter',
    example: 'net.core.somaxconn',
    maxLength: SUBDOMAIN_LENGTH,
    matches: (value) => matchesEachPart(value, /[./]/, SYSCTL_SEGMENT),
  },
  'signer-name': { description: 'the name of a signer (a domain and a path)', example: 'example.com/signer', matches: isSignerName },
  'trust-bundle-name': { description: 'the name of a ClusterTrustBundle', example: 'example.com:signer:roots', matches: isTrustBundleName },
  'initiator-name': {
    description: 'an iSCSI name (iqn., eui. or naa.)',
    example: 'iqn.2001-04.com.example:storage',
    matches: (value) =>
      (value.startsWith('iqn') && isQualifiedInitiatorName(value)) ||
      /^eui.[A-Za-z0-9]{16}$/.test(value) ||
      /^naa.[A-Za-z0-9]{32}$/.test(value),
  },
  registry: {
    description: 'a host and a port, or a comma-separated list of these',
    example: 'registry.example.com:7861',
    matches: (value) => value.split(',').every((pair) => /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)),
  },
  'managed-disk': {
    description: 'the URI of a managed disk',
    example: '/subscriptions/…',
    matches: (value) => value.startsWith('/subscriptions/'),
  },
  'blob-disk': { description: 'the URI of a blob', example: 'https://…', matches: (value) => value.startsWith('https://') },
  'windows-user': {
    description: 'a Windows user (without control characters and "/\\:;|=,+*?<>@[]), with an optional prefix of a domain and a backslash',
    example: 'NT AUTHORITY\\\\SYSTEM',
    matches: isWindowsUser,
  },
  finalizer: {
    description: 'a finalizer with a domain, or one of the three of Kubernetes',
    example: 'example.com/guard',
    matches: (value) => isQualifiedName(value) && (value.includes('/') || ['kubernetes', 'orphan', 'foregroundDeletion'].includes(value)),
  },
} as const satisfies Readonly<Record<string, Format>>;

const DOMAIN_LABEL = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

function isWindowsUser(value: string): boolean {
  const parts = value.split('\\');
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(value) || parts.length > 2) return false;
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0]! : undefined;
  if (domain !== undefined && (domain.length >= 256 || !(NET_BIOS.test(domain) || matchesEachPart(domain, '.', DOMAIN_LABEL))))
    return false;
  return user !== '' && user.length <= 104 && !/^[. ]+$/.test(user) && !/["/\\:;|=,+*?<>@[\]]/.test(user);
}

export type FormatName = keyof typeof FORMATS_BY_NAME;

/** The formats of names and other strings of a workload. */
export const TEXT_FORMATS: Readonly<Record<FormatName, Format>> = FORMATS_BY_NAME;
