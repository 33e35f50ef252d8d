import { buildFieldPath } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { isFields } from '../core/manifest/manifest';
import { toShownTrail } from '../core/manifest/secret-holder';
import { createNotFiniteFinding } from '../core/rules/wrong-type';
import type { PlacedDocument } from './read-document';

/**
 * Text of a number of YAML that is infinite or NaN, or of a tag, which may make an escaped text such a number. Few documents have one, so that only
 * their values are visited.
 */
const NOT_FINITE_YAML = /\.(?:nan|inf)|!/i;

/** Text of a number of JSON that may be infinite: without two digits of an exponent, it has 300 digits. */
const NOT_FINITE_JSON = /\de\+?\d{2}|(?<!\d)\d{290}/i;

/** Returns the trail of the first number that is infinite or NaN. */
function findNotFinite(value: unknown): readonly (string | number)[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (!Array.isArray(value) && !isFields(value)) return undefined;
  for (const [key, inner] of Object.entries(value as object)) {
    const found = findNotFinite(inner);
    if (found) return [Array.isArray(value) ? Number(key) : key, ...found];
  }
  return undefined;
}

/**
 * Finds a number of a document that JSON cannot represent. kubectl cannot encode the document, whatever the kind of its object. YAML with
 * `1e999` is text, but JSON with it is an infinity. Source: sigs.k8s.io/yaml 1.6 `YAMLToJSON`.
 */
export function findNotFiniteNumber({ value, chunk, text }: PlacedDocument): Finding | undefined {
  if (!(chunk.json ? NOT_FINITE_JSON : NOT_FINITE_YAML).test(text.textOf(chunk))) return undefined;
  const trail = findNotFinite(value);
  if (!trail) return undefined;
  return createNotFiniteFinding(buildFieldPath(...toShownTrail(value, trail)), text.locate(chunk, trail));
}
