import path from 'node:path';
import * as fc from 'fast-check';

/** What `npm test` runs with, so that a change is judged by the same cases every time; `npm run test:fresh` draws others. */
const FIXED_SEED = 1;

const ROOT = path.resolve(__dirname, '../..');

function report(run: fc.RunDetails<unknown>): void {
  if (!run.failed) return;
  const file = path.relative(ROOT, expect.getState().testPath!);
  const again = `The same again: PROPERTY_SEED=${run.seed} npx jest ${file}`;
  throw new Error(`${fc.defaultReportMessage(run)}\n\n${again}`, { cause: run.errorInstance });
}

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? FIXED_SEED), reporter: report });
