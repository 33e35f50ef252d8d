import { ROOT_PATH } from '../core/field-path';
import type { Finding } from '../core/finding';
import { getErrorMessage } from '../core/error-message';
import { describeObject } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { PlanContext } from '../cluster/context';

/** An object that planning fails on, and what was thrown. */
export interface Failure {
  readonly object: Manifest;
  readonly error: unknown;
}

/** Plans the objects; those that planning failed on are not among them. */
type ObjectPlanner<T> = (objects: readonly Manifest[], failures: readonly Failure[]) => T;

/** Failures of several objects together that are traced to one of them; with further ones, all objects that are left fail. */
const MAX_TRACED = 20;

/** Which errors are about the objects: others are about what the caller says beside them, and go up. */
export type ObjectErrorPredicate = (error: unknown) => boolean;

class FailureIsolator<T> {
  constructor(
    private readonly plan: ObjectPlanner<T>,
    private readonly isAboutObjects: ObjectErrorPredicate,
  ) {}

  /** What planning these objects throws; undefined where it goes through. */
  private catchError(objects: readonly Manifest[]): { readonly error: unknown } | undefined {
    try {
      this.plan(objects, []);
      return undefined;
    } catch (error) {
      if (!this.isAboutObjects(error)) throw error;
      return { error };
    }
  }

  /** The objects on which planning fails whatever else is there: halves that fail are halved again, n of n objects cost n log n. */
  findFailing(objects: readonly Manifest[]): Failure[] {
    const thrown = this.catchError(objects);
    if (!thrown || objects.length === 0) return [];
    if (objects.length === 1) return [{ object: objects[0]!, error: thrown.error }];
    const middle = Math.ceil(objects.length / 2);
    return [...this.findFailing(objects.slice(0, middle)), ...this.findFailing(objects.slice(middle))];
  }

  /** The least number for which planning fails, where it fails for `most`. */
  private findSmallestFailing(most: number, objectsOf: (count: number) => readonly Manifest[]): number {
    let passes = 0;
    let fails = most;
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2);
      if (this.catchError(objectsOf(middle))) fails = middle;
      else passes = middle;
    }
    return fails;
  }

  /** One of several objects that fail together: the one without which the others go through, the last of them where each is such a one. */
  private findCulprit(objects: readonly Manifest[], error: unknown): Failure {
    const end = this.findSmallestFailing(objects.length, (count) => objects.slice(0, count));
    const upTo = objects.slice(0, end);
    const begin = end - this.findSmallestFailing(end, (count) => upTo.slice(end - count));
    const last = objects[end - 1]!;
    const first = objects[begin]!;
    const withoutLast = objects.filter((object) => object !== last);
    const isFirst = this.catchError(withoutLast) && !this.catchError(objects.filter((object) => object !== first));
    return { object: isFirst ? first : last, error };
  }

  /** Every object that has to be left out for the others to be planned. */
  findFailures(objects: readonly Manifest[]): Failure[] {
    const independent = this.findFailing(objects);
    const failed = new Set(independent.map(({ object }) => object));
    const combined: Failure[] = [];
    let remaining = objects.filter((object) => !failed.has(object));
    for (let thrown = this.catchError(remaining); thrown; thrown = this.catchError(remaining)) {
      const { error } = thrown;
      if (remaining.length === 0) throw error;
      const found = combined.length < MAX_TRACED ? [this.findCulprit(remaining, error)] : remaining.map((object) => ({ object, error }));
      for (const failure of found) combined.push(failure);
      const removed = new Set(found.map(({ object }) => object));
      remaining = remaining.filter((object) => !removed.has(object));
    }
    const order = new Map(objects.map((object, index) => [object, index]));
    return [...independent, ...combined].toSorted((a, b) => order.get(a.object)! - order.get(b.object)!);
  }
}

/**
 * Plans objects so that none stops the others: one on which planning fails is left out, and is a failure.
 *
 * Nothing is looked for while nothing fails, so that this costs nothing then.
 */
export function planDespiteFailures<T>(objects: readonly Manifest[], plan: ObjectPlanner<T>, isAboutObjects: ObjectErrorPredicate): T {
  try {
    return plan(objects, []);
  } catch (error) {
    if (!isAboutObjects(error)) throw error;
    const failures = new FailureIsolator(plan, isAboutObjects).findFailures(objects);
    const failed = new Set(failures.map(({ object }) => object));
    return plan(
      objects.filter((object) => !failed.has(object)),
      failures,
    );
  }
}

/** Says of an object that planning failed on it. */
export function createFailureFinding({ object, error }: Failure, locate: PlanContext['locate']): Finding {
  return unreadable.createFinding('failed', {
    path: ROOT_PATH,
    data: { resource: describeObject(object), error: getErrorMessage(error) },
    source: locate(object, ROOT_PATH),
  });
}
