import { parseGoDuration } from '../../src/core/values/go-duration';

test.each([
  ['1h30m', 5_400_000_000_000n],
  ['1.5h', 5_400_000_000_000n],
  ['+.5s', 500_000_000n],
  ['-1m2s', -62_000_000_000n],
  ['3.s', 3_000_000_000n],
  ['1ns2us3µs4μs5ms', 5_009_001n],
  ['0.9ns', 0n],
  ['1.0000000019s', 1_000_000_001n],
  ['0', 0n],
  ['-0', 0n],
  ['0s', 0n],
  ['0000000000000000000000001s', 1_000_000_000n],
  ['9223372036854775807ns', 9_223_372_036_854_775_807n],
])('%s is %p nanoseconds', (text, nanos) => {
  expect(parseGoDuration(text)).toBe(nanos);
});

test.each([
  '',
  '+',
  '-',
  '1',
  '.s',
  's',
  '1x',
  '1s ',
  ' 1s',
  '--1s',
  '1s-1s',
  '9223372036854775808ns',
  '2562048h',
  '99999999999999999999ns',
])('%p is not a Go duration', (text) => {
  expect(parseGoDuration(text)).toBeUndefined();
});
