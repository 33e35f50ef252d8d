// The entry of the YAML reader. Nothing outside this folder imports another file of it.
export { DocumentError } from './document-error';
export { DocumentText } from './document-text';
export type { DocumentValue, LocatedDocument } from './document-text';
export { readDocument } from './full-reader';
export type { DuplicateKey } from './parsed-document';
export { WITHIN_TIME } from './read-limits';
export type { ReadLimits } from './read-limits';
export type { BrokenChunk, Chunk } from './split-documents';
