import { errorText } from '../core/error-text';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isManifest } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { unreadable } from '../core/rules/unreadable';
import type { ObjectProblem } from '../core/rules/unreadable';
import { objectsOf } from './objects';
import { MAX_LEVELS } from './yaml-nodes';

/** Values that one object may hold more than were given, for those that stand in several places: as many as aliases may stand for. */
const MAX_REPEATED = 1_000_000;
/** Values that one object may be made of: a List of 100,000 workloads has less than half as many. */
const MAX_VALUES = 10_000_000;

class PlainDataError extends Error {
  constructor(readonly problem: ObjectProblem) {
    super(problem.kind);
  }
}

/** A map or list as it was copied. */
interface Copied {
  readonly copy: object;
  /** Levels of maps and lists, its own among them. */
  readonly levels: number;
  /** Values in it and below, each counted wherever it stands. */
  readonly values: number;
}

/**
 * Copies a value, so that a getter or Proxy is asked once and what it answers stays.
 * Each map and list is visited once, in however many places it stands, and the copies stand in the same places.
 */
class Copier {
  private readonly copied = new Map<object, Copied>();
  private readonly open = new Set<object>();
  private visited = 0;

  copyOf(value: object): object {
    return this.visit(value, 1).copy;
  }

  /** @param level - of the map or list, counted from 1 */
  private visit(value: object, level: number): Copied {
    const known = this.copied.get(value);
    if (level + (known?.levels ?? 1) - 1 > MAX_LEVELS || this.open.has(value)) {
      throw new PlainDataError({ kind: 'too-deep', levels: MAX_LEVELS });
    }
    if (known) return known;
    this.open.add(value);
    const copied = Array.isArray(value) ? this.list(value, level) : this.map(value, level);
    this.open.delete(value);
    this.copied.set(value, copied);
    if (copied.values - this.visited > MAX_REPEATED) throw new PlainDataError({ kind: 'too-large', values: MAX_REPEATED });
    return copied;
  }

  /** A map or list of those that one holds; undefined for a value that is copied as it is. */
  private inner(value: unknown, level: number): Copied | undefined {
    if (typeof value === 'bigint') throw new PlainDataError({ kind: 'bigint' });
    return typeof value === 'object' && value !== null ? this.visit(value, level + 1) : undefined;
  }

  /** Refuses what holds so many values before they are looked at. */
  private count(values: number): void {
    this.visited += values;
    if (this.visited > MAX_VALUES) throw new PlainDataError({ kind: 'too-large', values: MAX_VALUES });
  }

  private list(value: readonly unknown[], level: number): Copied {
    this.count(value.length);
    const copy: unknown[] = [];
    let levels = 0;
    let values = 1;
    for (let index = 0; index < value.length; index++) {
      const item = value[index];
      const inner = this.inner(item, level);
      copy.push(inner ? inner.copy : item);
      levels = Math.max(levels, inner?.levels ?? 0);
      values += inner?.values ?? 1;
    }
    return { copy, levels: levels + 1, values };
  }

  /** An instance of a class stays one: it may stand for a value that is not known yet. */
  private map(value: object, level: number): Copied {
    const copy: Record<string, unknown> = {};
    let levels = 0;
    let values = 1;
    const names = Object.keys(value);
    this.count(names.length);
    for (const name of names) {
      const field = (value as Record<string, unknown>)[name];
      const inner = this.inner(field, level);
      setOwn(copy, name, inner ? inner.copy : field);
      levels = Math.max(levels, inner?.levels ?? 0);
      values += inner?.values ?? 1;
    }
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype) Object.setPrototypeOf(copy, prototype as object | null);
    return { copy, levels: levels + 1, values };
  }
}

/** Sets a field of a map's own; an assignment to `__proto__` would set something else. */
function setOwn(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  else copy[name] = value;
}

/** The Kubernetes objects that a value is; none where it is something else. */
function objectsIn(value: unknown): readonly Manifest[] {
  if (!isManifest(value)) return [];
  return objectsOf(new Copier().copyOf(value)).map(({ object }) => object);
}

function problemOf(error: unknown): ObjectProblem {
  return error instanceof PlainDataError ? error.problem : { kind: 'throws', said: errorText(error) };
}

/** The Kubernetes objects among values given by a program, lists taken apart, and a finding for each that no file could hold. */
export function readObjects(values: readonly unknown[]): { readonly objects: readonly Manifest[]; readonly findings: readonly Finding[] } {
  const objects: Manifest[] = [];
  const findings: Finding[] = [];
  for (let index = 0; index < values.length; index++) {
    try {
      for (const object of objectsIn(values[index])) objects.push(object);
    } catch (error) {
      findings.push(unreadable.finding('object', { path: WHOLE_OBJECT, data: { position: index + 1, problem: problemOf(error) } }));
    }
  }
  return { objects, findings };
}
