import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { RecordedRollout } from './recorded-rollouts';

const FOLDER = path.resolve(__dirname, '../fixtures/live');

/** What kubectl answered to one command. */
export interface RecordedAnswer {
  readonly args: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** A recording, and the answers of kubectl that its snapshot was made from, if they were recorded. */
interface AnsweredRollout extends RecordedRollout {
  readonly raw?: readonly RecordedAnswer[];
}

/** Reads the recordings of a file, which `oracle/cluster/pack.js` wrote. */
export function readRecordings(name: string): readonly AnsweredRollout[] {
  const text = brotliDecompressSync(readFileSync(path.join(FOLDER, `${name}.jsonl.br`))).toString('utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AnsweredRollout);
}
