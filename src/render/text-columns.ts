import { isPrintableAscii } from '../core/escape-output';

/** What a terminal obeys and does not show: the colours of the palette. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const COLOUR_CODES = /\u001b\[[0-9;]*m/g;

/** Is a character drawn over the one before it, or not at all? */
function isZeroWidth(character: string): boolean {
  return /^[\p{Mark}\p{Cf}]$/u.test(character);
}

/** Halves of what is else as wide as high. */
const HALF_WIDTH = /^[\uff61-\uffdc\uffe8-\uffee]$/;

/** Does it take two columns: an emoji, or what Chinese, Japanese and Korean are written in? Source: Unicode 16, UAX #11, East_Asian_Width W and F. */
function isDoubleWidth(character: string): boolean {
  if (HALF_WIDTH.test(character)) return false;
  return /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u.test(
    character,
  );
}

function measureCharacter(character: string): number {
  if (isZeroWidth(character)) return 0;
  return isDoubleWidth(character) ? 2 : 1;
}

/** A text without what colours it. */
export function stripColours(text: string): string {
  return text.replaceAll(COLOUR_CODES, '');
}

/** Columns that a text takes on a terminal. */
export function measureColumns(text: string): number {
  const plain = stripColours(text);
  if (isPrintableAscii(plain)) return plain.length;
  return Array.from(plain).reduce((sum, character) => sum + measureCharacter(character), 0);
}
