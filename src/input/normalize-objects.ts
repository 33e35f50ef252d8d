import { getErrorMessage } from '../core/error-message';
import { ROOT_PATH } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { testSafely } from '../core/safe-predicate';
import type { Finding } from '../core/finding';
import { describeObject } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { unreadable } from '../core/rules/unreadable';
import type { ValueProblem } from '../core/input-problem';
import { describeValue } from '../core/display-value';
import { FindingLimiter } from './finding-limiter';
import type { OmittedFindings } from './finding-limiter';
import { explainInvalidValue, createNonObjectItemFinding } from './non-object-findings';
import { flattenLists } from './flatten-lists';
import type { FlattenedDocument } from './flatten-lists';
import { cloneDeep, truncatePath, UnreadableError } from './clone-deep';

/** A value of which no object can be made. */
interface UnreadableValue {
  readonly problem: ValueProblem;
  /** Where in the value that stands which cannot be read. */
  readonly path: FieldPath;
  readonly resource?: string;
}

/** Characters of a kind, a namespace and a name, each as long as the API server takes it at most. */
const MAX_RESOURCE_NAME_LENGTH = 63 + 1 + 63 + 1 + 253;

/** What a value says it is, as far as that can be read. */
function describeResourceAt(values: readonly unknown[], index: number): string | undefined {
  try {
    const { apiVersion, kind, metadata } = values[index] as Manifest;
    const { name, namespace } = metadata ?? {};
    if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
    const resource = describeObject({ apiVersion, kind, metadata: { name, ...(typeof namespace === 'string' && { namespace }) } });
    return resource.length > MAX_RESOURCE_NAME_LENGTH ? undefined : resource;
  } catch {
    return undefined;
  }
}

/** The Kubernetes objects that a value of a list is, or why it is none; the list may throw when it is asked. */
function readObjectsAt(values: readonly unknown[], index: number): FlattenedDocument | UnreadableValue {
  try {
    const value = values[index];
    const problem = explainInvalidValue(value);
    return problem ? { problem, path: ROOT_PATH } : flattenLists(cloneDeep(value as Manifest));
  } catch (error) {
    const resource = describeResourceAt(values, index);
    const known = error instanceof UnreadableError ? error : undefined;
    return {
      problem: known?.problem ?? { kind: 'throws', said: getErrorMessage(error) },
      path: truncatePath(known?.place ?? []),
      ...(resource !== undefined && { resource }),
    };
  }
}

/** Who parses a file of documents has a null for an empty one, which kubectl passes over. */
function createUnreadableValueFinding(position: number, { problem, path, resource }: UnreadableValue): Finding {
  const data = { position, ...(resource !== undefined && { resource }), problem };
  return unreadable.createFinding('object', { path, data, ...(problem.kind === 'nothing' && { severity: 'info' }) });
}

function summarizeOmittedObjects({ listed, omitted, severity }: OmittedFindings): Finding {
  return unreadable.createFinding('omitted', { path: ROOT_PATH, data: { listed, omitted }, severity });
}

/**
 * The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that is none, or that no file could hold.
 *
 * @throws OptionError for what is no list
 */
export function normalizeObjects(values: readonly unknown[]): {
  readonly objects: readonly Manifest[];
  readonly findings: readonly Finding[];
} {
  if (!testSafely(() => Array.isArray(values))) throw new OptionError(`the objects are ${describeValue(values)}: write a list of objects`);
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  const problems = new FindingLimiter(findings, summarizeOmittedObjects);
  for (let index = 0; index < values.length; index++) {
    const found = readObjectsAt(values, index);
    if ('problem' in found) problems.add(createUnreadableValueFinding(index + 1, found));
    else {
      for (const { object } of found.objects) objects.push(object);
      for (const item of found.nonObjects) problems.add(createNonObjectItemFinding(item));
    }
  }
  problems.finish();
  return { objects, findings };
}
