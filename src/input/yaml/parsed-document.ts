import type { FieldPath } from '../../core/manifest/field-path';

/** Offset of each key of a map, or of each item of a list, in the text of the document. */
export type FieldOffsets = Readonly<Record<string | number, number>>;

/** Number of duplicate keys of a document that have a path. There may be a million, deep in the document, and only the first ones are listed. */
export const MAX_LOCATED_DUPLICATES = 100;

/** Key that occurs in its map before. */
export interface DuplicateKey {
  /** Empty after the first `MAX_LOCATED_DUPLICATES` of a document. */
  readonly path: FieldPath;
  readonly key: string;
  /** Offset of this occurrence; the last one wins. */
  readonly at: number;
  /** Offset of the previous occurrence. */
  readonly first: number;
  /** Whether a merge sets the key again, to another value. Kustomize keeps the first one. @default - it is written twice */
  readonly isMerged?: true;
}

/** One YAML document as plain data, and the offsets of its fields. */
export interface ParsedDocument {
  readonly value: unknown;
  /** Duplicate keys of a map; the last occurrence wins. */
  readonly duplicateKeys: readonly DuplicateKey[];
  /** Offset of the mark after which kubectl reads nothing. @default - the text ends with the document */
  readonly restAt?: number;
  /** Offset of the first word that is kept as text, because it is a boolean only in YAML 1.1. @default - there is none */
  readonly wordAt?: number | undefined;
  /** Offset at which the value begins. */
  readonly at: number;
  /** Offsets of the fields of each map and list of the value. */
  readonly offsets: ReadonlyMap<object, FieldOffsets>;
}
