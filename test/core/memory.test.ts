import { Memory } from '../../src/core/memory';

test('what a reader keeps is made at its first call, each reader has its own, and so has each memory', () => {
  const memory = new Memory();
  const names = () => new Set<string>();
  const others = () => new Set<string>();
  memory.of(names).add('web');
  expect([...memory.of(names)]).toEqual(['web']);
  expect([...memory.of(others)]).toEqual([]);
  expect([...new Memory().of(names)]).toEqual([]);
});
