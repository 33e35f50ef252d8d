import { findClosestName } from '../../src/core/did-you-mean';

const KNOWN = ['maxSurge', 'maxUnavailable', 'spec', 'replicas'];

test.each<[unknown: string, meant: string | undefined, why: string]>([
  ['maxSurg', 'maxSurge', 'a letter is missing'],
  ['maxsurge', 'maxSurge', 'the case is another'],
  ['REPLICAS', 'replicas', 'so is that of every letter, though shorter names have as few letters that differ'],
  ['rep1icaz', 'replicas', 'two letters are others'],
  ['spxx', 'spec', 'just half of it differs'],
  ['sxxx', undefined, 'more than half of it differs'],
  ['', undefined, 'nothing is near nothing'],
])('%p was likely meant to be %p: %s', (unknown, meant, _why) => {
  expect(findClosestName(unknown, KNOWN)).toBe(meant);
});

test('of several that are as near it is the first', () => {
  expect(findClosestName('cab', ['car', 'can'])).toBe('car');
});

test('where nothing is known nothing is near', () => {
  expect(findClosestName('replicas', [])).toBeUndefined();
});
