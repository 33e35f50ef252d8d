import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fixFindings } from '../../change/fix/fix';
import type { FixOutcome } from '../../change/fix/fix';
import type { Finding } from '../../core/findings/finding';
import type { FixDocument } from '../../core/document/fix-document';
import { findClosestName } from '../../core/errors/did-you-mean';
import { FORMAT_VERSION } from '../../core/document/plan-document';
import { RULE_CODES, RULES } from '../../plan/rules';
import { renderFixJson, renderFixText, createUnifiedDiff } from '../../render/text/fix';
import { EXIT } from '../output/exit-codes';
import { readFixableInput } from '../input/fix-input';
import type { FixableInput } from '../input/fix-input';
import { getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { STDIN } from '../options/option-file';
import { containsSecretDocument } from '../../input/secret-documents';
import { assertWritable } from '../output/output-file';
import { listExceededBudgets, listUnreadInput } from '../input/unread-input';

export interface FixCommandOptions extends InputOptions {
  readonly format: string;
  readonly output?: string;
  readonly rule?: readonly string[];
  readonly dryRun?: boolean;
  readonly from?: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
}

const RENDERERS: Renderers<'fix', FixDocument> = {
  text: renderFixText,
  json: renderFixJson,
};

const BOM = '\ufeff';

function checkRuleCodes(codes: readonly string[]): void {
  const unknown = codes.find((code) => !RULE_CODES.includes(code));
  if (unknown === undefined) return;
  const nearest = findClosestName(unknown, RULE_CODES);
  throw new UsageError(`--rule ${unknown}: no rule has this code${nearest === undefined ? '' : `; write ${nearest}`}`);
}

/** Restores the form of a file: adds its byte order mark, and removes the final line break that reading adds. */
function restoreFileForm(text: string, content: Buffer): string {
  const old = content.toString('utf8');
  const newText = old.endsWith('\n') ? text : text.replace(/\r?\n$/, '');
  return old.startsWith(BOM) && !newText.startsWith(BOM) ? BOM + newText : newText;
}

interface FixedFile {
  readonly path: string;
  readonly old: string;
  readonly text: string;
}

function listFixedFiles({ texts }: FixOutcome, input: FixableInput): FixedFile[] {
  return [...texts].map(([path, text]) => {
    const content = input.contentOf(path);
    return { path, old: content.toString('utf8'), text: restoreFileForm(text, content) };
  });
}

/** Verifies that no file has changed since it was read, so that no other program's changes are overwritten. */
function checkUnchanged(files: readonly FixedFile[], cwd: string): void {
  for (const { path, old } of files) {
    if (readFileSync(resolve(cwd, path), 'utf8') !== old) throw new UsageError(`${path} has changed since it was read; run fix again`);
  }
}

function buildFixDocument(outcome: FixOutcome, files: readonly FixedFile[], dryRun: boolean): FixDocument {
  const { fixed, undecided, unsafe, uncovered, withoutFix } = outcome;
  return {
    formatVersion: FORMAT_VERSION,
    dryRun,
    fixed,
    undecided,
    unsafe,
    uncovered,
    files: files.map(({ path, old, text }) => ({ file: path, diff: createUnifiedDiff(path, old, text, containsSecretDocument) })),
    summary: { fixed: fixed.length, undecided: undecided.length, unsafe: unsafe.length, withoutFix, files: files.length },
  };
}

/** Runs `rolloutkit fix`: applies the suggested fixes that need no decision, if planning again shows that they do no harm. */
export async function runFixCommand(paths: readonly string[], options: FixCommandOptions, io: Io): Promise<CommandResult> {
  const render = getRenderer(RENDERERS, options.format);
  const { rule: codes = [], dryRun = false, from = [] } = options;
  checkRuleCodes(codes);
  if (paths.includes(STDIN)) throw new UsageError('fix writes to files and cannot change standard input; name files or folders');
  if (options.render === true)
    throw new UsageError('--render plans the output of other programs, which fix cannot write to a file; omit --render');
  if (from.length === 0 && (options.apply !== undefined || options.prune === true)) {
    throw new UsageError(
      `${options.prune === true ? '--prune' : '--apply'} applies only to a change; name the current manifests with --from`,
    );
  }
  const input = await readFixableInput(paths, { ...options, from, dryRun }, io);
  const { plan, mayWrite } = input;
  const isSelected = ({ code }: Finding) => codes.length === 0 || codes.includes(code);
  const outcome = input.limit(() => fixFindings({ rules: RULES, plan, mayWrite, isSelected }));
  const files = listFixedFiles(outcome, input);
  const text = render(buildFixDocument(outcome, files, dryRun), selectMedium(io, options.output));
  const { findings } = plan(new Map()).plan;
  const notes = listUnreadInput(findings);
  const done = listExceededBudgets(findings).length > 0 ? EXIT.unable : EXIT.done;
  if (dryRun) return { text, notes, exitCode: files.length > 0 ? EXIT.failed : done };
  checkUnchanged(files, io.cwd);
  for (const { path } of files) assertWritable(path, io.cwd);
  return { text, files: files.map(({ path, text: newText }) => ({ path, text: newText })), notes, exitCode: done };
}
