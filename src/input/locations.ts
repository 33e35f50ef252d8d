import type { Source } from '../core/finding';
import { fieldPathParts } from '../core/field-path';
import { isFields } from '../core/manifest';
import type { Unit } from '../core/unit';
import type { Places } from './yaml-document';

/** The text of a file, as far as its lines and columns go. */
export class SourceText {
  private readonly lineStarts: number[] = [0];

  constructor(
    readonly file: string,
    text: string,
    /** What its objects are rendered or applied with. @default - all of the input */
    readonly unit?: Unit,
  ) {
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) this.lineStarts.push(end + 1);
  }

  /** The line and column of an offset, both counted from 1. */
  sourceAt(offset: number): Source {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - this.lineStarts[low]! + 1 };
  }
}

/** Where one object stands in its file. */
export interface Origin {
  readonly text: SourceText;
  /** The offset at which the object's document begins. */
  readonly base: number;
  /** The offset of the object within its document. */
  readonly at: number;
  /** The part of the document that the object is. */
  readonly item: object;
  /** The places of fields within the document. */
  readonly places: ReadonlyMap<object, Places>;
}

/** Where the objects of the input stand. Held weakly: a place lives as long as its object. */
export class Locations {
  private readonly origins = new WeakMap<object, Origin>();

  register(object: object, origin: Origin): void {
    this.origins.set(object, origin);
  }

  originOf(object: object): Origin | undefined {
    return this.origins.get(object);
  }

  /** The file or stream that holds an object. */
  textOf = (object: object): SourceText | undefined => this.origins.get(object)?.text;

  /** Where a field of an object stands: at its key, or at that of the deepest ancestor that is there. */
  locate = (object: object, path: string): Source | undefined => {
    const origin = this.origins.get(object);
    if (!origin) return undefined;
    let { at } = origin;
    let value: unknown = origin.item;
    for (const part of fieldPathParts(path)) {
      if (!isFields(value) && !Array.isArray(value)) break;
      const place = origin.places.get(value)?.[part];
      if (place === undefined) break;
      at = place;
      value = (value as Record<string | number, unknown>)[part];
    }
    return origin.text.sourceAt(origin.base + at);
  };
}
