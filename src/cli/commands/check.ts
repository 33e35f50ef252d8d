import { resetLateClocks, hasLateClock } from '../../core/budget/late-clocks';
import { formatTimeout } from '../../core/budget/timeout-message';
import type { AnyRule, Finding, Severity } from '../../core/findings/finding';
import type * as ProposedModule from '../../change/fix/fix-by-finding';
import type { ProposedFix } from '../../core/document/fix-document';
import type { FindingCounts, PlanDocument } from '../../core/document/plan-document';
import { isAboutUnplanned, isOverBudget } from '../../core/findings/reading-rules';
import { createIncompleteCheckFinding } from '../../core/rules/unreadable';
import { createNotAsPlannedFinding, notAsPlanned } from '../../core/rules/not-as-planned';
import { hasUnrenderedFolder, notRendered } from '../../core/rules/not-rendered';
import { ALL_RULES } from '../../upgrade/all-rules';
import { raiseServiceLosses } from '../../change/result/new-outages';
import { selectRelevantFindings } from '../../change/result/relevant-findings';
import { parsePlanDocument } from '../../change/diff/previous-plan';
import type { Manifest } from '../../core/manifest/manifest';
import { isAtLeastSeverity, shouldFailAt, SEVERITIES } from '../../core/findings/severity';
import { joinWords } from '../../core/text/text-format';
import { addRefusedObjects } from '../../change/compare/refused-objects';
import { RULES } from '../../plan/rules';
import { dropFindingsBelow } from '../../render/filter-plan';
import { renderGithub } from '../../render/reports/github';
import { renderGitlab } from '../../render/reports/gitlab';
import { renderCheckJson } from '../../render/json/json';
import { PLAIN_OUTPUT } from '../../render/layout/output-target';
import { renderJunit } from '../../render/reports/junit';
import { renderSarif } from '../../render/reports/sarif';
import { renderCheckText } from '../../render/text/plan';
import { formatBaseline, dropBaselinedFindings } from '../options/baseline';
import { planChangePaths } from '../input/change-input';
import type { PlanOfOld } from '../input/change-input';
import { EXIT } from '../output/exit-codes';
import { OUTPUT_FORMATS, getRenderer } from '../options/formats';
import type { Renderers } from '../options/formats';
import { limitSeconds } from '../input/time-limit';
import { mayInputSetFilesAside, readAndPlan, withUsageErrors } from '../input/input';
import type { PathsPlan } from '../input/input';
import type { InputOptions } from '../options/input-options';
import { selectMedium, UsageError } from '../output/io';
import type { Io, CommandResult } from '../output/io';
import { computeInputDigest } from '../input/input-digest';
import { readOptionFile } from '../options/option-file';
import { parseBudget } from '../options/plan-options';
import { getPackageVersion } from '../package-version';
import { assertChangeOptions, parseMinSeverity, parseThreshold } from '../options/option-groups';
import type { ChangeOptionsOfCommand } from '../options/option-groups';

export interface CheckCommandOptions extends InputOptions, ChangeOptionsOfCommand {
  /** Formats such as `text` or `sarif=FILE`. */
  readonly format?: readonly string[];
  readonly failOn: string;
  readonly output?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly showSuppressed?: boolean;
  readonly minSeverity?: string;
  /** Plan document whose objects must be those that are checked. */
  readonly plan?: string;
}

/** A plan, with the threshold and the options of the output. */
interface CheckResult {
  readonly plan: PlanDocument;
  /** Counts of findings that are not in the plan because the change does not touch their objects. Unset if no change is checked. */
  readonly untouched?: FindingCounts;
  readonly minSeverity: Severity;
  readonly fails: (finding: Finding) => boolean;
  /** Whether objects that are not planned fail the check. */
  readonly failsNotPlanned: boolean;
  readonly showSuppressed: boolean;
  readonly rules: () => readonly AnyRule[];
  /** Proposes the fixes of the findings, for formats that show them. */
  readonly fixes: () => ReadonlyMap<Finding, ProposedFix>;
}

const RENDERERS: Renderers<'check', CheckResult> = {
  text: ({ plan, untouched, showSuppressed, minSeverity, failsNotPlanned }, medium) =>
    renderCheckText(plan, { ...medium, showSuppressed, minSeverity, failsNotPlanned, ...(untouched && { untouched }) }),
  json: (result) => renderCheckJson(filterPlan(result), result.untouched),
  sarif: (result) => renderSarif(filterPlan(result), result.rules(), getPackageVersion(), result.fixes(), result.failsNotPlanned),
  junit: ({ plan, fails, failsNotPlanned, minSeverity }) =>
    renderJunit(plan, { fails, failsNotPlanned, isShown: ({ severity }) => isAtLeastSeverity(severity, minSeverity) }),
  github: (result) => renderGithub(filterPlan(result), result.failsNotPlanned, result.untouched),
  gitlab: (result) => renderGitlab(filterPlan(result), result.failsNotPlanned),
};

/** Removes the findings below the minimum severity, for formats without an option for that. */
function filterPlan({ plan, minSeverity }: CheckResult): PlanDocument {
  return minSeverity === 'info' ? plan : dropFindingsBelow(plan, minSeverity);
}

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

/** Plan to check, and the plan of OLD if a change is checked. */
interface PlanToCheck extends PathsPlan {
  readonly before?: () => PlanOfOld;
}

function planToCheck(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<PlanToCheck> {
  const { from = [] } = options;
  assertChangeOptions(options);
  if (from.length > 0) return planChangePaths(paths, { ...options, from }, io, raiseServiceLosses);
  return readAndPlan(paths, options, io, (input, plan, limits) => addRefusedObjects(plan(input), input, limits));
}

/** Reports whether objects are those that a plan document was made from. */
function arePlannedObjects(objects: readonly Manifest[], file: string, { cwd }: Io): boolean {
  const text = Buffer.from(readOptionFile(file, cwd, 'given with --plan')).toString('utf8');
  const planned = parsePlanDocument(text, file)?.inputDigest;
  if (planned === undefined)
    throw new UsageError(`${file}, given with --plan, is not a plan with a digest; write it with plan --format json --output ${file}`);
  return computeInputDigest(objects) === planned;
}

/** Returns the file of a plan document if objects are not those that it was made from. */
function findOtherPlan(objects: readonly Manifest[], file: string | undefined, io: Io): Promise<string | undefined> {
  return withUsageErrors(() => (file === undefined || arePlannedObjects(objects, file, io) ? undefined : file));
}

/** Adds a finding about no rollout as the first one. */
function addFinding(plan: PlanDocument, finding: Finding): PlanDocument {
  const { summary } = plan;
  const counted = SUMMARY_KEYS[finding.severity];
  return { ...plan, findings: [finding, ...plan.findings], summary: { ...summary, [counted]: summary[counted] + 1 } };
}

/**
 * Adds an error if a clock was late and no finding says so, such as one that a step of the plan left out.
 *
 * @param seconds - the time that each step has
 */
function addLateStep(plan: PlanDocument, seconds: number): PlanDocument {
  const isKnown = plan.findings.some((finding) => finding.severity === 'error' && !finding.suppressed && isOverBudget(finding));
  return isKnown || !hasLateClock() ? plan : addFinding(plan, createIncompleteCheckFinding(seconds));
}

/** Loads the YAML editor, only for a format that shows fixes. */
function loadFixModule(): typeof ProposedModule {
  return require('../../change/fix/fix-by-finding') as typeof ProposedModule;
}

function formatMissingFixes(seconds: number): string {
  return `some findings have no fix in the report, because ${formatTimeout('writing the fixes', seconds)}`;
}

/** A plan with the findings to report, and what else the result of the command depends on. */
interface CheckedPlan extends PathsPlan {
  readonly isChange: boolean;
  readonly untouched?: FindingCounts;
  /** Whether `--plan` names the plan of other objects. */
  readonly isOtherPlan: boolean;
  /** The baseline to write. */
  readonly baseline?: ReturnType<typeof formatBaseline>;
  /** Time that each step has. */
  readonly seconds: number;
}

/** Returns a plan document as OLD without findings that something is not planned: as in a baseline, they hide nothing that NEW does not plan either. */
function dropUnplanned(plan: PlanDocument): PlanDocument {
  const isKept = (finding: Finding) => !isAboutUnplanned(finding);
  const rollouts = plan.rollouts.map((rollout) => ({ ...rollout, findings: rollout.findings.filter(isKept) }));
  return { ...plan, findings: plan.findings.filter(isKept), rollouts };
}

/** Plans the input with the findings to report: those that are in no baseline, and of a change those of the objects that it touches. */
async function planFindings(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<CheckedPlan> {
  const { plan: planned, before, ...read } = await planToCheck(paths, options, io);
  const otherPlan = await findOtherPlan(read.objects, options.plan, io);
  const trustsInput = mayInputSetFilesAside(options);
  const baseline = options.writeBaseline === undefined ? undefined : formatBaseline(planned, options.writeBaseline, io, trustsInput);
  const hasBaseline = options.baseline !== undefined || baseline !== undefined;
  const baselines = { read: options.baseline, written: baseline, isChange: before !== undefined, trustsInput };
  const all = hasBaseline ? dropBaselinedFindings(planned, baselines, io) : planned;
  const { seconds } = parseBudget(options.budget ?? []);
  const { plan: relevant, untouched } = before
    ? limitSeconds(seconds, 'comparing the findings of OLD and NEW', () => {
        const old = before();
        return selectRelevantFindings(all, trustsInput || old.listFiles ? old.plan : dropUnplanned(old.plan), old.listFiles?.());
      })
    : { plan: all, untouched: undefined };
  // It is added last, so that no baseline and no configuration hides it.
  const complete = trustsInput ? relevant : addLateStep(relevant, seconds);
  return {
    ...read,
    plan: otherPlan === undefined ? complete : addFinding(complete, createNotAsPlannedFinding(otherPlan)),
    isChange: before !== undefined,
    ...(untouched && { untouched }),
    isOtherPlan: otherPlan !== undefined,
    ...(baseline && { baseline }),
    seconds,
  };
}

/** Runs `rolloutkit check`, which fails if a finding is at or above the threshold. */
export async function runCheckCommand(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<CommandResult> {
  const outputs = parseFormats(options.format ?? [OUTPUT_FORMATS.check[0]]).map(({ name, file }) => ({
    file,
    render: getRenderer(RENDERERS, name),
  }));
  const threshold = parseThreshold(options.failOn);
  const minSeverity = parseMinSeverity(options.minSeverity);
  resetLateClocks();
  const checked = await planFindings(paths, options, io);
  const { plan, isChange, untouched, isOtherPlan, baseline, seconds } = checked;

  const fails = (severity: Severity) => shouldFailAt(threshold, severity);
  const failsNotPlanned = options.requirePlanned === true;
  const hasFailingFinding = SEVERITIES.some((severity) => fails(severity) && plan.summary[SUMMARY_KEYS[severity]] > 0);
  const hasFailed = isOtherPlan || hasFailingFinding || (failsNotPlanned && plan.summary.notPlanned > 0);
  const isIncomplete = isChange && hasUnrenderedFolder(plan.findings);
  const stopsCheck = (finding: Finding) => notAsPlanned.matches(finding) || (isIncomplete && notRendered.matches(finding));
  let hasAllFixes = true;
  const result: CheckResult = {
    plan,
    ...(untouched && { untouched }),
    minSeverity,
    fails: (finding) => fails(finding.severity) || stopsCheck(finding),
    failsNotPlanned,
    showSuppressed: options.showSuppressed === true,
    rules: () => (isChange ? ALL_RULES : RULES),
    fixes: () => {
      const { fixes, isComplete } = loadFixModule().proposeFixes(checked, RULES, seconds);
      hasAllFixes &&= isComplete;
      return fixes;
    },
  };
  const rendered = outputs.map(({ file, render }) => ({
    file,
    text: render(result, file === undefined ? selectMedium(io, options.output) : PLAIN_OUTPUT),
  }));
  return {
    text: rendered.find(({ file }) => file === undefined)?.text ?? '',
    files: [
      ...rendered.flatMap(({ file, text }) => (file === undefined ? [] : [{ path: file, text }])),
      ...(baseline === undefined ? [] : [{ path: options.writeBaseline!, text: baseline.text }]),
    ],
    notes: [...(baseline ? [baseline.note] : []), ...(hasAllFixes ? [] : [formatMissingFixes(seconds)])],
    exitCode: isIncomplete ? EXIT.unable : hasFailed || (!hasAllFixes && fails('error')) ? EXIT.failed : EXIT.done,
  };
}
