import { PlanCache } from '../../src/core/plan-cache';

test('a cached value is created once per function and cache', () => {
  const cache = new PlanCache();
  const names = () => new Set<string>();
  const otherNames = () => new Set<string>();
  cache.getOrCreate(names).add('web');
  expect([...cache.getOrCreate(names)]).toEqual(['web']);
  expect([...cache.getOrCreate(otherNames)]).toEqual([]);
  expect([...new PlanCache().getOrCreate(names)]).toEqual([]);
});
