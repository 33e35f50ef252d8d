import { weightedSplit } from '../../../src/systems/argo-rollouts/canary-counts';

/** Pods of the new version and of the old one, by replicas, weight and surge. */
const split = (replicas: number, weight: number, surge: number) => Object.values(weightedSplit(replicas, weight, 100, surge));

describe('without a router the pods of both versions come as near to the weight as they can', () => {
  test.each([
    [0, 50, 1, [0, 0]],
    [10, 0, 1, [0, 10]],
    [10, 100, 1, [10, 0]],
    [4, 25, 0, [1, 3]],
    [4, 30, 1, [1, 3]],
    [4, 40, 0, [2, 2]],
    [10, 14, 0, [1, 9]],
  ])('%i replicas at %i with a surge of %i: %j', (replicas, weight, surge, expected) => {
    expect(split(replicas, weight, surge)).toEqual(expected);
  });

  test.each([
    [4, 40, 1, [2, 3]],
    [2, 70, 1, [2, 1]],
    [2, 30, 1, [1, 2]],
    [2, 99, 1, [2, 1]],
    [3, 50, 1, [2, 2]],
  ])('one pod more may be nearer: %i replicas at %i with a surge of %i: %j', (replicas, weight, surge, expected) => {
    expect(split(replicas, weight, surge)).toEqual(expected);
  });

  test.each([
    [2, 1, 0, [1, 1]],
    [2, 99, 0, [1, 1]],
    [1, 1, 1, [1, 1]],
    [1, 99, 1, [1, 1]],
  ])('each version has a pod between 0 and 100: %i replicas at %i with a surge of %i: %j', (replicas, weight, surge, expected) => {
    expect(split(replicas, weight, surge)).toEqual(expected);
  });

  test.each([
    [1, 49, 0, [0, 1]],
    [1, 50, 0, [1, 0]],
    [1, 99, 0, [1, 0]],
  ])('but for one replica without a surge: %i at %i with %i: %j', (replicas, weight, surge, expected) => {
    expect(split(replicas, weight, surge)).toEqual(expected);
  });

  test('a tie goes to the larger number; where that leaves no old pod and nothing may be more, there is no new one', () => {
    expect(split(3, 50, 0)).toEqual([2, 1]);
    expect(split(2, 75, 0)).toEqual([0, 2]);
  });
});
