import { isUtf8 } from 'node:buffer';
import { realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { Deadline } from '../../core/budget/deadline';
import type { ApplyMode } from '../../core/document/change';
import { planInput } from '../../plan/plan';
import { applyGuardrailPolicy } from '../../change/compare/apply-guardrails';
import { validateWithCrds } from '../../plan/custom-resource-definitions';
import { toPlanInput } from '../../plan/to-plan-input';
import { PLAN_READING } from '../../plan/registry';
import { planChangedInput } from '../../change/plan-change';
import { addRefusedObjects, withRefusals } from '../../change/compare/refused-objects';
import type { PlannedFiles } from '../../change/fix/candidates';
import { fileBytesOf } from '../../input/file-content';
import { assertUtf8 } from '../../input/follow-path';
import { SourceMap } from '../../input/source-map';
import { readFiles } from '../../input/read';
import type { RunBudget } from '../../input/read-budget';
import { markExcluded } from '../../input/exclude';
import type { DiscoveredFile, InputFile } from '../../input/discovered-file';
import { detectPlanDocument } from '../../change/diff/previous-plan';
import { createCrdAdmission } from '../../crds/admission';
import { joinFiles, parseApplyMode, readOldFiles, findPlanDocument } from './change-input';
import type { ChangeInputOptions } from './change-input';
import { isClusterSource } from './cluster-input';
import { markOldManifests } from './old-manifests';
import { withUsageErrors, readInputFiles, readSide, resolveRunOptions, readStdin } from './input';
import type { RunOptions } from './input';
import { withTimeoutError } from './time-limit';
import { UsageError } from '../output/io';
import { assertReplaceable } from '../output/output-file';
import type { Io } from '../output/io';

/** The input of `fix`. It is read once, and planned again for each fix that is tried. */
export interface FixableInput {
  /** Does all work that tries fixes. @throws UsageError once it takes more than the time of the budget */
  readonly limit: <Result>(work: () => Result) => Result;
  /** Plans the files, with new texts for some of them. */
  readonly plan: (texts: ReadonlyMap<string, string>) => PlannedFiles;
  readonly mayWrite: (file: string) => boolean;
  /** Returns the content of a file as it was read. */
  readonly contentOf: (file: string) => Buffer;
}

/** The real paths of files. Several names may lead to one file. */
class RealPaths {
  private readonly real = new Map<string, string>();
  /** The first name of each file. It is written under this name. */
  private readonly firstName = new Map<string, string>();

  constructor(files: readonly InputFile[], cwd: string) {
    for (const { file, given } of files) {
      if (given?.as === 'stream') continue;
      try {
        const path = resolve(cwd, file);
        assertUtf8(path);
        const real = realpathSync.native(path);
        this.real.set(file, real);
        if (!this.firstName.has(real)) this.firstName.set(real, file);
      } catch {
        // A name that is not UTF-8 can lead to another file as text: such a file is read, but not written.
      }
    }
  }

  realPathOf(file: string): string | undefined {
    return this.real.get(file);
  }

  /** Returns the name under which the same file is written. */
  writableNameOf(file: string): string | undefined {
    const real = this.real.get(file);
    return real === undefined ? undefined : this.firstName.get(real);
  }
}

/** Reports whether a file is inside its folder. Only a file given by name may be a link out of it: in a folder, links are not followed. */
function isInside({ file, given }: InputFile, real: string, cwd: string): boolean {
  if (given?.as !== 'file') return true;
  const folder = realpathSync.native(dirname(resolve(cwd, file)));
  return real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Reports whether a file may be replaced under a name. */
function isReplaceable(name: string, cwd: string, isDryRun: boolean): boolean {
  try {
    assertReplaceable(name, cwd, isDryRun);
    return true;
  } catch {
    return false;
  }
}

/** Returns files with other texts for some of them, which are named as they can be written. */
function replaceTexts(files: readonly DiscoveredFile[], texts: ReadonlyMap<string, string>, real: RealPaths): DiscoveredFile[] {
  return files.map((file) => {
    const text = 'content' in file ? texts.get(real.writableNameOf(file.file) ?? file.file) : undefined;
    return text === undefined ? file : { ...file, content: text };
  });
}

/** Lists the old manifests, if there are any. */
function listOldFiles(
  paths: readonly string[],
  { from }: ChangeInputOptions,
  stdin: InputFile | undefined,
  io: Io,
  run: RunOptions,
): readonly DiscoveredFile[] {
  const cluster = from.find(isClusterSource);
  if (cluster !== undefined)
    throw new UsageError(`fix reads no cluster, so not --from ${cluster}; name the old manifests, such as git:HEAD`);
  const opened = from.map((value) => detectPlanDocument(markOldManifests(readOldFiles(value, paths, stdin, io, run), value, io)));
  if (findPlanDocument(from, opened)) throw new UsageError(`${from[0]} is a plan document, but fix needs the old manifests; name those`);
  return [...joinFiles(opened)];
}

type PlanTexts = (texts: ReadonlyMap<string, string>, budget: RunBudget) => PlannedFiles;

/** Limits all attempts to fix the input to the time of the budget: their number grows with the input, and each one plans all of it. */
function limitAttempts(plan: PlanTexts, budget: RunBudget): Pick<FixableInput, 'plan' | 'limit'> {
  const deadline = new Deadline(budget.seconds);
  return {
    plan: (texts) => {
      const planned = plan(texts, { ...budget, seconds: deadline.secondsLeft });
      deadline.check();
      return planned;
    },
    limit: (work) =>
      withTimeoutError(budget.seconds, 'trying the fixes', () => deadline.limit(work), {
        effect: 'so nothing is written',
        reduce: 'name fewer files, or some rules with --rule',
      }),
  };
}

/** The files to fix, and with what they are planned. */
interface FilesToFix {
  readonly paths: readonly string[];
  readonly options: ChangeInputOptions;
  readonly apply: ApplyMode | undefined;
  readonly run: RunOptions;
  readonly files: readonly DiscoveredFile[];
  readonly real: RealPaths;
  /** The old manifests. Empty if no change is planned. */
  readonly oldFiles: readonly DiscoveredFile[];
}

/** Creates the function that plans files, alone or as a change of the old manifests. */
function createFilePlanner({ paths, options, apply, run, files, real, oldFiles }: FilesToFix, io: Io): PlanTexts {
  const { planOptions, applySettings, configured, definitions, policy, trustsInput } = run;
  return (texts, budget) => {
    const locations = new SourceMap();
    const read = toPlanInput(
      readFiles(replaceTexts(files, texts, real), { ...PLAN_READING, paths, locations, budget, trustsInput, apply }),
    );
    const input = validateWithCrds(read, definitions, oldFiles.length > 0, budget.seconds);
    const planAlone = () => {
      const limits = { budget, deadline: new Deadline(budget.seconds) };
      const created = withRefusals(input);
      return addRefusedObjects(planInput({ ...created, deadline: limits.deadline }, { ...planOptions, budget }), created, limits);
    };
    const planChange = () => {
      const reading = { paths: options.from, locations: new SourceMap(), budget, configured, trustsInput, apply };
      return planChangedInput(readSide(oldFiles, options, reading, io), input, {
        ...planOptions,
        budget,
        ...(apply && { apply }),
        prune: options.prune === true,
        admission: definitions && createCrdAdmission(definitions, budget.seconds),
      });
    };
    const planned = applySettings(oldFiles.length === 0 ? planAlone() : planChange());
    return { plan: applyGuardrailPolicy(planned, input, policy, budget), objects: input.objects, locations };
  };
}

/**
 * Reads the files to fix.
 *
 * @throws UsageError if the command cannot run
 */
export async function readFixableInput(
  paths: readonly string[],
  options: ChangeInputOptions & { readonly dryRun?: boolean },
  io: Io,
): Promise<FixableInput> {
  const { dryRun = false } = options;
  const run = resolveRunOptions(paths, options, io, new SourceMap());
  const apply = parseApplyMode(options.apply);
  const stdin = await readStdin([...options.from, ...paths], io, run.budget);
  const files = await withUsageErrors(() => [
    ...markExcluded(readInputFiles(paths, stdin, io, run), options.exclude ?? [], run.configured),
  ]);
  const withContent = files.filter((file: DiscoveredFile): file is InputFile => 'content' in file);
  const byName = new Map(withContent.map((file) => [file.file, file]));
  const real = new RealPaths(withContent, io.cwd);
  const oldFiles = await withUsageErrors(() => listOldFiles(paths, options, stdin, io, run));
  const plan = createFilePlanner({ paths, options, apply, run, files, real, oldFiles }, io);
  const initialPlan = await withUsageErrors(() => plan(new Map(), run.budget));
  const attempts = limitAttempts(plan, run.budget);
  return {
    limit: attempts.limit,
    plan: (texts) => (texts.size === 0 ? initialPlan : attempts.plan(texts)),
    mayWrite: (name) => {
      const file = byName.get(name);
      const path = real.realPathOf(name);
      if (!file || path === undefined || real.writableNameOf(name) !== name) return false;
      return isUtf8(fileBytesOf(file.content)) && isInside(file, path, io.cwd) && isReplaceable(name, io.cwd, dryRun);
    },
    contentOf: (name) => fileBytesOf(byName.get(name)!.content),
  };
}
