import { hasOnlyCommonCharacters, readFast } from './fast-reader';
import { readJson } from './json-reader';
import type { ReadLimits } from './read-limits';
import { splitDocuments, withFinalLineBreak } from './split-documents';
import type { BrokenChunk, Chunk } from './split-documents';
import { readDocument } from './full-reader';
import type { DuplicateKey, FieldOffsets } from './parsed-document';

/** The value of a document, as plain data. */
export interface DocumentValue {
  readonly value: unknown;
  /** Keys that occur twice in one map. The last one counts. */
  readonly duplicateKeys: readonly DuplicateKey[];
  /** Offset of the mark after which kubectl reads nothing of the document's text. @default - it reads all */
  readonly restAt?: number | undefined;
}

/** A document with the positions of its parts, as offsets in the text of its file. */
export interface LocatedDocument extends DocumentValue {
  /** The offset of the value. */
  readonly at: number;
  readonly offsets: ReadonlyMap<object, FieldOffsets>;
  /** The offset that the positions of fields are relative to. */
  readonly base: number;
}

/** A text without one of these words at the end of a line or before a sign contains no boolean that only YAML 1.1 has. */
const WORDS = /(?:^|[\s\u0085:,[{?-])(?:y|n|yes|no|on|off)[ \t]*(?:$|[\u0085,\]}:#])/im;

/** The text of a file that is read document by document. A final line break is added if it is missing, as in kubectl. */
export class DocumentText {
  readonly text: string;
  /** Length of the original text. */
  private readonly length: number;
  /** Whether the fast reader supports every character. Unset until the first document is read. */
  private isAllSupported: boolean | undefined;

  /**
   * @param limits - charged once for the text that aliases stand for
   * @param keepsWords - whether words that are booleans only in YAML 1.1 are texts, as for kustomize
   */
  constructor(
    text: string,
    private readonly limits?: ReadLimits,
    private readonly keepsWords = false,
  ) {
    this.text = withFinalLineBreak(text);
    this.length = text.length;
  }

  /** Splits the text into chunks of one document each. */
  chunks(): Generator<Chunk | BrokenChunk> {
    return splitDocuments(this.text, this.length, this.limits?.isLate);
  }

  private canReadFast({ at, end }: Chunk): boolean {
    if (this.keepsWords && WORDS.test(this.text.slice(at, end))) return false;
    this.isAllSupported ??= hasOnlyCommonCharacters(this.text);
    return this.isAllSupported || hasOnlyCommonCharacters(this.text.slice(at, end));
  }

  /**
   * Returns the value of one document, without the positions of its parts: few documents need them.
   *
   * @throws DocumentError for what kubectl cannot read
   */
  valueOf(chunk: Chunk): DocumentValue {
    if (chunk.json)
      return { value: chunk.json.value, duplicateKeys: chunk.json.hasDuplicates ? this.readLocated(chunk).duplicateKeys : [] };
    const fast = this.canReadFast(chunk) ? readFast(this.text, chunk.at, chunk.end, undefined, this.limits?.isLate) : undefined;
    return fast ? { value: fast.value, duplicateKeys: [] } : this.readWithFullParser(chunk, this.limits);
  }

  /**
   * Reads a document again, with the positions of its parts.
   *
   * @throws DocumentError for what kubectl cannot read
   */
  readLocated(chunk: Chunk): LocatedDocument {
    const offsets = new Map<object, FieldOffsets>();
    if (chunk.json) {
      const { value, duplicateKeys } = readJson(this.text, chunk.at, offsets)!;
      return { value, duplicateKeys, at: chunk.at, offsets, base: 0 };
    }
    const fast = this.canReadFast(chunk) ? readFast(this.text, chunk.at, chunk.end, offsets) : undefined;
    return fast ? { ...fast, duplicateKeys: [], offsets, base: 0 } : this.readWithFullParser(chunk);
  }

  /** Returns the offset of the first word of a document that can be read that is a boolean only in YAML 1.1, so that kustomize reads it as text. */
  findWord({ at, end, json }: Chunk): number | undefined {
    const text = this.text.slice(at, end);
    if (json || !WORDS.test(text)) return undefined;
    const { wordAt } = readDocument(text, undefined, true);
    return wordAt === undefined ? undefined : at + wordAt;
  }

  private readWithFullParser({ at: base, end }: Chunk, limits?: ReadLimits): LocatedDocument {
    const { value, duplicateKeys, at, offsets, restAt } = readDocument(this.text.slice(base, end), limits, this.keepsWords);
    return {
      value,
      duplicateKeys: duplicateKeys.map((duplicate) => ({ ...duplicate, at: base + duplicate.at, first: base + duplicate.first })),
      at: base + at,
      restAt: restAt === undefined ? undefined : base + restAt,
      offsets,
      base,
    };
  }
}
