import { getErrorMessage } from '../core/errors/error-message';
import { ROOT_PATH } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { testSafely } from '../core/collections/safe-predicate';
import type { Finding } from '../core/findings/finding';
import { describeObject } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { OptionError } from '../core/errors/option-error';
import { createNotReadFinding } from '../core/rules/not-read';
import { unreadable } from '../core/rules/unreadable';
import type { ValueProblem } from '../core/findings/input-problem';
import { describeValue } from '../core/text/display-value';
import { FindingLimiter } from '../core/findings/finding-limits';
import type { OmittedFindings } from '../core/findings/finding-limits';
import { explainInvalidValue, createNonObjectItemFinding } from './non-object-findings';
import { flattenLists } from './flatten-lists';
import type { FlattenedDocument } from './flatten-lists';
import { cloneDeep, truncatePath, UnreadableError } from './clone-deep';

/** Value that cannot be read as an object. */
interface UnreadableValue {
  readonly problem: ValueProblem;
  /** Path in the value of the part that cannot be read. */
  readonly path: FieldPath;
  readonly resource?: string;
}

/** Maximum length of a kind, a namespace and a name that the API server accepts. */
const MAX_RESOURCE_NAME_LENGTH = 63 + 1 + 63 + 1 + 253;

/** Describes the object of a value by kind and name. Returns undefined if they cannot be read. */
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

/** Returns the Kubernetes objects of a value in a list, or the reason why it is not an object. Reading the list may throw. */
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

/** Creates the finding about a value. It is only `info` for null, which parsers return for an empty document and kubectl skips. */
function createUnreadableValueFinding(position: number, { problem, path, resource }: UnreadableValue): Finding {
  const data = { position, ...(resource !== undefined && { resource }), problem };
  return unreadable.createFinding('object', { path, data, ...(problem.kind === 'nothing' && { severity: 'info' }) });
}

function summarizeOmittedObjects({ listed, omitted, severity }: OmittedFindings): Finding {
  return unreadable.createFinding('omitted', { path: ROOT_PATH, data: { listed, omitted }, severity });
}

/**
 * Returns the Kubernetes objects that a program passes in, with lists flattened.
 * Creates a finding for each value that is not an object, or that a file cannot contain.
 *
 * @throws OptionError if the values are not a list
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
      for (const { object } of found.containers)
        findings.push(createNotReadFinding({ resource: describeObject(object), others: 0, role: 'items' }, undefined, 'info'));
      for (const item of found.nonObjects) problems.add(createNonObjectItemFinding(item));
    }
  }
  problems.finish();
  return { objects, findings };
}
