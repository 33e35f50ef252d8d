import { Deadline, DeadlineError } from '../../src/core/deadline';

test('a deadline passes at its end, and throws once it is over', () => {
  let now = 5_000;
  const deadline = new Deadline(2, () => now);
  const isOverAt = (time: number) => {
    now = time;
    try {
      deadline.check();
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(DeadlineError);
      expect(error).toMatchObject({ name: 'DeadlineError' });
      return true;
    }
  };
  expect([5_000, 6_999, 7_000, 7_001, 9_000].map(isOverAt)).toEqual([false, false, false, true, true]);
});

test('without a clock of its own it goes by that of the process', () => {
  expect(() => new Deadline(-1).check()).toThrow(DeadlineError);
  expect(() => new Deadline(60).check()).not.toThrow();
});
