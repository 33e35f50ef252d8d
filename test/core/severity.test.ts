import { FAIL_THRESHOLDS, SEVERITIES, shouldFailAt, severityRankOf, findWorstSeverity } from '../../src/core/findings/severity';

test('a finding fails a check if it reaches the threshold, and never with the threshold `never`', () => {
  expect(
    Object.fromEntries(FAIL_THRESHOLDS.map((threshold) => [threshold, SEVERITIES.filter((severity) => shouldFailAt(threshold, severity))])),
  ).toEqual({
    error: ['error'],
    warning: ['error', 'warning'],
    info: ['error', 'warning', 'info'],
    never: [],
  });
});

test('the worst severity is first, and no severity is last', () => {
  expect((['none', 'info', 'error', undefined, 'warning'] as const).toSorted((a, b) => severityRankOf(a) - severityRankOf(b))).toEqual([
    'error',
    'warning',
    'info',
    'none',
    undefined,
  ]);
});

test('the worst of some severities is found', () => {
  expect([
    findWorstSeverity(['info', 'error', 'warning']),
    findWorstSeverity(['info', 'warning']),
    findWorstSeverity(['info']),
    findWorstSeverity([]),
  ]).toEqual(['error', 'warning', 'info', undefined]);
});
