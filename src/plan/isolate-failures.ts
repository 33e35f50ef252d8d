import { ROOT_PATH } from '../core/manifest/field-path';
import type { Finding } from '../core/findings/finding';
import { getErrorMessage } from '../core/errors/error-message';
import { UnreadableTextError } from '../core/errors/unreadable-text-error';
import { describeObject } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { PlanContext } from '../cluster/context/context';

/** Object on which planning fails, and the thrown error. */
export interface Failure {
  readonly object: Manifest;
  readonly error: unknown;
}

/** Plans the objects. They do not include the objects of the failures. */
type ObjectPlanner<T> = (objects: readonly Manifest[], failures: readonly Failure[]) => T;

/** Number of parts into which objects that fail are split. With 8, 1,000 objects that all fail are planned 1,571 times, with 2 parts 2,001 times. */
const PARTS = 8;

function splitIntoParts(objects: readonly Manifest[]): (readonly Manifest[])[] {
  const size = Math.ceil(objects.length / PARTS);
  return Array.from({ length: Math.ceil(objects.length / size) }, (_, index) => objects.slice(index * size, (index + 1) * size));
}

/** Maximum number of combined failures that are traced to one object. After that, the first of the remaining objects that succeed are kept. */
const MAX_TRACED = 20;

/** Reports whether an error is about the objects. Any other error is about the options of the caller and is rethrown. */
export type ObjectErrorPredicate = (error: unknown) => boolean;

class FailureIsolator<T> {
  constructor(
    private readonly plan: ObjectPlanner<T>,
    private readonly isAboutObjects: ObjectErrorPredicate,
    private readonly rollsOut: (object: Manifest) => boolean,
  ) {}

  /** Plans objects and returns the thrown error; undefined if planning succeeds. */
  private catchError(objects: readonly Manifest[]): { readonly error: unknown } | undefined {
    try {
      this.plan(objects, []);
      return undefined;
    } catch (error) {
      if (!this.isAboutObjects(error)) throw error;
      return { error };
    }
  }

  /** Finds the objects that fail independently of others, by splitting each part that fails. */
  findFailing(objects: readonly Manifest[]): Failure[] {
    const thrown = this.catchError(objects);
    if (!thrown || objects.length === 0) return [];
    if (objects.length === 1) return [{ object: objects[0]!, error: thrown.error }];
    return splitIntoParts(objects).flatMap((part) => this.findFailing(part));
  }

  /** Finds the smallest count for which planning fails, given that it fails for `max`. */
  private findSmallestFailing(max: number, objectsOf: (count: number) => readonly Manifest[]): number {
    let passes = 0;
    let fails = max;
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2);
      if (this.catchError(objectsOf(middle))) fails = middle;
      else passes = middle;
    }
    return fails;
  }

  /**
   * Finds the culprit of objects that fail together. It is one that rolls out, since the others may be planned wrongly without an object that only
   * surrounds it, such as KServe's ConfigMap. Else it is the object without which the others succeed, or the last one if there are several.
   */
  private findCulprit(objects: readonly Manifest[], error: unknown): Failure {
    const end = this.findSmallestFailing(objects.length, (count) => objects.slice(0, count));
    const upTo = objects.slice(0, end);
    const begin = end - this.findSmallestFailing(end, (count) => upTo.slice(end - count));
    const last = objects[end - 1]!;
    const first = objects[begin]!;
    if (this.rollsOut(first) !== this.rollsOut(last)) return { object: this.rollsOut(first) ? first : last, error };
    const withoutLast = objects.filter((object) => object !== last);
    const isFirst = this.catchError(withoutLast) && !this.catchError(objects.filter((object) => object !== first));
    return { object: isFirst ? first : last, error };
  }

  /** Adds objects to those that succeed, as many as succeed together with them. Returns the others. */
  private addSucceeding(objects: readonly Manifest[], succeeding: Manifest[]): Failure[] {
    const thrown = this.catchError([...succeeding, ...objects]);
    if (!thrown) {
      for (const object of objects) succeeding.push(object);
      return [];
    }
    if (objects.length === 1) return [{ object: objects[0]!, error: thrown.error }];
    return splitIntoParts(objects).flatMap((part) => this.addSucceeding(part, succeeding));
  }

  /** Finds all objects that must be omitted so that the others can be planned. */
  findFailures(objects: readonly Manifest[]): Failure[] {
    const independent = this.findFailing(objects);
    const failed = new Set(independent.map(({ object }) => object));
    const combined: Failure[] = [];
    let remaining = objects.filter((object) => !failed.has(object));
    for (let thrown = this.catchError(remaining); thrown; thrown = this.catchError(remaining)) {
      const { error } = thrown;
      if (remaining.length === 0) throw error;
      const found = combined.length < MAX_TRACED ? [this.findCulprit(remaining, error)] : this.addSucceeding(remaining, []);
      for (const failure of found) combined.push(failure);
      const removed = new Set(found.map(({ object }) => object));
      remaining = remaining.filter((object) => !removed.has(object));
    }
    const order = new Map(objects.map((object, index) => [object, index]));
    return [...independent, ...combined].toSorted((a, b) => order.get(a.object)! - order.get(b.object)!);
  }
}

/**
 * Plans objects so that no failing object stops the others. An object on which planning fails is omitted and becomes a failure.
 *
 * There is no extra cost if nothing fails.
 *
 * @param rollsOut - reports whether an object is a rollout, and does not only surround one
 */
export function planDespiteFailures<T>(
  objects: readonly Manifest[],
  plan: ObjectPlanner<T>,
  isAboutObjects: ObjectErrorPredicate,
  rollsOut: (object: Manifest) => boolean,
): T {
  try {
    return plan(objects, []);
  } catch (error) {
    if (!isAboutObjects(error)) throw error;
    const failures = new FailureIsolator(plan, isAboutObjects, rollsOut).findFailures(objects);
    const failed = new Set(failures.map(({ object }) => object));
    return plan(
      objects.filter((object) => !failed.has(object)),
      failures,
    );
  }
}

/** Creates the finding about an object on which planning fails. */
export function createFailureFinding({ object, error }: Failure, locate: PlanContext['locate']): Finding {
  const resource = describeObject(object);
  const at = { path: ROOT_PATH, source: locate(object, ROOT_PATH) };
  if (error instanceof UnreadableTextError)
    return unreadable.createFinding('text', { ...at, data: { resource, field: error.field, problem: error.problem } });
  return unreadable.createFinding('failed', { ...at, data: { resource, error: getErrorMessage(error) } });
}
