import { groupOf, nameOf, namespaceOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { SourceMap } from './source-map';
import type { SourceText } from './source-text';
import type { Chunk } from './split';

/** 32 bits of FNV-1a, from a beginning of one's own. */
function hashText(text: string, begin: number): number {
  let hash = begin;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const TWO_TO_THE_21 = 2 ** 21;

/** Tells whether two of many objects may have one name. Of each name a number of 53 bits is held, which another one has by a rare chance. */
export class Names {
  private readonly hashes: number[] = [];

  add(object: Manifest): void {
    const name = nameOf(object);
    if (name === '') return;
    const whole = [groupOf(object), object.kind, namespaceOf(object), name].join('\n');
    this.hashes.push(hashText(whole, 0x811c9dc5) * TWO_TO_THE_21 + (hashText(whole, 0x9e3779b1) >>> 11));
  }

  mayHoldOneTwice(): boolean {
    const sorted = new Float64Array(this.hashes).toSorted();
    return sorted.some((hash, index) => hash === sorted[index - 1]);
  }
}

function kindOf({ apiVersion, kind }: Manifest): string {
  return JSON.stringify([apiVersion, kind]);
}

/** Documents by where they begin and end, and one object of each kind in them. */
class Documents {
  readonly kinds = new Map<string, Manifest>();
  private readonly ends: number[] = [];

  knows(object: Manifest): boolean {
    return this.kinds.has(kindOf(object));
  }

  know(object: Manifest): void {
    this.kinds.set(kindOf(object), object);
  }

  get length(): number {
    return this.ends.length / 2;
  }

  add({ at, end }: Chunk): void {
    this.ends.push(at, end);
  }

  *[Symbol.iterator](): Generator<Chunk> {
    for (let index = 0; index < this.ends.length; index += 2) yield { at: this.ends[index]!, end: this.ends[index + 1]! };
  }
}

/** An object that was set aside as it is when it is let go, and with all that it holds. */
export interface SetAsideObject {
  readonly object: Manifest;
  readonly whole: Manifest;
}

/**
 * Objects of one long text of which nothing is held but where they stand, so that memory does not grow with their number:
 * documents by themselves, each of a name of its own, that surround no other. They are read again one after the other.
 */
export class SetAside {
  /** Those that are planned, and those that no plan looks into. */
  private readonly planned = new Documents();
  private readonly others = new Documents();

  constructor(
    readonly text: SourceText,
    private readonly locations: SourceMap,
  ) {}

  /** @param isPlanned - is it planned, or does no plan look into it? */
  add(object: Manifest, chunk: Chunk, isPlanned: boolean): void {
    const documents = isPlanned ? this.planned : this.others;
    documents.add(chunk);
    if (!documents.knows(object)) documents.know(this.locations.letGo(object, this.text, chunk));
  }

  get length(): number {
    return this.planned.length + this.others.length;
  }

  /** One object of each kind among them. */
  get kinds(): readonly Manifest[] {
    return [...this.kindsToPlan, ...this.others.kinds.values()];
  }

  /** One object of each kind that is planned. */
  get kindsToPlan(): readonly Manifest[] {
    return [...this.planned.kinds.values()];
  }

  private *readAgain(documents: Documents): Generator<SetAsideObject> {
    for (const chunk of documents) {
      const whole = this.locations.readAgain(this.text, chunk);
      yield { object: this.locations.letGo(whole, this.text, chunk), whole };
    }
  }

  /** Those that are planned, in the order of the text. */
  toPlan(): Generator<SetAsideObject> {
    return this.readAgain(this.planned);
  }

  /** All objects of the text in its order, given those that are held. */
  among(held: readonly Manifest[]): Manifest[] {
    const objects = [...held];
    for (const documents of [this.planned, this.others]) for (const { object } of this.readAgain(documents)) objects.push(object);
    return this.inOrder(objects, (object) => object);
  }

  /** Things by the order of the text in which their objects stand. */
  inOrder<T>(things: readonly T[], objectOf: (thing: T) => Manifest): T[] {
    const offsetOf = (thing: T) => this.locations.positionOf(objectOf(thing))!.chunk.at;
    return things.toSorted((a, b) => offsetOf(a) - offsetOf(b));
  }
}
