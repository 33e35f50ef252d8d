import { visible } from '../core/visible';

/** What Markdown, HTML or GitHub gives a meaning to: marks, tags, entities, mentions, links. */
const MARKS = /[\\`*_{}[\]<>#|~!$&@]|:(?=\S)|(?<=www)\./g;

function entities(text: string): string {
  return text.replaceAll(MARKS, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Text of the input as Markdown prose that shows it as it is, on one line. */
export function markdownText(text: string): string {
  return entities(visible(text));
}

/** Text of the input as code; what a code span in a table can't hold is written as HTML. */
export function markdownCode(text: string): string {
  const shown = visible(text);
  return /^[^\s`|\\](?:[^`|\\]*[^\s`|\\])?$/.test(shown) ? `\`${shown}\`` : `<code>${entities(shown)}</code>`;
}
