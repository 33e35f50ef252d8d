import { getErrorMessage } from '../core/error-message';
import { buildFieldPath } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { isClassInstance } from '../core/manifest';
import type { ObjectProblem } from '../core/input-problem';
import { MAX_LEVELS } from './yaml-nodes';

/** Values that one object may hold more than were given, for those that stand in several places: as many as aliases may stand for. */
const MAX_REPEATED_VALUES = 1_000_000;
/** Values that one object may be made of: a List of 100,000 workloads has less than half as many. */
const MAX_VALUES = 10_000_000;

/** Thrown for a value that no file could hold. */
export class UnreadableError extends Error {
  /**
   * Keeps both apart, for whoever says it.
   *
   * @param problem why it cannot be read
   * @param place of what cannot be read: names of fields and numbers of items, from the value that was given
   */
  constructor(
    readonly problem: ObjectProblem,
    readonly place: readonly (string | number)[],
  ) {
    super(problem.kind);
  }
}

/** Parts of a path by which a value is named; what contains itself would have a path of a thousand. */
const MAX_PATH_PARTS = 6;

/** The path of what cannot be read, as far as anybody reads it. */
export function truncatePath(place: UnreadableError['place']): FieldPath {
  return buildFieldPath(...place.slice(0, MAX_PATH_PARTS));
}

/** Whose values are copied. */
interface CopyOptions {
  /** Do instances of classes and bigints stay as they are, for others to judge? @default false: an instance is copied as one, a bigint refused */
  readonly keepsInstances?: boolean;
}

/** A map or list as it is copied. */
interface CopyRecord {
  readonly original: object;
  readonly copy: object;
  /** Levels of maps and lists, its own among them; 0 until all of it is copied. */
  levels: number;
  /** Values in it and below, each counted wherever it stands. */
  values: number;
}

/** As many maps and lists as are looked through faster than found by a hash, which each of them would have to be given first. */
const MAX_SCANNED_RECORDS = 8;

/** Copies by what they are made of. */
class CopyIndex {
  private readonly few: CopyRecord[] = [];
  private others: Map<object, CopyRecord> | undefined;

  get(original: object): CopyRecord | undefined {
    for (const copied of this.few) if (copied.original === original) return copied;
    return this.others?.get(original);
  }

  add(copied: CopyRecord): void {
    if (this.few.length < MAX_SCANNED_RECORDS) this.few.push(copied);
    else (this.others ??= new Map<object, CopyRecord>()).set(copied.original, copied);
  }
}

class Copier {
  /** What is copied, or being copied: what is asked for itself while it is contains itself. */
  private readonly copies = new CopyIndex();
  /** Where the value stands that is looked at. */
  private readonly place: (string | number)[] = [];
  private visited = 0;
  /** Is nothing left for others to judge? */
  isPlain = true;

  private readonly keepsInstances: boolean;

  constructor({ keepsInstances = false }: CopyOptions) {
    this.keepsInstances = keepsInstances;
  }

  copyOf(value: object): object {
    try {
      return this.visit(value, 1).copy;
    } catch (error) {
      if (error instanceof UnreadableError) throw error;
      throw new UnreadableError({ kind: 'throws', said: getErrorMessage(error) }, this.place);
    }
  }

  private reject(problem: ObjectProblem): never {
    throw new UnreadableError(problem, this.place);
  }

  /** @param level - of the map or list, counted from 1 */
  private visit(value: object, level: number): CopyRecord {
    const known = this.copies.get(value);
    const isBeingCopied = known?.levels === 0;
    if (level + (known?.levels ?? 1) - 1 > MAX_LEVELS || isBeingCopied) this.reject({ kind: 'too-deep', levels: MAX_LEVELS });
    if (known) return known;
    const copied = Array.isArray(value) ? this.copyList(value, level) : this.copyMap(value, level);
    if (copied.values - this.visited > MAX_REPEATED_VALUES) this.reject({ kind: 'too-large', values: MAX_REPEATED_VALUES });
    return copied;
  }

  /** A map or list of those that one holds; undefined for a value that is copied as it is. */
  private copyInner(value: unknown, level: number): CopyRecord | undefined {
    switch (typeof value) {
      case 'string':
      case 'number':
      case 'boolean':
      case 'undefined':
        return undefined;
      case 'object':
        if (value === null) return undefined;
        if (!this.keepsInstances || !isClassInstance(value)) return this.visit(value, level + 1);
        break;
      case 'bigint':
        if (!this.keepsInstances) this.reject({ kind: 'bigint' });
        break;
    }
    this.isPlain = false;
    return undefined;
  }

  /** Refuses what holds so many values before they are looked at. */
  private countValues(values: number): void {
    this.visited += values;
    if (this.visited > MAX_VALUES) this.reject({ kind: 'too-large', values: MAX_VALUES });
  }

  private copyList(value: readonly unknown[], level: number): CopyRecord {
    this.countValues(value.length);
    const copy: unknown[] = [];
    const copied = this.addRecord(value, copy);
    let levels = 0;
    let values = 1;
    for (let index = 0; index < value.length; index++) {
      this.place.push(index);
      const item = value[index];
      const inner = this.copyInner(item, level);
      this.place.pop();
      copy.push(inner ? inner.copy : item);
      levels = Math.max(levels, inner?.levels ?? 0);
      values += inner?.values ?? 1;
    }
    copied.levels = levels + 1;
    copied.values = values;
    return copied;
  }

  private addRecord(original: object, copy: object): CopyRecord {
    const copied = { original, copy, levels: 0, values: 0 };
    this.copies.add(copied);
    return copied;
  }

  /** An instance of a class stays one: it may stand for a value that is not known yet. */
  private copyMap(value: object, level: number): CopyRecord {
    const copy: Record<string, unknown> = {};
    const copied = this.addRecord(value, copy);
    let levels = 0;
    let values = 1;
    const names = Object.keys(value);
    this.countValues(names.length);
    for (const name of names) {
      this.place.push(name);
      const field = (value as Record<string, unknown>)[name];
      const inner = this.copyInner(field, level);
      this.place.pop();
      setOwnField(copy, name, inner ? inner.copy : field);
      levels = Math.max(levels, inner?.levels ?? 0);
      values += inner?.values ?? 1;
    }
    if (isClassInstance(value)) {
      this.isPlain = false;
      Object.setPrototypeOf(copy, Object.getPrototypeOf(value) as object);
    }
    copied.levels = levels + 1;
    copied.values = values;
    return copied;
  }
}

/** Sets a field of a map's own; an assignment to `__proto__` would set something else. */
function setOwnField(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  else copy[name] = value;
}

/**
 * Copies a map or list, so that a getter or Proxy is asked once and what it answers stays.
 * Each map and list is visited once, in however many places it stands, and the copies stand in the same places.
 *
 * @throws UnreadableError for what no file could hold: a value that contains itself or is too deep or too large, a bigint, a getter that throws
 */
export function cloneDeep(value: object): object {
  return new Copier({}).copyOf(value);
}

/**
 * The same with instances of classes, bigints and functions as they are, and whether there are none.
 *
 * @throws UnreadableError for what no file could hold, those apart
 */
export function cloneDeepWithInstances(value: object): { readonly copy: object; readonly isPlain: boolean } {
  const copier = new Copier({ keepsInstances: true });
  const copy = copier.copyOf(value);
  return { copy, isPlain: copier.isPlain };
}
