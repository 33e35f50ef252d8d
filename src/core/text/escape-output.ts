import { formatNumber } from './text-format';

/** Reports whether every terminal shows all characters of a text in one column each, which is true for nearly all texts. */
export function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Replaces characters that a terminal or an editor interprets or omits instead of showing them: control characters, line separators,
 * direction changes, soft hyphens, joiners, tags, variation selectors, halves of a surrogate pair, noncharacters. Unicode classes cover
 * all of these. Some characters that are drawn as nothing belong to no class: the empty Braille pattern, the empty note head, the blanks of
 * Egyptian hieroglyphs, the Khitan filler and the Brahmi joiner.
 */
function replaceControlCharacters(text: string, replacement: (character: string) => string): string {
  if (isPrintableAscii(text)) return text;
  // The pattern is compiled only when it is needed: looking up the classes takes as long as loading ten modules.
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}\u{16fe4}\u{1107f}]/gu,
    replacement,
  );
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a character as JSON does: `\u001b`, `\udb40\udc41`. */
export function escapeUnicode(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Commands of Azure Pipelines and TeamCity, at any position in a line: `##vso[`, `##[`, `##teamcity[`. */
const LOG_COMMAND = /##(?=vso\[|teamcity\[|\[)/gi;

/** Commands of GitHub at the beginning of a line: `::error::`. The runner skips all white space of Unicode before them. */
const GITHUB_COMMAND = /^\s*::/;

/** Escapes the beginning of a line that GitHub would interpret as a command. */
export function escapeGithubCommand(line: string): string {
  return line.replace(GITHUB_COMMAND, (begin) => begin.replace(':', '\\u003a'));
}

/**
 * Makes text of the input safe to print. A character that a terminal would interpret is shown as `\u001b`, so that it stays text on its
 * line.
 * The first character of a command for a CI log is escaped in the same way.
 */
export function escapeForTerminal(text: string): string {
  const shown = replaceControlCharacters(text, (character) => SHORT_ESCAPES[character] ?? escapeUnicode(character));
  return escapeGithubCommand(shown.replaceAll(LOG_COMMAND, '\\u0023#'));
}

/** Makes each line of a text safe to print and keeps the line breaks. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

/** Escapes the characters of JSON that a terminal interprets, and commands for a CI log. The escaped JSON means the same. */
export function escapeJsonForTerminal(json: string): string {
  return replaceControlCharacters(json, (character) => (character === '\n' ? character : escapeUnicode(character))).replaceAll(
    LOG_COMMAND,
    '\\u0023#',
  );
}

/** Formats a value of the input as one short text: `25%`, `{"maxSurge":1}`. A text of digits is quoted, since it is not a number: `"1"`. */
export function formatValueForTerminal(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  const isPlain = typeof value === 'string' && !/^\d+$/.test(value);
  return escapeForTerminal(isPlain ? value : (JSON.stringify(value) ?? 'none'));
}
