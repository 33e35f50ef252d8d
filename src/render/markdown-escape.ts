import { escapeForTerminal } from '../core/escape-output';

/** What Markdown, HTML or GitHub gives a meaning to: marks, tags, entities, mentions, links. */
const SPECIAL_CHARACTERS = /[\\`*_{}[\]<>#|~!$&@]|:(?=\S)|(?<=www)\./g;

function encodeEntities(text: string): string {
  return text.replaceAll(SPECIAL_CHARACTERS, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Text of the input as Markdown prose that shows it as it is, on one line. */
export function escapeMarkdown(text: string): string {
  return encodeEntities(escapeForTerminal(text));
}

/** Text of the input as code; what a code span in a table can't hold is written as HTML. */
export function formatMarkdownCode(text: string): string {
  const escaped = escapeForTerminal(text);
  return /^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(escaped) ? `\`${escaped}\`` : `<code>${encodeEntities(escaped)}</code>`;
}
