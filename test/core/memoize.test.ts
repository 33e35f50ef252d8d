import { BoundedMemo, BoundedTupleMemo, freezeDeep } from '../../src/core/memoize';
import { planManifests } from '../../src/plan/plan';

describe('what is remembered', () => {
  test('is made once for all who ask alike', () => {
    const made: string[] = [];
    const lengths = new BoundedMemo<{ readonly length: number }>();
    const ask = (question: string) =>
      lengths.getOrCompute(question, (text) => {
        made.push(text);
        return { length: text.length };
      });

    expect([ask('1.34'), ask('1.35.2'), ask('1.34')]).toEqual([{ length: 4 }, { length: 6 }, { length: 4 }]);
    expect(ask('1.34')).toBe(ask('1.34'));
    expect(made).toEqual(['1.34', '1.35.2']);
  });

  test('is bounded: ever new questions are answered, and none of thousands takes memory for good', () => {
    const numbers = new BoundedMemo<number>();
    const count = 5_000;

    const answers = Array.from({ length: count }, (_, index) => numbers.getOrCompute(`${index}`, Number));
    expect(answers).toEqual(Array.from({ length: count }, (_, index) => index));

    let isMadeAgain = false;
    numbers.getOrCompute('0', () => {
      isMadeAgain = true;
      return 0;
    });
    expect(isMadeAgain).toBe(true);
  });
});

describe('what is remembered by values', () => {
  test('tells them apart by what they are, and null from nothing else than what is left out', () => {
    const answers = new BoundedTupleMemo<string>();
    const apart = [['ab', 'c'], ['a', 'bc'], ['abc'], ['1'], [1], [true], ['true'], [null], ['-'], [null, 1], [1, null], []];

    const made = apart.map((values) => answers.getOrCompute(values, () => JSON.stringify(values)));
    expect(made).toEqual(apart.map((values) => JSON.stringify(values)));
    expect(apart.map((values) => answers.get(values))).toEqual(made);
    expect([answers.get([undefined, 1]), answers.get([undefined])]).toEqual(['[null,1]', '[null]']);
    expect([answers.get(['ab']), answers.get(['ab', 'c', 'd'])]).toEqual([undefined, undefined]);
  });

  test('is frozen, and answered each time anew where a value may change', () => {
    const answers = new BoundedTupleMemo<object>();
    const made = answers.getOrCompute(['a'], () => ({}));
    expect([answers.getOrCompute(['a'], () => ({})) === made, Object.isFrozen(made)]).toEqual([true, true]);

    const token = {};
    for (const value of [token, [], () => 1, 1n, Symbol('a')]) {
      const answer = answers.getOrCompute(['a', value], () => ({ value }));
      expect([answers.get(['a', value]), Object.isFrozen(answer)]).toEqual([undefined, false]);
    }
    expect(Object.isFrozen(token)).toBe(false);
  });

  test('is bounded: ever new questions are answered, and none of thousands takes memory for good', () => {
    const answers = new BoundedTupleMemo<number>();
    const made = Array.from({ length: 5_000 }, (_, index) => answers.getOrCompute([index, 'a'], () => index));
    expect(made).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
    expect([answers.get([0, 'a']), answers.get([4_999, 'a'])]).toEqual([undefined, 4_999]);
  });
});

test('what is frozen is so at every depth, and what holds itself is so once', () => {
  const plain: Record<string, unknown> = { list: [{ size: 1 }], nothing: null, text: 'a' };
  plain.self = plain;
  expect(freezeDeep(plain)).toBe(plain);
  const list = plain.list as readonly object[];
  expect([plain, list, list[0]].map((value) => Object.isFrozen(value))).toEqual([true, true, true]);
  expect([freezeDeep('a'), freezeDeep(null), freezeDeep(3)]).toEqual(['a', null, 3]);
});

test('to edit one plan changes no other', () => {
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
