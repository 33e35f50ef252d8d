import { parseStartupSeconds, resolveStartupSeconds } from '../../src/core/values/startup-seconds';

test.each([
  ['30', 30],
  ['0', 0],
  [' 1.5 ', 1.5],
  ['2147483647', 2_147_483_647],
  ['2147483648', undefined],
  ['-1', undefined],
  ['', undefined],
  ['  ', undefined],
  ['30s', undefined],
  [30, undefined],
  [undefined, undefined],
])('the annotation %j means %p seconds', (annotation, seconds) => {
  expect(parseStartupSeconds(annotation)).toBe(seconds);
});

test('the annotation of a template overrides the default of the plan, and an invalid one is ignored', () => {
  const template = (seconds: unknown) => ({ metadata: { annotations: { 'rolloutkit/startup-seconds': seconds } } });
  expect([resolveStartupSeconds(template('0'), 60), resolveStartupSeconds(template('soon'), 60), resolveStartupSeconds({}, 60)]).toEqual([
    0, 60, 60,
  ]);
  expect([resolveStartupSeconds(template('soon'), 0), resolveStartupSeconds({}, 0)]).toEqual([undefined, undefined]);
});
