import { Deadline, DeadlineError } from '../../src/core/budget/deadline';

test('a deadline does not throw at its end, but throws after it', () => {
  let now = 5_000;
  const deadline = new Deadline(2, () => now);
  const thrownAt = (time: number) => {
    now = time;
    try {
      deadline.check();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect([5_000, 6_999, 7_000].map(thrownAt)).toEqual([undefined, undefined, undefined]);
  expect(thrownAt(7_001)).toBeInstanceOf(DeadlineError);
  expect(thrownAt(9_000)).toMatchObject({ name: 'DeadlineError' });
});

test('without a given clock, a deadline uses the clock of the process', () => {
  expect(() => new Deadline(-1).check()).toThrow(DeadlineError);
  expect(() => new Deadline(60).check()).not.toThrow();
});
