import { findStructuralErrors, nonPlainKindOf } from '../../src/props/validate-props';

test.each([
  [undefined, ['the props are undefined; write a map']],
  ['iris', ['the props are "iris"; write a map']],
  [{}, ['predictor is undefined; write a map']],
  [{ predictor: {}, metadata: undefined }, []],
  [{ predictor: null, metadata: [] }, ['predictor is null; write a map', 'metadata is []; write a map, or leave it out']],
])('reports values of %j that must be maps and are not', (props, lines) => {
  expect(findStructuralErrors(props, { predictor: 'required', metadata: 'optional' })).toEqual(lines);
});

test.each([
  ['a string', 'text', undefined],
  ['null', null, undefined],
  ['a list', [Symbol('in a list')], undefined],
  ['a map', { field: 1 }, undefined],
  ['a map without prototype', Object.create(null), undefined],
  ['an Output', { __pulumiOutput: true }, 'output'],
  ['a promise', Promise.resolve(1), 'promise'],
  ['a Date', new Date(0), 'instance'],
  ['a function', () => undefined, 'function'],
  ['a symbol', Symbol('s'), 'symbol'],
  ['a bigint', 1n, 'bigint'],
])('%s is plain or not, whatever it contains', (_name, value, kind) => {
  expect(nonPlainKindOf(value)).toBe(kind);
});
