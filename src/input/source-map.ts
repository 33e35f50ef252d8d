import { parseFieldPath } from '../core/manifest/field-path';
import type { Source } from '../core/findings/finding';
import { isFields, getOwnValue } from '../core/manifest/manifest';
import type { ApplyUnit } from '../core/sources/apply-unit';
import type { FileNamespaces } from '../core/sources/file-namespaces';
import type { BudgetTracker } from './read-budget';
import type { OriginFinder } from './origin-finder';
import { DocumentText } from './yaml';
import type { BrokenChunk, Chunk, DocumentValue, LocatedDocument } from './yaml';

/** Returns the index of the last offset that is at most `limit`. The offsets are sorted, and the first is 0. */
function findLastAtMost(offsets: readonly number[], limit: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (offsets[middle]! <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  return starts;
}

/** The text of a file: the values of its documents, and their lines and columns. */
export class SourceText {
  private readonly documents: DocumentText;
  /** The offsets at which lines begin, found when a position is first requested. */
  private lineStarts: readonly number[] | undefined;
  /** The document that was located last. Most findings come object by object. */
  private last: { readonly chunk: Chunk; readonly document: LocatedDocument } | undefined;
  private hasSecretWord: boolean | undefined;

  constructor(
    readonly file: string,
    text: string,
    /** The unit its objects are rendered or applied with. @default - all of the input */
    readonly unit?: ApplyUnit,
    spending?: BudgetTracker,
    /** Finds the files of the repository from which a program rendered the text. @default - it is a file of the repository */
    readonly origins?: OriginFinder,
    /** Namespaces to which files around it may move its objects. @default - none */
    readonly namespaces?: FileNamespaces,
    /** Whether words that are booleans only in YAML 1.1 are texts, as for kustomize. @default false */
    keepsWords?: boolean,
  ) {
    this.documents = new DocumentText(text, spending, keepsWords);
  }

  get text(): string {
    return this.documents.text;
  }

  /** Whether a part of it may be that of a Secret: a line `---` in a value also begins a document. */
  get mayHaveSecret(): boolean {
    return (this.hasSecretWord ??= /secret/i.test(this.text));
  }

  chunks(): Generator<Chunk | BrokenChunk> {
    return this.documents.chunks();
  }

  /** Returns the text of one document. */
  textOf({ at, end }: Chunk): string {
    return this.text.slice(at, end);
  }

  /** @throws DocumentError for text that kubectl cannot read */
  valueOf(chunk: Chunk): DocumentValue {
    return this.documents.valueOf(chunk);
  }

  /** Returns the position of the first word of a document that kubectl reads as a boolean, and kustomize as text. */
  findWord(chunk: Chunk): Source | undefined {
    const at = this.documents.findWord(chunk);
    return at === undefined ? undefined : this.sourceAt(at);
  }

  /** Reads a document again, with the positions of its parts. */
  readLocated(chunk: Chunk): LocatedDocument {
    if (this.last?.chunk.at !== chunk.at) this.last = { chunk, document: this.documents.readLocated(chunk) };
    return this.last.document;
  }

  /** Returns the position of a part's key. If the part is missing, returns that of the deepest existing part on the way to it. */
  locate(chunk: Chunk, trail: readonly (string | number)[]): Source {
    const { offsets, base, ...document } = this.readLocated(chunk);
    let { at, value } = document;
    for (const part of trail) {
      if (!isFields(value) && !Array.isArray(value)) break;
      const fields = offsets.get(value);
      const offset = fields && getOwnValue(fields, String(part));
      if (offset === undefined) break;
      at = base + offset;
      value = (value as Record<string | number, unknown>)[part];
    }
    return this.sourceAt(at);
  }

  /** Returns the line and column of an offset, both counted from 1. */
  sourceAt(offset: number): Source {
    this.lineStarts ??= findLineStarts(this.text);
    const index = findLastAtMost(this.lineStarts, offset);
    return {
      file: this.file,
      line: index + 1,
      column: offset - this.lineStarts[index]! + 1,
      ...(this.origins && { origin: this.origins.folder }),
    };
  }
}

/** The position of one object in its file. */
export interface SourcePosition {
  readonly text: SourceText;
  readonly chunk: Chunk;
  /** The keys and indexes that lead from the document to the object. */
  readonly trail: readonly (string | number)[];
}

/** The positions of the objects of the input. */
export class SourceMap {
  private readonly positions = new Map<object, SourcePosition>();

  register(object: object, position: SourcePosition): void {
    this.positions.set(object, position);
  }

  positionOf(object: object): SourcePosition | undefined {
    return this.positions.get(object);
  }

  /** Returns the file or stream that contains an object. */
  textOf = (object: object): SourceText | undefined => this.positions.get(object)?.text;

  /** Returns the position of a field's key. If the field is missing, returns that of its deepest existing ancestor. */
  locate = (object: object, path: string): Source | undefined => {
    const position = this.positions.get(object);
    if (!position) return undefined;
    const { text, chunk, trail } = position;
    const parts = parseFieldPath(path);
    const source = text.locate(chunk, [...trail, ...parts]);
    if (!text.origins || !isFields(object)) return source;
    return { ...source, origin: text.origins.find({ object, documentText: text.textOf(chunk) }, parts) };
  };
}
