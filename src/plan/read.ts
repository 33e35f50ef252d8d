import { isUtf8 } from 'node:buffer';
import { inputFinding } from '../core/catalogue';
import type { Finding, Source } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { Locations, SourceText } from './locations';
import { objectsOf } from './objects';
import { splitDocuments } from './split';
import type { Chunk } from './split';
import { DocumentError, readDocument } from './yaml-document';
import type { ReadDocument } from './yaml-document';

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
}

/** A file of a folder whose content cannot be had. */
export interface UnreadableFile {
  readonly file: string;
  readonly problem: string;
}

const NOT_UTF8 = 'it is not UTF-8 text';
const SAVE_AS_UTF8 = 'Save it as UTF-8; binary and UTF-16 files cannot be read.';

function unreadableFile(file: string, problem: string, help?: string): Finding {
  return inputFinding('input/unreadable', { path: '', message: `The file ${file} cannot be read: ${problem}.`, help, source: { file, line: 1 } });
}

function unreadableDocument(begin: Source, at: Source, problem: string, help?: string): Finding {
  return inputFinding('input/unreadable', {
    path: '',
    message: `The document that begins at line ${begin.line} cannot be read: ${problem}.`,
    help: help ?? 'Repair the YAML here; nothing of this document is planned.',
    source: at,
  });
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
  if (lost >= 0) throw new DocumentError(lost, NOT_UTF8, SAVE_AS_UTF8);
  return readDocument(chunk.text);
}

/** Where a document's first line of content is, for a chunk may begin with blank lines and comments. */
function beginOf(chunk: Chunk): number {
  const content = /^[^\S\n]*[^\s#]/m.exec(chunk.text);
  return chunk.at + (content?.index ?? 0);
}

/** Reads files into objects, and remembers where each object and each of its fields stands. */
class Reading implements ReadInput {
  readonly objects: Manifest[] = [];
  readonly findings: Finding[] = [];
  readonly locations = new Locations();
  readonly files: string[] = [];

  read({ file, content }: InputFile): void {
    if (typeof content !== 'string' && isBinary(content)) {
      this.findings.push(unreadableFile(file, NOT_UTF8, SAVE_AS_UTF8));
      return;
    }
    const bytesWereLost = typeof content !== 'string' && !isUtf8(content);
    const text = textOf(content);
    const source = new SourceText(file, text);
    for (const chunk of splitDocuments(text)) {
      if ('problem' in chunk) {
        const at = source.sourceAt(chunk.at);
        this.findings.push(unreadableDocument(at, at, chunk.problem, chunk.help));
      } else {
        this.readChunk(chunk, source, bytesWereLost);
      }
    }
  }

  private readChunk(chunk: Chunk, text: SourceText, bytesWereLost: boolean): void {
    try {
      this.add(readChunk(chunk, bytesWereLost), chunk, text);
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const begin = text.sourceAt(beginOf(chunk));
      this.findings.push(unreadableDocument(begin, text.sourceAt(chunk.at + error.at), error.message, error.help));
    }
  }

  private add({ value, at, places }: ReadDocument, chunk: Chunk, text: SourceText): void {
    for (const { object, item, list, index } of objectsOf(value)) {
      const itemAt = list && places.get(list)?.[index!];
      this.objects.push(object);
      this.locations.register(object, { text, base: chunk.at, at: itemAt ?? at, item, places });
    }
  }
}

/** Reads the files as kubectl reads them; a document or file that cannot be read is one finding, and the rest goes on. */
export function readFiles(files: Iterable<InputFile | UnreadableFile>): ReadInput {
  const reading = new Reading();
  for (const file of files) {
    reading.files.push(file.file);
    if ('content' in file) reading.read(file);
    else reading.findings.push(unreadableFile(file.file, file.problem));
  }
  return reading;
}
