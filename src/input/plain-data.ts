import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isSure } from '../core/is-sure';
import type { Finding } from '../core/finding';
import { describeObject } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { OptionError } from '../core/option-error';
import { unreadable } from '../core/rules/unreadable';
import type { GivenProblem } from '../core/reading-problem';
import { describeValue } from '../core/seen';
import { FirstOfMany } from './first-of-many';
import type { Rest } from './first-of-many';
import { givenProblem, strangeItemFinding } from './not-an-object';
import { takenApart } from './objects';
import type { TakenApart } from './objects';
import { plainCopy, shownPath, UnreadableError } from './plain-copy';

/** A value of which no object can be made. */
interface Unread {
  readonly problem: GivenProblem;
  /** Where in the value that stands which cannot be read. */
  readonly path: FieldPath;
  readonly resource?: string;
}

/** Characters of a kind, a namespace and a name, each as long as the API server takes it at most. */
const LONGEST_RESOURCE = 63 + 1 + 63 + 1 + 253;

/** What a value says it is, as far as that can be read. */
function resourceOf(values: readonly unknown[], index: number): string | undefined {
  try {
    const { apiVersion, kind, metadata } = values[index] as Manifest;
    const { name, namespace } = metadata ?? {};
    if (typeof kind !== 'string' || typeof name !== 'string') return undefined;
    const resource = describeObject({ apiVersion, kind, metadata: { name, ...(typeof namespace === 'string' && { namespace }) } });
    return resource.length > LONGEST_RESOURCE ? undefined : resource;
  } catch {
    return undefined;
  }
}

/** The Kubernetes objects that a value of a list is, or why it is none; the list may throw when it is asked. */
function objectsAt(values: readonly unknown[], index: number): TakenApart | Unread {
  try {
    const value = values[index];
    const problem = givenProblem(value);
    return problem ? { problem, path: WHOLE_OBJECT } : takenApart(plainCopy(value as Manifest));
  } catch (error) {
    const resource = resourceOf(values, index);
    const known = error instanceof UnreadableError ? error : undefined;
    return {
      problem: known?.problem ?? { kind: 'throws', said: errorText(error) },
      path: shownPath(known?.place ?? []),
      ...(resource !== undefined && { resource }),
    };
  }
}

/** Who parses a file of documents has a null for an empty one, which kubectl passes over. */
function problemFinding(position: number, { problem, path, resource }: Unread): Finding {
  const data = { position, ...(resource !== undefined && { resource }), problem };
  return unreadable.finding('object', { path, data, ...(problem.kind === 'nothing' && { severity: 'info' }) });
}

function moreObjects({ told, more, severity }: Rest): Finding {
  return unreadable.finding('more', { path: WHOLE_OBJECT, data: { told, more }, severity });
}

/**
 * The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that is none, or that no file could hold.
 *
 * @throws OptionError for what is no list
 */
export function readObjects(values: readonly unknown[]): { readonly objects: readonly Manifest[]; readonly findings: readonly Finding[] } {
  if (!isSure(() => Array.isArray(values))) throw new OptionError(`the objects are ${describeValue(values)}: write a list of objects`);
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  const problems = new FirstOfMany(findings, moreObjects);
  for (let index = 0; index < values.length; index++) {
    const found = objectsAt(values, index);
    if ('problem' in found) problems.add(problemFinding(index + 1, found));
    else {
      for (const { object } of found.objects) objects.push(object);
      for (const item of found.strange) problems.add(strangeItemFinding(item));
    }
  }
  problems.end();
  return { objects, findings };
}
