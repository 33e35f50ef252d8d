import { isLocalConfig } from '../core/local-config';
import { describeObject, isFields, isManifest, nameOf } from '../core/manifest';
import type { ApplyMode } from '../core/change';
import type { Fields, Manifest } from '../core/manifest';
import type { Finding } from '../core/finding';
import { SourceMap } from './source-map';
import { BudgetTracker } from './read-budget';
import type { RunBudget } from './read-budget';
import {
  createUnreadableFileFinding,
  readFileDocuments,
  createDuplicateKeyFindings,
  createNonObjectFinding,
  filterUnreadableFindings,
  summarizeOmittedDuplicateKeys,
  summarizeOmittedProblems,
} from './read-document';
import type { PlacedDocument, UnreadableDocument } from './read-document';
import { findNotFiniteNumber } from './not-finite';
import type { ReadState } from './read-state';
import type { DiscoveredFile, InputFile } from './discovered-file';
import { AsideCounter, UnrenderedFiles, addFileAside, reportObjectsAside } from './files-aside';
import type { ObjectAside } from './files-aside';
import { InputSummary } from './input-summary';
import { InputTreeBuilder } from './input-tree';
import type { InputTree } from './input-tree';
import type { PathSummary } from './input-summary';
import { FindingLimiter } from '../core/finding-limits';
import { flattenLists } from './flatten-lists';
import type { DocumentObject } from './flatten-lists';
import { isPatch, mayContainPatchDirective, detectRole, isUnrendered } from './file-role';
import { createNonObjectItemFinding, explainNonObject } from './non-object-findings';
import { toKustomizationObject } from './kustomization';
import {
  checkAddingKustomizations,
  checkAppliedData,
  checkArgoCdSettings,
  checkRefusedKustomizations,
  findUnseenField,
} from './unseen-objects';
import { KUSTOMIZATION_FILES, isJsonnetFile, isMarker } from './marker-files';
import type { FileContext } from './layout';
import { basename } from 'node:path';
import { toManifest } from './manifest-fields';
import { withLabels } from './kustomize-labels';
import { fileSizeOf } from './file-content';
import { findToolAnnotation } from './altered-objects';
import { createAlteredObjectsFinding, createIgnoredFilesFinding, createIgnoredNamesFinding } from '../core/rules/kustomization';
import { reportMergedField, reportOtherReading, reportUnnamed } from './other-readings';
import { createSkippedFinding } from '../core/rules/skipped';
import { ignoringToolOf, isToolInView, listIgnoringTools } from './ignore-files';
import { createExcludedFilesFinding, createUnreadFolderFinding } from '../core/rules/not-read';
import { toSafeText } from '../core/value-text';

/** The objects of the input in input order, and the findings of reading it. */
export interface InputObjects {
  readonly objects: readonly Manifest[];
  /** Findings of reading, such as `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: SourceMap;
  /** The names of the files in the order in which they were read. */
  readonly files: readonly string[];
  /** The files of folders. @default - no folder was read */
  readonly tree?: InputTree;
}

/**
 * Converts a file that is known by its name and contains no Kubernetes object to an object, so that it is planned like others.
 * Returns undefined for any other file.
 *
 * @param file - its name, as reached from the PATH
 * @param content - its first document; an empty map for an empty file
 */
export type FileKind = (file: string, content: Fields) => Manifest | undefined;

/** Options for reading files. */
export interface ReadOptions {
  /** The kinds of files that are known by their names. @default - none */
  readonly kinds?: readonly FileKind[];
  /** The PATHs of the command line. Each should contain a document. @default - no PATH is checked */
  readonly paths?: readonly string[];
  /** The budget for reading. @default - `DEFAULT_BUDGET` */
  readonly budget?: RunBudget;
  /** Receives the positions of the objects. @default - a new map, which is returned */
  readonly locations?: SourceMap;
  /** Reports whether plans read an object, so that it matters if it is set aside. @default - every object matters */
  readonly isPlannedObject?: (object: Manifest) => boolean;
  /**
   * Whether the input may set its own files aside: by their names, by templates, or by a kustomization that lists them as patches.
   * If not, every file is planned as kubectl reads it, and an object that remains set aside is an error. @default true
   */
  readonly trustsInput?: boolean;
  /** How the objects reach the cluster, if the user says so. @default - the input may show it */
  readonly apply?: ApplyMode | undefined;
}

/** Adds an object. One that makes its tool apply other objects than the files show has a finding: always if an annotation does so, otherwise if every file must be planned. */
function addObject({ object, trail, text, chunk }: ObjectAside, state: ReadState): void {
  const { objects, locations, findings, trustsInput } = state;
  objects.push(object);
  locations.register(object, { text, chunk, trail });
  const field = findToolAnnotation(object) ?? (trustsInput ? undefined : findUnseenField(object, state));
  if (field === undefined) return;
  const name = nameOf(object) === '' ? object.kind : describeObject(object);
  const severity = trustsInput ? 'warning' : 'error';
  findings.push(createAlteredObjectsFinding({ object: name, file: text.file, field }, text.locate(chunk, trail), severity));
}

/** Adds a file of a kind that is known by its name. Its first document counts, and an empty file is an empty map. */
function addFileOfKind({ value, chunk, text }: PlacedDocument, kinds: readonly FileKind[], state: ReadState): boolean {
  if (isManifest(value)) return false;
  const content = value ?? {};
  const object = isFields(content) ? convertFileOfKind(text.file, content, kinds) : undefined;
  if (!object) return false;
  addObject({ object, trail: [], text, chunk }, state);
  return true;
}

function convertFileOfKind(file: string, content: Fields, kinds: readonly FileKind[]): Manifest | undefined {
  for (const kind of kinds) {
    const object = kind(file, content);
    if (object) return object;
  }
  if (KUSTOMIZATION_FILES.includes(basename(file))) return toKustomizationObject(content);
  return undefined;
}

/** What is known of a file while its documents are read. */
interface FileProgress {
  /** Number of documents that are not empty. */
  count: number;
  nonObjectCount: number;
  jsonCount: number;
  isStreamReported: boolean;
  isUnnamedReported: boolean;
  /** First empty document. */
  empty?: PlacedDocument;
  /** Whether the file is of a kind that is known by its name. @default - no document was read */
  isOfKind?: boolean;
  /** @default - no document was read */
  mayHaveDirective?: boolean;
  readonly failures: UnreadableDocument[];
  readonly aside: Readonly<Record<'patches' | 'containers' | 'values' | 'locals', ObjectAside[]>>;
  readonly problems: FindingLimiter;
  readonly duplicates: FindingLimiter;
}

/** Returns where an object is set aside; undefined if it is planned. */
function selectAside(
  object: Manifest,
  { place }: InputFile,
  progress: FileProgress,
  { trustsInput }: ReadState,
): ObjectAside[] | undefined {
  const { aside, mayHaveDirective = false } = progress;
  if (trustsInput && place?.isValues === true) return aside.values;
  if (isPatch(object, mayHaveDirective, place)) return aside.patches;
  return place?.isResource === true && isLocalConfig(object) ? aside.locals : undefined;
}

/** Adds the objects of a document, or sets them aside. Returns whether some are added. */
function addDocumentObjects(document: PlacedDocument, file: InputFile, state: ReadState, progress: FileProgress): boolean {
  const { text, chunk } = document;
  const { objects, containers, nonObjects } = flattenLists(document.value);
  progress.mayHaveDirective ??= mayContainPatchDirective(text.text);
  let isAdded = false;
  for (const inner of addKustomizeLabels(selectFields(objects, file), file.place, state)) {
    const aside = selectAside(inner.object, file, progress, state);
    if (aside === undefined) {
      addObject({ ...inner, text, chunk }, state);
      isAdded = true;
    } else if (state.isPlannedObject(inner.object)) aside.push({ ...inner, text, chunk });
  }
  for (const inner of containers) if (state.isPlannedObject(inner.object)) progress.aside.containers.push({ ...inner, text, chunk });
  if (chunk.json) progress.jsonCount++;
  const isFollowing = chunk.json !== undefined && progress.jsonCount > 1 && !progress.isStreamReported;
  const inDocument = objects.map((each) => ({ ...each, text, chunk }));
  reportMergedField(inDocument, document, file, state);
  progress.isUnnamedReported ||= reportUnnamed(document, file, state);
  progress.isStreamReported ||= reportOtherReading(inDocument, document.value, isFollowing, file, state);
  for (const item of nonObjects) progress.problems.add(createNonObjectItemFinding(item, text.locate(chunk, item.trail)));
  return isAdded;
}

/** Adds a document that is not empty. */
function addDocument(
  document: PlacedDocument,
  file: InputFile,
  kinds: readonly FileKind[],
  state: ReadState,
  progress: FileProgress,
): void {
  const { problems, duplicates } = progress;
  progress.isOfKind ??= addFileOfKind(document, kinds, state);
  const isAdded = addDocumentObjects(document, file, state, progress);
  if (isAdded || progress.isOfKind) for (const finding of createDuplicateKeyFindings(document, file.place)) duplicates.add(finding);
  const notFinite = isAdded ? findNotFiniteNumber(document) : undefined;
  if (notFinite) problems.add(notFinite);
  if (progress.isOfKind) return;
  const problem = createNonObjectFinding(file, document, state.trustsInput);
  if (problem) problems.add(problem);
  else if (explainNonObject(document.value) && !isMarker(basename(file.file))) progress.nonObjectCount++;
}

/** Adds the objects and findings of one file. Returns the number of its documents that are not empty, and the number of those that are not objects. */
function addFile(file: InputFile, { kinds = [] }: ReadOptions, state: ReadState, summary: InputSummary): Omit<PathSummary, 'as'> {
  const progress: FileProgress = {
    count: 0,
    nonObjectCount: 0,
    jsonCount: 0,
    isStreamReported: false,
    isUnnamedReported: false,
    failures: [],
    aside: { patches: [], containers: [], values: [], locals: [] },
    problems: new FindingLimiter(state.findings, summarizeOmittedProblems),
    duplicates: new FindingLimiter(state.findings, summarizeOmittedDuplicateKeys),
  };
  const { aside, failures, problems, duplicates } = progress;
  for (const document of readFileDocuments(file, state.spending)) {
    if ('value' in document && document.value === null) {
      progress.empty ??= document;
      continue;
    }
    progress.count++;
    if ('value' in document) addDocument(document, file, kinds, state, progress);
    else failures.push(document);
  }
  for (const finding of filterUnreadableFindings(file, failures, summary, state.trustsInput)) problems.add(finding);
  problems.finish();
  reportObjectsAside(aside.patches, file.place?.isPatch ? 'patch' : 'patch-object', file.file, state);
  reportObjectsAside(aside.containers, 'items', file.file, state);
  reportObjectsAside(aside.values, 'values', file.file, state);
  reportObjectsAside(aside.locals, 'local-config', file.file, state);
  duplicates.finish();
  const { empty, count, nonObjectCount } = progress;
  if (empty && progress.isOfKind === undefined) progress.isOfKind = addFileOfKind(empty, kinds, state);
  return progress.isOfKind ? { count: 1, nonObjectCount: 0 } : { count, nonObjectCount };
}

/** Drops what a manifest cannot set, if the objects of the file are known to be manifests. */
function selectFields(objects: readonly DocumentObject[], { hasManifests }: InputFile): readonly DocumentObject[] {
  return hasManifests ? objects.map(({ object, trail }) => ({ object: toManifest(object), trail })) : objects;
}

/** Adds the labels and annotations of the kustomizations around the file. Those of an input that is not trusted are errors, and not added: guardrails match labels. */
function addKustomizeLabels(
  objects: readonly DocumentObject[],
  place: FileContext | undefined,
  { trustsInput }: Pick<ReadState, 'trustsInput'>,
): readonly DocumentObject[] {
  const labels = trustsInput ? place?.labels : undefined;
  return labels ? objects.map(({ object, trail }) => ({ object: withLabels(object, labels), trail })) : objects;
}

/** Reports whether a file is over a budget: of one file, or of all that was read so far. Adds a finding if it is. After the time, no further file is read. */
function rejectOverBudget({ file, content }: InputFile, state: ReadState): boolean {
  const { findings, spending } = state;
  const budget = spending.chargeFile(fileSizeOf(content));
  if (budget === undefined) return false;
  findings.push(createUnreadableFileFinding(file, { kind: 'over-budget', budget, limit: spending.budget[budget] }));
  state.isStopped = budget === 'seconds';
  return true;
}

/** What a run counts while it reads, in addition to objects and findings. */
interface ReadCounters {
  readonly summary: InputSummary;
  readonly unrendered: UnrenderedFiles;
  readonly ignored: AsideCounter;
  /** Files that a tool leaves out because of their names or places, by the tool. */
  readonly ignoredNames: AsideCounter;
  /** Files of hidden folders and `node_modules`. */
  readonly unread: AsideCounter;
  readonly excluded: AsideCounter;
}

/** Creates the findings about several files or objects, once all of them are read. */
function createSummaryFindings(counters: ReadCounters, tree: InputTree | undefined, options: ReadOptions, state: ReadState): Finding[] {
  const { trustsInput, objects, isStopped } = state;
  const { summary, unread, excluded, unrendered, ignored, ignoredNames } = counters;
  const severity = trustsInput ? 'info' : 'error';
  return [
    ...checkArgoCdSettings(state),
    ...checkAppliedData(state),
    ...(tree ? [...checkRefusedKustomizations(tree, state), ...checkAddingKustomizations(tree, state)] : []),
    ...unread.findings(createUnreadFolderFinding),
    ...excluded.findings(createExcludedFilesFinding),
    ...unrendered.findings(trustsInput),
    ...ignored.findings((by, data) => createIgnoredFilesFinding(by, { tool: ignoringToolOf(by), ...data }, severity)),
    ...ignoredNames
      .findings((tool, data) => createIgnoredNamesFinding({ tool, ...data }, severity))
      .filter(({ data }) => data?.resource !== undefined && isToolInView(toSafeText(data.tool), options.apply, objects)),
    ...summary.findings(isStopped ? [] : (options.paths ?? [])),
  ];
}

/** Reads a file by its role: as manifests, or as a file that is set aside. */
function addFileByRole(
  file: InputFile,
  options: ReadOptions,
  state: ReadState,
  { summary, unrendered, ignored, ignoredNames }: ReadCounters,
): void {
  if (file.ignoredBy) ignored.add(file, file.ignoredBy, state);
  for (const tool of listIgnoringTools(file)) ignoredNames.add(file, tool, state);
  const role = state.trustsInput ? detectRole(file) : undefined;
  if (role === 'unrendered') {
    unrendered.add(file, state);
    summary.addDocuments(file.given, 1);
  } else if (role === undefined) {
    const before = state.objects.length;
    const { count, nonObjectCount } = addFile(file, options, state, summary);
    if (isUnrendered(file) && state.objects.length > before) unrendered.add(file, state);
    summary.addDocuments(file.given, count, nonObjectCount);
  } else {
    addFileAside(file, role, state, summary);
  }
}

/** Adds what was found: the objects of a file, or why it is not read. */
function addFoundFile(file: DiscoveredFile, options: ReadOptions, state: ReadState, counters: ReadCounters): void {
  const { summary } = counters;
  if ('isSilent' in file) {
    if (!isJsonnetFile(file.file)) summary.addDocuments(file.given, 1);
  } else if ('failure' in file) {
    state.findings.push(file.failure);
    summary.addDocuments(file.given, 1);
  } else if ('skipped' in file) {
    state.findings.push(createSkippedFinding(file.file, file.skipped, state.trustsInput ? 'info' : 'error'));
  } else if (!('content' in file)) {
    state.findings.push(createUnreadableFileFinding(file.file, file.problem));
    summary.addDocuments(file.given, 1);
  } else if (rejectOverBudget(file, state)) {
    summary.addDocuments(file.given, 1);
  } else {
    addFileByRole(file, options, state, counters);
  }
}

/** Reads files as kubectl reads them. A document or file that cannot be read is one finding, and the others are read. */
export function readFiles(files: Iterable<DiscoveredFile>, options: ReadOptions = {}): InputObjects {
  const { locations = new SourceMap(), isPlannedObject = () => true, trustsInput = true } = options;
  const state: ReadState = {
    objects: [],
    findings: [],
    locations,
    spending: new BudgetTracker(options.budget),
    isPlannedObject,
    trustsInput,
    isStopped: false,
  };
  const names: string[] = [];
  let tree: InputTreeBuilder | undefined;
  const counters: ReadCounters = {
    summary: new InputSummary(trustsInput),
    unrendered: new UnrenderedFiles(),
    ignored: new AsideCounter(),
    ignoredNames: new AsideCounter(),
    unread: new AsideCounter(),
    excluded: new AsideCounter(),
  };
  const { summary, unread, excluded } = counters;
  for (const file of files) {
    if (state.isStopped) break;
    if (file.exclusion) {
      summary.addExclusion(file.given, file.exclusion);
      if (file.exclusion.isFromInput) excluded.add(file, file.exclusion.by, state);
      continue;
    }
    if (file.unreadFolder !== undefined) {
      if (!('content' in file) || !rejectOverBudget(file, state)) unread.add(file, file.unreadFolder, state);
      continue;
    }
    names.push(file.file);
    if (file.given?.as === 'folder') (tree ??= new InputTreeBuilder()).add(file);
    if ('place' in file) summary.addMarker(file.file, file.place, file.given);
    addFoundFile(file, options, state, counters);
  }
  const built = tree?.build();
  return {
    objects: state.objects,
    findings: [...state.findings, ...createSummaryFindings(counters, built, options, state)],
    locations,
    files: names,
    ...(built && { tree: built }),
  };
}

/** Reads the maps of one file, Kubernetes objects or not, and the findings of reading it. */
export function readMaps(
  file: InputFile,
  locations: SourceMap,
): { readonly maps: readonly Fields[]; readonly findings: readonly Finding[] } {
  const maps: Fields[] = [];
  const findings: Finding[] = [];
  for (const document of readFileDocuments(file)) {
    if (!('value' in document)) {
      findings.push(document.finding);
      continue;
    }
    const { value, chunk, text } = document;
    if (!isFields(value)) continue;
    maps.push(value);
    locations.register(value, { text, chunk, trail: [] });
  }
  return { maps, findings };
}
