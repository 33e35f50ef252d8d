import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../..');

/** Compares a committed file with the generated content. `npm run docs` (UPDATE_DOCS=1) writes the file first. */
export function expectGenerated(file: string, content: string): void {
  const full = path.join(ROOT, file);
  if (process.env.UPDATE_DOCS === '1') {
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, content);
  }
  expect(readFileSync(full, 'utf8')).toBe(content);
}
