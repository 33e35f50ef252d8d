import { buildFieldPath } from '../core/manifest/field-path';
import type { Finding, Source } from '../core/findings/finding';
import { isFields, isManifest } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';
import { unreadable } from '../core/rules/unreadable';
import { REDACTED_VALUE } from '../core/document/change';
import type { DocumentProblem, ValueProblem, NonObjectProblem } from '../core/findings/input-problem';
import { toDisplayValue } from '../core/text/display-value';
import type { DisplayValue } from '../core/text/display-value';
import { containsSecretText } from '../core/manifest/secret-name';
import type { NonObjectItem } from './flatten-lists';
import type { SourceText } from './source-map';
import type { Chunk } from './yaml';

function isPlanDocument(value: Fields): boolean {
  return typeof value.formatVersion === 'string' && Array.isArray(value.rollouts);
}

/** Explains why a value is not a Kubernetes object. Returns undefined for an object and for null, the value of an empty document. */
export function explainNonObject(value: unknown): NonObjectProblem | undefined {
  if (value === null || isManifest(value)) return undefined;
  if (!isFields(value)) return { kind: 'not-a-map', value: toDisplayValue(value) };
  if (isPlanDocument(value)) return { kind: 'plan-document' };
  return { kind: 'no-object', missing: ['apiVersion', 'kind'].filter((field) => typeof value[field] !== 'string') };
}

/** Explains why a value is not a Kubernetes object. Returns undefined only for an object. */
export function explainInvalidValue(value: unknown): ValueProblem | undefined {
  return value === null || value === undefined ? { kind: 'nothing' } : explainNonObject(value);
}

const HIDDEN_VALUE: DisplayValue = { described: 'a value that is not shown' };

/** A map with one of these may be a Secret: its kind may be written with escapes, in base64 or with an encoded tag. */
const SECRET_TEXT = /secret|binary|[\\%]/i;

/** Reports whether a text may be, or contain, a Secret. */
export function mayContainSecret(text: string): boolean {
  return SECRET_TEXT.test(text);
}

/** Returns a problem without the text that it quotes: an unquoted password may begin with `*` or `&`. */
export function hideText(problem: DocumentProblem): DocumentProblem {
  if ('anchor' in problem) return { ...problem, anchor: REDACTED_VALUE };
  if (problem.kind === 'ambiguous-key') return { ...problem, key: REDACTED_VALUE };
  if (problem.kind === 'tag-unfit') return { ...problem, text: REDACTED_VALUE };
  if (problem.kind === 'broken-separator') return { ...problem, line: REDACTED_VALUE };
  return problem.kind === 'key-not-text' || problem.kind === 'not-a-map' ? { ...problem, value: HIDDEN_VALUE } : problem;
}

/** Returns the problem of a document without the text that it quotes, if that may be of a Secret. */
export function hideSecretText(problem: DocumentProblem, chunk: Chunk, text: SourceText): DocumentProblem {
  const mayBeSecret = text.mayHaveSecret || (problem.kind !== 'not-a-map' && SECRET_TEXT.test(text.textOf(chunk)));
  return mayBeSecret ? hideText(problem) : problem;
}

/**
 * Creates the finding about an item of a list that is not an object: kubectl refuses a list with such an item.
 *
 * @param source - location of the item. @default - none, as for an object that a program passes in
 */
export function createNonObjectItemFinding({ value, trail, isBesideSecret }: NonObjectItem, source?: Source): Finding {
  const path = buildFieldPath(...trail);
  const problem = explainInvalidValue(value)!;
  const mayBeSecret = isBesideSecret || (typeof value === 'string' && containsSecretText(value));
  const isHidden = problem.kind === 'not-a-map' && mayBeSecret;
  const data = { item: path, problem: isHidden ? { ...problem, value: HIDDEN_VALUE } : problem };
  return unreadable.createFinding('item', { path, data, ...(source && { source }) });
}
