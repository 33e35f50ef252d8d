import { BARS, SEVERITIES, failsAt, rankOf, worstOf } from '../../src/core/severity';

test('a finding fails a check whose bar it reaches, and none where the bar is never', () => {
  expect(Object.fromEntries(BARS.map((bar) => [bar, SEVERITIES.filter((severity) => failsAt(bar, severity))]))).toEqual({
    error: ['error'],
    warning: ['error', 'warning'],
    info: ['error', 'warning', 'info'],
    never: [],
  });
});

test('the worst comes first, and what has no severity last', () => {
  expect((['none', 'info', 'error', undefined, 'warning'] as const).toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual([
    'error',
    'warning',
    'info',
    'none',
    undefined,
  ]);
});

test('the worst of some severities is the worst that is among them', () => {
  expect([worstOf(['info', 'error', 'warning']), worstOf(['info', 'warning']), worstOf(['info']), worstOf([])]).toEqual([
    'error',
    'warning',
    'info',
    undefined,
  ]);
});
