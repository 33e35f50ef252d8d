import { resolve } from 'node:path';
import { addApplyRisks } from '../../change/findings/apply-risks';
import { diffPlans } from '../../change/diff/diff';
import { withRefusals } from '../../change/compare/refused-objects';
import { detectPlanDocument, planAgainstPlanDocument } from '../../change/diff/previous-plan';
import type { OldSideFiles } from '../../change/diff/previous-plan';
import { planChangedInput } from '../../change/plan-change';
import type { ChangeRunOptions, OldInput } from '../../change/change-state';
import { APPLY_MODES } from '../../core/document/change';
import type { ApplyMode } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import type { PlanDiff } from '../../core/document/plan-diff';
import type { PlanDocument } from '../../core/document/plan-document';
import { createRenderFailedFinding } from '../../core/rules/not-rendered';
import type { RenderFailure } from '../../core/rules/not-rendered';
import { createCrdAdmission } from '../../crds/admission';
import { GIT_PREFIX, isGitSource, parseGitSource } from '../../input/git/git-revision';
import type { GitRunner, GitSource } from '../../input/git/git-revision';
import { assertMayLack, readGitSource } from '../../input/git/git-source';
import type { RevisionReadOptions } from '../../input/git/git-source';
import { markExcluded } from '../../input/exclude';
import { renderFiles } from '../../input/render';
import { SourceMap } from '../../input/source-map';
import type { DiscoveredFile, InputFile } from '../../input/discovered-file';
import { groupFilesByObject } from '../../change/result/relevant-findings';
import type { FilesByObject } from '../../change/result/relevant-findings';
import { applyGuardrailPolicy } from '../../change/compare/apply-guardrails';
import { planInput } from '../../plan/plan';
import type { PlanInput } from '../../plan/plan-input';
import { escapeForTerminal } from '../../core/text/escape-output';
import {
  alignWithSnapshot,
  isClusterSource,
  readClusterSources,
  reportDetectedVersions,
  toComparedSides,
  withCluster,
} from './cluster-input';
import { withUsageErrors, readInputFiles, readSide, resolveRunOptions, readStdin } from './input';
import type { PathsPlan, RunOptions } from './input';
import { markOldManifests } from './old-manifests';
import { toRevisionPath, writeRevisionFolder } from './revision-folder';
import type { RevisionFolder } from './revision-folder';
import { createProgramRunner } from '../subprocess';
import type { InputOptions } from '../options/input-options';
import type { SnapshotHeader } from '../../live/snapshot-file';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { OneSidedPaths } from './one-sided-paths';
import { STDIN } from '../options/option-file';
import type { ChangeOptionsOfCommand } from '../options/option-groups';
import { withPlanningProgress } from '../output/progress';
import { limitSeconds } from './time-limit';
import { unreadable } from '../../core/rules/unreadable';
import { listExceededBudgets, listUnreadInput } from './unread-input';

/** Options about OLD, and about how a change is applied. */
export interface ChangeInputOptions extends InputOptions, ChangeOptionsOfCommand {
  readonly from: readonly string[];
}

export function parseApplyMode(given: string | undefined): ApplyMode | undefined {
  if (given === undefined) return undefined;
  const mode = APPLY_MODES.find((known) => known === given);
  if (!mode) throw new UsageError(`--apply ${given} is not supported; write one of ${APPLY_MODES.join(', ')}`);
  return mode;
}

/** Creates the git runner for OLD. It logs each command to standard error, and all of them must end within the seconds of the budget. */
function createGitRunner({ cwd, env, stderr, isLimited = false }: Io, { seconds }: Pick<RunOptions['budget'], 'seconds'>): GitRunner {
  const time = { seconds, end: Date.now() + seconds * 1_000 };
  return { cwd, env, ignoresLinks: isLimited, time, log: (what) => stderr.write(`rolloutkit: ${escapeForTerminal(what)}\n`) };
}

/** Returns the entry of a revision under the name of the revision, rendered already. */
function toRevisionEntry(entry: DiscoveredFile, { argument, revision }: GitSource, folder: RevisionFolder): DiscoveredFile {
  const prefix = `${GIT_PREFIX}${revision}:`;
  const given = entry.given && { path: argument, as: entry.given.as };
  const named = { file: prefix + entry.file, ...(given && { given }), isRendered: true as const };
  // The files that it was rendered from are in no checkout.
  if ('origins' in entry) {
    const { origins: _, ...rendered } = entry;
    return toRevisionEntry(rendered, { argument, revision }, folder);
  }
  if (!('failure' in entry)) return { ...entry, ...named, ...('content' in entry && { inTree: { file: entry.file, below: entry.file } }) };
  const { folder: failed, command, reason } = entry.failure.data as unknown as RenderFailure;
  const relativeReason = reason.replaceAll(`${folder.root}/`, '').replaceAll(folder.root, '.');
  const failure = createRenderFailedFinding({ folder: prefix + failed, command, reason: relativeReason });
  return { ...named, failure };
}

/** Reads the files of a revision, rendered as those of NEW. */
function* readRenderedRevision(
  source: GitSource,
  paths: readonly string[],
  options: ChangeInputOptions,
  io: Io,
  settings: RunOptions & Pick<RevisionReadOptions, 'mayLack'>,
): Generator<DiscoveredFile> {
  const folder = writeRevisionFolder(source, createGitRunner(io, settings.budget));
  try {
    const selected = source.path !== undefined ? [source.path] : paths.length > 0 ? paths : ['.'];
    const absent: Finding[] = [];
    const run = createProgramRunner(io, { folder: folder.cwd, seconds: settings.budget.seconds });
    const values = (options.values ?? []).map((file) => toRevisionPath(file, io.cwd, folder) ?? resolve(io.cwd, file));
    const mayLack = source.path === undefined ? settings.mayLack : undefined;
    const own = selected.flatMap((path) => toRevisionPath(path, io.cwd, folder) ?? assertMayLack(source, path, mayLack));
    const files = markExcluded(
      readInputFiles(own, undefined, { ...io, cwd: folder.cwd }, settings),
      options.exclude ?? [],
      settings.configured,
    );
    for (const entry of renderFiles(files, { run, values, cwd: folder.cwd }, (finding) => absent.push(finding)))
      yield toRevisionEntry(entry, source, folder);
    for (const failure of absent) yield { file: source.argument, failure, isRendered: true };
  } finally {
    folder.remove();
  }
}

/** Reads the files of an OLD, which may be a revision. `paths` are the paths of NEW. */
export function readOldFiles(
  old: string,
  paths: readonly string[],
  stdin: InputFile | undefined,
  io: Io,
  options: Pick<RunOptions, 'budget' | 'trustsInput'> & Pick<RevisionReadOptions, 'mayLack'>,
): Iterable<DiscoveredFile> {
  const filePaths = paths.filter((path) => path !== STDIN);
  return isGitSource(old)
    ? readGitSource(parseGitSource(old), filePaths, createGitRunner(io, options.budget), {
        readsAllFolders: !options.trustsInput,
        ...(options.mayLack && { mayLack: options.mayLack }),
      })
    : readInputFiles([old], stdin, io, options);
}

export function* joinFiles(sides: readonly OldSideFiles[]): Generator<DiscoveredFile> {
  for (const { files } of sides) yield* files;
}

/** Both sides of a change, opened but not read yet. */
interface OpenedSides {
  /** OLD, if it is a plan document. */
  readonly oldPlan: PlanDocument | undefined;
  /** NEW, if it is a plan document. */
  readonly nextPlan: PlanDocument | undefined;
  readonly readOld: () => OldInput;
  readonly readNext: () => PlanInput;
  readonly options: ChangeRunOptions;
  /** Applies the settings of the configuration, as in a run without OLD. */
  readonly applySettings: (plan: PlanDocument) => PlanDocument;
  /** Adds the findings of the guardrails about NEW to a plan. */
  readonly withGuardrails: (plan: PlanDocument, next: PlanInput) => PlanDocument;
  readonly locations: SourceMap;
  /** What the snapshot says. @default - OLD is none */
  readonly header?: SnapshotHeader;
}

export function findPlanDocument(names: readonly string[], sides: readonly OldSideFiles[]): PlanDocument | undefined {
  const index = sides.findIndex(({ plan }) => plan);
  if (index < 0) return undefined;
  if (sides.length > 1)
    throw new UsageError(`${names[index]} is a plan document, but other paths are given as well; name only the plan, or only manifests`);
  return sides[index]!.plan;
}

/** The files of both sides. */
interface OpenedFiles {
  /** The values of `--from` that are no cluster. */
  readonly oldNames: readonly string[];
  readonly oldFiles: readonly OldSideFiles[];
  /** The values of `--from` that have nothing of the paths. */
  readonly emptyRevisions: ReadonlySet<string>;
  /** The paths that NEW has. */
  readonly nextPaths: readonly string[];
  readonly nextFiles: readonly OldSideFiles[];
}

/** Opens the files of both sides, and says which paths only one of them has. */
function openFiles(
  paths: readonly string[],
  options: ChangeInputOptions,
  run: RunOptions,
  stdin: InputFile | undefined,
  io: Io,
): OpenedFiles {
  const oldNames = options.from.filter((value) => !isClusterSource(value));
  const filePaths = paths.filter((path) => path !== STDIN);
  const revisions = oldNames.filter((value) => isGitSource(value) && parseGitSource(value).path === undefined);
  const oneSided = new OneSidedPaths(filePaths, revisions, io);
  const openOld = (value: string) => {
    const settings = { ...run, ...(revisions.includes(value) && { mayLack: oneSided.acceptAdded(value) }) };
    const opened =
      options.render === true && isGitSource(value)
        ? readRenderedRevision(parseGitSource(value), filePaths, options, io, settings)
        : readOldFiles(value, paths, stdin, io, settings);
    return detectPlanDocument(markOldManifests(opened, value, io));
  };
  const oldFiles = oldNames.map(openOld);
  const nextPaths = paths.filter((path) => !oneSided.removed.has(path));
  const nextFiles = nextPaths.map((path) => detectPlanDocument(readInputFiles([path], stdin, io, run)));
  oneSided.report();
  const emptyRevisions = new Set(revisions.filter((value) => !oneSided.hasAny(value)));
  return { oldNames, oldFiles, emptyRevisions, nextPaths, nextFiles };
}

/** Creates the functions that read a side with the settings of a run. */
function createSideReaders(
  { oldNames, oldFiles, nextPaths, nextFiles }: OpenedFiles,
  isOldKnown: boolean,
  options: ChangeInputOptions,
  { budget, configured, trustsInput, definitions }: RunOptions,
  locations: SourceMap,
  io: Io,
) {
  const apply = parseApplyMode(options.apply);
  const reading = { locations, budget, configured, isOldKnown, trustsInput, apply };
  return {
    readOld: (files: readonly OldSideFiles[] = oldFiles, names = oldNames) =>
      readSide(joinFiles(files), options, { ...reading, paths: names }, io),
    readNext: () => readSide(joinFiles(nextFiles), options, { ...reading, paths: nextPaths, ...(definitions && { definitions }) }, io),
  };
}

function resolveChangeOptions(options: ChangeInputOptions, { planOptions, definitions, budget }: RunOptions): ChangeRunOptions {
  const apply = parseApplyMode(options.apply);
  const admission = definitions && createCrdAdmission(definitions, budget.seconds);
  return { ...planOptions, ...(apply && { apply }), ...(admission && { admission }), prune: options.prune === true };
}

/** Refuses to prune a cluster, or the snapshot of one: nothing in it says which objects NEW replaces. */
function refusePrune({ prune }: ChangeInputOptions, isCluster: boolean): void {
  if (prune === true && isCluster) {
    throw new UsageError('--prune needs the objects that were applied before, and a cluster has more than those; name them with --from');
  }
}

/**
 * Opens OLD and NEW.
 *
 * @throws UsageError if the command cannot run
 */
async function openSides(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<OpenedSides> {
  const locations = new SourceMap();
  parseApplyMode(options.apply);
  const run = resolveRunOptions(paths, options, io, locations);
  const { budget, applySettings, policy } = run;
  for (const value of options.from) if (isGitSource(value)) parseGitSource(value);
  const stdin = await readStdin([...options.from, ...paths], io, budget);
  refusePrune(options, options.from.some(isClusterSource));
  const opened = openFiles(paths, options, run, stdin, io);
  const oldPlan = findPlanDocument(opened.oldNames, opened.oldFiles);
  const nextPlan = findPlanDocument(opened.nextPaths, opened.nextFiles);
  const { readOld, readNext } = createSideReaders(opened, oldPlan === undefined, options, run, locations, io);
  const withGuardrails = (plan: PlanDocument, input: PlanInput) => applyGuardrailPolicy(plan, input, policy, budget);
  const changeOptions = resolveChangeOptions(options, run);
  if (oldPlan || nextPlan)
    return { oldPlan, nextPlan, readOld, readNext, options: changeOptions, applySettings, withGuardrails, locations };
  // A cluster is asked for what NEW names, so NEW is read first.
  const nextInput = options.from.some(isClusterSource) ? readNext() : undefined;
  const clusters = await readClusterSources(options.from, () => nextInput?.objects ?? [], io, { budget });
  const old = options.from.map((value): OldSideFiles =>
    clusters.has(value) ? { files: [clusters.get(value)!] } : opened.oldFiles[opened.oldNames.indexOf(value)]!,
  );
  const oldInput = readOld(
    old,
    options.from.filter((value) => !opened.emptyRevisions.has(value)),
  );
  const newInput = nextInput ?? readNext();
  const sides = limitSeconds(budget.seconds, 'computing the digests of Secrets', () => alignWithSnapshot(oldInput, newInput, options.from));
  const { header } = sides;
  refusePrune(options, header !== undefined);
  if (header) reportDetectedVersions(header, io);
  return {
    oldPlan,
    nextPlan,
    readOld: () => sides.old,
    readNext: () => sides.next,
    options: header ? { ...changeOptions, versions: { ...header.detectedVersions, ...changeOptions.versions } } : changeOptions,
    applySettings: (plan) => withCluster(applySettings(plan), header),
    withGuardrails,
    locations,
    ...(header && { header }),
  };
}

/** Both sides of a change, read completely. */
export interface ChangedInput {
  readonly old: OldInput;
  readonly next: PlanInput;
  readonly options: ChangeRunOptions;
  /** What the snapshot says. @default - OLD is none */
  readonly header?: SnapshotHeader;
}

/**
 * Reads OLD and NEW without planning them.
 *
 * @throws UsageError if the command cannot run, or if a side is a plan document
 */
export function readChangedInput(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<ChangedInput> {
  return withUsageErrors(async () => {
    const { oldPlan, nextPlan, readOld, readNext, options: changeOptions, header } = await openSides(paths, options, io);
    if (oldPlan || nextPlan) throw new UsageError('a plan document has no pods to count; name manifests, a snapshot or a cluster');
    return { old: readOld(), next: readNext(), options: changeOptions, ...(header && { header }) };
  });
}

/** Plan of OLD. */
export interface PlanOfOld {
  readonly plan: PlanDocument;
  /** Returns the files of its objects. @default - OLD is a plan document, which does not have them */
  readonly listFiles?: () => FilesByObject;
}

/** Plan of a change with its input, and the plan of OLD, planned on request. */
export interface ChangePlanResult extends PathsPlan {
  readonly before: () => PlanOfOld;
}

/**
 * Plans a change. If OLD is a plan document, the plan only reports rollouts that behave differently.
 *
 * @param judge - changes the severities of findings, before the configuration applies its own
 * @throws UsageError if the command cannot run
 */
export function planChangePaths(
  paths: readonly string[],
  options: ChangeInputOptions,
  io: Io,
  judge = (plan: PlanDocument) => plan,
): Promise<ChangePlanResult> {
  return withUsageErrors(async () => {
    const {
      oldPlan,
      nextPlan,
      readOld,
      readNext,
      options: changeOptions,
      applySettings,
      withGuardrails,
      locations,
    } = await openSides(paths, options, io);
    if (nextPlan) {
      throw new UsageError(
        `${paths[0]} is a plan document, but only manifests can be applied; name the manifests of the plan, or compare two plans with diff`,
      );
    }
    if (oldPlan) {
      const next = readNext();
      const plan = withGuardrails(applySettings(planAgainstPlanDocument(oldPlan, next, changeOptions)), next);
      return { plan, before: () => ({ plan: oldPlan }), objects: next.objects, locations };
    }
    const old = readOld();
    const next = readNext();
    const planned = withPlanningProgress(next.objects.length, io, () => planChangedInput(old, next, changeOptions));
    return {
      plan: withGuardrails(applySettings(judge(planned)), next),
      before: () => {
        const compared = toComparedSides({ old, next });
        const before = planInput(compared.old, changeOptions);
        const [late] = listUnreadInput(before.findings.filter((finding) => unreadable.matches(finding, 'overBudget')));
        if (late !== undefined) throw new UsageError(`OLD: ${late}`);
        const selected = compared.select(withGuardrails(applySettings(before), compared.old));
        return { plan: selected, listFiles: () => groupFilesByObject(compared.old) };
      },
      objects: next.objects,
      locations,
    };
  });
}

/** Compares two sides. Each side may be a plan document. */
export function diffPaths(oldPath: string, newPath: string, options: Omit<ChangeInputOptions, 'from'>, io: Io): Promise<PlanDiff> {
  return withUsageErrors(async () => {
    const opened = await openSides([newPath], { ...options, from: [oldPath] }, io);
    const { oldPlan, nextPlan, readOld, readNext, options: changeOptions, applySettings } = opened;
    if (nextPlan && !oldPlan) {
      throw new UsageError(`${newPath} is a plan document, but OLD is not; name the manifests of the plan, or a plan of OLD`);
    }
    if (oldPlan) return diffPlans(oldPlan, nextPlan ?? applySettings(planInput(withRefusals(readNext()), changeOptions)));
    const old = readOld();
    const next = readNext();
    return withPlanningProgress(next.objects.length, io, () => {
      let appliedFormOf: PlanInput['appliedFormOf'];
      const applied = planChangedInput(old, next, { ...changeOptions, onCompared: (found) => (appliedFormOf = found) });
      const [late] = listExceededBudgets(applied.findings);
      if (late !== undefined) throw new UsageError(late);
      const compared = toComparedSides({ old, next });
      const plan = (input: PlanInput) => compared.select(applySettings(planInput(input, changeOptions)));
      const before = plan(compared.old);
      return addApplyRisks(
        diffPlans(before, plan({ ...compared.next, ...(appliedFormOf && { appliedFormOf }) }), applied.change, applied),
        applySettings(applied),
        before,
      );
    });
  });
}
