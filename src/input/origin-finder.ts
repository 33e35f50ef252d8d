import type { Source } from '../core/findings/finding';
import type { Fields } from '../core/manifest/manifest';

/** Document of a rendered text, and the object in it that a position is requested for. */
export interface RenderedObject {
  readonly object: Fields;
  /** Text of its document, with the comments of the program that rendered it. */
  readonly documentText: string;
}

/** Finds the files of the repository from which a program rendered a folder. */
export interface OriginFinder {
  /** Position of the folder itself: the first line of its kustomization or chart. */
  readonly folder: Source;
  /** Returns the position from which a field of an object was rendered; the nearest known one if the field itself is in no file. */
  find(rendered: RenderedObject, trail: readonly (string | number)[]): Source;
}
