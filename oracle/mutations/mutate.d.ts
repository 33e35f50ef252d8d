/** Draws numbers from a seed: the same seed, the same numbers. */
export class Draw {
  constructor(seed: number);
  /** From 0 to below `end`. */
  below(end: number): number;
  of<T>(values: readonly T[]): T;
}

/** A copy of plain data in which some values are others, missing, more or elsewhere. */
export function mutated<T>(value: T, draw: Draw, others?: readonly unknown[]): T;

/** A text with some characters or lines gone, twice or others. */
export function mutatedText(text: string, draw: Draw): string;
