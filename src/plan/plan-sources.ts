import { groupBy } from '../core/collections/group-by';
import { OptionError } from '../core/errors/option-error';
import { testSafely } from '../core/collections/safe-predicate';
import { isFields } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { describeValue } from '../core/text/display-value';
import type { InputFile } from '../input/discovered-file';
import { buildLayout } from '../input/layout';
import { SourceMap } from '../input/source-map';
import { readFiles } from '../input/read';
import type { RunBudget } from '../input/read-budget';
import { wrapAsOptionError, validateOptions, PLAN_OPTIONS } from './validate-options';
import { planWithDefinitions } from './plan';
import type { PlanInput } from './plan-input';
import type { PlanOptions } from './plan-options';
import { toPlanInput } from './to-plan-input';
import { PLAN_READING } from './registry';

/** The text of one file. */
export interface ManifestSource {
  /** Path in findings: `shop.yaml`, or `shop/base/web.yaml` in the folder `shop`. */
  readonly path: string;
  /** YAML or JSON with any number of documents. */
  readonly text: string;
}

/** Returns the top folder of a file: `shop` for `shop/base/web.yaml`, undefined for a file without a folder. */
function folderOf(path: string): string | undefined {
  const slash = path.indexOf('/');
  return slash > 0 ? path.slice(0, slash) : undefined;
}

/** Lists the files of a folder in the order in which the command line finds them. */
function* listFolderFiles(folder: string, sources: readonly ManifestSource[]): Generator<InputFile> {
  const texts = new Map(sources.map(({ path, text }) => [path.slice(folder.length + 1), text]));
  const placeOf = buildLayout([...texts.keys()], (path) => texts.get(path), {
    id: folder,
    name: folder,
    hasMarkerFile: false,
    isNamedInput: true,
  });
  for (const path of [...texts.keys()].toSorted()) {
    yield { file: `${folder}/${path}`, content: texts.get(path)!, given: { path: folder, as: 'folder' }, place: placeOf(path) };
  }
}

/** Converts a source without a folder to a file that was given by name. */
function toInputFile({ path, text }: ManifestSource): InputFile {
  const unit = { id: path, name: path, hasMarkerFile: false, isNamedInput: true };
  return { file: path, content: text, given: { path, as: 'file' }, place: buildLayout([path], () => text, unit)(path) };
}

/** Lists the PATHs that a command line would name: folders, and files without a folder. */
function listInputPaths(sources: readonly ManifestSource[]): string[] {
  return [...new Set(sources.map(({ path }) => folderOf(path) ?? path))];
}

function* listInputFiles(sources: readonly ManifestSource[]): Generator<InputFile> {
  const byFolder = groupBy(sources, ({ path }) => folderOf(path));
  const byPath = groupBy(sources, ({ path }) => path);
  for (const inputPath of listInputPaths(sources)) {
    const inFolder = byFolder.get(inputPath);
    if (inFolder) yield* listFolderFiles(inputPath, inFolder);
    for (const source of byPath.get(inputPath) ?? []) yield toInputFile(source);
  }
}

/** Reads the objects of some texts, with their units and positions. */
export function readSources(sources: readonly ManifestSource[], locations: SourceMap, budget?: RunBudget): PlanInput {
  const paths = listInputPaths(sources);
  return toPlanInput(readFiles(listInputFiles(sources), { ...PLAN_READING, paths, locations, ...(budget && { budget }) }));
}

function validateSources(sources: readonly unknown[]): void {
  if (!testSafely(() => Array.isArray(sources)))
    throw new OptionError(`the sources are ${describeValue(sources)}: write a list of { path, text }`);
  for (const [index, source] of sources.entries()) {
    const isSource = testSafely(() => isFields(source) && typeof source.path === 'string' && typeof source.text === 'string');
    if (!isSource) throw new OptionError(`sources[${index}] is ${describeValue(source)}: write { path, text }, both strings`);
  }
}

/**
 * Plans manifests from texts with their paths. The result is that of the command line for the same files, with units and positions.
 *
 * A folder is treated like a PATH: `shop/base/web.yaml` is read as `rolloutkit plan shop` reads it. No text makes it throw.
 *
 * @throws OptionError for invalid sources, and for an option of the wrong type
 * @throws VersionError for an unknown product or an invalid version
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of range
 *
 * @example
 * const plan = planSources([{ path: 'shop/web.yaml', text }], { versions: { kubernetes: '1.35' } });
 * plan.rollouts[0].findings[0]?.source; // { file: 'shop/web.yaml', line: 12, column: 7 }
 */
export function planSources(sources: readonly ManifestSource[], options: PlanOptions = {}): PlanDocument {
  const validated = validateOptions(options, PLAN_OPTIONS);
  validateSources(sources);
  return wrapAsOptionError(() => planWithDefinitions(readSources(sources, new SourceMap()), validated));
}
