import { isMap, isScalar, isSeq } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';

/** The text of a document that is edited. */
export interface EditedDocument {
  readonly text: string;
  readonly isJson: boolean;
}

/** A node of a document, and where it stands. */
export interface DocumentPart {
  /** Null for a key without a value. */
  readonly node: Node | null;
  /** Does it stand in braces or brackets? */
  readonly inFlow: boolean;
  /** The pair whose value it is; absent for an item of a list. */
  readonly pair?: Pair;
  /** The map that has the pair. */
  readonly parentMap?: YAMLMap;
}

const NULL_TEXTS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

/** Is this plain text a null? */
export function isNullText(text: string): boolean {
  return NULL_TEXTS.has(text);
}

/** Does a pair have this key? */
export function hasKey({ key }: Pair, name: string): boolean {
  return isScalar(key) && String(key.value) === name;
}

/** The pair of a key; of several the last, which counts. */
export function findPair({ items }: YAMLMap, name: string): Pair | undefined {
  return items.findLast((pair) => hasKey(pair, name));
}

/** Where a pair's key begins. */
export function keyStartOf({ key }: Pair): number | undefined {
  return (key as Node | null)?.range?.[0];
}

/** Where the last character of a node stands that is content, comments and blank lines behind it apart. */
export function findContentEnd(node: Node | null): number | undefined {
  if (isMap(node) && !node.flow && node.items.length > 0) return findPairEnd(node.items.at(-1)!);
  if (isSeq(node) && !node.flow && node.items.length > 0) return findContentEnd(node.items.at(-1) as Node | null) ?? node.range?.[1];
  return node?.range?.[1];
}

/** The same of a pair. */
export function findPairEnd({ key, value }: Pair): number | undefined {
  const [ofKey, ofValue] = [findContentEnd(key as Node | null), findContentEnd(value as Node | null)];
  return ofKey === undefined || ofValue === undefined ? (ofKey ?? ofValue) : Math.max(ofKey, ofValue);
}

/** What ends the lines of a text. */
export function detectLineEnding(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Where the line of an offset begins. */
export function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line after that of an offset begins; the end of the text where there is none. */
export function findNextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Where the line after some content begins; a block scalar ends with its line. */
export function findLineAfter(text: string, end: number): number {
  return text[end - 1] === '\n' ? end : findNextLine(text, end);
}

/** A text with other characters from one offset to another. */
export function replaceTextRange(text: string, from: number, to: number, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}
