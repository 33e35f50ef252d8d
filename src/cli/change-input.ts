import { diffPlans } from '../change/diff';
import { detectPlanDocument, planAgainstPlanDocument } from '../change/previous-plan';
import type { OldSideFiles } from '../change/previous-plan';
import { planChangedInput } from '../change/plan-change';
import type { ChangeRunOptions } from '../change/plan-change';
import { APPLY_MODES } from '../core/change';
import type { ApplyMode } from '../core/change';
import type { PlanDiff } from '../core/plan-diff';
import type { PlanDocument } from '../core/plan-document';
import { createCrdAdmission } from '../crds/admission';
import type { RunBudget } from '../input/read-budget';
import { isGitSource, parseGitSource, readGitSource } from '../input/git-source';
import type { GitRunner } from '../input/git-source';
import { SourceMap } from '../input/source-map';
import type { DiscoveredFile, InputFile } from '../input/discovered-file';
import { applyGuardrailPolicy } from '../plan/apply-guardrails';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import { escapeForTerminal } from '../core/escape-output';
import { withUsageErrors, readInputFiles, readSide, resolveRunOptions, readStdin } from './input';
import type { InputOptions } from './input-options';
import { UsageError } from './io';
import type { Io } from './io';
import { STDIN } from './option-file';
import { withPlanningProgress } from './progress';

/** The options about OLD and the way to the cluster. */
export interface ChangeInputOptions extends InputOptions {
  readonly from: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
}

export function parseApplyMode(given: string | undefined): ApplyMode | undefined {
  if (given === undefined) return undefined;
  const mode = APPLY_MODES.find((known) => known === given);
  if (!mode) throw new UsageError(`--apply ${given} is not a way to apply; write one of ${APPLY_MODES.join(', ')}`);
  return mode;
}

/** Git as OLD is read with: it says on standard error what is run. */
function createGitRunner({ cwd, env, stderr }: Io): GitRunner {
  return { cwd, env, log: (what) => stderr.write(`rolloutkit: ${escapeForTerminal(what)}\n`) };
}

/** The files of an OLD, which may stand in a revision. `paths` are those of NEW. */
export function readOldFiles(
  old: string,
  paths: readonly string[],
  stdin: InputFile | undefined,
  io: Io,
  budget: RunBudget,
): Iterable<DiscoveredFile> {
  const named = paths.filter((path) => path !== STDIN);
  return isGitSource(old) ? readGitSource(parseGitSource(old), named, createGitRunner(io)) : readInputFiles([old], stdin, io.cwd, budget);
}

export function* joinFiles(sides: readonly OldSideFiles[]): Generator<DiscoveredFile> {
  for (const { files } of sides) yield* files;
}

/** Both sides of a change, opened and not read yet. */
interface OpenedSides {
  /** OLD, where it is a plan document. */
  readonly oldPlan: PlanDocument | undefined;
  /** NEW, where it is one. */
  readonly nextPlan: PlanDocument | undefined;
  readonly readOld: () => PlanInput;
  readonly readNext: () => PlanInput;
  readonly options: ChangeRunOptions;
  /** As in a run without OLD. */
  readonly applySettings: (plan: PlanDocument) => PlanDocument;
  /** The plan with what the guardrails say of NEW. */
  readonly withGuardrails: (plan: PlanDocument, next: PlanInput) => PlanDocument;
}

export function findPlanDocument(names: readonly string[], sides: readonly OldSideFiles[]): PlanDocument | undefined {
  const index = sides.findIndex(({ plan }) => plan);
  if (index < 0) return undefined;
  if (sides.length > 1)
    throw new UsageError(`${names[index]} is a plan document, and stands beside others; name it alone, or manifests alone`);
  return sides[index]!.plan;
}

/**
 * Opens OLD and NEW.
 *
 * @throws UsageError for whatever keeps the command from running at all
 */
async function openSides(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<OpenedSides> {
  const locations = new SourceMap();
  const apply = parseApplyMode(options.apply);
  const { budget, planOptions, applySettings, configured, definitions, policy } = resolveRunOptions(paths, options, io, locations);
  for (const value of options.from) if (isGitSource(value)) parseGitSource(value);
  const stdin = await readStdin([...options.from, ...paths], io, budget);
  const old = options.from.map((value) => detectPlanDocument(readOldFiles(value, paths, stdin, io, budget)));
  const next = paths.map((path) => detectPlanDocument(readInputFiles([path], stdin, io.cwd, budget)));
  const oldPlan = findPlanDocument(options.from, old);
  const isOldKnown = oldPlan === undefined;
  const read = (sides: readonly OldSideFiles[], names: readonly string[], crds?: typeof definitions) =>
    readSide(joinFiles(sides), options, { paths: names, locations, budget, configured, definitions: crds, isOldKnown }, io);
  const admission = definitions && createCrdAdmission(definitions);
  return {
    oldPlan,
    nextPlan: findPlanDocument(paths, next),
    readOld: () => read(old, options.from),
    readNext: () => read(next, paths, definitions),
    options: { ...planOptions, ...(apply && { apply }), ...(admission && { admission }), prune: options.prune === true },
    applySettings,
    withGuardrails: (plan, input) => applyGuardrailPolicy(plan, input, policy),
  };
}

/** The plan of a change, and that of OLD by itself for whoever shows both. */
export interface ChangePlanResult {
  readonly plan: PlanDocument;
  readonly before?: () => PlanDocument;
}

/**
 * The plan of a change; of a plan document as OLD, how rollouts behave otherwise than there.
 *
 * @throws UsageError for whatever keeps the command from running at all
 */
export function planChangePaths(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<ChangePlanResult> {
  return withUsageErrors(async () => {
    const {
      oldPlan,
      nextPlan,
      readOld,
      readNext,
      options: changeOptions,
      applySettings,
      withGuardrails,
    } = await openSides(paths, options, io);
    if (nextPlan) {
      throw new UsageError(
        `${paths[0]} is a plan document, and what is applied are manifests; name those that it was made of, or compare two plans with diff`,
      );
    }
    if (oldPlan) {
      const next = readNext();
      return { plan: withGuardrails(applySettings(planAgainstPlanDocument(oldPlan, next, changeOptions)), next), before: () => oldPlan };
    }
    const old = readOld();
    const next = readNext();
    const planned = withPlanningProgress(next.objects.length, io, () => planChangedInput(old, next, changeOptions));
    return { plan: withGuardrails(applySettings(planned), next), before: () => applySettings(planInput(old, changeOptions)) };
  });
}

/** What differs between two sides, each of which may be a plan document. */
export function diffPaths(oldPath: string, newPath: string, options: Omit<ChangeInputOptions, 'from'>, io: Io): Promise<PlanDiff> {
  return withUsageErrors(async () => {
    const opened = await openSides([newPath], { ...options, from: [oldPath] }, io);
    const { oldPlan, nextPlan, readOld, readNext, options: changeOptions, applySettings } = opened;
    if (nextPlan && !oldPlan) {
      throw new UsageError(`${newPath} is a plan document, and OLD is none; name the manifests that it was made of, or a plan of OLD`);
    }
    if (oldPlan) return diffPlans(oldPlan, nextPlan ?? applySettings(planInput(readNext(), changeOptions)));
    const old = readOld();
    const next = readNext();
    return withPlanningProgress(next.objects.length, io, () => {
      const { change } = planChangedInput(old, next, changeOptions);
      return diffPlans(applySettings(planInput(old, changeOptions)), applySettings(planInput(next, changeOptions)), change);
    });
  });
}
