import { matchesConfigName } from '../../src/change/effects/reloader';
import { Deadline, DeadlineError } from '../../src/core/budget/deadline';

test('no expression of a configuration is compiled after the deadline, since a single one can take a second', () => {
  let now = 0;
  const deadline = new Deadline(1, () => now);

  expect(deadline.limit(() => matchesConfigName('web-.*', 'web-a'))).toBe(true);
  now = 2_000;
  expect(() => deadline.limit(() => matchesConfigName('api-.*', 'web-a'))).toThrow(DeadlineError);
});
