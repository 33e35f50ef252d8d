import { Deadline, DeadlineError } from '../../src/core/budget/deadline';
import { readFirstMap, readPlainMap } from '../../src/input/first-map';

test('the first map of a text is read, whatever stands before it', () => {
  expect(readFirstMap('---\n- a\n---\nresources: [web.yaml]\n')).toEqual({ resources: ['web.yaml'] });
  expect(readFirstMap('resources: [web.yaml\n')).toBeUndefined();
});

test.each([
  ['the first map', readFirstMap],
  ['a map that every program reads alike', readPlainMap],
])('reading %s ends with the time of the work that needs it, since a kustomization of 18 MB takes minutes', (_, read) => {
  const text = `configMapGenerator:\n${'- { name: a, literals: [a=b] }\n'.repeat(4_000)}`;
  let looks = 0;
  const work = (ends: number) => () => new Deadline(1, () => (looks++ > ends ? 2_000 : 0)).limit(() => read(text));
  expect(work(100)()).toMatchObject({ configMapGenerator: expect.any(Array) });
  looks = 0;
  expect(work(0)).toThrow(DeadlineError);
});
