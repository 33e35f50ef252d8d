import { nearestName } from '../../src/core/nearest-name';

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
  expect(nearestName(unknown, KNOWN)).toBe(meant);
});

test('of several that are as near it is the first', () => {
  expect(nearestName('cab', ['car', 'can'])).toBe('car');
});

test('where nothing is known nothing is near', () => {
  expect(nearestName('replicas', [])).toBeUndefined();
});
