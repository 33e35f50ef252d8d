import { FAIL_THRESHOLDS, SEVERITIES, shouldFailAt, severityRankOf, findWorstSeverity } from '../../src/core/severity';

test('a finding fails a check whose bar it reaches, and none where the bar is never', () => {
  expect(Object.fromEntries(FAIL_THRESHOLDS.map((bar) => [bar, SEVERITIES.filter((severity) => shouldFailAt(bar, severity))]))).toEqual({
    error: ['error'],
    warning: ['error', 'warning'],
    info: ['error', 'warning', 'info'],
    never: [],
  });
});

test('the worst comes first, and what has no severity last', () => {
  expect((['none', 'info', 'error', undefined, 'warning'] as const).toSorted((a, b) => severityRankOf(a) - severityRankOf(b))).toEqual([
    'error',
    'warning',
    'info',
    'none',
    undefined,
  ]);
});

test('the worst of some severities is the worst that is among them', () => {
  expect([
    findWorstSeverity(['info', 'error', 'warning']),
    findWorstSeverity(['info', 'warning']),
    findWorstSeverity(['info']),
    findWorstSeverity([]),
  ]).toEqual(['error', 'warning', 'info', undefined]);
});
