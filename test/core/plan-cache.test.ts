import { PlanCache } from '../../src/core/plan-cache';

test('what a reader keeps is made at its first call, each reader has its own, and so has each memory', () => {
  const memory = new PlanCache();
  const names = () => new Set<string>();
  const others = () => new Set<string>();
  memory.getOrCreate(names).add('web');
  expect([...memory.getOrCreate(names)]).toEqual(['web']);
  expect([...memory.getOrCreate(others)]).toEqual([]);
  expect([...new PlanCache().getOrCreate(names)]).toEqual([]);
});
