import { sortKeysOfEach, sortKeys, sortNestedKeys } from '../../src/core/collections/key-order';

interface Shown {
  readonly name: string;
  readonly count?: number | undefined;
  readonly inner?: Shown;
}

const ORDER = { name: true, count: true, inner: true } as const;

const text = (value: object) => JSON.stringify(value);

test('keys are sorted in the order of the contract, without those that have no value and unknown ones', () => {
  expect(text(sortKeys<Shown>({ count: 1, name: 'a' }, ORDER))).toBe('{"name":"a","count":1}');
  expect(Object.keys(sortKeys<Shown>({ name: 'a', count: undefined }, ORDER))).toEqual(['name']);
  expect(text(sortKeys<Shown>(Object.assign({ name: 'a' }, { other: 1 }), ORDER))).toBe('{"name":"a"}');
});

test('an object whose keys are in order is not copied', () => {
  const shown: Shown = { name: 'a', inner: { name: 'b' } };
  expect(sortKeys(shown, ORDER)).toBe(shown);
  expect(sortNestedKeys<Shown>(shown, { inner: shown.inner! }, ORDER)).toBe(shown);
  const list = [shown];
  expect(sortKeysOfEach<Shown>(list, (one) => sortKeys(one, ORDER))).toBe(list);
});

test('a part in another order is sorted, and so is the object that contains it', () => {
  const shown: Shown = { inner: { count: 1, name: 'b' }, name: 'a' };
  expect(text(sortNestedKeys<Shown>(shown, { inner: sortKeys(shown.inner!, ORDER) }, ORDER))).toBe(
    '{"name":"a","inner":{"name":"b","count":1}}',
  );
  expect(text(sortKeysOfEach<Shown>([{ name: 'a' }, { count: 1, name: 'b' }], (one) => sortKeys(one, ORDER)))).toBe(
    '[{"name":"a"},{"name":"b","count":1}]',
  );
});
