import { linear } from './figure';
import type { Figure } from './figure';
import { planOf, SHAPES } from './shapes';

/** Measures plans that combine two kinds of objects, with equally many of both. */
export function growthFigures(): Figure[] {
  return SHAPES.map((shape) => linear(`plan by number of ${shape.name}`, (size) => planOf(shape, size)));
}
