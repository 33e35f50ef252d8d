import { formatTimeout } from '../../src/core/budget/timeout-message';

test.each([
  [formatTimeout('rendering', 1), 'rendering takes more than 1 second; raise the budget with --budget seconds=2, if you trust this input'],
  [
    formatTimeout('trying the fixes', 60, { effect: 'so nothing is written', reduce: 'name fewer files' }),
    'trying the fixes takes more than 60 seconds, so nothing is written; name fewer files, or raise the budget with --budget seconds=120, if you trust this input',
  ],
  [
    formatTimeout('reading the cluster', 0.5, { raise: 'raise --timeout' }),
    'reading the cluster takes more than 0.5 seconds; raise --timeout',
  ],
])('work that takes too long is named with its seconds and with what to do: %s', (text, expected) => {
  expect(text).toBe(expected);
});
