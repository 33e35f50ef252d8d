import { TYPE_CHECKS } from '../../src/core/values/field-type';

test.each([
  ['2026-11-27T10:00:00Z', true],
  ['2026-11-27T10:00:00.5+01:00', true],
  ['2024-02-29T23:59:59Z', true],
  ['2026-02-29T10:00:00Z', false],
  ['2026-13-01T10:00:00Z', false],
  ['2026-11-00T10:00:00Z', false],
  ['2026-11-27T24:00:00Z', false],
  ['2026-11-27T10:00:60Z', false],
  ['2026-11-27T10:00:00+25:00', false],
  ['2026-11-27 10:00:00Z', false],
  ['2026-11-27T10:00:00', false],
  ['today', false],
  ['', false],
  [['2026-11-27T10:00:00Z'], false],
  [1_764_237_600, false],
  [null, false],
])('%j as a time of day: %p', (value, isTime) => {
  expect(TYPE_CHECKS.time(value)).toBe(isTime);
});
