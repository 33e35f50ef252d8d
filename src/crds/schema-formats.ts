import { isIP, isIPv4, isIPv6 } from 'node:net';

const MAX_INT32 = 2_147_483_647;

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match || !isDate(match[1]!)) return false;
  return Number(match[2]) <= 23 && Number(match[3]) <= 59 && Number(match[4]) <= 59;
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const family = isIP(address);
  return rest.length === 0 && family > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

/** Reports whether a text is base64, padded to complete groups of four characters. */
function isBytes(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Text formats that the API server checks and that are also checked here. Source: kube-openapi pkg/validation/strfmt. */
const TEXT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': isDateTime,
  datetime: isDateTime,
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  byte: isBytes,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
};

/** Formats that the API server checks and that are not checked here. */
export const UNCHECKED_FORMATS: ReadonlySet<string> = new Set([
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'mac',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'duration',
  'k8s-short-name',
  'k8s-long-name',
]);

/** Reports whether a value fits its format, if the format is checked here. Unknown formats always fit, as in the API server. */
export function fitsFormat(value: unknown, format: string): boolean {
  if (typeof value === 'string') return !Object.hasOwn(TEXT_FORMATS, format) || TEXT_FORMATS[format]!(value);
  if (typeof value !== 'number') return true;
  if (format === 'int32') return value >= -MAX_INT32 - 1 && value <= MAX_INT32;
  return true;
}
