import { dirname, resolve } from 'node:path';
import type { Baseline, BaselineScope, BaselineFileResolver } from '../config/baseline';
import { BaselineError, createBaseline, parseBaseline, markBaselineFindings } from '../config/baseline';
import type { PlanDocument } from '../core/plan-document';
import { pluralizeOrNo } from '../core/text-format';
import { guardrailsRefused } from '../guardrails/rules/refused';
import { stringifySafeJson } from '../render/json';
import { escapeForTerminal } from '../core/escape-output';
import { makeRelativeTo } from './configuration';
import { UsageError } from './io';
import type { Io } from './io';
import { readOptionFile } from './option-file';

/** What guardrails refuse is nobody's to hide but the policy's. */
function createScope(fromBaseline: BaselineFileResolver): BaselineScope {
  return { resolveFile: fromBaseline, canSuppress: (finding) => !guardrailsRefused.matches(finding) };
}

/** The baseline that a file is to hold; files in it are named from its folder. */
export function formatBaseline(plan: PlanDocument, file: string, { cwd }: Io): string {
  if (file === '') throw new UsageError('--write-baseline is given no name; name a file');
  return stringifySafeJson(createBaseline(plan, createScope(makeRelativeTo(dirname(resolve(cwd, file)), cwd))));
}

/** The text of a baseline. */
interface Baselines {
  /** The file that `--baseline` names. */
  readonly read: string | undefined;
  /** What `--write-baseline` writes: all that stands and may be hidden. */
  readonly written: string | undefined;
}

function parseBaselineFile(text: string, file: string): Baseline {
  try {
    return parseBaseline(text);
  } catch (error) {
    if (error instanceof BaselineError) throw new UsageError(`${file}, given with --baseline, is not a baseline: ${error.message}`);
    throw error;
  }
}

/**
 * The plan without what its baseline holds. What of the baseline stands no more is said on standard error,
 * since it would hide the same finding if it came back.
 *
 * @throws UsageError for a baseline that can't be read
 */
export function dropBaselinedFindings(plan: PlanDocument, { read, written }: Baselines, { cwd, stderr }: Io): PlanDocument {
  if (written !== undefined) {
    // All that it may hide stands in the file, so the place of the file makes no difference.
    const own = createScope((name) => name);
    return markBaselineFindings(plan, createBaseline(plan, own), own).plan;
  }
  if (read === undefined) return plan;
  const baseline = parseBaselineFile(Buffer.from(readOptionFile(read, cwd, 'given with --baseline')).toString('utf8'), read);
  const { plan: remaining, resolved: staleCount } = markBaselineFindings(
    plan,
    baseline,
    createScope(makeRelativeTo(dirname(resolve(cwd, read)), cwd)),
  );
  if (staleCount > 0) {
    const findings = pluralizeOrNo(staleCount, 'finding');
    const warning = `${findings} of ${read} ${staleCount === 1 ? 'stands' : 'stand'} no more; write it anew with --write-baseline ${read}`;
    stderr.write(`rolloutkit: ${escapeForTerminal(warning)}\n`);
  }
  return remaining;
}
