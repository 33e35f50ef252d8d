import { linear } from './figure';
import type { Figure } from './figure';
import { planOf, SHAPES } from './shapes';

/** Plans in which as many things of one kind meet as many of another. */
export function growthFigures(): Figure[] {
  return SHAPES.map((shape) => linear(`plan by number of ${shape.name}`, (size) => planOf(shape, size)));
}
