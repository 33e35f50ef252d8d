import type { Manifest, ObjectMeta } from '../core/manifest';
import type { SourcePosition } from './source-map';
import type { SourceText } from './source-text';

/** Of a document of its own. */
export const NO_TRAIL: SourcePosition['trail'] = Object.freeze([]);

/** A text that shares no memory with the file that it stands in, which is let go too. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

const SMALL: ReadonlySet<string> = new Set(['name', 'namespace']);
/** Of which there may be a lot. */
const LARGE: ReadonlySet<string> = new Set(['labels', 'annotations', 'managedFields']);

/** Metadata of which nothing is left but a name and a namespace; undefined for any other. */
function extractNameOnly(metadata: ObjectMeta): { readonly name: string; readonly namespace?: string } | undefined {
  const { name, namespace } = metadata;
  if (typeof name !== 'string' || (namespace !== undefined && typeof namespace !== 'string')) return undefined;
  return Object.keys(metadata).every((field) => SMALL.has(field) || LARGE.has(field)) ? { name, namespace } : undefined;
}

/** Metadata without what there may be a lot of. */
function dropLargeMetadata(metadata: ObjectMeta): ObjectMeta {
  const small = Object.entries(metadata).filter(([field]) => !LARGE.has(field));
  return JSON.parse(JSON.stringify(Object.fromEntries(small))) as ObjectMeta;
}

/** What thousands of objects have in common: one of each is held. */
interface Common {
  readonly apiVersion: string;
  readonly kind: string;
  /** @default - they have none, or metadata of their own */
  readonly namespace?: string;
}

/** What objects have in common, by what it is. */
export class Commons {
  private readonly known = new Map<string, Common>();

  of(apiVersion: string, kind: string, namespace?: string): Common {
    const key = JSON.stringify([apiVersion, kind, namespace]);
    const known = this.known.get(key);
    if (known) return known;
    const own: Common = {
      apiVersion: copyText(apiVersion),
      kind: copyText(kind),
      ...(namespace !== undefined && { namespace: copyText(namespace) }),
    };
    this.known.set(key, own);
    return own;
  }
}

/**
 * What is left of an object that is a document of its own and is read again for its plan: what it is, who, and where it stands.
 * Labels and annotations, of which there may be a lot, are there again then. One of thousands, it holds no more than it has to.
 */
export class LetGo implements Manifest {
  readonly [field: string]: unknown;
  readonly #text: SourceText;
  readonly #common: Common;
  /** A name, or metadata that is more than a name and a namespace. */
  readonly #named: string | ObjectMeta;
  readonly #at: number;
  readonly #end: number;

  constructor({ apiVersion, kind, metadata }: Manifest, { text, chunk }: Pick<SourcePosition, 'text' | 'chunk'>, commons: Commons) {
    const named = extractNameOnly(metadata!);
    this.#text = text;
    this.#common = commons.of(apiVersion, kind, named?.namespace);
    this.#named = named ? copyText(named.name) : dropLargeMetadata(metadata!);
    this.#at = chunk.at;
    this.#end = chunk.end;
  }

  get apiVersion(): string {
    return this.#common.apiVersion;
  }

  get kind(): string {
    return this.#common.kind;
  }

  get metadata(): ObjectMeta {
    if (typeof this.#named !== 'string') return this.#named;
    const { namespace } = this.#common;
    return namespace === undefined ? { name: this.#named } : { name: this.#named, namespace };
  }

  get text(): SourceText {
    return this.#text;
  }

  origin(): SourcePosition {
    return { text: this.#text, chunk: { at: this.#at, end: this.#end }, trail: NO_TRAIL };
  }
}
