import { fieldPathParts } from '../core/field-path';
import type { Source } from '../core/finding';
import { isFields, ownValue } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { Unit } from '../core/unit';
import type { Spending } from './budget';
import { DocumentText } from './document';
import type { DocumentValue, LocatedDocument } from './document';
import type { BrokenChunk, Chunk } from './split';
import { resolvePlain } from './yaml-scalar';

/** What may be a number without quotes. */
const NUMBER = /[-+.0-9][-+.\w]*/g;
/** Characters behind the beginning of a key in which its number is looked for. */
const NEAR = 2_000;
/** Characters of a number that a message shows. */
const SHOWN = 80;

/** The text of a file: what its documents hold, and at which line and column. */
export class SourceText {
  private readonly documents: DocumentText;
  private lineStarts: readonly number[] | undefined;
  /** The document whose places were asked for last, since most findings come object by object. */
  private last: { readonly chunk: Chunk; readonly document: LocatedDocument } | undefined;

  constructor(
    readonly file: string,
    text: string,
    /** What its objects are rendered or applied with. @default - all of the input */
    readonly unit?: Unit,
    spending?: Spending,
  ) {
    this.documents = new DocumentText(text, spending);
  }

  get text(): string {
    return this.documents.text;
  }

  chunks(): Generator<Chunk | BrokenChunk> {
    return this.documents.chunks();
  }

  /** @throws DocumentError for what kubectl cannot read */
  valueOf(chunk: Chunk): DocumentValue {
    return this.documents.valueOf(chunk);
  }

  /** Reads a document again that the fast reader has read. */
  valueAgain(chunk: Chunk): unknown {
    return this.documents.valueAgain(chunk);
  }

  /** Reads a document again, with the places of its parts. */
  located(chunk: Chunk): LocatedDocument {
    if (this.last?.chunk !== chunk) this.last = { chunk, document: this.documents.located(chunk) };
    return this.last.document;
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

  private startsOfLines(): readonly number[] {
    const starts = [0];
    for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n', end + 1)) starts.push(end + 1);
    return starts;
  }

  /** The line and column of an offset, both counted from 1. */
  sourceAt(offset: number): Source {
    this.lineStarts ??= this.startsOfLines();
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - this.lineStarts[low]! + 1 };
  }

  /** How a number is written that stands at a place or behind the key there: `12345678901234567890123` for 1.2345678901234568e+22. */
  numberAt = ({ line, column = 1 }: Source, value: number): string | undefined => {
    this.lineStarts ??= this.startsOfLines();
    const start = this.lineStarts[line - 1];
    if (start === undefined) return undefined;
    const from = start + column - 1;
    const written = this.text.slice(from, from + NEAR).match(NUMBER) ?? [];
    return written.find((text) => text.length <= SHOWN && Object.is(resolvePlain(text), value));
  };
}

/** Where one object stands in its file. */
export interface Origin {
  readonly text: SourceText;
  readonly chunk: Chunk;
  /** The keys and positions that lead from the document to the object. */
  readonly trail: readonly (string | number)[];
}

/** Where an object stands, or the one that this is the outline of. */
interface Registered extends Origin {
  /** @default false */
  readonly isOutline?: true;
}

/** Where the objects of the input stand. Held weakly: a place lives as long as its object. */
export class Locations {
  private readonly origins = new WeakMap<object, Registered>();

  register(object: object, origin: Origin): void {
    this.origins.set(object, origin);
  }

  /** Registers what is kept of an object that is a document of its own, and that `whole` reads again. */
  registerOutline(outline: Manifest, { text, chunk, trail }: Origin): void {
    this.origins.set(outline, { text, chunk, trail, isOutline: true });
  }

  /** An object with all that it holds: itself, or what its outline was made of, read again each time. */
  whole = (object: Manifest): Manifest => {
    const origin = this.origins.get(object);
    if (!origin?.isOutline) return object;
    const { text, chunk, trail } = origin;
    const whole = text.valueAgain(chunk) as Manifest;
    this.register(whole, { text, chunk, trail });
    return whole;
  };

  originOf(object: object): Origin | undefined {
    return this.origins.get(object);
  }

  /** The file or stream that holds an object. */
  textOf = (object: object): SourceText | undefined => this.origins.get(object)?.text;

  /** Where a field of an object stands: at its key, or at that of the deepest ancestor that is there. */
  locate = (object: object, path: string): Source | undefined => {
    const origin = this.origins.get(object);
    if (!origin) return undefined;
    return origin.text.placeOf(origin.chunk, [...origin.trail, ...fieldPathParts(path)]);
  };
}
