import path from 'node:path';
import * as fc from 'fast-check';
import { SEED, scaleRuns } from './scale-runs';

const ROOT = path.resolve(__dirname, '../..');

function report(run: fc.RunDetails<unknown>): void {
  if (!run.failed) return;
  const file = path.relative(ROOT, expect.getState().testPath!);
  const command = `To reproduce: PROPERTY_SEED=${run.seed} npx jest ${file}`;
  throw new Error(`${fc.defaultReportMessage(run)}\n\n${command}`, { cause: run.errorInstance });
}

/** Cases of a property that sets no number of its own, as in fast-check. */
const DEFAULT_RUNS = 100;

fc.configureGlobal({ numRuns: scaleRuns(DEFAULT_RUNS), seed: SEED, reporter: report });
