import type { Source } from '../core/finding';
import { isFields, ownValue } from '../core/manifest';
import type { Unit } from '../core/unit';
import type { Spending } from './budget';
import type { Piece, TextInPieces } from './content';
import { DocumentText } from './document';
import type { DocumentValue, LocatedDocument } from './document';
import type { BrokenChunk, Chunk } from './split';
import type { DuplicateKey } from './yaml-document';
import { resolvePlain } from './yaml-scalar';

/** What may be a number without quotes. */
const NUMBER = /[-+.0-9][-+.\w]*/g;
/** Characters behind the beginning of a key in which its number is looked for. */
const NEAR = 2_000;
/** Characters of a number that a message shows. */
const SHOWN = 80;

/** A piece of a text that is at hand. */
interface HeldPiece extends Omit<Piece, 'bytes'> {
  readonly documents: DocumentText;
  /** The offsets in it at which its lines begin. @default - not asked for yet */
  lineStarts?: readonly number[];
}

/** Pieces that are at hand: an object and one that it is compared with may stand in two, and both go on through the file. */
const HELD_PIECES = 4;

/** The index of the last of some things in order whose number is not above another; that of the first is not. */
function lastAtMost<T>(things: readonly T[], numberOf: (thing: T) => number, most: number): number {
  let low = 0;
  let high = things.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numberOf(things[middle]!) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

const offsetOf = ({ at }: Piece): number => at;
const lineOf = ({ line }: Piece): number => line;
const itself = (offset: number): number => offset;

function startsOfLines(piece: HeldPiece): readonly number[] {
  if (piece.lineStarts) return piece.lineStarts;
  const { text } = piece.documents;
  const starts = [0];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  piece.lineStarts = starts;
  return starts;
}

/** A document as it stands in a text that began at another offset. */
function movedChunk(chunk: Chunk | BrokenChunk, by: number): Chunk | BrokenChunk {
  const at = chunk.at + by;
  return 'problem' in chunk ? { at, problem: chunk.problem } : { at, end: chunk.end + by };
}

function movedKeys(keys: readonly DuplicateKey[], by: number): readonly DuplicateKey[] {
  return keys.length === 0 ? keys : keys.map((key) => ({ ...key, at: key.at + by, first: key.first + by }));
}

/** The text of a file: what its documents hold, and at which line and column. One in pieces is read piece by piece, and again where that is asked for. */
export class SourceText {
  private readonly inPieces: TextInPieces | undefined;
  private readonly held: HeldPiece[];
  private whole: string | undefined;
  /** The document whose places were asked for last, since most findings come object by object. */
  private last: { readonly chunk: Chunk; readonly document: LocatedDocument } | undefined;

  constructor(
    readonly file: string,
    content: string | TextInPieces,
    /** What its objects are rendered or applied with. @default - all of the input */
    readonly unit?: Unit,
    private readonly spending?: Spending,
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
    for (const { at } of this.inPieces.pieces) for (const chunk of this.pieceAt(at).documents.chunks()) yield movedChunk(chunk, at);
  }

  /** The text of one document. */
  textOf({ at, end }: Chunk): string {
    const piece = this.pieceAt(at);
    return piece.documents.text.slice(at - piece.at, end - piece.at);
  }

  /** @throws DocumentError for what kubectl cannot read */
  valueOf(chunk: Chunk): DocumentValue {
    const { at, documents } = this.pieceAt(chunk.at);
    if (at === 0) return documents.valueOf(chunk);
    const { value, duplicateKeys, isFast } = documents.valueOf({ at: chunk.at - at, end: chunk.end - at });
    return { value, duplicateKeys: movedKeys(duplicateKeys, at), isFast };
  }

  /** Reads a document again that the fast reader has read. */
  valueAgain(chunk: Chunk): unknown {
    const { at, documents } = this.pieceAt(chunk.at);
    return documents.valueAgain({ at: chunk.at - at, end: chunk.end - at });
  }

  /** The piece that holds an offset. */
  private pieceAt(offset: number): HeldPiece {
    if (!this.inPieces) return this.held[0]!;
    const known = this.held.find(({ at, end }) => at <= offset && offset <= end);
    const { pieces } = this.inPieces;
    return known ?? this.heldPiece(this.inPieces, pieces[lastAtMost(pieces, offsetOf, offset)]!);
  }

  private heldPiece(text: TextInPieces, piece: Piece): HeldPiece {
    const { at, end, line } = piece;
    const held = { at, end, line, documents: new DocumentText(text.read(piece), this.spending, true) };
    this.held.unshift(held);
    if (this.held.length > HELD_PIECES) this.held.pop();
    return held;
  }

  /** Reads a document again, with the places of its parts. */
  located(chunk: Chunk): LocatedDocument {
    if (this.last?.chunk.at !== chunk.at) this.last = { chunk, document: this.locatedAgain(chunk) };
    return this.last.document;
  }

  private locatedAgain(chunk: Chunk): LocatedDocument {
    const { at, documents } = this.pieceAt(chunk.at);
    if (at === 0) return documents.located(chunk);
    const document = documents.located({ at: chunk.at - at, end: chunk.end - at });
    return { ...document, duplicateKeys: movedKeys(document.duplicateKeys, at), at: document.at + at, base: document.base + at };
  }

  /** Where a part of a document stands: at its key, or at that of the deepest part on the way to it that is there. */
  placeOf(chunk: Chunk, trail: readonly (string | number)[]): Source {
    const { places, base, ...document } = this.located(chunk);
    let { at, value } = document;
    for (const part of trail) {
      if (!isFields(value) && !Array.isArray(value)) break;
      const here = places.get(value);
      const place = here && ownValue(here, String(part));
      if (place === undefined) break;
      at = base + place;
      value = (value as Record<string | number, unknown>)[part];
    }
    return this.sourceAt(at);
  }

  /** The line and column of an offset, both counted from 1. */
  sourceAt(offset: number): Source {
    const piece = this.pieceAt(offset);
    const starts = startsOfLines(piece);
    const within = offset - piece.at;
    const index = lastAtMost(starts, itself, within);
    return { file: this.file, line: piece.line + index + 1, column: within - starts[index]! + 1 };
  }

  /** How a number is written that stands at a place or behind the key there: `12345678901234567890123` for 1.2345678901234568e+22. */
  numberAt({ line, column = 1 }: Source, value: number): string | undefined {
    const piece = this.pieceOfLine(line);
    const start = startsOfLines(piece)[line - 1 - piece.line];
    if (start === undefined) return undefined;
    const from = start + column - 1;
    const written = piece.documents.text.slice(from, from + NEAR).match(NUMBER) ?? [];
    return written.find((text) => text.length <= SHOWN && Object.is(resolvePlain(text), value));
  }

  private pieceOfLine(line: number): HeldPiece {
    if (!this.inPieces) return this.held[0]!;
    const { pieces } = this.inPieces;
    return this.pieceAt(pieces[lastAtMost(pieces, lineOf, line - 1)]!.at);
  }
}
