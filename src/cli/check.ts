import type { AnyRule, Finding, Severity } from '../core/finding';
import type * as ProposedModule from '../change/fix/proposed';
import type { ProposedFix } from '../core/fix-document';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { BARS, failsAt, SEVERITIES } from '../core/severity';
import { listed } from '../core/words';
import { RULES } from '../plan/rules';
import { renderGithub } from '../render/github';
import { renderGitlab } from '../render/gitlab';
import { renderCheckJson } from '../render/json';
import { PLAIN } from '../render/medium';
import { renderJunit } from '../render/junit';
import { renderSarif } from '../render/sarif';
import { renderCheckText } from '../render/text';
import { baselineText, baselined } from './baseline';
import { EXIT } from './exit-codes';
import { FORMATS, rendererOf } from './formats';
import type { Renderers } from './formats';
import { isAskedFor } from '../plan/asked-for';
import { asUsage, readAndPlan } from './input';
import type { InputOptions } from './input-options';
import { mediumOf, UsageError } from './io';
import type { Io, Outcome } from './io';
import { packageVersion } from './package-version';

export interface CheckCommandOptions extends InputOptions {
  /** `text`, `sarif=FILE`. */
  readonly format?: readonly string[];
  readonly failOn: string;
  readonly requirePlanned?: boolean;
  readonly output?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly showSuppressed?: boolean;
}

/** A plan with how it is judged and shown. */
interface Checked {
  readonly plan: PlanDocument;
  readonly fails: (severity: Severity) => boolean;
  readonly showSuppressed: boolean;
  readonly rules: () => readonly AnyRule[];
  /** What would mend each finding, asked for where a format shows it. */
  readonly fixes: () => ReadonlyMap<Finding, ProposedFix>;
}

const RENDERERS: Renderers<'check', Checked> = {
  text: ({ plan, showSuppressed }, medium) => renderCheckText(plan, { ...medium, showSuppressed }),
  json: ({ plan }) => renderCheckJson(plan),
  sarif: ({ plan, rules, fixes }) => renderSarif(plan, rules(), packageVersion(), fixes()),
  junit: ({ plan, fails }) => renderJunit(plan, fails),
  github: ({ plan }) => renderGithub(plan),
  gitlab: ({ plan }) => renderGitlab(plan),
};

/** The formats that tell of rollouts that nothing is found of. */
const SHOWS_PASSED: ReadonlySet<string> = new Set<(typeof FORMATS.check)[number]>(['junit']);

/**
 * Does a rollout leave nothing to say? One that never ends has a finding that says why. Those of the apps group make no difference
 * to the products that a check names either.
 */
function isClean({ system, findings }: PlannedRollout): boolean {
  return system === 'kubernetes' && findings.length === 0;
}

const COUNTED = { error: 'errors', warning: 'warnings', info: 'infos' } as const;

interface WantedFormat {
  readonly name: string;
  /** Where it is written. @default - it is printed */
  readonly file?: string;
}

function wantedFormats(given: readonly string[]): readonly WantedFormat[] {
  const wanted = given.map((format): WantedFormat => {
    const equals = format.indexOf('=');
    if (equals < 0) return { name: format };
    const file = format.slice(equals + 1);
    if (file === '') throw new UsageError(`--format ${format} names no file; write ${format}FILE, or ${format.slice(0, -1)} to print it`);
    return { name: format.slice(0, equals), file };
  });
  const printed = wanted.filter(({ file }) => file === undefined).map(({ name }) => name);
  if (printed.length > 1) {
    throw new UsageError(`${listed(printed)} can't both be printed; write one of them to a file, as --format ${printed[1]}=FILE`);
  }
  return wanted;
}

/** `rolloutkit check`: a check judges, so it fails when a finding is at or above the bar. */
export async function checkCommand(paths: readonly string[], options: CheckCommandOptions, io: Io): Promise<Outcome> {
  const formats = wantedFormats(options.format ?? [FORMATS.check[0]]);
  const renderers = formats.map(({ name }) => rendererOf(RENDERERS, name));
  const bar = BARS.find((known) => known === options.failOn);
  if (!bar) throw new UsageError(`--fail-on ${options.failOn} is not a bar; write ${listed(BARS, 'or')}`);
  const { plan: planned, ...read } = await readAndPlan(paths, options, io, {
    keeps: isAskedFor,
    ...(formats.every(({ name }) => !SHOWS_PASSED.has(name)) && { isCounted: isClean }),
  });
  const baseline = options.writeBaseline === undefined ? undefined : baselineText(planned, options.writeBaseline, io);
  const plan = baselined(planned, { read: options.baseline, written: baseline }, io);

  const fails = (severity: Severity) => failsAt(bar, severity);
  const hasFailed =
    SEVERITIES.some((severity) => fails(severity) && plan.summary[COUNTED[severity]] > 0) ||
    (options.requirePlanned === true && plan.summary.notPlanned > 0);
  const fixes = () => {
    // What edits YAML is loaded for a format that shows fixes alone.
    const { fixesOf } = require('../change/fix/proposed') as typeof ProposedModule;
    return fixesOf({ plan, ...read, objects: read.objects().map(read.locations.whole) }, RULES);
  };
  const checked: Checked = {
    plan,
    fails,
    showSuppressed: options.showSuppressed === true,
    rules: () => RULES,
    fixes,
  };
  // What is fixed is read again.
  const rendered = await asUsage(() =>
    formats.map(({ file }, index) => ({
      file,
      text: renderers[index]!(checked, file === undefined ? mediumOf(io, options.output) : PLAIN),
    })),
  );
  return {
    text: rendered.find(({ file }) => file === undefined)?.text ?? '',
    files: [
      ...rendered.flatMap(({ file, text }) => (file === undefined ? [] : [{ path: file, text }])),
      ...(baseline === undefined ? [] : [{ path: options.writeBaseline!, text: baseline }]),
    ],
    exitCode: hasFailed ? EXIT.failed : EXIT.done,
  };
}
