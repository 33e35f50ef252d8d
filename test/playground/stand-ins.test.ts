import * as fc from 'fast-check';
import { area, curveStepAfter } from 'd3-shape';
import { closest, distance } from 'fastest-levenshtein';
import picocolors from 'picocolors';
import * as ours from '../../playground/distance';
import noColours from '../../playground/no-colours';
import * as steps from '../../playground/step-areas';

const word = fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', 'é', '-') });

test('the distance of two words and the closest word are those of fastest-levenshtein', () => {
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1, maxLength: 6 }), (one, words) => {
      expect(words.map((other) => ours.distance(one, other))).toEqual(words.map((other) => distance(one, other)));
      expect(ours.closest(one, words)).toBe(closest(one, words));
    }),
  );
});

test('a step area has the path of d3-shape', () => {
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

test('text without colours is that of picocolors without colours', () => {
  const theirs = picocolors.createColors(false);
  const own = noColours.createColors();
  expect(Object.entries(own).map(([name, paint]) => [name, paint('ab')])).toEqual(
    Object.keys(own).map((name) => [name, theirs[name as keyof typeof own]('ab')]),
  );
});
