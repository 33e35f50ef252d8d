import { isUtf8 } from 'node:buffer';
import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { PlanDocument } from '../core/plan-document';
import { planInput } from '../plan/plan';
import { isAskedFor } from '../plan/asked-for';
import { guardedPlan } from '../plan/guarded';
import { inputOf } from '../plan/read-input';
import { FILE_KINDS } from '../plan/registry';
import { changePlan } from '../change/plan-change';
import type { PlannedFiles } from '../change/fix/candidates';
import { bytesOf } from '../input/content';
import { Locations } from '../input/locations';
import { readFiles } from '../input/read';
import type { FoundFile, InputFile } from '../input/found-file';
import { openedFiles } from '../change/old-plan';
import { crdAdmission } from '../crds/admission';
import { crdFindings } from '../crds/findings';
import { keeping } from './crds';
import { all, applyModeOf, oldFilesOf, planAmong } from './change-input';
import type { ChangeInputOptions } from './change-input';
import { asUsage, filesOf, readSide, settled, stdinOf, withoutExcluded } from './input';
import { UsageError } from './io';
import type { Io } from './io';

/** The input of `fix`: it stays in memory, and is planned as often as a fix is tried. */
export interface FixableInput {
  /** Plans the files, some with another text than theirs. */
  readonly plan: (texts: ReadonlyMap<string, string>) => PlannedFiles;
  readonly mayWrite: (file: string) => boolean;
  /** What was read of a file. */
  readonly contentOf: (file: string) => Buffer;
}

/** The real paths of files; two names may lead to one. */
class RealFiles {
  private readonly real = new Map<string, string>();
  /** The name by which a file was reached first, which is the one that is written. */
  private readonly firstName = new Map<string, string>();

  constructor(files: readonly InputFile[], cwd: string) {
    for (const { file, given } of files) {
      if (given?.as === 'stream') continue;
      try {
        const real = realpathSync(resolve(cwd, file));
        this.real.set(file, real);
        if (!this.firstName.has(real)) this.firstName.set(real, file);
      } catch {
        // A name that is not UTF-8 leads nowhere as text: such a file is read, and not written.
      }
    }
  }

  of(file: string): string | undefined {
    return this.real.get(file);
  }

  /** The name by which the same file is written. */
  writtenAs(file: string): string | undefined {
    const real = this.real.get(file);
    return real === undefined ? undefined : this.firstName.get(real);
  }
}

/** A file given by name may be a link out of its folder; in a folder that is given none is followed. */
function isInside({ file, given }: InputFile, real: string, cwd: string): boolean {
  if (given?.as !== 'file') return true;
  const folder = realpathSync(dirname(resolve(cwd, file)));
  return real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function isWritable(real: string): boolean {
  try {
    accessSync(real, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads what is to be fixed.
 *
 * @throws UsageError for whatever keeps the command from running at all
 */
export async function readForFix(paths: readonly string[], options: ChangeInputOptions, io: Io): Promise<FixableInput> {
  const { budget, planOptions, judge, configured, definitions, policy } = settled(paths, options, io, new Locations());
  const apply = applyModeOf(options.apply);
  const stdin = await stdinOf([...options.from, ...paths], io, budget);
  const found = await asUsage(() => [...withoutExcluded(filesOf(paths, stdin, io.cwd, budget), options.exclude ?? [], configured)]);
  const files = found.filter((file: FoundFile): file is InputFile => 'content' in file);
  const byName = new Map(files.map((file) => [file.file, file]));
  const real = new RealFiles(files, io.cwd);
  const opened = await asUsage(() => options.from.map((value) => openedFiles(oldFilesOf(value, paths, stdin, io, budget))));
  if (planAmong(options.from, opened))
    throw new UsageError(`${options.from[0]} is a plan document, and no migration starts there; name manifests`);
  const oldFiles = [...all(opened)];
  const keeps = options.from.length > 0 ? undefined : isAskedFor;

  const plan = (texts: ReadonlyMap<string, string>): PlannedFiles => {
    const locations = new Locations();
    const current = found.map((file) => {
      const text = 'content' in file ? texts.get(real.writtenAs(file.file) ?? file.file) : undefined;
      return text === undefined ? file : { ...file, content: text };
    });
    const read = inputOf(readFiles(current, { kinds: FILE_KINDS, paths, locations, budget, keeps: keeping(keeps, definitions) }));
    const judgedByCrds = definitions ? crdFindings(read.objects, definitions, locations.locate, oldFiles.length > 0) : [];
    const input = { ...read, findings: [...(read.findings ?? []), ...judgedByCrds] };
    const guarded = (document: PlanDocument) => guardedPlan(document, input, policy);
    if (oldFiles.length === 0) return { plan: guarded(judge(planInput(input, planOptions))), objects: input.objects, locations };
    const old = readSide(oldFiles, options, { paths: options.from, locations: new Locations(), budget, configured }, io);
    const change = changePlan(old, input, {
      ...planOptions,
      ...(apply && { apply }),
      prune: options.prune === true,
      admission: definitions && crdAdmission(definitions),
    });
    return { plan: guarded(judge(change)), objects: input.objects, locations };
  };
  const asTheyAre = await asUsage(() => plan(new Map()));

  return {
    plan: (texts) => (texts.size === 0 ? asTheyAre : plan(texts)),
    mayWrite: (name) => {
      const file = byName.get(name);
      const path = real.of(name);
      if (!file || path === undefined || real.writtenAs(name) !== name) return false;
      return isUtf8(bytesOf(file.content)) && isInside(file, path, io.cwd) && isWritable(path);
    },
    contentOf: (name) => bytesOf(byName.get(name)!.content),
  };
}
