import { planManifests } from 'rolloutkit/plan';

import { linear } from './figure';
import type { Figure } from './figure';
import { GROWING, SHAPES } from './shapes';

/** Plans in which as many things of one kind meet as many of another. */
export function growthFigures(): Figure[] {
  return [...SHAPES, ...GROWING].map(({ name, objects, capacity }) =>
    linear(`plan by number of ${name}`, (size) => {
      const given = objects(size);
      const options = capacity ? { capacity: capacity(size) } : {};
      return () => planManifests(given, options);
    }),
  );
}
