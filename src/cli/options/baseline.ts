import { dirname, resolve } from 'node:path';
import type { Baseline, BaselineScope, BaselineFileResolver } from '../../config/baseline';
import { BaselineError, createBaseline, parseBaseline, markBaselineFindings } from '../../config/baseline';
import { mayBaselineSuppress } from '../../core/findings/reading-rules';
import type { PlanDocument } from '../../core/document/plan-document';
import { pluralizeOrNo } from '../../core/text/text-format';
import { stringifySafeJson } from '../../render/json/json';
import { escapeForTerminal } from '../../core/text/escape-output';
import { makeRelativeTo } from './configuration';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { readOptionFile } from './option-file';

function createScope(resolveFile: BaselineFileResolver, trustsInput: boolean): BaselineScope {
  return { resolveFile, canSuppress: (finding) => mayBaselineSuppress(finding, trustsInput) };
}

/** Text of a baseline, and a line that says what it contains. */
interface FormattedBaseline {
  readonly text: string;
  readonly note: string;
}

/** Formats the baseline to write to a file. Its paths are relative to the folder of the file. */
export function formatBaseline(plan: PlanDocument, file: string, { cwd }: Io, trustsInput: boolean): FormattedBaseline {
  if (file === '') throw new UsageError('--write-baseline needs a file name; name a file');
  const baseline = createBaseline(plan, createScope(makeRelativeTo(dirname(resolve(cwd, file)), cwd), trustsInput));
  const count = baseline.findings.reduce((sum, entry) => sum + entry.count, 0);
  return {
    text: stringifySafeJson(baseline),
    note: `wrote ${pluralizeOrNo(count, 'finding')} to ${file}; check --baseline ${file} reports only others`,
  };
}

/** Baselines that a run reads and writes. */
interface Baselines {
  /** File of `--baseline`. */
  readonly read: string | undefined;
  /** Baseline that `--write-baseline` writes: all current findings that a baseline can suppress. */
  readonly written: FormattedBaseline | undefined;
  /** Whether the plan is of a change, which does not have the findings of rollouts that replace no pods. */
  readonly isChange: boolean;
  /** Whether the input may set its own files aside. */
  readonly trustsInput: boolean;
}

function parseBaselineFile(text: string, file: string): Baseline {
  try {
    return parseBaseline(text);
  } catch (error) {
    if (error instanceof BaselineError) throw new UsageError(`${file}, given with --baseline, is not a valid baseline: ${error.message}`);
    throw error;
  }
}

/**
 * Suppresses the findings of a plan that are in its baseline. Reports on standard error how many entries are stale,
 * because a stale entry would suppress the same finding if it came back. The plan of a change cannot show that an entry is stale.
 *
 * @throws UsageError if the baseline cannot be read
 */
export function dropBaselinedFindings(
  plan: PlanDocument,
  { read, written, isChange, trustsInput }: Baselines,
  { cwd, stderr }: Io,
): PlanDocument {
  if (written !== undefined) {
    // The new baseline contains all findings that it can suppress, so the path of its file does not matter.
    const own = createScope((name) => name, trustsInput);
    return markBaselineFindings(plan, createBaseline(plan, own), own).plan;
  }
  if (read === undefined) return plan;
  const baseline = parseBaselineFile(Buffer.from(readOptionFile(read, cwd, 'given with --baseline')).toString('utf8'), read);
  const { plan: remaining, resolved: staleCount } = markBaselineFindings(
    plan,
    baseline,
    createScope(makeRelativeTo(dirname(resolve(cwd, read)), cwd), trustsInput),
  );
  if (staleCount > 0 && !isChange) {
    const findings = pluralizeOrNo(staleCount, 'finding');
    const warning = `${findings} of ${read} no longer ${staleCount === 1 ? 'occurs' : 'occur'}; update it with --write-baseline ${read}`;
    stderr.write(`rolloutkit: ${escapeForTerminal(warning)}\n`);
  }
  return remaining;
}
