import { diffPlans } from '../change/diff';
import { openedFiles, planBesidePlan } from '../change/old-plan';
import type { OpenedFiles } from '../change/old-plan';
import { changePlan } from '../change/plan-change';
import type { ChangeRun } from '../change/plan-change';
import { APPLY_MODES } from '../core/change';
import type { ApplyMode } from '../core/change';
import type { PlanDiff } from '../core/plan-diff';
import type { PlanDocument } from '../core/plan-document';
import { crdAdmission } from '../crds/admission';
import type { RunBudget } from '../input/budget';
import { isGitSource, parseGitSource, readGitSource } from '../input/git-source';
import type { GitRunner } from '../input/git-source';
import { Locations } from '../input/locations';
import type { FoundFile, InputFile } from '../input/found-file';
import { guardedPlan } from '../plan/guarded';
import { planInput } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import { visible } from '../core/visible';
import { asUsage, filesOf, readSide, settled, stdinOf } from './input';
import type { InputOptions } from './input-options';
import { UsageError } from './io';
import type { Io } from './io';
import { STDIN } from './named-file';
import { planning } from './progress';

/** The options about OLD and the way to the cluster. */
export interface ChangeInputOptions extends InputOptions {
  readonly from: readonly string[];
  readonly apply?: string;
  readonly prune?: boolean;
}

export function applyModeOf(given: string | undefined): ApplyMode | undefined {
  if (given === undefined) return undefined;
  const mode = APPLY_MODES.find((known) => known === given);
  if (!mode) throw new UsageError(`--apply ${given} is not a way to apply; write one of ${APPLY_MODES.join(', ')}`);
  return mode;
}

/** Git as OLD is read with: it says on standard error what is run. */
function gitRunner({ cwd, env, stderr }: Io): GitRunner {
  return { cwd, env, say: (what) => stderr.write(`rolloutkit: ${visible(what)}\n`) };
}

/** The files of an OLD, which may stand in a revision. `paths` are those of NEW. */
export function oldFilesOf(
  old: string,
  paths: readonly string[],
  stdin: InputFile | undefined,
  io: Io,
  budget: RunBudget,
): Iterable<FoundFile> {
  const named = paths.filter((path) => path !== STDIN);
  return isGitSource(old) ? readGitSource(parseGitSource(old), named, gitRunner(io)) : filesOf([old], stdin, io.cwd, budget);
}

export function* all(sides: readonly OpenedFiles[]): Generator<FoundFile> {
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
  readonly options: ChangeRun;
  /** As in a run without OLD. */
  readonly judge: (plan: PlanDocument) => PlanDocument;
  /** The plan with what the guardrails say of NEW. */
  readonly guarded: (plan: PlanDocument, next: PlanInput) => PlanDocument;
}

export function planAmong(names: readonly string[], sides: readonly OpenedFiles[]): PlanDocument | undefined {
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
  const locations = new Locations();
  const apply = applyModeOf(options.apply);
  const { budget, planOptions, judge, configured, definitions, policy } = settled(paths, options, io, locations);
  for (const value of options.from) if (isGitSource(value)) parseGitSource(value);
  const stdin = await stdinOf([...options.from, ...paths], io, budget);
  const old = options.from.map((value) => openedFiles(oldFilesOf(value, paths, stdin, io, budget)));
  const next = paths.map((path) => openedFiles(filesOf([path], stdin, io.cwd, budget)));
  const oldPlan = planAmong(options.from, old);
  const isOldKnown = oldPlan === undefined;
  const read = (sides: readonly OpenedFiles[], names: readonly string[], crds?: typeof definitions) =>
    readSide(all(sides), options, { paths: names, locations, budget, configured, definitions: crds, isOldKnown }, io);
  const admission = definitions && crdAdmission(definitions);
  return {
    oldPlan,
    nextPlan: planAmong(paths, next),
    readOld: () => read(old, options.from),
    readNext: () => read(next, paths, definitions),
    options: { ...planOptions, ...(apply && { apply }), ...(admission && { admission }), prune: options.prune === true },
    judge,
    guarded: (plan, input) => guardedPlan(plan, input, policy),
  };
}

/** The plan of a change, and that of OLD by itself for whoever shows both. */
export interface PlannedChangePaths {
  readonly plan: PlanDocument;
  readonly before?: () => PlanDocument;
}

/**
 * The plan of a change; of a plan document as OLD, how rollouts behave otherwise than there.
 *
 * @throws UsageError for whatever keeps the command from running at all
 */
export function planChangePaths(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<PlannedChangePaths> {
  return asUsage(async () => {
    const { oldPlan, nextPlan, readOld, readNext, options: changeOptions, judge, guarded } = await openSides(paths, options, io);
    if (nextPlan) {
      throw new UsageError(
        `${paths[0]} is a plan document, and what is applied are manifests; name those that it was made of, or compare two plans with diff`,
      );
    }
    if (oldPlan) {
      const next = readNext();
      return { plan: guarded(judge(planBesidePlan(oldPlan, next, changeOptions)), next), before: () => oldPlan };
    }
    const old = readOld();
    const next = readNext();
    const planned = planning(next.objects.length, io, () => changePlan(old, next, changeOptions));
    return { plan: guarded(judge(planned), next), before: () => judge(planInput(old, changeOptions)) };
  });
}

/** What differs between two sides, each of which may be a plan document. */
export function diffPaths(oldPath: string, newPath: string, options: Omit<ChangeInputOptions, 'from'>, io: Io): Promise<PlanDiff> {
  return asUsage(async () => {
    const opened = await openSides([newPath], { ...options, from: [oldPath] }, io);
    const { oldPlan, nextPlan, readOld, readNext, options: changeOptions, judge } = opened;
    if (nextPlan && !oldPlan) {
      throw new UsageError(`${newPath} is a plan document, and OLD is none; name the manifests that it was made of, or a plan of OLD`);
    }
    if (oldPlan) return diffPlans(oldPlan, nextPlan ?? judge(planInput(readNext(), changeOptions)));
    const old = readOld();
    const next = readNext();
    return planning(next.objects.length, io, () => {
      const { change } = changePlan(old, next, changeOptions);
      return diffPlans(judge(planInput(old, changeOptions)), judge(planInput(next, changeOptions)), change);
    });
  });
}
