import { isPlainText } from '../core/visible';

/** What a terminal obeys and does not show: the colours of the palette. */
// oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Is a character drawn over the one before it, or not at all? */
function isUnseen(character: string): boolean {
  return /^[\p{Mark}\p{Cf}]$/u.test(character);
}

/** Halves of what is else as wide as high. */
const HALVES = /^[\uff61-\uffdc\uffe8-\uffee]$/;

/** Does it take two columns: an emoji, or what Chinese, Japanese and Korean are written in? Source: Unicode 16, UAX #11, East_Asian_Width W and F. */
function isWide(character: string): boolean {
  if (HALVES.test(character)) return false;
  return /^[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u.test(
    character,
  );
}

function columnsOfCharacter(character: string): number {
  if (isUnseen(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/** A text without what colours it. */
export function withoutColours(text: string): string {
  return text.replaceAll(COLOURS, '');
}

/** Columns that a text takes on a terminal. */
export function columnsOf(text: string): number {
  const shown = withoutColours(text);
  if (isPlainText(shown)) return shown.length;
  return Array.from(shown).reduce((sum, character) => sum + columnsOfCharacter(character), 0);
}
