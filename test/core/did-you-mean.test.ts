import { findClosestName } from '../../src/core/errors/did-you-mean';

const KNOWN_NAMES = ['maxSurge', 'maxUnavailable', 'spec', 'replicas'];

test.each<[unknown: string, expected: string | undefined, reason: string]>([
  ['maxSurg', 'maxSurge', 'a letter is missing'],
  ['maxsurge', 'maxSurge', 'the case differs'],
  ['REPLICAS', 'replicas', 'the case of every letter differs, although a shorter name differs in as few letters'],
  ['rep1icaz', 'replicas', 'two letters differ'],
  ['spxx', 'spec', 'exactly half of it differs'],
  ['sxxx', undefined, 'more than half of it differs'],
  ['', undefined, 'nothing is similar to an empty name'],
])('the closest name to %p is %p: %s', (unknown, expected, _reason) => {
  expect(findClosestName(unknown, KNOWN_NAMES)).toBe(expected);
});

test('the first of several equally close names is returned', () => {
  expect(findClosestName('cab', ['car', 'can'])).toBe('car');
});

test('there is no closest name without candidates', () => {
  expect(findClosestName('replicas', [])).toBeUndefined();
});
