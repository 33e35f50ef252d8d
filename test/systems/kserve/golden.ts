import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const SNAPSHOTS = path.resolve(__dirname, '../../__snapshots__/systems/kserve');

/** The text of a file under test/__snapshots__, where a person can read it; `UPDATE_SNAPSHOTS=1` writes this text there first. */
export function golden(file: string, text: string): string {
  const full = path.join(SNAPSHOTS, file);
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  if (!existsSync(full)) throw new Error(`${full} is missing: run the test with UPDATE_SNAPSHOTS=1 and read what it writes`);
  return readFileSync(full, 'utf8');
}

/** Lines of cells under a head, every column as wide as its widest cell; `|` begins a group of columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n') + '\n';
}
