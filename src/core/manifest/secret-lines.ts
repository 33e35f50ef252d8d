import { containsSecretText } from './secret-name';

/** A line between two documents of YAML. */
const SEPARATOR = /^---(?:\s|$)/;

/** Lists the lines of a file, from 1, that are in a document with a secret. */
export function listSecretLines(text: string): ReadonlySet<number> {
  const found = new Set<number>();
  const lines = text.split('\n');
  let begin = 0;
  for (let end = 1; end <= lines.length; end++) {
    if (end < lines.length && !SEPARATOR.test(lines[end]!)) continue;
    if (containsSecretText(lines.slice(begin, end).join('\n'))) for (let line = begin; line < end; line++) found.add(line + 1);
    begin = end;
  }
  return found;
}
