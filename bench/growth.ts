import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';
import { GROWING, SHAPES } from './shapes';
import type { Shape } from './shapes';

function growthOf({ name, objects, capacity }: Shape, sizes?: readonly number[]): Figure {
  const work = (size: number) => {
    const given = objects(size);
    const options = capacity ? { capacity: capacity(size) } : {};
    return () => planManifests(given, options);
  };
  return linear(`plan by number of ${name}`, work, sizes);
}

/** Plans in which as many things of one kind meet as many of another. */
export function growthFigures(): Figure[] {
  return [...SHAPES.map((shape) => growthOf(shape)), ...GROWING.map((shape) => growthOf(shape, [100, 300, 1_000]))];
}
