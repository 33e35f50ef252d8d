import { isUtf8 } from 'node:buffer';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding, Source } from '../core/finding';
import { isFields, isManifest } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { DocumentProblem, FileProblem } from '../core/rules/unreadable';
import { Locations, SourceText } from './locations';
import type { FilePlace } from './layout';
import { objectsOf } from './objects';
import { isPatch } from './patches';
import { splitDocuments } from './split';
import type { Chunk } from './split';
import { readDocument } from './yaml-document';
import type { ReadDocument } from './yaml-document';
import { DocumentError } from './yaml-syntax';

/** The objects of the input in input order, and what could not be read. */
export interface ReadInput {
  readonly objects: readonly Manifest[];
  /** `input/unreadable`, with their sources. */
  readonly findings: readonly Finding[];
  readonly locations: Locations;
  /** The files in the order in which they were read. */
  readonly files: readonly string[];
}

/** The content of one file, under the name that findings give it. */
export interface InputFile {
  /** `-` for standard input. */
  readonly file: string;
  readonly content: Uint8Array | string;
  /** What the files around it make of it. @default - nothing is known of them */
  readonly place?: FilePlace;
}

/**
 * Takes files that hold no Kubernetes object, known by their names, for objects, so that they go through a plan as the others do; undefined for
 * any other file.
 *
 * @param file - as reached from the path given
 * @param content - its first document; an empty map for an empty file
 */
export type FileKind = (file: string, content: Fields) => Manifest | undefined;

/** What reading files needs besides the files. */
export interface ReadOptions {
  /** The files that are objects by their names. @default - none */
  readonly kinds?: readonly FileKind[];
  /** Learns where the objects stand. @default - a new one, which is returned */
  readonly locations?: Locations;
}

/** A file of a folder whose content cannot be had. */
export interface UnreadableFile {
  readonly file: string;
  readonly problem: FileProblem;
}

const NOT_UTF8 = { kind: 'not-utf8' } as const;

function unreadableFile(file: string, problem: FileProblem): Finding {
  return unreadable.finding('file', { path: WHOLE_OBJECT, data: { file, problem }, source: { file, line: 1 } });
}

function unreadableDocument(begin: Source, at: Source, problem: DocumentProblem): Finding {
  return unreadable.finding('document', { path: WHOLE_OBJECT, data: { begin: begin.line, problem }, source: at });
}

function isBinary(content: Uint8Array): boolean {
  return !isUtf8(content) && content.includes(0);
}

function textOf(content: Uint8Array | string): string {
  const text = typeof content === 'string' ? content : Buffer.from(content.buffer, content.byteOffset, content.length).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** The bytes of a document that were no UTF-8 have become U+FFFD. */
function readChunk(chunk: Chunk, bytesWereLost: boolean): ReadDocument {
  const lost = bytesWereLost ? chunk.text.indexOf('\ufffd') : -1;
  if (lost >= 0) throw new DocumentError(lost, NOT_UTF8);
  return readDocument(chunk.text);
}

/** Where a document's first line of content is, for a chunk may begin with blank lines and comments. */
function beginOf(chunk: Chunk): number {
  const content = /^[^\S\n]*[^\s#]/m.exec(chunk.text);
  return chunk.at + (content?.index ?? 0);
}

/** A document of a file and where it stands. */
interface PlacedDocument {
  readonly document: ReadDocument;
  readonly chunk: Chunk;
  readonly text: SourceText;
}

function readPlaced(chunk: Chunk, text: SourceText, bytesWereLost: boolean): PlacedDocument | Finding {
  try {
    return { document: readChunk(chunk, bytesWereLost), chunk, text };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return unreadableDocument(text.sourceAt(beginOf(chunk)), text.sourceAt(chunk.at + error.at), error.problem);
  }
}

/** The documents of a file in their order, and a finding in place of each that cannot be read. */
function readFile({ file, content, place }: InputFile): (PlacedDocument | Finding)[] {
  if (typeof content !== 'string' && isBinary(content)) return [unreadableFile(file, NOT_UTF8)];
  const bytesWereLost = typeof content !== 'string' && !isUtf8(content);
  const text = textOf(content);
  const source = new SourceText(file, text, place?.unit);
  return splitDocuments(text).map((chunk) => {
    if (!('problem' in chunk)) return readPlaced(chunk, source, bytesWereLost);
    const at = source.sourceAt(chunk.at);
    return unreadableDocument(at, at, chunk.problem);
  });
}

function addObjects({ document, chunk, text }: PlacedDocument, mayPatch: boolean, objects: Manifest[], locations: Locations): void {
  const { value, at, places } = document;
  for (const { object, item, list, index } of objectsOf(value)) {
    if (isPatch(object, mayPatch)) continue;
    const itemAt = list && places.get(list)?.[index!];
    objects.push(object);
    locations.register(object, { text, base: chunk.at, at: itemAt ?? at, item, places });
  }
}

/** Of a file that is a kind of its own the first document counts, and an empty file is an empty map. */
function addFileOfKind(documents: readonly PlacedDocument[], kinds: readonly FileKind[], objects: Manifest[], locations: Locations): void {
  const first = documents.find(({ document }) => document.value !== null) ?? documents[0];
  if (!first || isManifest(first.document.value)) return;
  const item = first.document.value ?? {};
  if (!isFields(item)) return;
  const object = objectOfKind(first.text.file, item, kinds);
  if (!object) return;
  objects.push(object);
  const { at, places } = first.document;
  locations.register(object, { text: first.text, base: first.chunk.at, at, item, places });
}

function objectOfKind(file: string, content: Fields, kinds: readonly FileKind[]): Manifest | undefined {
  for (const kind of kinds) {
    const object = kind(file, content);
    if (object) return object;
  }
  return undefined;
}

/** Reads the files as kubectl reads them; a document or file that cannot be read is one finding, and the rest goes on. */
export function readFiles(
  files: Iterable<InputFile | UnreadableFile>,
  { kinds = [], locations = new Locations() }: ReadOptions = {},
): ReadInput {
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  const names: string[] = [];
  for (const file of files) {
    names.push(file.file);
    const place = 'content' in file ? file.place : undefined;
    if (place?.isPatch) continue;
    const results = 'content' in file ? readFile(file) : [unreadableFile(file.file, file.problem)];
    const documents = results.filter((result) => 'document' in result);
    addFileOfKind(documents, kinds, objects, locations);
    for (const result of results) {
      if ('document' in result) addObjects(result, place?.mayPatch ?? false, objects, locations);
      else findings.push(result);
    }
  }
  return { objects, findings, locations, files: names };
}

/** The maps of one file, Kubernetes objects or not, and what could not be read. */
export function readMaps(
  file: InputFile,
  locations: Locations,
): { readonly maps: readonly Fields[]; readonly findings: readonly Finding[] } {
  const maps: Fields[] = [];
  const findings: Finding[] = [];
  for (const result of readFile(file)) {
    if (!('document' in result)) {
      findings.push(result);
      continue;
    }
    const { document, chunk, text } = result;
    const { value, at, places } = document;
    if (!isFields(value)) continue;
    maps.push(value);
    locations.register(value, { text, base: chunk.at, at, item: value, places });
  }
  return { maps, findings };
}
