import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import { isSure } from '../core/is-sure';
import type { Finding } from '../core/finding';
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
import { plainCopy, UnreadableError } from './plain-copy';

/** The Kubernetes objects that a value of a list is, or why it is none; the list may throw when it is asked. */
function objectsAt(values: readonly unknown[], index: number): TakenApart | GivenProblem {
  try {
    const value = values[index];
    return givenProblem(value) ?? takenApart(plainCopy(value as Manifest));
  } catch (error) {
    return error instanceof UnreadableError ? error.problem : { kind: 'throws', said: errorText(error) };
  }
}

/** Who parses a file of documents has a null for an empty one, which kubectl passes over. */
function problemFinding(position: number, problem: GivenProblem): Finding {
  const data = { position, problem };
  return unreadable.finding('object', { path: WHOLE_OBJECT, data, ...(problem.kind === 'nothing' && { severity: 'info' }) });
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
    if ('kind' in found) problems.add(problemFinding(index + 1, found));
    else {
      for (const { object } of found.objects) objects.push(object);
      for (const item of found.strange) problems.add(strangeItemFinding(item));
    }
  }
  problems.end();
  return { objects, findings };
}
