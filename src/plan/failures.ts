import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { errorText } from '../core/error-text';
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
type PlanObjects<T> = (objects: readonly Manifest[], failures: readonly Failure[]) => T;

/** Failures of several objects together that are traced to one of them; with further ones, all objects that are left fail. */
const MAX_TRACED = 20;

/** Which errors are about the objects: others are about what the caller says beside them, and go up. */
export type IsAboutObjects = (error: unknown) => boolean;

class Tracer<T> {
  constructor(
    private readonly plan: PlanObjects<T>,
    private readonly isAboutObjects: IsAboutObjects,
  ) {}

  /** What planning these objects throws; undefined where it goes through. */
  private thrownBy(objects: readonly Manifest[]): { readonly error: unknown } | undefined {
    try {
      this.plan(objects, []);
      return undefined;
    } catch (error) {
      if (!this.isAboutObjects(error)) throw error;
      return { error };
    }
  }

  /** The objects on which planning fails whatever else is there: halves that fail are halved again, n of n objects cost n log n. */
  failingAlone(objects: readonly Manifest[]): Failure[] {
    const thrown = this.thrownBy(objects);
    if (!thrown || objects.length === 0) return [];
    if (objects.length === 1) return [{ object: objects[0]!, error: thrown.error }];
    const middle = Math.ceil(objects.length / 2);
    return [...this.failingAlone(objects.slice(0, middle)), ...this.failingAlone(objects.slice(middle))];
  }

  /** The least number for which planning fails, where it fails for `most`. */
  private leastFailing(most: number, objectsOf: (count: number) => readonly Manifest[]): number {
    let passes = 0;
    let fails = most;
    while (fails - passes > 1) {
      const middle = Math.floor((passes + fails) / 2);
      if (this.thrownBy(objectsOf(middle))) fails = middle;
      else passes = middle;
    }
    return fails;
  }

  /** One of several objects that fail together: the one without which the others go through, the last of them where each is such a one. */
  private oneOfTogether(objects: readonly Manifest[], error: unknown): Failure {
    const end = this.leastFailing(objects.length, (count) => objects.slice(0, count));
    const upTo = objects.slice(0, end);
    const begin = end - this.leastFailing(end, (count) => upTo.slice(end - count));
    const last = objects[end - 1]!;
    const first = objects[begin]!;
    const withoutLast = objects.filter((object) => object !== last);
    const isFirst = this.thrownBy(withoutLast) && !this.thrownBy(objects.filter((object) => object !== first));
    return { object: isFirst ? first : last, error };
  }

  /** Every object that has to be left out for the others to be planned. */
  failures(objects: readonly Manifest[]): Failure[] {
    const alone = this.failingAlone(objects);
    const failed = new Set(alone.map(({ object }) => object));
    const together: Failure[] = [];
    let left = objects.filter((object) => !failed.has(object));
    for (let thrown = this.thrownBy(left); thrown; thrown = this.thrownBy(left)) {
      const { error } = thrown;
      if (left.length === 0) throw error;
      const found = together.length < MAX_TRACED ? [this.oneOfTogether(left, error)] : left.map((object) => ({ object, error }));
      for (const failure of found) together.push(failure);
      const gone = new Set(found.map(({ object }) => object));
      left = left.filter((object) => !gone.has(object));
    }
    const order = new Map(objects.map((object, index) => [object, index]));
    return [...alone, ...together].toSorted((a, b) => order.get(a.object)! - order.get(b.object)!);
  }
}

/**
 * Plans objects so that none stops the others: one on which planning fails is left out, and is a failure.
 *
 * Nothing is looked for while nothing fails, so that this costs nothing then.
 */
export function planDespiteFailures<T>(objects: readonly Manifest[], plan: PlanObjects<T>, isAboutObjects: IsAboutObjects): T {
  try {
    return plan(objects, []);
  } catch (error) {
    if (!isAboutObjects(error)) throw error;
    const failures = new Tracer(plan, isAboutObjects).failures(objects);
    const failed = new Set(failures.map(({ object }) => object));
    return plan(
      objects.filter((object) => !failed.has(object)),
      failures,
    );
  }
}

/** Says of an object that planning failed on it. */
export function failureFinding({ object, error }: Failure, locate: PlanContext['locate']): Finding {
  return unreadable.finding('failed', {
    path: WHOLE_OBJECT,
    data: { resource: describeObject(object), said: errorText(error) },
    source: locate(object, WHOLE_OBJECT),
  });
}
