import { fitsFormat } from '../formats';
import { isRequestUrl } from './go-url';

/* Source: apiserver v0.34 pkg/cel/library/format.go, and apimachinery pkg/util/validation. */

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const MOST_OF_LABEL = 63;
const MOST_OF_SUBDOMAIN = 253;

type Validity = (text: string) => boolean;

function upTo(most: number, pattern: RegExp): Validity {
  return (text) => Buffer.byteLength(text) <= most && pattern.test(text);
}

/** A prefix may end with a dash, since more is to come. */
function ofPrefix(isValid: Validity): Validity {
  return (text) => isValid(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

const isLabel = upTo(MOST_OF_LABEL, LABEL);
const isLabel1035 = upTo(MOST_OF_LABEL, LABEL_1035);
const isSubdomain = upTo(MOST_OF_SUBDOMAIN, SUBDOMAIN);

function isQualifiedName(text: string): boolean {
  const parts = text.split('/');
  const name = parts.at(-1)!;
  const isPrefixed = parts.length === 1 || (parts.length === 2 && isSubdomain(parts[0]!));
  return isPrefixed && upTo(MOST_OF_LABEL, QUALIFIED)(name);
}

function isOfSchema(format: string): Validity {
  return (text) => fitsFormat(text, format);
}

/** The named formats of expressions, `format.dns1123Label()`. */
export const NAMED_FORMATS: Readonly<Record<string, Validity>> = {
  dns1123Label: isLabel,
  dns1123Subdomain: isSubdomain,
  dns1035Label: isLabel1035,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: ofPrefix(isLabel),
  dns1123SubdomainPrefix: ofPrefix(isSubdomain),
  dns1035LabelPrefix: ofPrefix(isLabel1035),
  labelValue: (text) => text === '' || upTo(MOST_OF_LABEL, QUALIFIED)(text),
  uri: isRequestUrl,
  uuid: isOfSchema('uuid'),
  byte: isOfSchema('byte'),
  date: isOfSchema('date'),
  datetime: isOfSchema('datetime'),
};
