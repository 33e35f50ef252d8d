import type { BudgetTracker } from './read-budget';
import { hasOnlyCommonCharacters, readFast } from './fast-yaml';
import { readJson } from './json-document';
import { splitDocuments } from './split';
import type { BrokenChunk, Chunk } from './split';
import { readDocument, withFinalLineBreak } from './yaml-document';
import type { DuplicateKey, FieldOffsets } from './yaml-document';

/** A document as plain data. */
export interface DocumentValue {
  readonly value: unknown;
  /** Keys that stand twice in one map, of which the last counts. */
  readonly duplicateKeys: readonly DuplicateKey[];
}

/** A document and where its parts stand: offsets in the text of its file. */
export interface LocatedDocument extends DocumentValue {
  /** Where the value begins. */
  readonly at: number;
  readonly offsets: ReadonlyMap<object, FieldOffsets>;
  /** What the places are counted from. */
  readonly base: number;
}

/** The text of a file that is read document by document. It ends with a line break of its own, as kubectl reads it. */
export class DocumentText {
  readonly text: string;
  /** Of the text as it was given. */
  private readonly length: number;
  /** Is it free of what the fast reader does not take? Known once a document is read for the first time. */
  private isAllSupported: boolean | undefined;

  /** @param spending - charged once for the text that aliases stand for */
  constructor(
    text: string,
    private readonly spending?: BudgetTracker,
  ) {
    this.text = withFinalLineBreak(text);
    this.length = text.length;
  }

  /** The pieces of the text that hold a document each. */
  chunks(): Generator<Chunk | BrokenChunk> {
    return splitDocuments(this.text, this.length, this.spending?.isLate);
  }

  private canReadFast({ at, end }: Chunk): boolean {
    this.isAllSupported ??= hasOnlyCommonCharacters(this.text);
    return this.isAllSupported || hasOnlyCommonCharacters(this.text.slice(at, end));
  }

  /**
   * The values of one document. Where they stand is left out: few documents are asked for it.
   *
   * @throws DocumentError for what kubectl cannot read
   */
  valueOf(chunk: Chunk): DocumentValue {
    if (chunk.json)
      return { value: chunk.json.value, duplicateKeys: chunk.json.hasDuplicates ? this.readLocated(chunk).duplicateKeys : [] };
    const fast = this.canReadFast(chunk) ? readFast(this.text, chunk.at, chunk.end, undefined, this.spending?.isLate) : undefined;
    return fast ? { value: fast.value, duplicateKeys: [] } : this.readWithFullParser(chunk, this.spending);
  }

  /**
   * A document that has been read, and where its parts stand.
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

  private readWithFullParser({ at: base, end }: Chunk, spending?: BudgetTracker): LocatedDocument {
    const { value, duplicateKeys, at, offsets } = readDocument(this.text.slice(base, end), spending);
    return {
      value,
      duplicateKeys: duplicateKeys.map((duplicate) => ({ ...duplicate, at: base + duplicate.at, first: base + duplicate.first })),
      at: base + at,
      offsets,
      base,
    };
  }
}
