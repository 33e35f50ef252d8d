import { assert, constantFrom, integer, oneof, property } from 'fast-check';
import { resolveBudgetDemand } from '../../src/cluster/disruption-budgets/disruption-budget';
import type { Manifest } from '../../src/core/manifest/manifest';
import { planManifests } from '../../src/headless';
import { planInput } from '../../src/plan/plan';
import { factsOf } from '../facts';
import { deployment, statefulSet } from '../builders/workload';
import { findingsOf, lines, rolloutOf } from '../workloads/plan';
import { autoscaler } from '../builders/autoscaler';
import { disruptionBudget } from '../builders/disruption-budget';

const SELECTOR = { matchLabels: { app: 'web' } };

function web(replicas: number, rollingUpdate: object, labels: object = { app: 'web' }) {
  return deployment({ replicas, strategy: { rollingUpdate }, template: { metadata: { labels } } });
}

const ONE_BY_ONE = { maxSurge: 0, maxUnavailable: 1 };
const NEVER_FEWER = { maxSurge: 1, maxUnavailable: 0 };

/** Returns a location with the kind of the object as file, and the length of the path as line. */
function byKind(object: object, path: string) {
  return { file: (object as Manifest).kind, line: path.length };
}

function set(name: string) {
  return statefulSet({ replicas: 3, template: { metadata: { labels: { app: 'web' } } } }, { name });
}

function blocked(...objects: object[]) {
  return findingsOf(objects, 'kubernetes/pdb-blocks-eviction');
}

function broken(...objects: object[]) {
  return findingsOf(objects, 'kubernetes/pdb-broken-by-rollout');
}

describe('a PodDisruptionBudget is resolved like in the disruption controller: both fields round up', () => {
  test.each([
    [{ minAvailable: 3 }, 4, 3],
    [{ minAvailable: '50%' }, 7, 4],
    [{ minAvailable: '1%' }, 4, 1],
    [{ minAvailable: 9 }, 4, 9],
    [{ maxUnavailable: 1 }, 4, 3],
    [{ maxUnavailable: '50%' }, 7, 3],
    [{ maxUnavailable: 9 }, 4, 0],
    [{ maxUnavailable: 0 }, 4, 4],
  ])('%j of %d pods requires %d healthy', (spec, pods, desiredHealthy) => {
    expect(resolveBudgetDemand(disruptionBudget(spec), pods)).toMatchObject({ desiredHealthy });
  });

  test.each([{}, { minAvailable: 'half' }, { minAvailable: '1' }])('%j has no readable limit', (spec) => {
    expect(resolveBudgetDemand(disruptionBudget(spec), 4)).toBeUndefined();
  });
});

/** The object that contains the field of a finding: the budget, not the workload that the finding is reported for. */
const BUDGET = { kind: 'PodDisruptionBudget', name: 'budget' };

test('a budget that no number of pods satisfies and a rollout that leaves none get the same advice', () => {
  const findings = [blocked, broken].flatMap((check) =>
    check(web(2, { maxSurge: 0, maxUnavailable: 2 }), disruptionBudget({ minAvailable: 3 })),
  );
  expect(findings.map(({ code, help }) => [code, help])).toEqual([
    ['kubernetes/pdb-blocks-eviction', 'Write maxUnavailable: 1 instead, or minAvailable: 1.'],
    [
      'kubernetes/pdb-broken-by-rollout',
      'Write a rolling update that waits for readiness probes, with maxSurge: 0 and maxUnavailable: 1, and let the budget allow one pod to be unavailable.',
    ],
  ]);
});

test('the advice about an outage respects a budget that the rollout also breaks', () => {
  const { findings } = planManifests([web(4, { maxSurge: 0, maxUnavailable: '100%' }), disruptionBudget({ minAvailable: 3 })]).rollouts[0]!;
  expect(findings.filter(({ code }) => code === 'kubernetes/outage').map(({ help }) => help)).toEqual([
    'Write maxUnavailable: 1, which PodDisruptionBudget "budget" allows too.',
  ]);
});

describe('kubernetes/pdb-blocks-eviction', () => {
  test('a budget that requires all of its pods prevents draining a node', () => {
    expect(factsOf(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3 })))).toEqual([
      {
        code: 'kubernetes/pdb-blocks-eviction',
        severity: 'warning',
        messageId: 'blocked',
        path: 'spec.minAvailable',
        object: BUDGET,
        data: { budget: 'budget', field: 'minAvailable', value: 3, pods: 3, maxUnavailable: 1, minAvailable: 2 },
      },
    ]);
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ maxUnavailable: '0%' }))).toMatchObject([
      { messageId: 'blocked', path: 'spec.maxUnavailable', data: { field: 'maxUnavailable', value: '0%', pods: 3 } },
    ]);
    expect(blocked(web(1, NEVER_FEWER), disruptionBudget({ minAvailable: '50%' }))).toMatchObject([
      { messageId: 'blocked', data: { field: 'minAvailable', value: '50%', pods: 1 } },
    ]);
  });

  test('it reports nothing if one pod may be evicted, or if there are no pods', () => {
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 2 }))).toEqual([]);
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ maxUnavailable: 1 }))).toEqual([]);
    expect(blocked(web(0, NEVER_FEWER), disruptionBudget({ minAvailable: 1 }))).toEqual([]);
  });

  test('pods of all covered workloads count, and the first workload by name has the only finding', () => {
    const api = deployment({ replicas: 2, template: { metadata: { labels: { app: 'web' } } } }, { name: 'api' });
    expect(blocked(web(3, NEVER_FEWER), api, disruptionBudget({ minAvailable: 3 }))).toEqual([]);
    const { rollouts } = planManifests([web(3, NEVER_FEWER), api, disruptionBudget({ minAvailable: 5 })]);
    expect(rollouts.map(({ findings }) => lines(findings).filter((line) => line.includes('pdb')))).toEqual([
      [],
      ['warning kubernetes/pdb-blocks-eviction spec.minAvailable'],
    ]);
  });

  test('for any order of the values in its selector', () => {
    const named = (name: string) => deployment({ replicas: 2 }, { name });
    const either = (values: readonly string[]) =>
      disruptionBudget({ minAvailable: 4, selector: { matchExpressions: [{ key: 'app', operator: 'In', values }] } });
    for (const values of [
      ['api', 'web'],
      ['web', 'api'],
      ['web', 'api', 'web'],
    ]) {
      const { rollouts } = planManifests([named('web'), named('api'), either(values)]);
      const blockedBy = rollouts.map(({ resource, findings }) => [
        resource.name,
        findings.filter(({ code }) => code.includes('pdb')).length,
      ]);
      expect(blockedBy).toEqual([
        ['web', 0],
        ['api', 1],
      ]);
    }
  });

  test('a null limit is unset and does not count as a second one', () => {
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3, maxUnavailable: null }))).toHaveLength(1);
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: null, maxUnavailable: 0 }))).toHaveLength(1);
  });

  test('a rollout that also breaks it is not a second finding', () => {
    expect(broken(web(3, ONE_BY_ONE), disruptionBudget({ minAvailable: 3 }))).toEqual([]);
  });

  test('the source of the finding is that of the budget', () => {
    const objects = [web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3 })] as Manifest[];
    const [rollout] = planInput({ objects, locate: byKind }).rollouts;
    expect(rollout!.findings.find(({ code }) => code === 'kubernetes/pdb-blocks-eviction')!.source).toEqual({
      file: 'PodDisruptionBudget',
      line: 17,
    });
  });
});

describe('several budgets that select the same pods', () => {
  function named(name: string, selector: object = SELECTOR) {
    return disruptionBudget({ maxUnavailable: 1, selector }, { name });
  }
  const API = deployment({ replicas: 2, template: { metadata: { labels: { app: 'web', tier: 'api' } } } }, { name: 'api' });

  test('prevent all evictions, whatever they allow', () => {
    expect(factsOf(blocked(web(3, NEVER_FEWER), named('a'), named('b', {}), named('c')))).toEqual([
      {
        code: 'kubernetes/pdb-blocks-eviction',
        severity: 'warning',
        messageId: 'overlap',
        path: 'spec.selector',
        object: { ...BUDGET, name: 'b' },
        data: { budgets: ['a', 'b', 'c'], kind: 'Deployment', name: 'web' },
      },
    ]);
  });

  test('are one finding, with the first workload under them by name', () => {
    const plan = planManifests([web(3, NEVER_FEWER), API, named('a'), named('b'), named('c', { matchLabels: { tier: 'api' } })]);
    expect(plan.rollouts.map(({ findings }) => lines(findings).filter((line) => line.includes('pdb')))).toEqual([
      ['warning kubernetes/pdb-blocks-eviction spec.selector'],
      ['warning kubernetes/pdb-blocks-eviction spec.selector'],
    ]);
    const two = planManifests([web(3, NEVER_FEWER), API, named('a'), named('b')]);
    expect(two.rollouts.map(({ findings }) => findings.filter(({ path }) => path === 'spec.selector').length)).toEqual([0, 1]);
  });

  test('are not reported if their selectors do not overlap, or if the API server refuses one of them', () => {
    const tiers = [named('a', { matchLabels: { tier: 'web' } }), named('b', { matchLabels: { tier: 'api' } })];
    expect(findingsOf([API, ...tiers], 'kubernetes/pdb-blocks-eviction')).toEqual([]);
    expect(blocked(web(3, NEVER_FEWER), named('a'), disruptionBudget({ minAvailable: 3, maxUnavailable: 0 }))).toEqual([]);
    expect(blocked(web(0, NEVER_FEWER), named('a'), named('b'))).toEqual([]);
  });
});

describe('kubernetes/pdb-broken-by-rollout', () => {
  test('a rollout deletes more pods than the budget allows', () => {
    expect(factsOf(broken(web(4, { maxSurge: 0, maxUnavailable: 2 }), disruptionBudget({ minAvailable: 3 })))).toEqual([
      {
        code: 'kubernetes/pdb-broken-by-rollout',
        severity: 'warning',
        messageId: 'singleWorkload',
        path: 'spec.minAvailable',
        object: BUDGET,
        data: {
          budget: 'budget',
          field: 'minAvailable',
          value: 3,
          desiredHealthy: 3,
          pods: 4,
          lowestAvailable: 2,
          limit: { kind: 'Deployment', name: 'web', path: 'spec.strategy.rollingUpdate.maxUnavailable' },
        },
      },
    ]);
  });

  test('Recreate breaks budgets, and a StatefulSet does not if one pod may be unavailable', () => {
    const labelled = { metadata: { labels: { app: 'web' } } };
    expect(
      broken(deployment({ replicas: 3, strategy: { type: 'Recreate' }, template: labelled }), disruptionBudget({ minAvailable: 1 })),
    ).toHaveLength(1);
    expect(broken(statefulSet({ replicas: 3, template: labelled }), disruptionBudget({ maxUnavailable: '1%' }))).toEqual([]);
    expect(
      broken(statefulSet({ replicas: 3, updateStrategy: { type: 'OnDelete' }, template: labelled }), disruptionBudget({ minAvailable: 2 })),
    ).toEqual([]);
  });

  test('a rolling update that leaves no pod has a limit to lower, and Recreate has none', () => {
    const all = web(2, { maxSurge: 1, maxUnavailable: 2 });
    const recreate = deployment({ replicas: 2, strategy: { type: 'Recreate' }, template: { metadata: { labels: { app: 'web' } } } });
    const [rolling] = broken(all, disruptionBudget({ minAvailable: 1 }));
    expect(rolling!.data).toMatchObject({ lowestAvailable: 0, limit: { name: 'web', path: 'spec.strategy.rollingUpdate.maxUnavailable' } });
    const [recreated] = broken(recreate, disruptionBudget({ minAvailable: 1 }));
    expect(recreated!.data).toMatchObject({ lowestAvailable: 0 });
    expect(recreated!.data).not.toHaveProperty('limit');
  });

  test('it reports nothing if the rollout respects the budget', () => {
    expect(broken(web(4, ONE_BY_ONE), disruptionBudget({ minAvailable: 3 }))).toEqual([]);
    expect(broken(web(4, NEVER_FEWER), disruptionBudget({ minAvailable: 3 }))).toEqual([]);
  });

  test('two StatefulSets under one budget respect it individually, but not together', () => {
    const limit = { budget: 'budget', field: 'maxUnavailable', value: 1 };
    expect(broken(set('a'), set('b'), disruptionBudget({ maxUnavailable: 1 }))).toMatchObject([
      {
        messageId: 'severalWorkloads',
        data: { ...limit, desiredHealthy: 5, lowestAvailable: 4, otherWorkloads: 1, otherWorkload: 'StatefulSet "b"' },
      },
    ]);
    const [three] = broken(set('a'), set('b'), set('c'), disruptionBudget({ maxUnavailable: 1 }));
    expect(three!.data).toEqual({ ...limit, desiredHealthy: 8, pods: 9, lowestAvailable: 6, otherWorkloads: 2 });
    expect(broken(set('a'), set('b'), disruptionBudget({ maxUnavailable: 2 }))).toEqual([]);
  });

  test('a paused Deployment deletes no pod', () => {
    const paused = deployment({
      replicas: 4,
      paused: true,
      strategy: { type: 'Recreate' },
      template: { metadata: { labels: { app: 'web' } } },
    });
    expect(broken(paused, disruptionBudget({ minAvailable: 3 }))).toEqual([]);
    expect(rolloutOf([paused, disruptionBudget({ minAvailable: 3 })])).toMatchObject({ simulation: null });
    expect(rolloutOf([paused, disruptionBudget({ minAvailable: 3 })]).budgets).toBeUndefined();
  });
});

describe('a budget covers the pods that match its selector in its own namespace', () => {
  test.each([
    ['other labels', { selector: { matchLabels: { app: 'api' } } }, 0],
    [
      'labels and an expression',
      { selector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } },
      1,
    ],
    ['only an expression', { selector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] } }, 1],
    ['an empty selector, which matches all pods', { selector: {} }, 1],
    ['no selector, which matches no pods', { selector: null }, 0],
  ])('%s', (_what, spec, findings) => {
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3, ...spec }))).toHaveLength(findings);
  });

  test('in policy/v1beta1 an empty selector matches no pods', () => {
    const old = (selector: object) => ({ ...disruptionBudget({ minAvailable: 3, selector }), apiVersion: 'policy/v1beta1' });
    const blockedIn124 = (other: object) => {
      const { rollouts } = planManifests([web(3, NEVER_FEWER), other], { versions: { kubernetes: '1.24' } });
      return rollouts.flatMap(({ findings }) => findings).filter(({ code }) => code === 'kubernetes/pdb-blocks-eviction');
    };
    expect(blockedIn124(old({}))).toEqual([]);
    expect(blockedIn124(old({ matchLabels: {} }))).toEqual([]);
    expect(blockedIn124(old(SELECTOR))).toHaveLength(1);
  });

  test('a budget of another namespace covers nothing', () => {
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3 }, { namespace: 'shop' }))).toEqual([]);
  });
});

describe('an autoscaler that changes the number of pods', () => {
  const hpa = autoscaler({ minReplicas: 2, maxReplicas: 6 });
  const scaled = (always: boolean) => ({ by: ['HorizontalPodAutoscaler "web"'], minimum: 2, maximum: 6, always });
  const two = web(2, NEVER_FEWER);

  test('makes the wait temporary, both with few pods and at any number of pods', () => {
    expect(blocked(two, hpa, disruptionBudget({ minAvailable: 2 }))).toMatchObject([{ data: { pods: 2, autoscaled: scaled(false) } }]);
    expect(blocked(two, hpa, disruptionBudget({ maxUnavailable: 0 }))).toMatchObject([{ data: { pods: 2, autoscaled: scaled(true) } }]);
    for (const finding of blocked(two, hpa, disruptionBudget({ minAvailable: 2 }))) expect(finding.message).not.toMatch(/ever|permanently/);
    expect(blocked(two, disruptionBudget({ minAvailable: 2 }))[0]!.data).not.toHaveProperty('autoscaled');
  });

  test('has no effect with a fixed number of pods', () => {
    const fixed = { ...hpa, spec: { ...hpa.spec, maxReplicas: 2 } };
    expect(blocked(two, fixed, disruptionBudget({ minAvailable: 2 }))[0]!.data).not.toHaveProperty('autoscaled');
  });
});

describe('one object counts once', () => {
  test('a budget that is in the input twice is not a second budget', () => {
    expect(blocked(web(3, NEVER_FEWER), disruptionBudget({ maxUnavailable: 1 }), disruptionBudget({ maxUnavailable: 1 }))).toEqual([]);
  });

  test('pods of a Deployment that is in the input twice are not counted twice', () => {
    const { rollouts } = planManifests([web(3, NEVER_FEWER), web(3, NEVER_FEWER), disruptionBudget({ minAvailable: 3 })]);
    expect(rollouts.map(({ findings }) => findings.filter(({ code }) => code.includes('pdb')).map(({ data }) => data.pods))).toEqual([
      [3],
      [],
    ]);
  });
});

describe('the values in the help satisfy the budget', () => {
  test.each([
    [{ minAvailable: '80%' }, 5],
    [{ minAvailable: '50%' }, 2],
    [{ minAvailable: 1 }, 2],
    [{ minAvailable: 3 }, 4],
    [{ minAvailable: '100%' }, undefined],
    [{ maxUnavailable: 0 }, undefined],
  ])('for one replica under %j: replicas %s', (spec, replicas) => {
    expect(blocked(web(1, NEVER_FEWER), disruptionBudget(spec))[0]!.data.replicas).toBe(replicas);
  });

  test('a rollout that leaves no pod breaks any budget, and both findings are reported', () => {
    const recreate = deployment({ replicas: 3, strategy: { type: 'Recreate' }, template: { metadata: { labels: { app: 'web' } } } });
    expect(blocked(recreate, disruptionBudget({ minAvailable: 3 }))).toMatchObject([{ data: { maxUnavailable: 1, minAvailable: 2 } }]);
    expect(broken(recreate, disruptionBudget({ minAvailable: 3 }))).toMatchObject([
      { data: { desiredHealthy: 3, pods: 3, lowestAvailable: 0 } },
    ]);
  });

  /** The values in the help, for a budget and a Deployment. */
  interface SuggestedValues {
    readonly maxUnavailable?: number;
    readonly minAvailable?: number;
    readonly replicas?: number;
    readonly pods: number;
    readonly desiredHealthy?: number;
    readonly lowestAvailable?: number;
  }

  const anyLimit = oneof(
    integer({ min: 0, max: 9 }),
    integer({ min: 0, max: 100 }).map((share): `${number}%` => `${share}%`),
  );

  test('following the help removes the finding and causes none of the other rule', () => {
    assert(
      property(
        integer({ min: 1, max: 9 }),
        anyLimit,
        constantFrom('minAvailable', 'maxUnavailable'),
        integer({ min: 0, max: 3 }),
        integer({ min: 0, max: 3 }),
        (replicas, limit, field, maxSurge, maxUnavailable) => {
          const pace = maxSurge + maxUnavailable === 0 ? NEVER_FEWER : { maxSurge, maxUnavailable };
          const codesOf = (objects: object[]) => [...blocked(...objects), ...broken(...objects)].map(({ code }) => code);
          const before = [web(replicas, pace), disruptionBudget({ [field]: limit })];
          const follow = (finding: { data: object; messageId: string }): object[][] => {
            const advice = finding.data as SuggestedValues;
            if (finding.messageId === 'blocked') {
              return [
                [before[0]!, disruptionBudget({ maxUnavailable: advice.maxUnavailable })],
                ...(advice.minAvailable === undefined ? [] : [[before[0]!, disruptionBudget({ minAvailable: advice.minAvailable })]]),
                ...(advice.replicas === undefined ? [] : [[web(advice.replicas, pace), before[1]!]]),
              ];
            }
            const allowed = advice.pods - advice.desiredHealthy!;
            const looser =
              field === 'minAvailable'
                ? { minAvailable: advice.lowestAvailable }
                : { maxUnavailable: advice.pods - advice.lowestAvailable! };
            return [
              ...(allowed > 0 ? [[web(replicas, { maxSurge: 0, maxUnavailable: allowed }), before[1]!]] : []),
              ...(advice.lowestAvailable === 0 ? [] : [[before[0]!, disruptionBudget(looser)]]),
            ];
          };
          const known = codesOf(before);
          for (const finding of [...blocked(...before), ...broken(...before)]) {
            for (const after of follow(finding)) {
              const codes = codesOf(after);
              expect(codes).not.toContain(finding.code);
              expect(codes.filter((code) => !known.includes(code))).toEqual([]);
            }
          }
        },
      ),
    );
  });
});
