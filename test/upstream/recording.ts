import { readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(__dirname, '../fixtures/upstream');

/** The rows of a recording of upstream's own code; `oracle/README.md` says how they were made. */
export function recorded(name: string): readonly unknown[] {
  const recording = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as { cases: readonly unknown[] };
  return recording.cases;
}
