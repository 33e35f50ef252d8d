/** Is every character of a text shown by every terminal, in one column each? Nearly all texts are such. */
export function isPrintableAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/**
 * Replaces characters that a terminal or an editor obeys or leaves out instead of showing them: controls, line separators, changes of direction,
 * soft hyphens, joiners, tags, variation selectors, halves of a surrogate pair. By the classes of Unicode, so that none is forgotten;
 * and signs that are drawn as nothing, which no class holds: the empty Braille pattern, the empty note head.
 */
function replaceControlCharacters(text: string, replacement: (character: string) => string): string {
  if (isPrintableAscii(text)) return text;
  // Not read before it is needed: to look up the classes takes as long as to load ten modules.
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu, replacement);
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A character as JSON escapes it: `\u001b`, `\udb40\udc41`. */
export function escapeUnicode(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** What Azure Pipelines takes for a command wherever it stands in a line: `##vso[`, `##[`. */
const AZURE_COMMAND = /##(?=vso\[|\[)/gi;

/** What GitHub takes for a command at the beginning of a line, blanks before it apart: `::error::`. */
const GITHUB_COMMAND = /^ *::/;

/**
 * Text of the input made safe to print: what a terminal would obey is shown as `\u001b`, so that it stays text on its line,
 * and so is the first character of what a log of CI would take for a command.
 */
export function escapeForTerminal(text: string): string {
  return replaceControlCharacters(text, (character) => SHORT_ESCAPES[character] ?? escapeUnicode(character))
    .replaceAll(AZURE_COMMAND, '\\u0023#')
    .replace(GITHUB_COMMAND, (begin) => begin.replace(':', '\\u003a'));
}

/** The same of a text of several lines, which stay lines. */
export function escapeLinesForTerminal(text: string): string {
  return text.split('\n').map(escapeForTerminal).join('\n');
}

/** JSON without the characters that a terminal obeys, and without what a log of CI would take for a command: escaped, they mean the same. */
export function escapeJsonForTerminal(json: string): string {
  return replaceControlCharacters(json, (character) => (character === '\n' ? character : escapeUnicode(character))).replaceAll(
    AZURE_COMMAND,
    '\\u0023#',
  );
}

/** A value of the input as one short piece of text: `25%`, `{"maxSurge":1}`; digits in quotes, which are no number, as `"1"`. */
export function formatValueForTerminal(value: unknown): string {
  const isPlain = typeof value === 'string' && !/^\d+$/.test(value);
  return escapeForTerminal(isPlain ? value : (JSON.stringify(value) ?? 'none'));
}
