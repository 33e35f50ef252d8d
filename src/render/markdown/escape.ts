import { escapeForTerminal } from '../../core/text/escape-output';

/** Characters that Markdown, HTML or GitHub interprets: marks, tags, entities, mentions, links. */
const SPECIAL_CHARACTERS = /[\\`*_{}[\]<>#|~!$&@]|:(?=\S)|(?<=www)\./g;

function encodeEntities(text: string): string {
  return text.replaceAll(SPECIAL_CHARACTERS, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Escapes text of the input so that Markdown shows it literally, on one line. */
export function escapeMarkdown(text: string): string {
  return encodeEntities(escapeForTerminal(text));
}

/** Formats text of the input as code. Text that a code span in a table can't contain is written as HTML. */
export function formatMarkdownCode(text: string): string {
  const escaped = escapeForTerminal(text);
  return /^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(escaped) ? `\`${escaped}\`` : `<code>${encodeEntities(escaped)}</code>`;
}
