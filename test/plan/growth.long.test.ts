import { planOf, SHAPES } from '../../bench/shapes';
import { countCpuSeconds } from '../setup/cpu-seconds';

function secondsFor(work: () => unknown): number {
  const readSeconds = countCpuSeconds();
  work();
  return readSeconds();
}

const MOST_TIMES = 6;
/** Node.js compiles the code of a shape during the first turns, which costs time of its own. */
const TURNS = 12;

describe('a 4 times larger input takes at most 6 times as long', () => {
  test.each(SHAPES)('$name', (shape) => {
    // This run also compiles what the others need. A shape that takes long is compared with half the items.
    const items = secondsFor(planOf(shape, 100)) > 0.8 ? 50 : 100;
    const [small, large] = [planOf(shape, items), planOf(shape, 4 * items)];
    let least = { small: Infinity, large: Infinity };
    for (let turn = 0; turn < TURNS && (turn === 0 || least.large >= MOST_TIMES * least.small); turn++) {
      least = { small: Math.min(least.small, secondsFor(small)), large: Math.min(least.large, secondsFor(large)) };
    }
    expect(least.large / least.small).toBeLessThan(MOST_TIMES);
  });
});
