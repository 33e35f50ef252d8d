import {
  LABEL_1035_MESSAGE,
  LABEL_VALUE_MESSAGE,
  LABEL_MESSAGE,
  NAME_PART_MESSAGE,
  SUBDOMAIN_MESSAGE,
  TOO_MANY_PARTS_MESSAGE,
  formatLengthMessage,
} from '../../core/errors/name-format-messages';
import { fitsFormat } from '../schema-formats';
import { isRequestUrl } from './go-url';

/* Source: apiserver v0.34 pkg/cel/library/format.go, and apimachinery pkg/util/validation. */

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const MAX_LABEL_LENGTH = 63;
const MAX_SUBDOMAIN_LENGTH = 253;

/** Returns what is wrong with a text, in the server's wording; empty if it has the format. */
type FormatCheck = (text: string) => readonly string[];

function createPatternCheck(maxLength: number, pattern: RegExp, message: string): FormatCheck {
  return (text) => [
    ...(Buffer.byteLength(text) > maxLength ? [formatLengthMessage(maxLength)] : []),
    ...(pattern.test(text) ? [] : [message]),
  ];
}

/** Wraps the check of a prefix, which may end with a dash since more text follows. */
function wrapPrefixCheck(check: FormatCheck): FormatCheck {
  return (text) => check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

const checkLabel = createPatternCheck(MAX_LABEL_LENGTH, LABEL, LABEL_MESSAGE);
const checkLabel1035 = createPatternCheck(MAX_LABEL_LENGTH, LABEL_1035, LABEL_1035_MESSAGE);
const checkSubdomain = createPatternCheck(MAX_SUBDOMAIN_LENGTH, SUBDOMAIN, SUBDOMAIN_MESSAGE);
const checkNamePart = createPatternCheck(MAX_LABEL_LENGTH, QUALIFIED, NAME_PART_MESSAGE);
const checkLabelValue = createPatternCheck(MAX_LABEL_LENGTH, QUALIFIED, LABEL_VALUE_MESSAGE);

/** Checks a label. A valid subdomain gets a message about its dots. */
function checkLabelWithoutDots(text: string): readonly string[] {
  return checkLabel(text).map((message) => (message === LABEL_MESSAGE && SUBDOMAIN.test(text) ? 'must not contain dots' : message));
}

function checkPrefixDomain(prefix: string): readonly string[] {
  return prefix === '' ? ['must be non-empty'] : checkSubdomain(prefix);
}

function checkQualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) return [TOO_MANY_PARTS_MESSAGE];
  return [
    ...(parts.length === 2 ? checkPrefixDomain(parts[0]!).map((message) => `prefix part ${message}`) : []),
    ...[...(name === '' ? ['must be non-empty'] : []), ...checkNamePart(name)].map((message) => `name part ${message}`),
  ];
}

function createFormatCheck(format: string, message: string): FormatCheck {
  return (text) => (fitsFormat(text, format) ? [] : [message]);
}

/** The format whose messages come from Go's URL parser; these messages are not known here. */
export const UNWORDED_FORMAT = 'format.uri';

/** Named formats of expressions: `format.dns1123Label()`. */
export const NAMED_FORMATS: Readonly<Record<string, FormatCheck>> = {
  dns1123Label: checkLabelWithoutDots,
  dns1123Subdomain: checkSubdomain,
  dns1035Label: checkLabel1035,
  qualifiedName: checkQualifiedName,
  dns1123LabelPrefix: wrapPrefixCheck(checkLabelWithoutDots),
  dns1123SubdomainPrefix: wrapPrefixCheck(checkSubdomain),
  dns1035LabelPrefix: wrapPrefixCheck(checkLabel1035),
  labelValue: (text) => (text === '' ? [] : checkLabelValue(text)),
  uri: (text) => (isRequestUrl(text) ? [] : ['']),
  uuid: createFormatCheck('uuid', 'does not match the UUID format'),
  byte: createFormatCheck('byte', 'invalid base64'),
  date: createFormatCheck('date', 'invalid date'),
  datetime: createFormatCheck('datetime', 'invalid datetime'),
};
