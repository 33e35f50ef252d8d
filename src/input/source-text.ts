import type { Source } from '../core/finding';
import { isFields, getOwnValue } from '../core/manifest';
import type { ApplyUnit } from '../core/apply-unit';
import type { BudgetTracker } from './read-budget';
import type { TextChunk, ChunkedText } from './file-content';
import { DocumentText } from './document';
import type { DocumentValue, LocatedDocument } from './document';
import type { BrokenChunk, Chunk } from './split';
import type { DuplicateKey } from './yaml-document';
import { resolvePlain } from './yaml-scalar';

/** What may be a number without quotes. */
const NUMBER_TEXT = /[-+.0-9][-+.\w]*/g;
/** Characters behind the beginning of a key in which its number is looked for. */
const MAX_NUMBER_DISTANCE = 2_000;
/** Characters of a number that a message shows. */
const MAX_NUMBER_LENGTH = 80;

/** A piece of a text that is at hand. */
interface LoadedChunk extends Omit<TextChunk, 'bytes'> {
  readonly documents: DocumentText;
  /** The offsets in it at which its lines begin. @default - not asked for yet */
  lineStarts?: readonly number[];
}

/** Pieces that are at hand: an object and one that it is compared with may stand in two, and both go on through the file. */
const MAX_LOADED_CHUNKS = 4;

/** The index of the last of some things in order whose number is not above another; that of the first is not. */
function findLastAtMost<T>(items: readonly T[], numberOf: (thing: T) => number, limit: number): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numberOf(items[middle]!) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

const offsetOf = ({ at }: TextChunk): number => at;
const lineOf = ({ line }: TextChunk): number => line;
const identity = (offset: number): number => offset;

function getLineStarts(piece: LoadedChunk): readonly number[] {
  if (piece.lineStarts) return piece.lineStarts;
  const { text } = piece.documents;
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  piece.lineStarts = starts;
  return starts;
}

/** A document as it stands in a text that began at another offset. */
function shiftChunk(chunk: Chunk | BrokenChunk, by: number): Chunk | BrokenChunk {
  const at = chunk.at + by;
  return 'problem' in chunk ? { at, problem: chunk.problem } : { at, end: chunk.end + by };
}

function shiftKeys(keys: readonly DuplicateKey[], by: number): readonly DuplicateKey[] {
  return keys.length === 0 ? keys : keys.map((key) => ({ ...key, at: key.at + by, first: key.first + by }));
}

/** The text of a file: what its documents hold, and at which line and column. One in pieces is read piece by piece, and again where that is asked for. */
export class SourceText {
  private readonly inPieces: ChunkedText | undefined;
  private readonly held: LoadedChunk[];
  private whole: string | undefined;
  /** The document whose places were asked for last, since most findings come object by object. */
  private last: { readonly chunk: Chunk; readonly document: LocatedDocument } | undefined;

  constructor(
    readonly file: string,
    content: string | ChunkedText,
    /** What its objects are rendered or applied with. @default - all of the input */
    readonly unit?: ApplyUnit,
    private readonly spending?: BudgetTracker,
  ) {
    if (typeof content !== 'string') {
      this.inPieces = content;
      this.held = [];
      return;
    }
    const documents = new DocumentText(content, spending);
    this.whole = documents.text;
    // A list that grows has room for 17 from the first on, and there may be thousands of files.
    this.held = [{ at: 0, end: this.whole.length, line: 0, documents }];
  }

  /** All of it. */
  get text(): string {
    return (this.whole ??= this.inPieces!.whole());
  }

  /** Characters of all of it. */
  get length(): number {
    return this.inPieces ? this.inPieces.pieces.at(-1)!.end : this.whole!.length;
  }

  /** Does it hold a word of ASCII? */
  includes(word: string): boolean {
    return (this.whole ?? this.inPieces!).includes(word);
  }

  *chunks(): Generator<Chunk | BrokenChunk> {
    if (!this.inPieces) {
      yield* this.held[0]!.documents.chunks();
      return;
    }
    for (const { at } of this.inPieces.pieces) for (const chunk of this.chunkAt(at).documents.chunks()) yield shiftChunk(chunk, at);
  }

  /** The text of one document. */
  textOf({ at, end }: Chunk): string {
    const piece = this.chunkAt(at);
    return piece.documents.text.slice(at - piece.at, end - piece.at);
  }

  /** @throws DocumentError for what kubectl cannot read */
  valueOf(chunk: Chunk): DocumentValue {
    const { at, documents } = this.chunkAt(chunk.at);
    if (at === 0) return documents.valueOf(chunk);
    const { value, duplicateKeys, isFast } = documents.valueOf({ at: chunk.at - at, end: chunk.end - at });
    return { value, duplicateKeys: shiftKeys(duplicateKeys, at), isFast };
  }

  /** Reads a document again that the fast reader has read. */
  rereadValue(chunk: Chunk): unknown {
    const { at, documents } = this.chunkAt(chunk.at);
    return documents.rereadValue({ at: chunk.at - at, end: chunk.end - at });
  }

  /** The piece that holds an offset. */
  private chunkAt(offset: number): LoadedChunk {
    if (!this.inPieces) return this.held[0]!;
    const known = this.held.find(({ at, end }) => at <= offset && offset <= end);
    const { pieces } = this.inPieces;
    return known ?? this.loadChunk(this.inPieces, pieces[findLastAtMost(pieces, offsetOf, offset)]!);
  }

  private loadChunk(text: ChunkedText, piece: TextChunk): LoadedChunk {
    const { at, end, line } = piece;
    const held = { at, end, line, documents: new DocumentText(text.read(piece), this.spending, true) };
    this.held.unshift(held);
    if (this.held.length > MAX_LOADED_CHUNKS) this.held.pop();
    return held;
  }

  /** Reads a document again, with the places of its parts. */
  readLocated(chunk: Chunk): LocatedDocument {
    if (this.last?.chunk.at !== chunk.at) this.last = { chunk, document: this.rereadLocated(chunk) };
    return this.last.document;
  }

  private rereadLocated(chunk: Chunk): LocatedDocument {
    const { at, documents } = this.chunkAt(chunk.at);
    if (at === 0) return documents.readLocated(chunk);
    const document = documents.readLocated({ at: chunk.at - at, end: chunk.end - at });
    return { ...document, duplicateKeys: shiftKeys(document.duplicateKeys, at), at: document.at + at, base: document.base + at };
  }

  /** Where a part of a document stands: at its key, or at that of the deepest part on the way to it that is there. */
  locate(chunk: Chunk, trail: readonly (string | number)[]): Source {
    const { offsets, base, ...document } = this.readLocated(chunk);
    let { at, value } = document;
    for (const part of trail) {
      if (!isFields(value) && !Array.isArray(value)) break;
      const here = offsets.get(value);
      const place = here && getOwnValue(here, String(part));
      if (place === undefined) break;
      at = base + place;
      value = (value as Record<string | number, unknown>)[part];
    }
    return this.sourceAt(at);
  }

  /** The line and column of an offset, both counted from 1. */
  sourceAt(offset: number): Source {
    const piece = this.chunkAt(offset);
    const starts = getLineStarts(piece);
    const offsetInChunk = offset - piece.at;
    const index = findLastAtMost(starts, identity, offsetInChunk);
    return { file: this.file, line: piece.line + index + 1, column: offsetInChunk - starts[index]! + 1 };
  }

  /** How a number is written that stands at a place or behind the key there: `12345678901234567890123` for 1.2345678901234568e+22. */
  numberAt({ line, column = 1 }: Source, value: number): string | undefined {
    const piece = this.chunkOfLine(line);
    const start = getLineStarts(piece)[line - 1 - piece.line];
    if (start === undefined) return undefined;
    const from = start + column - 1;
    const written = piece.documents.text.slice(from, from + MAX_NUMBER_DISTANCE).match(NUMBER_TEXT) ?? [];
    return written.find((text) => text.length <= MAX_NUMBER_LENGTH && Object.is(resolvePlain(text), value));
  }

  private chunkOfLine(line: number): LoadedChunk {
    if (!this.inPieces) return this.held[0]!;
    const { pieces } = this.inPieces;
    return this.chunkAt(pieces[findLastAtMost(pieces, lineOf, line - 1)]!.at);
  }
}
