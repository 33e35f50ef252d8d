import { dirname, resolve } from 'node:path';
import type { Baseline, BaselineScope, FromBaseline } from '../config/baseline';
import { BaselineError, baselineOf, parseBaseline, withBaseline } from '../config/baseline';
import type { PlanDocument } from '../core/plan-document';
import { countedOrNo } from '../core/words';
import { refusedByGuardrails } from '../guardrails/rules/refused';
import { jsonText } from '../render/json';
import { visible } from '../core/visible';
import { seenFrom } from './configuration';
import { UsageError } from './io';
import type { Io } from './io';
import { readNamedFile } from './named-file';

/** What guardrails refuse is nobody's to hide but the policy's. */
function scopeOf(fromBaseline: FromBaseline): BaselineScope {
  return { fromBaseline, mayHide: (finding) => !refusedByGuardrails.made(finding) };
}

/** The baseline that a file is to hold; files in it are named from its folder. */
export function baselineText(plan: PlanDocument, file: string, { cwd }: Io): string {
  if (file === '') throw new UsageError('--write-baseline is given no name; name a file');
  return jsonText(baselineOf(plan, scopeOf(seenFrom(dirname(resolve(cwd, file)), cwd))));
}

/** The text of a baseline. */
interface Baselines {
  /** The file that `--baseline` names. */
  readonly read: string | undefined;
  /** What `--write-baseline` writes: all that stands and may be hidden. */
  readonly written: string | undefined;
}

function parsed(text: string, file: string): Baseline {
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
export function baselined(plan: PlanDocument, { read, written }: Baselines, { cwd, stderr }: Io): PlanDocument {
  if (written !== undefined) {
    // All that it may hide stands in the file, so the place of the file makes no difference.
    const own = scopeOf((name) => name);
    return withBaseline(plan, baselineOf(plan, own), own).plan;
  }
  if (read === undefined) return plan;
  const baseline = parsed(Buffer.from(readNamedFile(read, cwd, 'given with --baseline')).toString('utf8'), read);
  const { plan: left, gone } = withBaseline(plan, baseline, scopeOf(seenFrom(dirname(resolve(cwd, read)), cwd)));
  if (gone > 0) {
    const findings = countedOrNo(gone, 'finding');
    const said = `${findings} of ${read} ${gone === 1 ? 'stands' : 'stand'} no more; write it anew with --write-baseline ${read}`;
    stderr.write(`rolloutkit: ${visible(said)}\n`);
  }
  return left;
}
