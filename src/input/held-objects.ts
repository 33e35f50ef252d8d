import { isFields, nameOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { BYTES_PER_MEGABYTE } from './read-budget';
import type { DocumentValue } from './document';
import type { SourceMap } from './source-map';
import { extractMetadata } from './flatten-lists';
import type { DocumentObject } from './flatten-lists';
import { Names, SetAside } from './set-aside';
import type { SourceText } from './source-text';
import type { Chunk } from './split';

/** A document of a file and where it stands. */
export interface PlacedDocument extends DocumentValue {
  readonly chunk: Chunk;
  readonly text: SourceText;
}

/** Characters of documents that are held as objects before any is let go to be read again, which takes time: as many as a large repository has. */
const HELD = 8 * BYTES_PER_MEGABYTE;
/** The same where a file alone has more than that, so that most of them are read again anyway. */
const HELD_OF_LONG = BYTES_PER_MEGABYTE;
/** Characters of a document that is read again: no object of it is too large for the API server, whatever its characters become in JSON. */
const MOST_AGAIN = 64 * 1024;

/** What is asked of objects. */
export interface Asked {
  /** Is more of an object asked for than its name and metadata? What nobody looks at is read, and let go. @default - of every one */
  readonly keeps?: (object: Manifest) => boolean;
  /**
   * Is all of an object asked for once, by its own plan? Of a large input what comes last is then held in outline, and `Locations.whole`
   * reads it again. @default - of none
   */
  readonly readsAgain?: (object: Manifest) => boolean;
}

/** Can an object be read again as it is? One that is a document of its own, as it stands there. */
function isReadable({ chunk, value, isFast }: PlacedDocument, object: Manifest): boolean {
  return isFast === true && object === value && chunk.end - chunk.at <= MOST_AGAIN && isFields(object.metadata);
}

/** The objects that were read, and as much of each as is held. */
export class HeldObjects {
  readonly objects: Manifest[] = [];
  /** Of the documents read so far. */
  private characters = 0;
  private aside: SetAside | undefined;
  /** The names of a text of which objects are set aside. */
  private readonly names = new Names();

  constructor(
    private readonly locations: SourceMap,
    private readonly asked: Asked,
  ) {}

  /** @param isAll - is its file all that is read? Of a long one objects are set aside then */
  add(document: PlacedDocument, found: readonly DocumentObject[], isAll: boolean): void {
    const { chunk, text } = document;
    if (isAll && text.length > HELD) this.aside ??= new SetAside(text, this.locations);
    for (const { object, trail } of found) {
      if (this.aside) this.names.add(object);
      if (isReadable(document, object) && this.isLetGo(object, document)) continue;
      const kept = this.isKept(object) ? object : extractMetadata(object);
      this.objects.push(kept);
      this.locations.register(kept, { text, chunk, trail });
    }
    this.characters += chunk.end - chunk.at;
  }

  private isKept(object: Manifest): boolean {
    return this.asked.keeps?.(object) !== false;
  }

  /** Lets an object go until it is planned, once enough of the input is held, or sets it aside. Returns whether it did. */
  private isLetGo(object: Manifest, { chunk, text }: PlacedDocument): boolean {
    const most = text.length > HELD ? HELD_OF_LONG : HELD;
    const isPlannedAgain = this.characters > most && this.asked.readsAgain?.(object) === true;
    // The first object stands for the text that all of them are of.
    const isAside = this.aside !== undefined && this.objects.length > 0 && nameOf(object) !== '';
    if (isAside && (isPlannedAgain || !this.isKept(object))) {
      this.aside!.add(object, chunk, isPlannedAgain);
      return true;
    }
    if (isPlannedAgain) this.objects.push(this.locations.letGo(object, text, chunk));
    return isPlannedAgain;
  }

  /** All of them, and apart those that are set aside: none where two may have one name, by which they are told apart. */
  all(): { readonly objects: readonly Manifest[]; readonly aside?: SetAside } {
    const { objects, aside, names } = this;
    if (!aside) return { objects };
    return names.mayHoldOneTwice() ? { objects: aside.among(objects) } : { objects, aside };
  }
}
