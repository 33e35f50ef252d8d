import { escapeMarkdown } from './markdown-escape';

/** Lines of Markdown, folded under a line of their own. */
export function renderDetailsBlock(summary: string, lines: readonly string[]): string[] {
  return ['', `<details><summary>${escapeMarkdown(summary)}</summary>`, '', ...lines, '', '</details>'];
}
