import { BoundedMemo, BoundedTupleMemo, freezeDeep } from '../../src/core/collections/memoize';
import { planManifests } from '../../src/plan/plan';

describe('a memo', () => {
  test('computes the value of each key once', () => {
    const computed: string[] = [];
    const lengths = new BoundedMemo<{ readonly length: number }>();
    const lengthOf = (key: string) =>
      lengths.getOrCompute(key, (text) => {
        computed.push(text);
        return { length: text.length };
      });

    expect([lengthOf('1.34'), lengthOf('1.35.2'), lengthOf('1.34')]).toEqual([{ length: 4 }, { length: 6 }, { length: 4 }]);
    expect(lengthOf('1.34')).toBe(lengthOf('1.34'));
    expect(computed).toEqual(['1.34', '1.35.2']);
  });

  test('is bounded: it computes any number of keys without keeping all of them', () => {
    const numbers = new BoundedMemo<number>();
    const count = 5_000;

    const values = Array.from({ length: count }, (_, index) => numbers.getOrCompute(`${index}`, Number));
    expect(values).toEqual(Array.from({ length: count }, (_, index) => index));

    let isRecomputed = false;
    numbers.getOrCompute('0', () => {
      isRecomputed = true;
      return 0;
    });
    expect(isRecomputed).toBe(true);
  });
});

describe('a memo with tuple keys', () => {
  test('distinguishes keys by type and value, but not null from undefined', () => {
    const memo = new BoundedTupleMemo<string>();
    const keys = [['ab', 'c'], ['a', 'bc'], ['abc'], ['1'], [1], [true], ['true'], [null], ['-'], [null, 1], [1, null], []];

    const results = keys.map((key) => memo.getOrCompute(key, () => JSON.stringify(key)));
    expect(results).toEqual(keys.map((key) => JSON.stringify(key)));
    expect(keys.map((key) => memo.get(key))).toEqual(results);
    expect([memo.get([undefined, 1]), memo.get([undefined])]).toEqual(['[null,1]', '[null]']);
    expect([memo.get(['ab']), memo.get(['ab', 'c', 'd'])]).toEqual([undefined, undefined]);
  });

  test('freezes its results, and does not cache them if a value of the key may change', () => {
    const memo = new BoundedTupleMemo<object>();
    const result = memo.getOrCompute(['a'], () => ({}));
    expect([memo.getOrCompute(['a'], () => ({})) === result, Object.isFrozen(result)]).toEqual([true, true]);

    const token = {};
    for (const value of [token, [], () => 1, 1n, Symbol('a')]) {
      const uncached = memo.getOrCompute(['a', value], () => ({ value }));
      expect([memo.get(['a', value]), Object.isFrozen(uncached)]).toEqual([undefined, false]);
    }
    expect(Object.isFrozen(token)).toBe(false);
  });

  test('is bounded: it computes any number of keys without keeping all of them', () => {
    const memo = new BoundedTupleMemo<number>();
    const results = Array.from({ length: 5_000 }, (_, index) => memo.getOrCompute([index, 'a'], () => index));
    expect(results).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
    expect([memo.get([0, 'a']), memo.get([4_999, 'a'])]).toEqual([undefined, 4_999]);
  });
});

test('data is frozen at every depth, even if it contains itself', () => {
  const plain: Record<string, unknown> = { list: [{ size: 1 }], nothing: null, text: 'a' };
  plain.self = plain;
  expect(freezeDeep(plain)).toBe(plain);
  const list = plain.list as readonly object[];
  expect([plain, list, list[0]].map((value) => Object.isFrozen(value))).toEqual([true, true, true]);
  expect([freezeDeep('a'), freezeDeep(null), freezeDeep(3)]).toEqual(['a', null, 3]);
});

test('editing one plan does not change another', () => {
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 3 } };
  const planned = () => planManifests([web]).rollouts[0]!;
  const before = JSON.stringify(planned());

  const { simulation, provenance } = planned();
  const edits = [
    () => Object.assign(simulation!, { replicas: 9 }),
    () => Object.assign((simulation as unknown as { waves: object[] }).waves[0]!, { available: 9 }),
    () => (simulation as unknown as { waves: object[] }).waves.pop(),
    () => Object.assign(provenance[0]!, { layer: 'me' }),
    () => (provenance as unknown[]).pop(),
  ];
  const refused = edits.flatMap((edit) => {
    try {
      edit();
      return [];
    } catch (error) {
      return [error instanceof TypeError];
    }
  });

  expect(refused).not.toContain(false);
  expect(JSON.stringify(planned())).toBe(before);
});
