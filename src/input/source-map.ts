import { parseFieldPath } from '../core/field-path';
import type { Source } from '../core/finding';
import { isFields } from '../core/manifest';
import type { SourceText } from './source-text';
import type { Chunk } from './yaml';

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
