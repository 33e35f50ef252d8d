/** Names of variables with secret values. */
const SECRET_NAME_PATTERN = /pass(word|wd|phrase)?|secret|token|credential|private|api[-_]?key|access[-_]?key|auth/i;

/** Reports whether the name of a variable means that its value is secret. */
export function isSecretName(name: unknown): boolean {
  return typeof name === 'string' && SECRET_NAME_PATTERN.test(name);
}

/** Suffixes of keys with secret values: `db.password`, but not `passwordPolicy` or `secretName`. */
const SECRET_KEY_PATTERN = /(?:password|passwd|passphrase|secret|token|credentials?|private[-_]?key|api[-_]?key|access[-_]?key)$/i;

/** Reports whether a key of a map without a type means that its value is secret. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY_PATTERN.test(key);
}

/** A line that assigns a value to a secret, or gzip in base64, which a reader cannot inspect. */
const SECRET_LINE_PATTERN = /(?:pass(?:word|wd|phrase)|secret|token|credentials?|(?:private|api|access)[-_]?key)["']?\s*[:=]\s*\S|^H4sI/i;

/** The kind of a Secret or of a generator of Secrets as YAML or JSON, also in a quoted text, with a tag or an anchor too, or one that is an alias. */
const SECRET_KIND_PATTERN = /kind\\{0,9}["']?\s{0,99}:\s{0,99}(?:\*|[^\s:,{}]{0,40}\s{0,99}["']?Secret(?:Generator|List)?\b)/i;

/** The field that only Secrets have, such as in a patch of one. */
const SECRET_DATA_PATTERN = /\bstringData\b/;

/** An escaped letter of the Latin alphabet, which only hides a word. */
const ESCAPED_LETTER_PATTERN = /\\(?:x|u00|U000000)[4-7][0-9a-f]/i;

/** Reports whether a text that is itself a file contains a secret. */
export function containsSecretText(text: string): boolean {
  return [SECRET_LINE_PATTERN, SECRET_KIND_PATTERN, SECRET_DATA_PATTERN, ESCAPED_LETTER_PATTERN].some((pattern) => pattern.test(text));
}

/** Reports whether a text has the kind or the field of a Secret as they are usually written. */
export function containsSecretKind(text: string): boolean {
  return SECRET_KIND_PATTERN.test(text) || SECRET_DATA_PATTERN.test(text);
}
