import { capitalised, counted, listed } from '../../src/core/words';

test('one of a thing is singular; none and several are plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'replica'))).toEqual(['0 replicas', '1 replica', '2 replicas']);
  expect([1, 3].map((count) => counted(count, 'batch', 'batches'))).toEqual(['1 batch', '3 batches']);
});

test('a list reads as a sentence has it', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listed(items))).toEqual(['', 'a', 'a and b', 'a, b and c']);
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c');
});

test('the first letter of a sentence is a capital one', () => {
  expect(['deadlocks', 'Fits', '', 'ü'].map(capitalised)).toEqual(['Deadlocks', 'Fits', '', 'Ü']);
});
