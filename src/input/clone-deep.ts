import { setOwnField } from '../core/collections/set-own-field';
import { getErrorMessage } from '../core/errors/error-message';
import { buildFieldPath } from '../core/manifest/field-path';
import type { FieldPath } from '../core/manifest/field-path';
import { isClassInstance } from '../core/manifest/manifest';
import type { ObjectProblem } from '../core/findings/input-problem';
import { MAX_LEVELS } from '../core/values/levels';

/** Maximum number of values that repeated maps and lists may add to an object; the same limit as for YAML aliases. */
const MAX_REPEATED_VALUES = 1_000_000;
/** Maximum number of distinct values in an object. A List of 100,000 workloads has less than half as many. */
const MAX_VALUES = 10_000_000;

/** Thrown for a value that a file cannot contain. */
export class UnreadableError extends Error {
  /**
   * @param problem - reason why it cannot be read
   * @param place - field names and item indexes that lead to it from the given value
   */
  constructor(
    readonly problem: ObjectProblem,
    readonly place: readonly (string | number)[],
  ) {
    super(problem.kind);
  }
}

/** Maximum length of a path in a message. A value that contains itself would have a path of a thousand parts. */
const MAX_PATH_PARTS = 6;

/** Builds the path of a value that cannot be read, shortened to a readable length. */
export function truncatePath(place: UnreadableError['place']): FieldPath {
  return buildFieldPath(...place.slice(0, MAX_PATH_PARTS));
}

/** Options of a copy. */
interface CopyOptions {
  /** Whether class instances and bigints are kept as they are. @default false: an instance is copied with its class, and a bigint, NaN or an infinite number is rejected */
  readonly keepsInstances?: boolean;
}

/** Map or list, and its copy. */
interface CopyRecord {
  readonly original: object;
  readonly copy: object;
  /** Number of levels of maps and lists, including its own; 0 until it is copied completely. */
  levels: number;
  /** Number of values in it and below, counting each occurrence. */
  values: number;
}

/** Number of records up to which a linear scan is faster than a Map, which must first hash each object. */
const MAX_SCANNED_RECORDS = 8;

/** Finds the copy of an original. */
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
  /** Finished and unfinished copies. If an unfinished one is found again, the value contains itself. */
  private readonly copies = new CopyIndex();
  /** Path of the current value. */
  private readonly place: (string | number)[] = [];
  private visited = 0;
  /** Whether the copy contains only plain data. */
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

  /** @param level - depth of the map or list, counted from 1 */
  private visit(value: object, level: number): CopyRecord {
    const known = this.copies.get(value);
    const isBeingCopied = known?.levels === 0;
    if (level + (known?.levels ?? 1) - 1 > MAX_LEVELS || isBeingCopied) this.reject({ kind: 'too-deep', levels: MAX_LEVELS });
    if (known) return known;
    const copied = Array.isArray(value) ? this.copyList(value, level) : this.copyMap(value, level);
    if (copied.values - this.visited > MAX_REPEATED_VALUES) this.reject({ kind: 'too-large', values: MAX_REPEATED_VALUES });
    return copied;
  }

  /** Copies a field or item that is a map or list. Returns undefined for a value that needs no copy. */
  private copyInner(value: unknown, level: number): CopyRecord | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'undefined':
        return undefined;
      case 'number':
        if (Number.isFinite(value)) return undefined;
        if (!this.keepsInstances) this.reject({ kind: 'not-finite' });
        break;
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

  /** Counts values before they are visited, and rejects the object if there are too many. */
  private countValues(values: number): void {
    this.visited += values;
    if (this.visited > MAX_VALUES) this.reject({ kind: 'too-large', values: MAX_VALUES });
  }

  /** Copies a list. JSON, YAML and Pulumi write an item that is undefined as null. */
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
      copy.push(inner ? inner.copy : (item ?? null));
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

  /** Copies a map. A class instance keeps its class, because it may represent a value that is not known yet. */
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

/**
 * Copies a map or list, so that each getter and Proxy is read once and its value no longer changes.
 * Each map and list is copied once, even if it occurs in several positions. Its copy occurs in the same positions.
 *
 * @throws UnreadableError if a file cannot contain the value: it contains itself, is too deep or too large, has a bigint, NaN or an infinite number, or a getter throws
 */
export function cloneDeep(value: object): object {
  return new Copier({}).copyOf(value);
}

/**
 * Copies a map or list, but keeps class instances, bigints and functions as they are. `isPlain` is true if there are none.
 *
 * @throws UnreadableError if a file cannot contain the value for another reason
 */
export function cloneDeepWithInstances(value: object): { readonly copy: object; readonly isPlain: boolean } {
  const copier = new Copier({ keepsInstances: true });
  const copy = copier.copyOf(value);
  return { copy, isPlain: copier.isPlain };
}
