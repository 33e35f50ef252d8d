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

/** A line that assigns a value to a secret, a Secret manifest, or gzip in base64, which a reader cannot inspect. */
const SECRET_TEXT_PATTERN =
  /(?:pass(?:word|wd|phrase)|secret|token|credentials?|(?:private|api|access)[-_]?key)["']?\s*[:=]\s*\S|kind:\s*["']?Secret\b|^H4sI/i;

/** Reports whether a text that is itself a file contains a secret. */
export function containsSecretText(text: string): boolean {
  return SECRET_TEXT_PATTERN.test(text);
}
