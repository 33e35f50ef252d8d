import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanDocument } from '../../core/document/plan-document';
import { Deadline } from '../../core/budget/deadline';
import { escapeForTerminal } from '../../core/text/escape-output';
import { resolveVersions, VersionError } from '../../core/values/versions';
import type { Versions } from '../../core/values/versions';
import { withRefusals } from '../../change/compare/refused-objects';
import type { CreatedInput } from '../../change/compare/refused-objects';
import { PlanDocumentError } from '../../change/diff/previous-plan';
import { planInput } from '../../plan/plan';
import type { PlanningLimits } from '../../plan/plan-budget';
import type { PlanInput } from '../../plan/plan-input';
import type { PlanOptions } from '../../plan/plan-options';
import { applyGuardrailPolicy } from '../../change/compare/apply-guardrails';
import { validateWithCrds } from '../../plan/custom-resource-definitions';
import { toPlanInput } from '../../plan/to-plan-input';
import { PLAN_READING } from '../../plan/registry';
import { BYTES_PER_MEGABYTE, BudgetTracker, DEFAULT_BUDGET } from '../../input/read-budget';
import type { RunBudget } from '../../input/read-budget';
import { GitError } from '../../input/git/git-revision';
import { SourceMap } from '../../input/source-map';
import { markExcluded } from '../../input/exclude';
import type { ConfigExclusion } from '../../input/exclude';
import { limitChecks, readFiles } from '../../input/read';
import { describeOsError } from '../../input/os-error-message';
import { readStream } from '../../input/read-limited';
import type { DiscoveredFile, InputFile } from '../../input/discovered-file';
import type { ReadOptions } from '../../input/read';
import { PathError, readPath } from '../../input/read-paths';
import { renderFiles } from '../../input/render';
import { applyConfiguration } from '../../config/apply-configuration';
import type { ApplyLimits } from '../../config/apply-configuration';
import { ConfigurationError } from '../../config/configuration';
import { isAboutUnplanned, isOverBudget } from '../../core/findings/reading-rules';
import type { CrdRegistry } from '../../crds/crd-registry';
import { loadCrdDefinitions } from './crds';
import type { GuardrailPolicy } from '../../guardrails/policy';
import { readPolicyFile } from '../options/policy-file';
import { resolveConfiguration, makeRelativeTo, withConfiguration } from '../options/configuration';
import type { LoadedConfiguration } from '../options/configuration';
import { joinWords } from '../../core/text/text-format';
import type { InputOptions } from '../options/input-options';
import { UsageError } from '../output/io';
import type { Io } from '../output/io';
import { STDIN } from '../options/option-file';
import { checkJsonnetFiles, checkSourceFolders } from './source-folders';
import { buildPlanOptions, parseBudget } from '../options/plan-options';
import { createProgramRunner } from '../subprocess';
import { createListingProgress, withPlanningProgress, withProgress } from '../output/progress';

export async function readStdin(paths: readonly string[], io: Io, budget: RunBudget): Promise<InputFile | undefined> {
  const times = paths.filter((path) => path === STDIN).length;
  if (times > 1) throw new UsageError('- is given twice, but standard input can be read only once; write it once');
  if (times === 0) return undefined;
  try {
    const content = await readStream(io.stdin, budget['file-megabytes'] * BYTES_PER_MEGABYTE);
    return { file: STDIN, content, given: { path: STDIN, as: 'stream' } };
  } catch (error) {
    throw new UsageError(`cannot read standard input: ${describeOsError(error)}`);
  }
}

/** Reads files one after the other, each when it is requested. */
export function* readInputFiles(
  paths: readonly string[],
  stdin: InputFile | undefined,
  io: Pick<Io, 'cwd' | 'stderr'>,
  { budget, trustsInput }: Pick<RunOptions, 'budget' | 'trustsInput'>,
): Generator<DiscoveredFile> {
  const reading = { budget, readsAllFolders: !trustsInput, clock: new BudgetTracker(budget), onListing: createListingProgress(io) };
  for (const path of paths) {
    if (path === STDIN && stdin) yield stdin;
    else yield* readPath(path, io.cwd, reading);
  }
}

/** Converts an error that the user can fix to a UsageError. Returns any other error as it is. */
function toUsageError(error: unknown): unknown {
  if (error instanceof PathError) return new UsageError(`${error.message}; name a file, a folder, or - for standard input`);
  if (error instanceof GitError || error instanceof PlanDocumentError) return new UsageError(error.message);
  if (error instanceof VersionError) return new UsageError(`--versions: ${error.message}`);
  return error;
}

/** Runs some work, and rethrows errors that the user can fix as UsageErrors. */
export async function withUsageErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Resolves the versions to plan for. */
function resolvePlannedVersions({ versions }: PlanOptions): Versions {
  try {
    return resolveVersions(versions);
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Reads one side without the excluded files, rendered if requested. */
export function readSide(
  files: Iterable<DiscoveredFile>,
  { render = false, exclude = [], values = [] }: InputOptions,
  {
    locations,
    configured,
    definitions,
    isOldKnown,
    ...options
  }: ReadOptions & {
    readonly locations: SourceMap;
    readonly configured: ConfigExclusion | undefined;
    readonly definitions?: CrdRegistry | undefined;
    /** Whether the side is compared with an OLD, so the transition rules of CRDs apply. @default false */
    readonly isOldKnown?: boolean;
  },
  io: Io,
): PlanInput {
  const found: Finding[] = [];
  const kept = markExcluded(files, exclude, configured);
  const rendered = render
    ? renderFiles(kept, { run: createProgramRunner(io, { seconds: options.budget?.seconds }), values, cwd: io.cwd }, (finding) =>
        found.push(finding),
      )
    : kept;
  const read = toPlanInput(readFiles(withProgress(rendered, io), { ...PLAN_READING, locations, ...options }));
  const withFound = { ...read, findings: [...(read.findings ?? []), ...found] };
  const input = validateWithCrds(withFound, definitions, isOldKnown ?? false, options.budget?.seconds);
  const refusesPlaceholders = options.trustsInput === false;
  const checkSources = () => [...checkSourceFolders(input, options.paths ?? [], io.cwd), ...checkJsonnetFiles(input)];
  const unreadFolders = refusesPlaceholders ? limitChecks(options.budget?.seconds ?? DEFAULT_BUDGET.seconds, checkSources) : [];
  return { ...input, findings: [...(input.findings ?? []), ...unreadFolders], refusesPlaceholders };
}

/** Reports whether the input may set its own files aside. It may not if the run must plan every file, or has guardrails. */
export function mayInputSetFilesAside({ policy, requirePlanned }: Pick<InputOptions, 'policy' | 'requirePlanned'>): boolean {
  return policy === undefined && requirePlanned !== true;
}

/** The settings of a run, from options and the configuration. */
export interface RunOptions {
  /** The budget for reading. */
  readonly budget: RunBudget;
  readonly planOptions: PlanOptions;
  /** Applies the configuration to the findings of a plan: its severities and its suppressions. */
  readonly applySettings: (plan: PlanDocument) => PlanDocument;
  /** The files that the configuration excludes. */
  readonly configured: ConfigExclusion | undefined;
  /** Whether the input may set its own files aside. */
  readonly trustsInput: boolean;
  /** The guardrails. Undefined if there are none. */
  readonly policy: GuardrailPolicy | undefined;
  /** The CRDs. Undefined if there are none. */
  readonly definitions: CrdRegistry | undefined;
}

/** Settings of a configuration that was found that do not apply if every file must be planned. */
const UNTRUSTED_SETTINGS = ['exclude', 'operatorResources'] as const;

/** Describes which configuration a run uses, and which of its settings do not apply. */
function describeConfiguration({ displayPath, settings }: LoadedConfiguration, isTrusted: boolean): string {
  const name = escapeForTerminal(displayPath);
  const ignored = isTrusted ? [] : UNTRUSTED_SETTINGS.filter((setting) => settings[setting] !== undefined);
  const note = ignored.length === 0 ? '' : `, without its ${joinWords(ignored)}; write --config ${name} if you trust it`;
  return `rolloutkit: uses the configuration ${name}${note}\n`;
}

/** @throws UsageError if it takes more than the time of the budget */
function applyLoadedConfiguration(
  plan: PlanDocument,
  { settings, folder, displayPath }: LoadedConfiguration,
  cwd: string,
  limits: ApplyLimits,
): PlanDocument {
  try {
    return applyConfiguration(plan, settings, makeRelativeTo(folder, cwd), limits);
  } catch (error) {
    throw error instanceof ConfigurationError ? new UsageError(`${displayPath}: ${error.message}`) : error;
  }
}

export function resolveRunOptions(paths: readonly string[], options: InputOptions, io: Io, locations: SourceMap): RunOptions {
  const { cwd } = io;
  if ((options.values ?? []).length > 0 && options.render !== true)
    throw new UsageError('--values needs --render; add it, or pipe the output of helm template --values FILE');
  const configuration = resolveConfiguration(paths, options.config, cwd);
  const trustsInput = mayInputSetFilesAside(options);
  // A configuration that was found is part of the input, and one that an option names is not.
  const isNamed = options.config !== undefined && io.hasFoundConfiguration !== true;
  const trustsConfiguration = trustsInput || isNamed;
  if (configuration) io.stderr.write(describeConfiguration(configuration, trustsConfiguration));
  const budget = parseBudget(options.budget ?? []);
  const operatorResources = trustsConfiguration ? configuration?.settings.operatorResources : undefined;
  const planOptions = {
    ...buildPlanOptions(withConfiguration(options, configuration, cwd), io, locations),
    ...(operatorResources && { operatorResources }),
    budget,
  };
  return {
    budget,
    planOptions,
    applySettings: (plan) =>
      configuration
        ? applyLoadedConfiguration(plan, configuration, cwd, {
            mayChange: (finding) => trustsInput || (!isOverBudget(finding) && (isNamed || !isAboutUnplanned(finding))),
            seconds: budget.seconds,
          })
        : plan,
    policy: options.policy === undefined ? undefined : readPolicyFile(options.policy, cwd),
    definitions: options.crds && loadCrdDefinitions(options.crds, cwd, resolvePlannedVersions(planOptions).kubernetes, budget),
    configured:
      configuration && trustsConfiguration
        ? {
            by: configuration.displayPath,
            isFromInput: !isNamed,
            patterns: configuration.settings.exclude ?? [],
            toConfigPath: makeRelativeTo(configuration.folder, cwd),
          }
        : undefined,
    trustsInput,
  };
}

/** What a run reads, with its settings. */
interface ReadInput {
  readonly input: CreatedInput;
  readonly run: RunOptions;
  readonly locations: SourceMap;
}

/** Reads the objects of paths. */
async function readInput(paths: readonly string[], options: InputOptions, io: Io): Promise<ReadInput> {
  const locations = new SourceMap();
  const run = resolveRunOptions(paths, options, io, locations);
  const { budget, configured, definitions, trustsInput } = run;
  const stdin = await readStdin(paths, io, budget);
  const files = readInputFiles(paths, stdin, io, run);
  return {
    input: withRefusals(readSide(files, options, { paths, locations, budget, configured, definitions, trustsInput }, io)),
    run,
    locations,
  };
}

/** Objects to plan, and the options of their plan. */
interface PlannableInput {
  readonly input: PlanInput;
  readonly planOptions: PlanOptions;
}

/**
 * Reads the objects of paths, without planning them.
 *
 * @throws UsageError if the command cannot run
 */
export async function readPlannableInput(paths: readonly string[], options: InputOptions, io: Io): Promise<PlannableInput> {
  const { input, run } = await withUsageErrors(() => readInput(paths, options, io));
  return { input, planOptions: run.planOptions };
}

/** A plan, and its input. */
export interface PathsPlan {
  readonly plan: PlanDocument;
  /** All objects that were read. */
  readonly objects: readonly Manifest[];
  readonly locations: SourceMap;
}

/**
 * Plans an input with the findings of a command.
 *
 * @param plan - plans any input with the options of the command
 * @param limits - the limits of all that it does
 */
type CommandPlanner = (input: CreatedInput, plan: (input: PlanInput) => PlanDocument, limits: PlanningLimits) => PlanDocument;

/**
 * Reads the paths and plans their objects.
 *
 * @param planCommand - plans with the findings of the command, to which the configuration is applied. @default - it has none of its own
 * @throws UsageError if the command cannot run
 */
export async function readAndPlan(
  paths: readonly string[],
  options: InputOptions,
  io: Io,
  planCommand: CommandPlanner = (input, plan) => plan(input),
): Promise<PathsPlan> {
  return withUsageErrors(async () => {
    const { input, run, locations } = await readInput(paths, options, io);
    const { planOptions, applySettings, policy } = run;
    const deadline = new Deadline(run.budget.seconds);
    const planWithinLimits = (each: PlanInput) => planInput({ ...each, deadline }, planOptions);
    const planned = withPlanningProgress(input.objects.length, io, () =>
      planCommand(input, planWithinLimits, { budget: run.budget, deadline }),
    );
    const plan = applySettings(planned);
    return { plan: applyGuardrailPolicy(plan, input, policy, run.budget), objects: input.objects, locations };
  });
}

/**
 * Reads the paths and returns only the plan.
 *
 * @throws UsageError if the command cannot run
 */
export async function planPaths(paths: readonly string[], options: InputOptions, io: Io): Promise<PlanDocument> {
  return (await readAndPlan(paths, options, io)).plan;
}
