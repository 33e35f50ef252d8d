import { annotatedSeconds, startupSecondsOf } from '../../src/core/startup';

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
])('an annotation of %j says that pods take %p seconds', (annotation, seconds) => {
  expect(annotatedSeconds(annotation)).toBe(seconds);
});

test('the annotation of a template holds before what is given for the plan, and a wrong one is passed over', () => {
  const template = (seconds: unknown) => ({ metadata: { annotations: { 'rolloutkit/startup-seconds': seconds } } });
  expect([startupSecondsOf(template('0'), 60), startupSecondsOf(template('soon'), 60), startupSecondsOf({}, 60)]).toEqual([0, 60, 60]);
  expect([startupSecondsOf(template('soon'), 0), startupSecondsOf({}, 0)]).toEqual([undefined, undefined]);
});
