import type { Manifest } from '../core/manifest';

/** Objects of the one text that is planned, each of a name of its own, of which none surrounds another. They are read again one after the other. */
export interface ObjectsAside {
  readonly length: number;
  /** One object of each kind among them. */
  readonly kinds: readonly Manifest[];
  /** One object of each kind that is planned; no plan looks into the others. */
  readonly kindsToPlan: readonly Manifest[];
  /** Those that are planned, in the order of the text: as they are known, and with all that they hold. */
  toPlan(): Iterable<{ readonly object: Manifest; readonly whole: Manifest }>;
  /** All objects of the text in its order, given the others. */
  among(others: readonly Manifest[]): readonly Manifest[];
  /** Things by the order of the text in which their objects stand. */
  inOrder<T>(things: readonly T[], objectOf: (thing: T) => Manifest): readonly T[];
}
