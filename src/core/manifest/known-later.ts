import { isClassInstance } from './manifest';

/**
 * Prefix of a text in place of a value that an adapter knows only later. It is random for each run, so that users can't forge it in props. It is
 * valid in names and labels, so that checks of those pass.
 */
export const KNOWN_LATER_PREFIX = `rolloutkit-known-later-${crypto.getRandomValues(new Uint8Array(8)).join('-')}-`;

/** Reports whether a value is known only later: a token of an adapter, or a text with a placeholder. */
export function isKnownLater(value: unknown): boolean {
  return isClassInstance(value) || (typeof value === 'string' && value.includes(KNOWN_LATER_PREFIX));
}
