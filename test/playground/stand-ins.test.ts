import * as fc from 'fast-check';
import { area, curveStepAfter } from 'd3-shape';
import { closest, distance } from 'fastest-levenshtein';
import picocolors from 'picocolors';
import * as ours from '../../playground/distance';
import noColours from '../../playground/no-colours';
import * as steps from '../../playground/step-areas';

const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', 'é', '-') });

test('two words are as far from each other as fastest-levenshtein has them, and the nearest is the same', () => {
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 6 }), (one, words) => {
      expect(words.map((other) => ours.distance(one, other))).toEqual(words.map((other) => distance(one, other)));
      expect(ours.closest(one, words)).toBe(closest(one, words));
    }),
  );
});

test('an area in steps has the path that d3-shape gives it', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number), { maxLength: 6 }), fc.option(number, { nil: undefined }), (points, floor) => {
      const below = ([, y]: readonly [number, number, number]) => y;
      const theirs = area<readonly [number, number, number]>()
        .x(([x]) => x)
        .y1(([, , y]) => y)
        .curve(curveStepAfter);
      const own = steps
        .area<readonly [number, number, number]>()
        .x(([x]) => x)
        .y1(([, , y]) => y)
        .curve();
      const expected = floor === undefined ? theirs.y0(below)(points) : theirs.y0(floor)(points);
      expect(own.y0(floor ?? below)(points)).toBe(expected);
    }),
  );
});

test('a text without colours is the one that picocolors leaves uncoloured', () => {
  const theirs = picocolors.createColors(false);
  const own = noColours.createColors();
  expect(Object.entries(own).map(([name, paint]) => [name, paint('ab')])).toEqual(
    Object.keys(own).map((name) => [name, theirs[name as keyof typeof own]('ab')]),
  );
});
