import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { getErrorMessage } from '../core/error-message';
import { ROOT_PATH } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { describeObject, isFields, isManifest } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { createDuplicateKeyFinding, createOmittedDuplicateKeysFinding } from '../core/rules/duplicate-key';
import { createExcludedFilesFinding, createNotReadFinding, createUnreadFolderFinding } from '../core/rules/not-read';
import type { NotReadRole } from '../core/rules/not-read';
import { createSkippedFinding } from '../core/rules/skipped';
import { createTemplateFinding, createYttFinding } from '../core/rules/template';
import { unreadable } from '../core/rules/unreadable';
import type { DocumentProblem, FileProblem } from '../core/input-problem';
import { explainNonObject, createNonObjectItemFinding, hideSecretText, hideText, mayContainSecret } from './non-object-findings';
import { BYTES_PER_MEGABYTE, BudgetTracker } from './read-budget';
import type { RunBudget } from './read-budget';
import { FindingLimiter } from './finding-limiter';
import type { OmittedFindings } from './finding-limiter';
import { includesWord, fileSizeOf, fileTextOf } from './file-content';
import type { FileContent } from './file-content';
import type { DiscoveredFile, InputFile } from './discovered-file';
import { SourceMap } from './source-map';
import { SourceText } from './source-text';
import type { FileContext } from './layout';
import { isMarker } from './layout';
import { withLabels } from './kustomize-labels';
import { determineNonObjectSeverity } from './non-object-severity';
import { flattenLists } from './flatten-lists';
import type { DocumentObject } from './flatten-lists';
import { toManifest } from './manifest-fields';
import { isPatch, mayContainPatchDirective } from './patches';
import { InputSummary } from './input-summary';
import type { PathSummary } from './input-summary';
import { isYtt, TemplateText } from './template-text';
import { DocumentError } from './yaml';
import type { Chunk, DocumentValue } from './yaml';

/** The objects of the input in input order, and the findings of reading it. */
export interface InputObjects {
  readonly objects: readonly Manifest[];
  /** Findings of reading, such as `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: SourceMap;
  /** The names of the files in the order in which they were read. */
  readonly files: readonly string[];
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
}

/** A document of a file and its position. */
interface PlacedDocument extends DocumentValue {
  readonly chunk: Chunk;
  readonly text: SourceText;
}

/** A document that cannot be read. */
interface UnreadableDocument {
  readonly finding: Finding;
  /** Whether kubectl may apply an object of it all the same. */
  readonly mayBeApplied: boolean;
}

const NOT_UTF8 = { kind: 'not-utf8' } as const;

function createUnreadableFileFinding(file: string, problem: FileProblem): Finding {
  return unreadable.createFinding('file', { path: ROOT_PATH, data: { file, problem }, source: { file, line: 1 } });
}

function createUnreadableDocumentFinding(begin: Source, at: Source, problem: DocumentProblem): Finding {
  return unreadable.createFinding('document', { path: ROOT_PATH, data: { startLine: begin.line, problem }, source: at });
}

function createUnreadableDocument(begin: Source, at: Source, problem: DocumentProblem): UnreadableDocument {
  return { finding: createUnreadableDocumentFinding(begin, at, problem), mayBeApplied: true };
}

/** Reports whether the bytes of a file are not UTF-8. */
function isNotUtf8(content: FileContent): content is Uint8Array {
  return content instanceof Uint8Array && !isUtf8(content);
}

/** Reads the value of a document. Its bytes that are not UTF-8 were decoded to U+FFFD. */
function readDocumentValue(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): DocumentValue {
  const invalidAt = hasInvalidBytes ? text.textOf(chunk).indexOf('\ufffd') : -1;
  if (invalidAt >= 0) throw new DocumentError(invalidAt, NOT_UTF8);
  return text.valueOf(chunk);
}

/** Returns the offset of the first line with content. A chunk may begin with blank lines and comments. */
function findContentStart(chunk: Chunk, source: SourceText): number {
  const text = source.textOf(chunk);
  for (let line = 0; line < text.length;) {
    const next = text.indexOf('\n', line) + 1 || text.length;
    const content = text.slice(line, next).trimStart();
    const isMark = line === 0 && /^---\s/.test(content);
    if (content !== '' && !content.startsWith('#') && !isMark) return chunk.at + line;
    line = next;
  }
  return chunk.at;
}

/** Problems that kubectl has too, so that it applies nothing of the document. The others are limits of this reader, or are accepted by Go. */
const PROBLEMS_OF_KUBECTL: ReadonlySet<DocumentProblem['kind']> = new Set([
  'alias-without-anchor',
  'anchor-in-itself',
  'key-not-text',
  'merge-without-map',
  'syntax',
]);

/** The start of a document after a line break that does not separate documents, so that directives may come before it. */
const START_WITHIN_DOCUMENT = /[\r\u0085\u2028\u2029]---/;

/** Reports whether kubectl may apply an object of a document that this reader refuses. */
function mayBeApplied({ problem, valueBefore }: DocumentError, document: string): boolean {
  if (problem.kind === 'syntax' && problem.fault === 'directive' && START_WITHIN_DOCUMENT.test(document)) return true;
  return !PROBLEMS_OF_KUBECTL.has(problem.kind) || isFields(valueBefore);
}

function readChunk(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): PlacedDocument | UnreadableDocument {
  try {
    const { value, duplicateKeys } = readDocumentValue(chunk, text, hasInvalidBytes);
    // Without a spread: V8 would give every such object a hidden class of its own.
    return { value, duplicateKeys, chunk, text };
  } catch (error) {
    const begin = text.sourceAt(findContentStart(chunk, text));
    if (!(error instanceof DocumentError)) return createUnreadableDocument(begin, begin, { kind: 'failed', said: getErrorMessage(error) });
    const document = text.textOf(chunk);
    return {
      finding: createUnreadableDocumentFinding(begin, text.sourceAt(chunk.at + error.at), hideSecretText(error.problem, document)),
      mayBeApplied: mayBeApplied(error, document),
    };
  }
}

/** Reads the documents of a file in order. */
function* readFileDocuments(
  { file, content, place, origins }: InputFile,
  spending?: BudgetTracker,
): Generator<PlacedDocument | UnreadableDocument> {
  const hasInvalidBytes = isNotUtf8(content);
  if (hasInvalidBytes && content.includes(0)) {
    // kubectl reads UTF-16 with a byte order mark.
    yield { finding: createUnreadableFileFinding(file, NOT_UTF8), mayBeApplied: true };
    return;
  }
  const text = new SourceText(file, fileTextOf(content), place?.unit, spending, origins);
  let mayHaveSecret: boolean | undefined;
  for (const chunk of text.chunks()) {
    if (spending?.isLate()) {
      const at = text.sourceAt(chunk.at);
      yield createUnreadableDocument(at, at, { kind: 'over-budget', budget: 'seconds', limit: spending.budget.seconds });
      return;
    }
    if ('problem' in chunk) {
      const at = text.sourceAt(chunk.at);
      // The line may continue a Secret: a key in PEM that is not indented begins with hyphens.
      mayHaveSecret ??= mayContainSecret(text.text);
      yield createUnreadableDocument(at, at, mayHaveSecret ? hideText(chunk.problem) : chunk.problem);
    } else {
      yield readChunk(chunk, text, hasInvalidBytes);
    }
  }
}

/** Summarizes the problems of a file that are not listed one by one, at the position of the first of them. */
function summarizeOmittedProblems({ listed, omitted, first, severity }: OmittedFindings): Finding {
  const { source } = first;
  return unreadable.createFinding('omitted', { path: ROOT_PATH, data: { file: source!.file, listed, omitted }, source: source!, severity });
}

function summarizeOmittedDuplicateKeys({ listed, omitted, first, severity }: OmittedFindings): Finding {
  return createOmittedDuplicateKeysFinding({ file: first.source!.file, listed, omitted }, first.source!, severity);
}

function createDuplicateKeyFindings({ duplicateKeys, text }: PlacedDocument, place: FileContext | undefined): Finding[] {
  return duplicateKeys.map(({ path, key, at, first }) =>
    createDuplicateKeyFinding(path, { key, first: text.sourceAt(first).line }, text.sourceAt(at), place?.isResource === true),
  );
}

function createNonObjectFinding(file: InputFile, { value, chunk, text }: PlacedDocument): Finding | undefined {
  const problem = explainNonObject(value);
  const severity = problem && determineNonObjectSeverity(file, value);
  if (!severity) return undefined;
  const at = text.sourceAt(findContentStart(chunk, text));
  return { ...createUnreadableDocumentFinding(at, at, hideSecretText(problem, text.textOf(chunk))), severity };
}

/** Words that every object contains, and the start of JSON. */
const OBJECT_WORD = /apiVersion|kind/;
const JSON_START = /^\s*[{[/]/;

/** Reports whether JSON that cannot be read belongs to another program, such as a settings file with comments. */
function isForeignJson({ file }: InputFile, text: string): boolean {
  return file.endsWith('.json') && JSON_START.test(text) && !OBJECT_WORD.test(text);
}

/**
 * Filters the findings about the unreadable documents of a file. A file that was found in a folder may be for another program:
 * settings with comments, or a template, whose documents do not reach kubectl as they are.
 */
function filterUnreadableFindings(file: InputFile, failures: readonly UnreadableDocument[], summary: InputSummary): Finding[] {
  const findings = failures.map(({ finding }) => finding);
  if (failures.length === 0 || file.given?.as !== 'folder') return findings;
  const text = fileTextOf(file.content);
  if (isForeignJson(file, text))
    return failures.map(({ finding, mayBeApplied: isError }) => (isError ? finding : { ...finding, severity: 'info' }));
  const template = new TemplateText(text);
  const templated = new Set(
    failures.flatMap(({ finding, mayBeApplied: isError }) =>
      finding.source !== undefined && !isError && template.isCauseAt(finding.source.line) ? [finding] : [],
    ),
  );
  const [first] = templated;
  const others = findings.filter((finding) => !templated.has(finding));
  if (first?.source === undefined) return others;
  if (isHelmTemplate(file)) {
    summary.addTemplate(file.place!.chart!);
    return others;
  }
  return [createTemplateFinding({ file: file.file, documents: templated.size }, first.source), ...others];
}

/** Reports whether Helm must render a file before it is YAML. */
function isHelmTemplate({ content, place }: InputFile): boolean {
  return place?.chart !== undefined && includesWord(content, '{{');
}

/** Reports whether a file in a folder is a ytt template. */
function isYttFile({ content, given }: InputFile): boolean {
  return given?.as === 'folder' && includesWord(content, '#@') && isYtt(fileTextOf(content));
}

/** Reports whether a file contains the expectations of a test. A file that is given by name is planned all the same. */
function isExpectationFile({ place, given }: InputFile): boolean {
  return place?.isExpectation === true && given?.as === 'folder';
}

/** Returns the role that sets a file aside. Its name, its content or the files around it give it the role. */
function detectRole(file: InputFile): NotReadRole | 'ytt' | undefined {
  if (isHelmTemplate(file)) return 'chart-template';
  if (isYttFile(file)) return 'ytt';
  if (isExpectationFile(file)) return 'expectation';
  return file.place?.isPatch ? 'patch' : undefined;
}

/** A text without the names of these fields contains no object. YAML can also write a name with an escape, over several lines, or in base64. */
const OBJECT_TEXT = /kind|\\[xuU\r\n\u0085\u2028\u2029]|!/;

/** Reports whether a file may contain an object. Bytes that are not UTF-8 may be UTF-16. */
function mayContainObject(content: FileContent): boolean {
  return isNotUtf8(content) || OBJECT_TEXT.test(fileTextOf(content));
}

/** An object that is not planned, and its position. */
type ObjectAside = DocumentObject & Pick<PlacedDocument, 'text' | 'chunk'>;

/** Objects that are set aside, and problems that may hide others. */
interface ObjectsAside {
  readonly objects: readonly ObjectAside[];
  /** Problems that kubectl might not have. */
  readonly problems: readonly Finding[];
}

/** Reads the objects of a file that is not planned, as kubectl would read them. */
function readObjectsAside(file: InputFile, { isPlannedObject, spending }: ReadState): ObjectsAside {
  const objects: ObjectAside[] = [];
  const problems: Finding[] = [];
  if (!mayContainObject(file.content)) return { objects, problems };
  for (const document of readFileDocuments(file, spending)) {
    if (!('value' in document)) {
      if (document.mayBeApplied) problems.push({ ...document.finding, severity: 'info' });
      continue;
    }
    const { text, chunk } = document;
    for (const found of flattenLists(document.value).objects) if (isPlannedObject(found.object)) objects.push({ ...found, text, chunk });
  }
  return { objects, problems };
}

/** Reports the objects of a file that its role sets aside. Returns the number of these objects. */
function reportFileAside(file: InputFile, role: NotReadRole, state: ReadState): number {
  const { objects, problems } = readObjectsAside(file, state);
  const limiter = new FindingLimiter(state.findings, summarizeOmittedProblems);
  for (const problem of problems) limiter.add(problem);
  limiter.finish();
  reportObjectsAside(objects, role, file.file, state);
  return objects.length;
}

function reportObjectsAside(objects: readonly ObjectAside[], role: NotReadRole, file: string, { findings, trustsInput }: ReadState): void {
  const [first] = objects;
  if (!first) return;
  const data = { file, resource: describeObject(first.object), others: objects.length - 1, role };
  findings.push(createNotReadFinding(data, first.text.locate(first.chunk, first.trail), trustsInput ? 'info' : 'error'));
}

function isTooLong({ content }: InputFile, { budget }: BudgetTracker): boolean {
  return fileSizeOf(content) > budget['file-megabytes'] * BYTES_PER_MEGABYTE;
}

/** Files that are not planned for the same reason. The first of them, and its first object unless it cannot be read. */
interface FilesAside {
  readonly first: string;
  readonly resource?: string;
  files: number;
}

/** Counts files that are not planned, by what sets them aside. A file counts if it contains objects that plans read, or may contain them. */
class AsideCounter {
  private readonly byReason = new Map<string, FilesAside>();

  add(file: DiscoveredFile, reason: string, state: ReadState): void {
    // A link out of the PATH and a file that is too long are not opened.
    const read = 'content' in file && !isTooLong(file, state.spending) ? readObjectsAside(file, state) : undefined;
    const first = read?.objects[0];
    if (read && !first && read.problems.length === 0) return;
    const known = this.byReason.get(reason);
    if (known) known.files++;
    else this.byReason.set(reason, { first: file.file, ...(first && { resource: describeObject(first.object) }), files: 1 });
  }

  findings(create: (reason: string, files: FilesAside) => Finding): Finding[] {
    return [...this.byReason].map(([reason, files]) => create(reason, files));
  }
}

/** Adds a file of a kind that is known by its name. Its first document counts, and an empty file is an empty map. */
function addFileOfKind({ value, chunk, text }: PlacedDocument, kinds: readonly FileKind[], { objects, locations }: ReadState): boolean {
  if (isManifest(value)) return false;
  const content = value ?? {};
  const object = isFields(content) ? convertFileOfKind(text.file, content, kinds) : undefined;
  if (!object) return false;
  objects.push(object);
  locations.register(object, { text, chunk, trail: [] });
  return true;
}

function convertFileOfKind(file: string, content: Fields, kinds: readonly FileKind[]): Manifest | undefined {
  for (const kind of kinds) {
    const object = kind(file, content);
    if (object) return object;
  }
  return undefined;
}

/** Adds the objects and findings of one file. Returns the number of its documents that are not empty, and the number of those that are not objects. */
function addFile(file: InputFile, { kinds = [] }: ReadOptions, state: ReadState, summary: InputSummary): Omit<PathSummary, 'as'> {
  let count = 0;
  let nonObjectCount = 0;
  let empty: PlacedDocument | undefined;
  let isOfKind: boolean | undefined;
  let mayHaveDirective: boolean | undefined;
  const failures: UnreadableDocument[] = [];
  const patches: ObjectAside[] = [];
  const containers: ObjectAside[] = [];
  const values: ObjectAside[] = [];
  const isValues = state.trustsInput && file.place?.isValues === true;
  const problems = new FindingLimiter(state.findings, summarizeOmittedProblems);
  const duplicates = new FindingLimiter(state.findings, summarizeOmittedDuplicateKeys);
  for (const document of readFileDocuments(file, state.spending)) {
    if (!('value' in document)) {
      count++;
      failures.push(document);
      continue;
    }
    if (document.value === null) {
      empty ??= document;
      continue;
    }
    count++;
    isOfKind ??= addFileOfKind(document, kinds, state);
    const { text, chunk } = document;
    const flattened = flattenLists(document.value);
    const { nonObjects } = flattened;
    mayHaveDirective ??= mayContainPatchDirective(text.text);
    const found: DocumentObject[] = [];
    for (const inner of addKustomizeLabels(selectFields(flattened.objects, file), file.place, state)) {
      const aside = isValues ? values : isPatch(inner.object, mayHaveDirective, file.place) ? patches : undefined;
      if (aside === undefined) found.push(inner);
      else if (state.isPlannedObject(inner.object)) aside.push({ ...inner, text, chunk });
    }
    for (const inner of flattened.containers) if (state.isPlannedObject(inner.object)) containers.push({ ...inner, text, chunk });
    for (const { object, trail } of found) {
      state.objects.push(object);
      state.locations.register(object, { text, chunk, trail });
    }
    for (const item of nonObjects) problems.add(createNonObjectItemFinding(item, document.text.locate(document.chunk, item.trail)));
    if (found.length > 0 || isOfKind) for (const finding of createDuplicateKeyFindings(document, file.place)) duplicates.add(finding);
    const problem = isOfKind ? undefined : createNonObjectFinding(file, document);
    if (problem) problems.add(problem);
    else if (explainNonObject(document.value) && !isOfKind && !isMarker(basename(file.file))) nonObjectCount++;
  }
  for (const finding of filterUnreadableFindings(file, failures, summary)) problems.add(finding);
  problems.finish();
  reportObjectsAside(patches, file.place?.isPatch ? 'patch' : 'patch-object', file.file, state);
  reportObjectsAside(containers, 'items', file.file, state);
  reportObjectsAside(values, 'values', file.file, state);
  duplicates.finish();
  if (empty && isOfKind === undefined) isOfKind = addFileOfKind(empty, kinds, state);
  return isOfKind ? { count: 1, nonObjectCount: 0 } : { count, nonObjectCount };
}

/** Drops what a manifest cannot set, if the objects of the file are known to be manifests. */
function selectFields(objects: readonly DocumentObject[], { hasManifests }: InputFile): readonly DocumentObject[] {
  return hasManifests ? objects.map(({ object, trail }) => ({ object: toManifest(object), trail })) : objects;
}

/** Adds the labels of the kustomizations around the file. Those of an input that is not trusted replace no label, which guardrails may match. */
function addKustomizeLabels(
  objects: readonly DocumentObject[],
  place: FileContext | undefined,
  { trustsInput }: Pick<ReadState, 'trustsInput'>,
): readonly DocumentObject[] {
  const labels = place?.labels;
  return labels ? objects.map(({ object, trail }) => ({ object: withLabels(object, labels, !trustsInput), trail })) : objects;
}

interface ReadState {
  readonly objects: Manifest[];
  readonly findings: Finding[];
  readonly locations: SourceMap;
  readonly spending: BudgetTracker;
  readonly isPlannedObject: (object: Manifest) => boolean;
  readonly trustsInput: boolean;
  /** Whether the time for reading is exceeded. Finding and placing further files takes time too, so none is looked at. */
  isStopped: boolean;
}

/** Reports a file that is not planned because of its role. Each role has one finding: about the file, its chart, or all files of the role. */
function addFileAside(file: InputFile, role: NotReadRole | 'ytt', state: ReadState, summary: InputSummary): void {
  summary.addDocuments(file.given, 1);
  if (role === 'ytt') {
    state.findings.push(createYttFinding(file.file));
    return;
  }
  const objects = reportFileAside(file, role, state);
  if (role === 'chart-template') summary.addTemplate(file.place!.chart!);
  if (role === 'expectation' && objects === 0) summary.addExpectation(file.file);
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

/** Reads files as kubectl reads them. A document or file that cannot be read is one finding, and the others are read. */
export function readFiles(files: Iterable<DiscoveredFile>, options: ReadOptions = {}): InputObjects {
  const { paths = [], locations = new SourceMap(), isPlannedObject = () => true, trustsInput = true } = options;
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
  const summary = new InputSummary();
  const unread = new AsideCounter();
  const excluded = new AsideCounter();
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
    if ('place' in file) summary.addKustomization(file.file, file.place, file.given);
    if ('isSilent' in file) {
      summary.addDocuments(file.given, 1);
    } else if ('failure' in file) {
      state.findings.push(file.failure);
      summary.addDocuments(file.given, 1);
    } else if ('skipped' in file) {
      state.findings.push(createSkippedFinding(file.file, file.skipped, trustsInput ? 'info' : 'error'));
    } else if (!('content' in file)) {
      state.findings.push(createUnreadableFileFinding(file.file, file.problem));
      summary.addDocuments(file.given, 1);
    } else if (rejectOverBudget(file, state)) {
      summary.addDocuments(file.given, 1);
    } else {
      const role = trustsInput ? detectRole(file) : undefined;
      if (role !== undefined) addFileAside(file, role, state, summary);
      else {
        const { count, nonObjectCount } = addFile(file, options, state, summary);
        summary.addDocuments(file.given, count, nonObjectCount);
      }
    }
  }
  return {
    objects: state.objects,
    findings: [
      ...state.findings,
      ...unread.findings(createUnreadFolderFinding),
      ...excluded.findings(createExcludedFilesFinding),
      ...summary.findings(state.isStopped ? [] : paths),
    ],
    locations,
    files: names,
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
