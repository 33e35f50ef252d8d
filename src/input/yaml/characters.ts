/** Codes of the characters that have a meaning in YAML. A hot loop should destructure them into constants, which are faster to read. */
export const CHARACTER_CODES = {
  /** Read after the last character. */
  END: 0,
  TAB: 9,
  LF: 10,
  CR: 13,
  SPACE: 32,
  EXCLAMATION: 33,
  DOUBLE_QUOTE: 34,
  HASH: 35,
  PERCENT: 37,
  SINGLE_QUOTE: 39,
  PLUS: 43,
  COMMA: 44,
  DASH: 45,
  DOT: 46,
  ZERO: 48,
  NINE: 57,
  COLON: 58,
  GREATER: 62,
  QUESTION: 63,
  OPEN_BRACKET: 91,
  BACKSLASH: 92,
  CLOSE_BRACKET: 93,
  OPEN_BRACE: 123,
  BAR: 124,
  CLOSE_BRACE: 125,
} as const;

export const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Builds a set of ASCII characters: an array with 1 at the code of each. */
export function buildCharacterTable(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

/** Builds a set of character codes, not limited to ASCII. */
export function toCodeSet(characters: string): ReadonlySet<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}
