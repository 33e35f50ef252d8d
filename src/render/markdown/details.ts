import { escapeMarkdown } from './escape';

/** Renders lines of Markdown folded under a summary line. */
export function renderDetailsBlock(summary: string, lines: readonly string[]): string[] {
  return ['', `<details><summary>${escapeMarkdown(summary)}</summary>`, '', ...lines, '', '</details>'];
}
