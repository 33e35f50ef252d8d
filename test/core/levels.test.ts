import { parseLimitedJson } from '../../src/core/values/levels';

function nest(levels: number): string {
  return `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
}

test('JSON is parsed if it has at most 1,000 levels', () => {
  expect(parseLimitedJson('{"a": [1, {"b": null}], "c": "x"}')).toEqual({ a: [1, { b: null }], c: 'x' });
  expect(JSON.stringify(parseLimitedJson(nest(1_000)))).toBe(nest(1_000));
});

test.each([1_002, 10_000, 1_000_000])('JSON with %d levels is refused as a text that is not JSON', (levels) => {
  expect(() => parseLimitedJson(nest(levels))).toThrow(new SyntaxError('it is nested more than 1000 levels deep'));
});

test('JSON with few levels may be long', () => {
  const long = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ name: `a${index}` })));
  expect(JSON.stringify(parseLimitedJson(long))).toBe(long);
});
