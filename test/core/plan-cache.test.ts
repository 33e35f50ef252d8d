import { PlanCache } from '../../src/core/collections/plan-cache';

test('a cached value is created once per function and cache', () => {
  const cache = new PlanCache();
  const names = () => new Set<string>();
  const otherNames = () => new Set<string>();
  cache.getOrCreate(names).add('web');
  expect([...cache.getOrCreate(names)]).toEqual(['web']);
  expect([...cache.getOrCreate(otherNames)]).toEqual([]);
  expect([...new PlanCache().getOrCreate(names)]).toEqual([]);
});

test('a function computes a value of an object once in each plan, and each function its own', () => {
  const computed: string[] = [];
  const countKeys = (object: object) => {
    computed.push('keys');
    return Object.keys(object).length;
  };
  const findNothing = () => {
    computed.push('nothing');
    return undefined;
  };
  const cache = new PlanCache();
  const object = { a: 1, b: 2 };
  const derive = () => [cache.derive(object, countKeys), cache.derive(object, findNothing)];
  expect([derive(), derive()]).toEqual([
    [2, undefined],
    [2, undefined],
  ]);
  expect(cache.derive({ a: 1 }, countKeys)).toBe(1);
  expect(computed).toEqual(['keys', 'nothing', 'keys']);
});
