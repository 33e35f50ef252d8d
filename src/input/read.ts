import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { duplicateKeyFinding, moreDuplicateKeysFinding } from '../core/rules/duplicate-key';
import { skippedFinding } from '../core/rules/skipped';
import { templateFinding, yttFinding } from '../core/rules/template';
import { unreadable } from '../core/rules/unreadable';
import type { DocumentProblem, FileProblem } from '../core/reading-problem';
import { problemAsObject, strangeItemFinding } from './not-an-object';
import { Spending } from './budget';
import type { RunBudget } from './budget';
import { FirstOfMany } from './first-of-many';
import type { Rest } from './first-of-many';
import { includes, isInPieces, textOf } from './content';
import type { FileContent } from './content';
import type { FoundFile, InputFile } from './found-file';
import { HeldObjects } from './held-objects';
import type { Asked, PlacedDocument } from './held-objects';
import { Locations } from './locations';
import type { SetAside } from './set-aside';
import { SourceText } from './source-text';
import type { FilePlace } from './layout';
import { isMarker } from './layout';
import { withLabels } from './kustomize-labels';
import { strangenessOf } from './meant-as-object';
import { takenApart } from './objects';
import type { FoundObject } from './objects';
import { isPatch, mayHoldDirective } from './patches';
import type { Chunk } from './split';
import { Tally } from './tally';
import type { ReadOfPath } from './tally';
import type { DocumentValue } from './document';
import { isYtt, TemplateText } from './template-text';
import { DocumentError } from './document-error';

/** The objects of the input in input order, and what could not be read. */
export interface ReadInput {
  readonly objects: readonly Manifest[];
  /** Objects that were set aside, and are not among the others. @default - none */
  readonly aside?: SetAside;
  /** `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: Locations;
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
export interface ReadOptions extends Asked {
  /** The files that are objects by their names. @default - none */
  readonly kinds?: readonly FileKind[];
  /** The PATHs given, each of which should hold a document. @default - whatever there is will do */
  readonly paths?: readonly string[];
  /**
   * Are objects of a long text set aside, where it is all that is read: those that are read again, and those of which no more than the name is asked for?
   * @default false
   */
  readonly setsAside?: boolean;
  /** What reading may take. @default - `DEFAULT_BUDGET` */
  readonly budget?: RunBudget;
  /** Learns where the objects stand. @default - a new one, which is returned */
  readonly locations?: Locations;
}

const NOT_UTF8 = { kind: 'not-utf8' } as const;

function unreadableFile(file: string, problem: FileProblem): Finding {
  return unreadable.finding('file', { path: WHOLE_OBJECT, data: { file, problem }, source: { file, line: 1 } });
}

function unreadableDocument(begin: Source, at: Source, problem: DocumentProblem): Finding {
  return unreadable.finding('document', { path: WHOLE_OBJECT, data: { begin: begin.line, problem }, source: at });
}

/** Are the bytes of a file no UTF-8? */
function isOtherText(content: FileContent): content is Uint8Array {
  return content instanceof Uint8Array && !isUtf8(content);
}

/** The bytes of a document that were no UTF-8 have become U+FFFD. */
function valueOf(chunk: Chunk, text: SourceText, bytesWereLost: boolean): DocumentValue {
  const lost = bytesWereLost ? text.textOf(chunk).indexOf('\ufffd') : -1;
  if (lost >= 0) throw new DocumentError(lost, NOT_UTF8);
  return text.valueOf(chunk);
}

/** Where a document's first line of content is, for a chunk may begin with blank lines and comments. */
function beginOf(chunk: Chunk, source: SourceText): number {
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

function readPlaced(chunk: Chunk, text: SourceText, bytesWereLost: boolean): PlacedDocument | Finding {
  try {
    const { value, duplicateKeys, isFast } = valueOf(chunk, text, bytesWereLost);
    // Written out, for V8 gives every object that is spread and added to a hidden class of its own.
    return { value, duplicateKeys, isFast, chunk, text };
  } catch (error) {
    const begin = text.sourceAt(beginOf(chunk, text));
    if (!(error instanceof DocumentError)) return unreadableDocument(begin, begin, { kind: 'failed', said: errorText(error) });
    return unreadableDocument(begin, text.sourceAt(chunk.at + error.at), error.problem);
  }
}

/** The documents of a file in their order, and a finding in place of each that cannot be read. */
function* readFile({ file, content, place }: InputFile, spending?: Spending): Generator<PlacedDocument | Finding> {
  const bytesWereLost = isOtherText(content);
  if (bytesWereLost && content.includes(0)) {
    yield unreadableFile(file, NOT_UTF8);
    return;
  }
  const text = new SourceText(file, isInPieces(content) ? content : textOf(content), place?.unit, spending);
  for (const chunk of text.chunks()) {
    if (spending?.isLate()) {
      const at = text.sourceAt(chunk.at);
      yield unreadableDocument(at, at, { kind: 'over-budget', budget: 'seconds', limit: spending.budget.seconds });
      return;
    }
    if ('problem' in chunk) {
      const at = text.sourceAt(chunk.at);
      yield unreadableDocument(at, at, chunk.problem);
    } else {
      yield readPlaced(chunk, text, bytesWereLost);
    }
  }
}

/** Tells of the problems of a file that are not told one by one, at the place of the first of them. */
function moreProblems({ told, more, first, severity }: Rest): Finding {
  const { source } = first;
  return unreadable.finding('more', { path: WHOLE_OBJECT, data: { file: source!.file, told, more }, source: source!, severity });
}

function moreDuplicateKeys({ told, more, first, severity }: Rest): Finding {
  return moreDuplicateKeysFinding({ file: first.source!.file, told, more }, first.source!, severity);
}

function duplicateKeyFindings({ duplicateKeys, text }: PlacedDocument, place: FilePlace | undefined): Finding[] {
  return duplicateKeys.map(({ path, key, at, first }) =>
    duplicateKeyFinding(path, { key, first: text.sourceAt(first).line }, text.sourceAt(at), place?.isResource === true),
  );
}

function noObjectFinding(file: InputFile, { value, chunk, text }: PlacedDocument): Finding | undefined {
  const problem = problemAsObject(value);
  const severity = problem && strangenessOf(file, value);
  if (!severity) return undefined;
  const at = text.sourceAt(beginOf(chunk, text));
  return { ...unreadableDocument(at, at, problem), severity };
}

/** What every object says, and what begins JSON. */
const OBJECT_WORD = /apiVersion|kind/;
const JSON_BEGIN = /^\s*[{[/]/;

/** Is JSON that cannot be read somebody else's for sure: a settings file with comments? */
function isForeign({ file }: InputFile, text: string): boolean {
  return file.endsWith('.json') && JSON_BEGIN.test(text) && !OBJECT_WORD.test(text);
}

/**
 * What there is to say of the documents of a file that cannot be read. What is found in a folder may be meant for another program:
 * settings with comments, or a template, of which no document reaches kubectl as it stands.
 */
function unreadableFindings(file: InputFile, unread: readonly Finding[]): Finding[] {
  if (unread.length === 0 || file.given?.as !== 'folder') return [...unread];
  const text = textOf(file.content);
  if (isForeign(file, text)) return unread.map((finding) => ({ ...finding, severity: 'info' }));
  const template = new TemplateText(text);
  const unfilled = new Set(unread.filter(({ source }) => source !== undefined && template.isWhy(source.line)));
  const [first] = unfilled;
  const others = unread.filter((finding) => !unfilled.has(finding));
  return first?.source === undefined ? others : [templateFinding({ file: file.file, documents: unfilled.size }, first.source), ...others];
}

/** Does Helm have to render a file before it is YAML? */
function isTemplate({ content, place }: InputFile): boolean {
  return place?.chart !== undefined && includes(content, '{{');
}

/** Is a file of a folder filled in by ytt? */
function isOfYtt({ content, given }: InputFile): boolean {
  return given?.as === 'folder' && includes(content, '#@') && isYtt(textOf(content));
}

/** Does a file hold what a test expects? Given by name, it is to be planned all the same. */
function isExpectation({ place, given }: InputFile): boolean {
  return place?.isExpectation === true && given?.as === 'folder';
}

/** Of a file that is a kind of its own the first document counts, and an empty file is an empty map. */
function addFileOfKind({ value, chunk, text }: PlacedDocument, kinds: readonly FileKind[], { held, locations }: ReadInto): boolean {
  if (isManifest(value)) return false;
  const content = value ?? {};
  const object = isFields(content) ? objectOfKind(text.file, content, kinds) : undefined;
  if (!object) return false;
  held.objects.push(object);
  locations.register(object, { text, chunk, trail: [] });
  return true;
}

function objectOfKind(file: string, content: Fields, kinds: readonly FileKind[]): Manifest | undefined {
  for (const kind of kinds) {
    const object = kind(file, content);
    if (object) return object;
  }
  return undefined;
}

/** Adds the objects of one file, and what there is to say of it. How many documents it has, empty ones left out, and how many are no objects. */
function addFile(file: InputFile, { kinds = [], paths, setsAside = false }: ReadOptions, into: ReadInto): Omit<ReadOfPath, 'as'> {
  const isAll = setsAside && paths?.length === 1 && file.given?.as !== 'folder';
  let count = 0;
  let strange = 0;
  let empty: PlacedDocument | undefined;
  let isOfKind: boolean | undefined;
  let mayHold: boolean | undefined;
  const unread: Finding[] = [];
  const problems = new FirstOfMany(into.findings, moreProblems);
  const duplicates = new FirstOfMany(into.findings, moreDuplicateKeys);
  for (const document of readFile(file, into.spending)) {
    if (!('value' in document)) {
      count++;
      unread.push(document);
      continue;
    }
    if (document.value === null) {
      empty ??= document;
      continue;
    }
    count++;
    isOfKind ??= addFileOfKind(document, kinds, into);
    const { objects, strange: items } = takenApart(file.place?.isValues ? undefined : document.value);
    mayHold ??= mayHoldDirective(document.text);
    const made = objectsWithLabels(objects, file.place);
    const found = made.filter(({ object }) => !isPatch(object, mayHold!, file.place?.mayPatch ?? false));
    into.held.add(document, found, isAll);
    for (const item of items) problems.add(strangeItemFinding(item, document.text.placeOf(document.chunk, item.trail)));
    if (found.length > 0 || isOfKind) for (const finding of duplicateKeyFindings(document, file.place)) duplicates.add(finding);
    const problem = isOfKind ? undefined : noObjectFinding(file, document);
    if (problem) problems.add(problem);
    else if (problemAsObject(document.value) && !isOfKind && !isMarker(basename(file.file))) strange++;
  }
  for (const finding of unreadableFindings(file, unread)) problems.add(finding);
  problems.end();
  duplicates.end();
  if (empty && isOfKind === undefined) isOfKind = addFileOfKind(empty, kinds, into);
  return isOfKind ? { count: 1, strange: 0 } : { count, strange };
}

/** The objects as the kustomizations around their file label them. */
function objectsWithLabels(objects: readonly FoundObject[], place: FilePlace | undefined): readonly FoundObject[] {
  const labels = place?.labels;
  return labels ? objects.map(({ object, trail }) => ({ object: withLabels(object, labels), trail })) : objects;
}

interface ReadInto {
  readonly held: HeldObjects;
  readonly findings: Finding[];
  readonly locations: Locations;
  readonly spending: Spending;
}

/** Is a file left alone, because it or all that was read so far takes more than it may? Each is one finding. */
function overBudget({ file, content }: InputFile, { findings, spending }: ReadInto): boolean {
  const budget = spending.takeFile(content.length);
  if (budget === undefined) return false;
  findings.push(unreadableFile(file, { kind: 'over-budget', budget, limit: spending.budget[budget] }));
  return true;
}

/** Reads the files as kubectl reads them; a document or file that cannot be read is one finding, and the rest goes on. */
export function readFiles(files: Iterable<FoundFile>, options: ReadOptions = {}): ReadInput {
  const { paths = [], locations = new Locations() } = options;
  const into: ReadInto = { held: new HeldObjects(locations, options), findings: [], locations, spending: new Spending(options.budget) };
  const names: string[] = [];
  const tally = new Tally();
  for (const file of files) {
    names.push(file.file);
    if ('place' in file) tally.addKustomization(file.file, file.place, file.given);
    if ('isSilent' in file) {
      tally.addDocuments(file.given, 1);
    } else if ('failure' in file) {
      into.findings.push(file.failure);
      tally.addDocuments(file.given, 1);
    } else if ('skipped' in file) {
      into.findings.push(skippedFinding(file.file, file.skipped));
    } else if (!('content' in file)) {
      into.findings.push(unreadableFile(file.file, file.problem));
      tally.addDocuments(file.given, 1);
    } else if (overBudget(file, into)) {
      tally.addDocuments(file.given, 1);
    } else if (isTemplate(file)) {
      tally.addTemplate(file.place!.chart!);
      tally.addDocuments(file.given, 1);
    } else if (isOfYtt(file)) {
      into.findings.push(yttFinding(file.file));
      tally.addDocuments(file.given, 1);
    } else if (isExpectation(file)) {
      tally.addExpectation(file.file);
      tally.addDocuments(file.given, 1);
    } else {
      const { count, strange } = file.place?.isPatch ? { count: 1, strange: 0 } : addFile(file, options, into);
      tally.addDocuments(file.given, count, strange);
    }
  }
  return { ...into.held.all(), findings: [...into.findings, ...tally.findings(paths)], locations, files: names };
}

/** The maps of one file, Kubernetes objects or not, and what could not be read. */
export function readMaps(
  file: InputFile,
  locations: Locations,
): { readonly maps: readonly Fields[]; readonly findings: readonly Finding[] } {
  const maps: Fields[] = [];
  const findings: Finding[] = [];
  for (const document of readFile(file)) {
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
