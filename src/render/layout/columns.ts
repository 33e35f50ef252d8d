import { isPrintableAscii } from '../../core/text/escape-output';

/** Escape sequences of the palette's colours, which take no columns. */
// oxlint-disable-next-line no-control-regex -- the pattern matches escape sequences
const COLOUR_CODES = /\u001b\[[0-9;]*m/g;

/** Reports whether a character takes no column: a combining mark or a format character. */
function isZeroWidth(character: string): boolean {
  return /^[\p{Mark}\p{Cf}]$/u.test(character);
}

/** Half-width forms of characters that are otherwise two columns wide. */
const HALF_WIDTH = /^[\uff61-\uffdc\uffe8-\uffee]$/;

/** Reports whether a character takes two columns: an emoji, or a Chinese, Japanese or Korean character. Source: Unicode 16, UAX #11, East_Asian_Width W and F. */
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

/** Returns the text without colour codes. */
export function stripColours(text: string): string {
  return text.replaceAll(COLOUR_CODES, '');
}

/** Returns the number of columns that a text takes on a terminal. */
export function measureColumns(text: string): number {
  const plain = stripColours(text);
  if (isPrintableAscii(plain)) return plain.length;
  return Array.from(plain).reduce((sum, character) => sum + measureCharacter(character), 0);
}
