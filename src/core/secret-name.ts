/** Names of variables whose value says something that nobody is to read. */
const SECRET_NAME_PATTERN = /pass(word|wd|phrase)?|secret|token|credential|private|api[-_]?key|access[-_]?key|auth/i;

/** Does the name of a variable say that its value is secret? */
export function isSecretName(name: unknown): boolean {
  return typeof name === 'string' && SECRET_NAME_PATTERN.test(name);
}

/** The ends of keys whose value is one: `db.password`, and not `passwordPolicy` or `secretName`. */
const SECRET_KEY_PATTERN = /(?:password|passwd|passphrase|secret|token|credentials?|private[-_]?key|api[-_]?key|access[-_]?key)$/i;

/** Does the key of a map that is nobody's type say so? */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY_PATTERN.test(key);
}

/** A line of a file that gives a secret its value, the kind of one, or what no person can read: gzip in base64. */
const SECRET_TEXT_PATTERN =
  /(?:pass(?:word|wd|phrase)|secret|token|credentials?|(?:private|api|access)[-_]?key)["']?\s*[:=]\s*\S|kind:\s*["']?Secret\b|^H4sI/i;

/** Does a text that is itself a file hold a secret? */
export function containsSecretText(text: string): boolean {
  return SECRET_TEXT_PATTERN.test(text);
}
