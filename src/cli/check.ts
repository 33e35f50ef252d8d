import type { AnyRule, Finding, Severity } from '../core/finding';
import type * as ProposedModule from '../change/fix/fix-by-finding';
import type { ProposedFix } from '../core/fix-document';
import type { PlanDocument } from '../core/plan-document';
import { FAIL_THRESHOLDS, shouldFailAt, SEVERITIES } from '../core/severity';
import { joinWords } from '../core/text-format';
import { addRefusedObjects } from '../change/refused-objects';
import { RULES } from '../plan/rules';
import { renderGithub } from '../render/github';
import { renderGitlab } from '../render/gitlab';
import { renderCheckJson } from '../render/json';
import { PLAIN_OUTPUT } from '../render/output-target';
import { renderJunit } from '../render/junit';
import { renderSarif } from '../render/sarif';
import { renderCheckText } from '../render/text';
import { formatBaseline, dropBaselinedFindings } from './baseline';
import { EXIT } from './exit-codes';
import { OUTPUT_FORMATS, getRenderer } from './formats';
import type { Renderers } from './formats';
import { readAndPlan } from './input';
import type { InputOptions } from './input-options';
import { selectMedium, UsageError } from './io';
import type { Io, CommandResult } from './io';
import { getPackageVersion } from './package-version';

export interface CheckCommandOptions extends InputOptions {
  /** Formats such as `text` or `sarif=FILE`. */
  readonly format?: readonly string[];
  readonly failOn: string;
  readonly output?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly showSuppressed?: boolean;
}

/** A plan, with the threshold and the options of the output. */
interface CheckResult {
  readonly plan: PlanDocument;
  readonly fails: (severity: Severity) => boolean;
  readonly showSuppressed: boolean;
  readonly rules: () => readonly AnyRule[];
  /** Proposes the fixes of the findings, for formats that show them. */
  readonly fixes: () => ReadonlyMap<Finding, ProposedFix>;
}

const RENDERERS: Renderers<'check', CheckResult> = {
  text: ({ plan, showSuppressed }, medium) => renderCheckText(plan, { ...medium, showSuppressed }),
  json: ({ plan }) => renderCheckJson(plan),
  sarif: ({ plan, rules, fixes }) => renderSarif(plan, rules(), getPackageVersion(), fixes()),
  junit: ({ plan, fails }) => renderJunit(plan, fails),
  github: ({ plan }) => renderGithub(plan),
  gitlab: ({ plan }) => renderGitlab(plan),
};

const SUMMARY_KEYS = { error: 'errors', warning: 'warnings', info: 'infos' } as const;

interface RequestedFormat {
  readonly name: string;
  /** The file to write to. @default - it is printed */
  readonly file?: string;
}

function parseFormats(formats: readonly string[]): readonly RequestedFormat[] {
  const requested = formats.map((format): RequestedFormat => {
    const equals = format.indexOf('=');
    if (equals < 0) return { name: format };
    const file = format.slice(equals + 1);
    if (file === '') throw new UsageError(`--format ${format} names no file; write ${format}FILE, or ${format.slice(0, -1)} to print it`);
    return { name: format.slice(0, equals), file };
  });
  const printed = requested.filter(({ file }) => file === undefined).map(({ name }) => name);
  if (printed.length > 1) {
    throw new UsageError(`${joinWords(printed)} cannot both be printed; write one of them to a file, such as --format ${printed[1]}=FILE`);
  }
  return requested;
}

/** Runs `rolloutkit check`, which fails if a finding is at or above the threshold. */
export async function runCheckCommand(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<CommandResult> {
  const formats = parseFormats(options.format ?? [OUTPUT_FORMATS.check[0]]);
  const renderers = formats.map(({ name }) => getRenderer(RENDERERS, name));
  const threshold = FAIL_THRESHOLDS.find((known) => known === options.failOn);
  if (!threshold) throw new UsageError(`--fail-on ${options.failOn} is not a threshold; write ${joinWords(FAIL_THRESHOLDS, 'or')}`);
  const { plan: planned, ...read } = await readAndPlan(paths, options, io, addRefusedObjects);
  const baseline = options.writeBaseline === undefined ? undefined : formatBaseline(planned, options.writeBaseline, io);
  const plan = dropBaselinedFindings(planned, { read: options.baseline, written: baseline }, io);

  const fails = (severity: Severity) => shouldFailAt(threshold, severity);
  const hasFailed =
    SEVERITIES.some((severity) => fails(severity) && plan.summary[SUMMARY_KEYS[severity]] > 0) ||
    (options.requirePlanned === true && plan.summary.notPlanned > 0);
  const fixes = () => {
    // The YAML editor is loaded only for a format that shows fixes.
    const { proposeFixes } = require('../change/fix/fix-by-finding') as typeof ProposedModule;
    return proposeFixes({ plan, ...read }, RULES);
  };
  const result: CheckResult = {
    plan,
    fails,
    showSuppressed: options.showSuppressed === true,
    rules: () => RULES,
    fixes,
  };
  const rendered = formats.map(({ file }, index) => ({
    file,
    text: renderers[index]!(result, file === undefined ? selectMedium(io, options.output) : PLAIN_OUTPUT),
  }));
  return {
    text: rendered.find(({ file }) => file === undefined)?.text ?? '',
    files: [
      ...rendered.flatMap(({ file, text }) => (file === undefined ? [] : [{ path: file, text }])),
      ...(baseline === undefined ? [] : [{ path: options.writeBaseline!, text: baseline }]),
    ],
    exitCode: hasFailed ? EXIT.failed : EXIT.done,
  };
}
