import type { Manifest, ObjectMeta } from '../core/manifest';
import type { Origin } from './locations';
import type { SourceText } from './source-text';

const NO_TRAIL: Origin['trail'] = Object.freeze([]);

/** A text that shares no memory with the file that it stands in, which is let go too. */
function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** Texts that thousands of objects have in common, such as a kind or a namespace: each is held once. */
export class SharedTexts {
  private readonly texts = new Map<string, string>();

  of(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const own = detached(text);
    this.texts.set(own, own);
    return own;
  }
}

const NAMES: ReadonlySet<string> = new Set(['name', 'namespace']);
/** Of which there may be a lot. */
const LARGE_METADATA: ReadonlySet<string> = new Set(['labels', 'annotations', 'managedFields']);

/** Metadata without what there may be a lot of. Most often that is a name and a namespace, held in an object that has room for no more. */
function namedOnly(metadata: ObjectMeta, shared: SharedTexts): ObjectMeta {
  const { name, namespace } = metadata;
  const isNamed = Object.keys(metadata).every((field) => NAMES.has(field) || LARGE_METADATA.has(field));
  if (isNamed && typeof name === 'string') {
    if (namespace === undefined) return { name: detached(name) };
    if (typeof namespace === 'string') return { name: detached(name), namespace: shared.of(namespace) };
  }
  const small = Object.entries(metadata).filter(([field]) => !LARGE_METADATA.has(field));
  return JSON.parse(JSON.stringify(Object.fromEntries(small))) as ObjectMeta;
}

/**
 * What is left of an object that is a document of its own and is read again for its plan: what it is, who, and where it stands.
 * Labels and annotations, of which there may be a lot, are there again then. One of thousands, it holds no more than it has to.
 */
export class LetGo implements Manifest {
  readonly [field: string]: unknown;
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly #text: SourceText;
  readonly #at: number;
  readonly #end: number;

  constructor({ apiVersion, kind, metadata }: Manifest, { text, chunk }: Pick<Origin, 'text' | 'chunk'>, shared: SharedTexts) {
    this.apiVersion = shared.of(apiVersion);
    this.kind = shared.of(kind);
    this.metadata = namedOnly(metadata!, shared);
    this.#text = text;
    this.#at = chunk.at;
    this.#end = chunk.end;
  }

  get text(): SourceText {
    return this.#text;
  }

  origin(): Origin {
    return { text: this.#text, chunk: { at: this.#at, end: this.#end }, trail: NO_TRAIL };
  }
}
