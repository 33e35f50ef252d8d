import { computeCanaryCounts, isAtThreshold, splitByWeight } from '../../../src/systems/argo-rollouts/canary-pod-counts';
import { NO_PODS, createSteadyState } from '../../../src/systems/argo-rollouts/state';
import type { RolloutState } from '../../../src/systems/argo-rollouts/state';
import { parseArgoStrategy } from '../../../src/systems/argo-rollouts/strategy';
import type { CanaryStrategy } from '../../../src/systems/argo-rollouts/strategy';
import { resolveRolloutsBehaviour } from '../../../src/systems/argo-rollouts/versions';

const behaviour = resolveRolloutsBehaviour('1.10');

function canaryWith(fields: object): CanaryStrategy {
  return parseArgoStrategy({ spec: { strategy: { canary: fields } } }, behaviour) as CanaryStrategy;
}

/** Pods of the new and the old version for replicas, weight and surge. */
const split = (replicas: number, weight: number, surge: number) => Object.values(splitByWeight(replicas, weight, 100, surge));

describe('without a router the pods of both versions are as close to the weight as possible', () => {
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
  ])('one more pod may be closer: %i replicas at %i with a surge of %i: %j', (replicas, weight, surge, expected) => {
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
  ])('except one replica without a surge: %i at %i with %i: %j', (replicas, weight, surge, expected) => {
    expect(split(replicas, weight, surge)).toEqual(expected);
  });

  test('a tie goes to the larger number; if that leaves no old pod and there is no surge, there is no new pod', () => {
    expect(split(3, 50, 0)).toEqual([2, 1]);
    expect(split(2, 75, 0)).toEqual([0, 2]);
  });
});

describe('without a router one reconcile scales', () => {
  type Pods = readonly [size: number, ready: number];
  type Limits = { readonly setWeight: number; readonly maxSurge: number; readonly maxUnavailable: number };
  const group = ([size, ready]: Pods) => ({ size, ready });

  /** Returns the pods of the new and the old version after a reconcile at a step with this weight. */
  function counts(replicas: number, { setWeight, ...limits }: Limits, state: Partial<RolloutState>) {
    const canary = canaryWith({ ...limits, steps: [{ setWeight }] });
    const { next, old } = computeCanaryCounts(
      { canary, replicas, behaviour, state: { ...createSteadyState(0, undefined), ...state } },
      undefined,
    );
    return [next, old];
  }

  test.each<[string, number, Limits, Pods, Pods, number, readonly [number, number]]>([
    [
      'stable up first, and the new version with the remaining headroom',
      7,
      { setWeight: 20, maxSurge: 2, maxUnavailable: 3 },
      [0, 0],
      [1, 0],
      2,
      [1, 6],
    ],
    [
      'stable with the available headroom, and then nothing else',
      10,
      { setWeight: 50, maxSurge: 0, maxUnavailable: 1 },
      [2, 2],
      [3, 3],
      4,
      [2, 4],
    ],
    [
      'nothing up while pods of a third version use all the headroom',
      3,
      { setWeight: 20, maxSurge: 0, maxUnavailable: 3 },
      [0, 0],
      [0, 0],
      4,
      [0, 0],
    ],
    ['nothing down while just enough pods are ready', 7, { setWeight: 0, maxSurge: 0, maxUnavailable: 3 }, [4, 1], [5, 0], 0, [4, 5]],
    [
      'stable down to the minimum of ready pods, and the new version up instead, if both exceed the limit',
      7,
      { setWeight: 20, maxSurge: 1, maxUnavailable: 0 },
      [10, 0],
      [9, 9],
      0,
      [1, 7],
    ],
    ['the same in reverse, while scaling up', 7, { setWeight: 100, maxSurge: 0, maxUnavailable: 1 }, [6, 5], [9, 7], 0, [6, 1]],
  ])('%s', (_what, replicas, limits, next, old, third, expected) => {
    const older = { size: third, ready: third };
    expect(counts(replicas, limits, { next: group(next), old: group(old), older })).toEqual(expected);
  });

  test.each<[string, number, number, number, readonly [number, number]]>([
    ['up to the available headroom', 2, 2, 1, [3, 2]],
    ['not at all while pods of the old version use the headroom', 3, 2, 0, [3, 2]],
    ['not down to the pods that the old ones leave', 3, 4, 1, [3, 4]],
    ['not beyond its replicas', 4, 1, 3, [4, 1]],
    ['not down from more than its replicas', 5, 1, 3, [5, 1]],
  ])('a promoted version scales %s: %i pods next to %i, with a surge of %i: %j', (_what, next, old, maxSurge, expected) => {
    const state = { next: group([next, next]), old: group([old, old]), older: NO_PODS, step: 1, isPromoted: true };
    expect(counts(4, { setWeight: 50, maxSurge, maxUnavailable: 1 }, state)).toEqual(expected);
  });
});

describe('a step is done', () => {
  const isDone = (fields: object, size: number, ready: number, desired: number) =>
    isAtThreshold(canaryWith(fields), { size, ready }, desired);

  test.each([
    [4, 4, 4, true],
    [4, 3, 4, false],
    [3, 3, 4, false],
    [5, 4, 4, false],
    [0, 0, 0, true],
  ])('with exactly the desired pods, all ready: %i pods, %i ready, of %i: %j', (size, ready, desired, expected) => {
    expect(isDone({}, size, ready, desired)).toBe(expected);
  });

  test.each([
    [80, 5, 4, 5, true],
    [81, 5, 4, 5, false],
    [80, 5, 3, 5, false],
    [29, 100, 29, 100, true],
    [100, 5, 5, 5, true],
    [100, 3, 3, 5, false],
    [0, 5, 0, 5, true],
    [50, 0, 0, 0, true],
  ])('with %i percent of them: %i pods, %i ready, of %i: %j', (value, size, ready, desired, expected) => {
    expect(isDone({ replicaProgressThreshold: { type: 'Percent', value } }, size, ready, desired)).toBe(expected);
  });

  test.each([
    [3, 5, 3, 5, true],
    [3, 5, 2, 5, false],
    [3, 5, 4, 5, true],
    [1, 0, 0, 0, false],
  ])('with %i of its pods: %i pods, %i ready, of %i: %j', (value, size, ready, desired, expected) => {
    expect(isDone({ replicaProgressThreshold: { type: 'Pod', value } }, size, ready, desired)).toBe(expected);
  });
});
