import { fieldPathParts } from '../core/field-path';
import type { Source } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { SourceText } from './source-text';
import type { Chunk } from './split';

/** Where one object stands in its file. */
export interface Origin {
  readonly text: SourceText;
  readonly chunk: Chunk;
  /** The keys and positions that lead from the document to the object. */
  readonly trail: readonly (string | number)[];
}

const NO_TRAIL: Origin['trail'] = Object.freeze([]);

/** A text that shares no memory with the file that it stands in, which is let go too. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

const NAMES: ReadonlySet<string> = new Set(['name', 'namespace']);
/** Of which there may be a lot. */
const LARGE_METADATA: ReadonlySet<string> = new Set(['labels', 'annotations', 'managedFields']);

/** Metadata without what there may be a lot of: most often a name and a namespace, for which a round through JSON takes long. */
function namedOnly(metadata: NonNullable<Manifest['metadata']>): NonNullable<Manifest['metadata']> {
  const named: Record<string, unknown> = {};
  for (const field of Object.keys(metadata)) {
    if (LARGE_METADATA.has(field)) continue;
    const value = metadata[field];
    named[field] = NAMES.has(field) && typeof value === 'string' ? detached(value) : (JSON.parse(JSON.stringify(value)) as unknown);
  }
  return named;
}

/**
 * What is left of an object that is a document of its own and is read again for its plan: what it is, who, and where it stands.
 * Labels and annotations, of which there may be a lot, are there again then. One of thousands, it holds no more than it has to.
 */
class LetGo implements Manifest {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: NonNullable<Manifest['metadata']>;
  readonly #text: SourceText;
  readonly #at: number;
  readonly #end: number;

  constructor({ apiVersion, kind, metadata }: Manifest, text: SourceText, { at, end }: Chunk) {
    this.apiVersion = detached(apiVersion);
    this.kind = detached(kind);
    this.metadata = namedOnly(metadata!);
    this.#text = text;
    this.#at = at;
    this.#end = end;
  }

  get text(): SourceText {
    return this.#text;
  }

  origin(): Origin {
    return { text: this.#text, chunk: { at: this.#at, end: this.#end }, trail: NO_TRAIL };
  }
}

/** Where the objects of the input stand. Held weakly: a place lives as long as its object. */
export class Locations {
  private readonly origins = new WeakMap<object, Origin>();

  register(object: object, origin: Origin): void {
    this.origins.set(object, origin);
  }

  /** What is kept of an object that is a document of its own, and that `whole` reads again. */
  letGo(object: Manifest, text: SourceText, chunk: Chunk): Manifest {
    return new LetGo(object, text, chunk);
  }

  /** An object with all that it holds: itself, or what it was before it was let go, read again each time. */
  whole = (object: Manifest): Manifest => {
    if (!(object instanceof LetGo)) return object;
    const origin = object.origin();
    const whole = origin.text.valueAgain(origin.chunk) as Manifest;
    this.register(whole, origin);
    return whole;
  };

  originOf(object: object): Origin | undefined {
    return object instanceof LetGo ? object.origin() : this.origins.get(object);
  }

  /** The file or stream that holds an object. */
  textOf = (object: object): SourceText | undefined => (object instanceof LetGo ? object.text : this.origins.get(object)?.text);

  /** Where a field of an object stands: at its key, or at that of the deepest ancestor that is there. */
  locate = (object: object, path: string): Source | undefined => {
    const origin = this.originOf(object);
    if (!origin) return undefined;
    return origin.text.placeOf(origin.chunk, [...origin.trail, ...fieldPathParts(path)]);
  };
}
