import { isMap, isScalar, isSeq } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import { toSafeText } from '../../core/text/value-text';

/** Document to edit. */
export interface EditedDocument {
  readonly text: string;
  readonly isJson: boolean;
}

/** Node of a document, and its position. */
export interface DocumentPart {
  /** Null for a key without a value. */
  readonly node: Node | null;
  /** Whether the node is inside braces or brackets. */
  readonly inFlow: boolean;
  /** Pair whose value the node is; absent for an item of a list. */
  readonly pair?: Pair;
  /** Map that contains the pair. */
  readonly parentMap?: YAMLMap;
}

const NULL_TEXTS: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL']);

/** Reports whether a plain scalar with this text is null. */
export function isNullText(text: string): boolean {
  return NULL_TEXTS.has(text);
}

/** Reports whether a pair has this key. */
export function hasKey({ key }: Pair, name: string): boolean {
  return isScalar(key) && toSafeText(key.value) === name;
}

/** Returns the pair with this key; the last one if the key is duplicated, because its value wins. */
export function findPair({ items }: YAMLMap, name: string): Pair | undefined {
  return items.findLast((pair) => hasKey(pair, name));
}

/** Returns the offset at which the key of a pair begins. */
export function keyStartOf({ key }: Pair): number | undefined {
  return (key as Node | null)?.range?.[0];
}

/** Returns the offset at which the content of a node ends, without the comments and blank lines after it. */
export function findContentEnd(node: Node | null): number | undefined {
  if (isMap(node) && !node.flow && node.items.length > 0) return findPairEnd(node.items.at(-1)!);
  if (isSeq(node) && !node.flow && node.items.length > 0) return findContentEnd(node.items.at(-1) as Node | null) ?? node.range?.[1];
  return node?.range?.[1];
}

/** Returns the offset at which the content of a pair ends. */
export function findPairEnd({ key, value }: Pair): number | undefined {
  const [keyEnd, valueEnd] = [findContentEnd(key as Node | null), findContentEnd(value as Node | null)];
  return keyEnd === undefined || valueEnd === undefined ? (keyEnd ?? valueEnd) : Math.max(keyEnd, valueEnd);
}

/** Returns the line ending of a text. */
export function detectLineEnding(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the offset at which the line of an offset begins. */
export function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the offset at which the next line begins, or the end of the text if there is none. */
export function findNextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Returns the offset at which the line after some content begins. A block scalar includes the end of its last line. */
export function findLineAfter(text: string, end: number): number {
  return text[end - 1] === '\n' ? end : findNextLine(text, end);
}

/** Replaces the characters between two offsets of a text. */
export function replaceTextRange(text: string, from: number, to: number, replacement: string): string {
  return text.slice(0, from) + replacement + text.slice(to);
}
