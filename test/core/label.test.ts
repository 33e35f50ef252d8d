import { isLabelKey, isLabelValue } from '../../src/core/values/label';

test.each([
  ['app', true],
  ['a', true],
  ['App_1.b-c', true],
  ['a'.repeat(63), true],
  ['example.com/app', true],
  [`${'a'.repeat(253)}/app`, true],
  ['', false],
  ['-app', false],
  ['app-', false],
  ['a b', false],
  ['a'.repeat(64), false],
  ['/app', false],
  ['example.com/', false],
  ['Example.com/app', false],
  ['example..com/app', false],
  ['-example.com/app', false],
  ['example.com/app/name', false],
  [`${'a'.repeat(254)}/app`, false],
])('%j is the key of a label: %p', (key, isKey) => {
  expect(isLabelKey(key)).toBe(isKey);
});

test.each([
  ['', true],
  ['web', true],
  ['v1.2_3-b', true],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['-web', false],
  ['web.', false],
  ['a/b', false],
  [' ', false],
])('%j is the value of a label: %p', (value, isValue) => {
  expect(isLabelValue(value)).toBe(isValue);
});
