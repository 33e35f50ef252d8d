import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { getErrorMessage } from '../core/error-message';
import { ROOT_PATH } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { createDuplicateKeyFinding, createOmittedDuplicateKeysFinding } from '../core/rules/duplicate-key';
import { createSkippedFinding } from '../core/rules/skipped';
import { createTemplateFinding, createYttFinding } from '../core/rules/template';
import { unreadable } from '../core/rules/unreadable';
import type { DocumentProblem, FileProblem } from '../core/input-problem';
import { explainNonObject, createNonObjectItemFinding } from './non-object-findings';
import { BudgetTracker } from './read-budget';
import type { RunBudget } from './read-budget';
import { FindingLimiter } from './finding-limiter';
import type { OmittedFindings } from './finding-limiter';
import { includesWord, fileTextOf } from './file-content';
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
import { isPatch, mayContainPatchDirective } from './patches';
import type { Chunk } from './split';
import { InputSummary } from './input-summary';
import type { PathSummary } from './input-summary';
import type { DocumentValue } from './document';
import { isYtt, TemplateText } from './template-text';
import { DocumentError } from './document-error';

/** The objects of the input in input order, and what could not be read. */
export interface InputObjects {
  readonly objects: readonly Manifest[];
  /** `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: SourceMap;
  /** The files in the order in which they were read. */
  readonly files: readonly string[];
}

/**
 * Takes files that hold no Kubernetes object, known by their names, for objects, so that they go through a plan as the others do;
 * undefined for any other file.
 *
 * @param file - as reached from the path given
 * @param content - its first document; an empty map for an empty file
 */
export type FileKind = (file: string, content: Fields) => Manifest | undefined;

/** What reading files needs besides the files. */
export interface ReadOptions {
  /** The files that are objects by their names. @default - none */
  readonly kinds?: readonly FileKind[];
  /** The PATHs given, each of which should hold a document. @default - whatever there is will do */
  readonly paths?: readonly string[];
  /** What reading may take. @default - `DEFAULT_BUDGET` */
  readonly budget?: RunBudget;
  /** Learns where the objects stand. @default - a new one, which is returned */
  readonly locations?: SourceMap;
}

/** A document of a file and its position. */
interface PlacedDocument extends DocumentValue {
  readonly chunk: Chunk;
  readonly text: SourceText;
}

const NOT_UTF8 = { kind: 'not-utf8' } as const;

function createUnreadableFileFinding(file: string, problem: FileProblem): Finding {
  return unreadable.createFinding('file', { path: ROOT_PATH, data: { file, problem }, source: { file, line: 1 } });
}

function createUnreadableDocumentFinding(begin: Source, at: Source, problem: DocumentProblem): Finding {
  return unreadable.createFinding('document', { path: ROOT_PATH, data: { startLine: begin.line, problem }, source: at });
}

/** Are the bytes of a file no UTF-8? */
function isNotUtf8(content: FileContent): content is Uint8Array {
  return content instanceof Uint8Array && !isUtf8(content);
}

/** The bytes of a document that were no UTF-8 have become U+FFFD. */
function readDocumentValue(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): DocumentValue {
  const invalidAt = hasInvalidBytes ? text.textOf(chunk).indexOf('\ufffd') : -1;
  if (invalidAt >= 0) throw new DocumentError(invalidAt, NOT_UTF8);
  return text.valueOf(chunk);
}

/** Where a document's first line of content is, for a chunk may begin with blank lines and comments. */
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

function readChunk(chunk: Chunk, text: SourceText, hasInvalidBytes: boolean): PlacedDocument | Finding {
  try {
    const { value, duplicateKeys } = readDocumentValue(chunk, text, hasInvalidBytes);
    // Written out, for V8 gives every object that is spread and added to a hidden class of its own.
    return { value, duplicateKeys, chunk, text };
  } catch (error) {
    const begin = text.sourceAt(findContentStart(chunk, text));
    if (!(error instanceof DocumentError))
      return createUnreadableDocumentFinding(begin, begin, { kind: 'failed', said: getErrorMessage(error) });
    return createUnreadableDocumentFinding(begin, text.sourceAt(chunk.at + error.at), error.problem);
  }
}

/** The documents of a file in their order, and a finding in place of each that cannot be read. */
function* readFileDocuments({ file, content, place }: InputFile, spending?: BudgetTracker): Generator<PlacedDocument | Finding> {
  const hasInvalidBytes = isNotUtf8(content);
  if (hasInvalidBytes && content.includes(0)) {
    yield createUnreadableFileFinding(file, NOT_UTF8);
    return;
  }
  const text = new SourceText(file, fileTextOf(content), place?.unit, spending);
  for (const chunk of text.chunks()) {
    if (spending?.isLate()) {
      const at = text.sourceAt(chunk.at);
      yield createUnreadableDocumentFinding(at, at, { kind: 'over-budget', budget: 'seconds', limit: spending.budget.seconds });
      return;
    }
    if ('problem' in chunk) {
      const at = text.sourceAt(chunk.at);
      yield createUnreadableDocumentFinding(at, at, chunk.problem);
    } else {
      yield readChunk(chunk, text, hasInvalidBytes);
    }
  }
}

/** Tells of the problems of a file that are not told one by one, at the place of the first of them. */
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
  return { ...createUnreadableDocumentFinding(at, at, problem), severity };
}

/** What every object says, and what begins JSON. */
const OBJECT_WORD = /apiVersion|kind/;
const JSON_START = /^\s*[{[/]/;

/** Is JSON that cannot be read somebody else's for sure: a settings file with comments? */
function isForeignJson({ file }: InputFile, text: string): boolean {
  return file.endsWith('.json') && JSON_START.test(text) && !OBJECT_WORD.test(text);
}

/**
 * What there is to say of the documents of a file that cannot be read. What is found in a folder may be meant for another program:
 * settings with comments, or a template, of which no document reaches kubectl as it stands.
 */
function filterUnreadableFindings(file: InputFile, failures: readonly Finding[]): Finding[] {
  if (failures.length === 0 || file.given?.as !== 'folder') return [...failures];
  const text = fileTextOf(file.content);
  if (isForeignJson(file, text)) return failures.map((finding) => ({ ...finding, severity: 'info' }));
  const template = new TemplateText(text);
  const templated = new Set(failures.filter(({ source }) => source !== undefined && template.isCauseAt(source.line)));
  const [first] = templated;
  const others = failures.filter((finding) => !templated.has(finding));
  return first?.source === undefined
    ? others
    : [createTemplateFinding({ file: file.file, documents: templated.size }, first.source), ...others];
}

/** Does Helm have to render a file before it is YAML? */
function isHelmTemplate({ content, place }: InputFile): boolean {
  return place?.chart !== undefined && includesWord(content, '{{');
}

/** Is a file of a folder filled in by ytt? */
function isYttFile({ content, given }: InputFile): boolean {
  return given?.as === 'folder' && includesWord(content, '#@') && isYtt(fileTextOf(content));
}

/** Does a file hold what a test expects? Given by name, it is to be planned all the same. */
function isExpectationFile({ place, given }: InputFile): boolean {
  return place?.isExpectation === true && given?.as === 'folder';
}

/** Of a file that is a kind of its own the first document counts, and an empty file is an empty map. */
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

/** Adds the objects of one file, and what there is to say of it. How many documents it has, empty ones left out, and how many are no objects. */
function addFile(file: InputFile, { kinds = [] }: ReadOptions, state: ReadState): Omit<PathSummary, 'as'> {
  let count = 0;
  let strange = 0;
  let empty: PlacedDocument | undefined;
  let isOfKind: boolean | undefined;
  let mayHaveDirective: boolean | undefined;
  const failures: Finding[] = [];
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
    const { objects, nonObjects: items } = flattenLists(file.place?.isValues ? undefined : document.value);
    mayHaveDirective ??= mayContainPatchDirective(document.text.text);
    const labelled = addKustomizeLabels(objects, file.place);
    const found = labelled.filter(({ object }) => !isPatch(object, mayHaveDirective!, file.place?.mayPatch ?? false));
    for (const { object, trail } of found) {
      state.objects.push(object);
      state.locations.register(object, { text: document.text, chunk: document.chunk, trail });
    }
    for (const item of items) problems.add(createNonObjectItemFinding(item, document.text.locate(document.chunk, item.trail)));
    if (found.length > 0 || isOfKind) for (const finding of createDuplicateKeyFindings(document, file.place)) duplicates.add(finding);
    const problem = isOfKind ? undefined : createNonObjectFinding(file, document);
    if (problem) problems.add(problem);
    else if (explainNonObject(document.value) && !isOfKind && !isMarker(basename(file.file))) strange++;
  }
  for (const finding of filterUnreadableFindings(file, failures)) problems.add(finding);
  problems.finish();
  duplicates.finish();
  if (empty && isOfKind === undefined) isOfKind = addFileOfKind(empty, kinds, state);
  return isOfKind ? { count: 1, strange: 0 } : { count, strange };
}

/** The objects as the kustomizations around their file label them. */
function addKustomizeLabels(objects: readonly DocumentObject[], place: FileContext | undefined): readonly DocumentObject[] {
  const labels = place?.labels;
  return labels ? objects.map(({ object, trail }) => ({ object: withLabels(object, labels), trail })) : objects;
}

interface ReadState {
  readonly objects: Manifest[];
  readonly findings: Finding[];
  readonly locations: SourceMap;
  readonly spending: BudgetTracker;
}

/** Is a file left alone, because it or all that was read so far takes more than it may? Each is one finding. */
function rejectOverBudget({ file, content }: InputFile, { findings, spending }: ReadState): boolean {
  const budget = spending.chargeFile(content.length);
  if (budget === undefined) return false;
  findings.push(createUnreadableFileFinding(file, { kind: 'over-budget', budget, limit: spending.budget[budget] }));
  return true;
}

/** Reads the files as kubectl reads them; a document or file that cannot be read is one finding, and the rest goes on. */
export function readFiles(files: Iterable<DiscoveredFile>, options: ReadOptions = {}): InputObjects {
  const { paths = [], locations = new SourceMap() } = options;
  const state: ReadState = {
    objects: [],
    findings: [],
    locations,
    spending: new BudgetTracker(options.budget),
  };
  const names: string[] = [];
  const summary = new InputSummary();
  for (const file of files) {
    names.push(file.file);
    if ('place' in file) summary.addKustomization(file.file, file.place, file.given);
    if ('isSilent' in file) {
      summary.addDocuments(file.given, 1);
    } else if ('failure' in file) {
      state.findings.push(file.failure);
      summary.addDocuments(file.given, 1);
    } else if ('skipped' in file) {
      state.findings.push(createSkippedFinding(file.file, file.skipped));
    } else if (!('content' in file)) {
      state.findings.push(createUnreadableFileFinding(file.file, file.problem));
      summary.addDocuments(file.given, 1);
    } else if (rejectOverBudget(file, state)) {
      summary.addDocuments(file.given, 1);
    } else if (isHelmTemplate(file)) {
      summary.addTemplate(file.place!.chart!);
      summary.addDocuments(file.given, 1);
    } else if (isYttFile(file)) {
      state.findings.push(createYttFinding(file.file));
      summary.addDocuments(file.given, 1);
    } else if (isExpectationFile(file)) {
      summary.addExpectation(file.file);
      summary.addDocuments(file.given, 1);
    } else {
      const { count, strange } = file.place?.isPatch ? { count: 1, strange: 0 } : addFile(file, options, state);
      summary.addDocuments(file.given, count, strange);
    }
  }
  return { objects: state.objects, findings: [...state.findings, ...summary.findings(paths)], locations, files: names };
}

/** The maps of one file, Kubernetes objects or not, and what could not be read. */
export function readMaps(
  file: InputFile,
  locations: SourceMap,
): { readonly maps: readonly Fields[]; readonly findings: readonly Finding[] } {
  const maps: Fields[] = [];
  const findings: Finding[] = [];
  for (const document of readFileDocuments(file)) {
    if (!('value' in document)) {
      findings.push(document);
      continue;
    }
    const { value, chunk, text } = document;
    if (!isFields(value)) continue;
    maps.push(value);
    locations.register(value, { text, chunk, trail: [] });
  }
  return { maps, findings };
}
