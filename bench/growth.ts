import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';
import { SHAPES } from './shapes';
import type { Shape } from './shapes';

function growthOf({ name, objects, capacity }: Shape): Figure {
  const work = (size: number) => {
    const given = objects(size);
    const options = capacity ? { capacity: capacity(size) } : {};
    return () => planManifests(given, options);
  };
  return linear(`plan by number of ${name}`, work);
}

/** Plans in which as many things of one kind meet as many of another. */
export function growthFigures(): Figure[] {
  return SHAPES.map(growthOf);
}
