import { markdownText } from './markdown-escape';

/** Lines of Markdown, folded under a line of their own. */
export function folded(summary: string, lines: readonly string[]): string[] {
  return ['', `<details><summary>${markdownText(summary)}</summary>`, '', ...lines, '', '</details>'];
}
