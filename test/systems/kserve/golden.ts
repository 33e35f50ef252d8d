import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SNAPSHOTS = path.resolve(__dirname, '../../__snapshots__/systems/kserve');

/** Returns the text of a file under test/__snapshots__, in a readable format. `UPDATE_SNAPSHOTS=1` first writes this text to the file. */
export function golden(file: string, text: string): string {
  const full = path.join(SNAPSHOTS, file);
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  if (!existsSync(full)) throw new Error(`${full} is missing: run the test with UPDATE_SNAPSHOTS=1 and review the file`);
  return readFileSync(full, 'utf8');
}

/** Formats a table whose columns are as wide as their widest cell. `|` starts a group of columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n') + '\n';
}
