import { parseFieldPath } from '../core/field-path';
import type { Source } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { Commons, LetGo, NO_TRAIL } from './let-go';
import type { SourceText } from './source-text';
import type { Chunk } from './split';

/** Where one object stands in its file. */
export interface SourcePosition {
  readonly text: SourceText;
  readonly chunk: Chunk;
  /** The keys and positions that lead from the document to the object. */
  readonly trail: readonly (string | number)[];
}

/** Where the objects of the input stand. Held weakly: a place lives as long as its object. */
export class SourceMap {
  private readonly positions = new WeakMap<object, SourcePosition>();
  private readonly commons = new Commons();

  register(object: object, origin: SourcePosition): void {
    this.positions.set(object, origin);
  }

  /** What is kept of an object that is a document of its own, and that `whole` reads again. */
  letGo(object: Manifest, text: SourceText, chunk: Chunk): Manifest {
    return new LetGo(object, { text, chunk }, this.commons);
  }

  /** An object with all that it holds: itself, or what it was before it was let go, read again each time. */
  whole = (object: Manifest): Manifest => {
    if (!(object instanceof LetGo)) return object;
    const { text, chunk } = object.origin();
    return this.readAgain(text, chunk);
  };

  /** An object that is a document of its own, read again. */
  readAgain(text: SourceText, chunk: Chunk): Manifest {
    const whole = text.rereadValue(chunk) as Manifest;
    this.register(whole, { text, chunk, trail: NO_TRAIL });
    return whole;
  }

  positionOf(object: object): SourcePosition | undefined {
    return object instanceof LetGo ? object.origin() : this.positions.get(object);
  }

  /** The file or stream that holds an object. */
  textOf = (object: object): SourceText | undefined => (object instanceof LetGo ? object.text : this.positions.get(object)?.text);

  /** Where a field of an object stands: at its key, or at that of the deepest ancestor that is there. */
  locate = (object: object, path: string): Source | undefined => {
    const origin = this.positionOf(object);
    if (!origin) return undefined;
    return origin.text.locate(origin.chunk, [...origin.trail, ...parseFieldPath(path)]);
  };
}
