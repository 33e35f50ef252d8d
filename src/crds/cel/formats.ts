import {
  LABEL_1035_WORDS,
  LABEL_VALUE_WORDS,
  LABEL_WORDS,
  NAME_PART_WORDS,
  SUBDOMAIN_WORDS,
  TOO_MANY_PARTS_WORDS,
  lengthWords,
} from '../../core/name-words';
import { fitsFormat } from '../formats';
import { isRequestUrl } from './go-url';

/* Source: apiserver v0.34 pkg/cel/library/format.go, and apimachinery pkg/util/validation. */

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const LABEL_1035 = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const QUALIFIED = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const MOST_OF_LABEL = 63;
const MOST_OF_SUBDOMAIN = 253;

/** What is wrong with a text, in the server's words; nothing where it has the form. */
type Wrongs = (text: string) => readonly string[];

function upTo(most: number, pattern: RegExp, words: string): Wrongs {
  return (text) => [...(Buffer.byteLength(text) > most ? [lengthWords(most)] : []), ...(pattern.test(text) ? [] : [words])];
}

/** A prefix may end with a dash, since more is to come. */
function ofPrefix(wrongs: Wrongs): Wrongs {
  return (text) => wrongs(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);
}

const ofLabel = upTo(MOST_OF_LABEL, LABEL, LABEL_WORDS);
const ofLabel1035 = upTo(MOST_OF_LABEL, LABEL_1035, LABEL_1035_WORDS);
const ofSubdomain = upTo(MOST_OF_SUBDOMAIN, SUBDOMAIN, SUBDOMAIN_WORDS);
const ofNamePart = upTo(MOST_OF_LABEL, QUALIFIED, NAME_PART_WORDS);
const ofLabelValue = upTo(MOST_OF_LABEL, QUALIFIED, LABEL_VALUE_WORDS);

/** A label with dots is told so. */
function ofLabelWithoutDots(text: string): readonly string[] {
  return ofLabel(text).map((wrong) => (wrong === LABEL_WORDS && SUBDOMAIN.test(text) ? 'must not contain dots' : wrong));
}

function ofDomain(prefix: string): readonly string[] {
  return prefix === '' ? ['must be non-empty'] : ofSubdomain(prefix);
}

function ofQualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  const name = parts.at(-1)!;
  if (parts.length > 2) return [TOO_MANY_PARTS_WORDS];
  return [
    ...(parts.length === 2 ? ofDomain(parts[0]!).map((wrong) => `prefix part ${wrong}`) : []),
    ...[...(name === '' ? ['must be non-empty'] : []), ...ofNamePart(name)].map((wrong) => `name part ${wrong}`),
  ];
}

function ofSchema(format: string, words: string): Wrongs {
  return (text) => (fitsFormat(text, format) ? [] : [words]);
}

/** The format whose words are those of Go's parser of URLs, which are not known here. */
export const WORDLESS_FORMAT = 'format.uri';

/** The named formats of expressions, `format.dns1123Label()`. */
export const NAMED_FORMATS: Readonly<Record<string, Wrongs>> = {
  dns1123Label: ofLabelWithoutDots,
  dns1123Subdomain: ofSubdomain,
  dns1035Label: ofLabel1035,
  qualifiedName: ofQualifiedName,
  dns1123LabelPrefix: ofPrefix(ofLabelWithoutDots),
  dns1123SubdomainPrefix: ofPrefix(ofSubdomain),
  dns1035LabelPrefix: ofPrefix(ofLabel1035),
  labelValue: (text) => (text === '' ? [] : ofLabelValue(text)),
  uri: (text) => (isRequestUrl(text) ? [] : ['']),
  uuid: ofSchema('uuid', 'does not match the UUID format'),
  byte: ofSchema('byte', 'invalid base64'),
  date: ofSchema('date', 'invalid date'),
  datetime: ofSchema('datetime', 'invalid datetime'),
};
