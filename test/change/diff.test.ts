import * as fc from 'fast-check';
import type { Finding, Severity } from '../../src/core/findings/finding';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { PlanChange, RiskEffect } from '../../src/core/document/behaviour';
import type { PlanDiff } from '../../src/core/document/plan-diff';
import type { PlanDocument } from '../../src/core/document/plan-document';
import type { PlannedRollout } from '../../src/core/document/rollout';
import type { Simulation } from '../../src/core/simulations/simulation';
import { diffPlans, planChange, planManifests } from '../../src/headless';
import { FIGURE_RULES } from '../../src/change/diff/diff-rules';
import planSchema from '../../schemas/plan-1.2.json';
import { expectValidDiff } from '../plan-schema';
import { planOf, rolloutOf } from '../render/plans';
import { podTemplate, workload } from '../builders/workload';

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

/** Deployment shop/web with this strategy, without other findings. */
function deployment(strategy: unknown, replicas = 10, metadata: object = { name: 'web', namespace: 'shop' }): object {
  const template = podTemplate({ name: 'web', image: 'web:1', readinessProbe: { httpGet: { path: '/', port: 80 } } });
  return workload('Deployment', { replicas, strategy, template }, metadata);
}

function rolling(maxSurge: unknown, maxUnavailable: unknown): object {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

function diffOf(before: readonly object[], after: readonly object[]): PlanDiff {
  return expectValidDiff(diffPlans(planManifests(before), planManifests(after)));
}

/** Returns the changes as short lines: `minAvailable 8 -> 6 riskier`. */
function lines({ changed }: Pick<PlanDiff, 'changed'>): string[] {
  return changed.map(({ field, old, new: next, risk }) => `${field} ${JSON.stringify(old)} -> ${JSON.stringify(next)} ${risk}`);
}

function findingOf(code: string, severity: Severity, path = 'spec', messageId = 'seen'): Finding {
  return { code, severity, messageId, data: {}, path, message: `It is ${severity}.` };
}

test('an object on which only comparing fails is one that is not read, once', () => {
  const [both, failed] = [findingOf('input/unreadable', 'error'), { ...findingOf('input/unreadable', 'error'), message: 'It fails.' }];
  const plan = planManifests([deployment(rolling(3, 2))]);
  const diff = diffPlans({ ...plan, findings: [both] }, plan, undefined, { findings: [both, failed] });
  expect(diff.unread).toEqual({ old: [both], new: [failed] });
});

test('every field that differs is one entry: strategy, layers, simulation fields, findings', () => {
  const before = deployment(rolling(3, 2));
  const after = deployment({ rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } });
  const [outage] = planManifests([after]).rollouts[0]!.findings;
  expect(diffOf([before], [after])).toEqual({
    formatVersion: '1.2',
    assumedVersions: { kubernetes: '1.36' },
    changed: [
      { resource: WEB, field: 'maxSurge', old: 3, new: 0, risk: 'neutral' },
      { resource: WEB, field: 'maxUnavailable', old: 2, new: '100%', risk: 'neutral' },
      { resource: WEB, field: 'type layer', old: 'user', new: 'kubernetes-default', risk: 'neutral' },
      { resource: WEB, field: 'surge', old: 3, new: 0, risk: 'neutral' },
      { resource: WEB, field: 'unavailable', old: 2, new: 10, risk: 'neutral' },
      { resource: WEB, field: 'iterations', old: 2, new: 1, risk: 'neutral' },
      {
        resource: WEB,
        field: 'peakPods',
        old: 13,
        new: 10,
        risk: 'safer',
        reason: 'A higher peak needs more capacity in the cluster.',
      },
      {
        resource: WEB,
        field: 'minAvailable',
        old: 8,
        new: 0,
        risk: 'riskier',
        reason: 'The fewer pods are available at the worst moment, the less capacity is left to serve.',
      },
      {
        resource: WEB,
        field: 'finding kubernetes/outage',
        old: null,
        new: 'warning',
        risk: 'riskier',
        reason: outage!.message,
      },
    ],
    notPlanned: [],
    riskier: true,
  });
});

test('a change that does not affect the rollout is no difference: another image of a Deployment', () => {
  const before = deployment(rolling(3, 2));
  const after = JSON.parse(JSON.stringify(before).replace('web:1', 'web:2')) as object;
  expect(diffOf([before], [after])).toMatchObject({ changed: [], notPlanned: [], riskier: false });
});

test('nothing changes for a refused object, so none of its fields is riskier or safer', () => {
  const before = deployment(rolling(3, 2));
  const diffTo = (next: object) => {
    const { change } = planChange([before], [next]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['refused']);
    return lines(diffPlans(planManifests([before]), planManifests([next]), change));
  };
  const renamed = (to: string, text: string) => text.replaceAll('"app":"web"', `"app":"${to}"`);
  expect(diffTo(JSON.parse(renamed('x', JSON.stringify(deployment(rolling(0, 5))))) as object)).toEqual([]);
  // An object that is refused for its own values is no longer rolled out, which is a risk.
  expect(diffTo(deployment(rolling(0, 0)))).toEqual([
    'strategy {"type":"RollingUpdate","rollingUpdate":{"maxSurge":3,"maxUnavailable":2}} -> null riskier',
    'simulation "deployment" -> null riskier',
  ]);
});

test('a plan that is only safer is not riskier', () => {
  const diff = diffOf([deployment(rolling(0, 2))], [deployment(rolling(0, 1))]);
  expect(diff.riskier).toBe(false);
  expect(lines(diff)).toEqual([
    'maxUnavailable 2 -> 1 neutral',
    'unavailable 2 -> 1 neutral',
    'iterations 5 -> 10 neutral',
    'minAvailable 8 -> 9 safer',
  ]);
});

describe('the matching of rollouts', () => {
  const named = (name: string, namespace?: string) =>
    deployment(rolling(3, 2), 10, namespace === undefined ? { name } : { name, namespace });

  test('rollouts of only one plan are no difference in behaviour', () => {
    expect(diffOf([named('a'), named('b'), named('c')], [named('e'), named('b'), named('d')]).changed).toEqual([]);
  });

  test('depends on the namespace', () => {
    const other = (namespace: string) => deployment(rolling(0, 5), 10, { name: 'a', namespace });
    expect(diffOf([named('a', 'one')], [other('two')]).changed).toEqual([]);
    expect(diffOf([named('a', 'one')], [other('one')]).changed).not.toEqual([]);
  });

  test('depends on kind, group and component, but not on the API version', () => {
    const rollout = (resource: object, surge: number) => rolloutOf(null, { resource: { ...WEB, ...resource }, strategy: { surge } });
    const differs = (resource: object) => diffPlans(planOf([rollout({}, 1)]), planOf([rollout(resource, 2)])).changed.length;
    expect([{ kind: 'StatefulSet' }, { apiVersion: 'toys/v1' }, { component: 'predictor' }].map(differs)).toEqual([0, 0, 0]);
    expect(differs({ apiVersion: 'apps/v2' })).toBe(1);
  });

  test('matches the first of two with one name with the first', () => {
    const two = (first: number, second: number) => [deployment(rolling(first, 0)), deployment(rolling(second, 0))];
    expect(lines(diffOf(two(1, 2), two(1, 5)))).toContain('maxSurge 2 -> 5 neutral');
    expect(lines(diffOf(two(1, 2), two(1, 2)))).toEqual([]);
  });

  test('treats an added or removed rollout as no risk, whatever its findings', () => {
    const full = planOf([rolloutOf(null, { findings: [findingOf('kubernetes/foreign-owner', 'error')] })]);
    expect(diffPlans(planOf([]), full)).toEqual({ formatVersion: '1.2', changed: [], notPlanned: [], riskier: false });
    expect(diffPlans(full, planOf([])).riskier).toBe(false);
  });
});

describe('a scale is no risk', () => {
  test('even if its consequences look worse', () => {
    const diff = diffOf([deployment(rolling('25%', '25%'), 10)], [deployment(rolling('25%', '25%'), 2)]);
    expect(diff.riskier).toBe(false);
    expect(lines(diff)).toContain('minAvailable 8 -> 2 neutral');
  });

  test('but with another strategy its consequences are evaluated', () => {
    expect(diffOf([deployment(rolling('25%', '25%'), 10)], [deployment({ type: 'Recreate' }, 12)]).riskier).toBe(true);
  });
});

describe('the fields of a strategy have short names', () => {
  test.each<[string, unknown, unknown, string[]]>([
    [
      'Deployment',
      rolling(1, 0),
      { type: 'Recreate' },
      ['type "RollingUpdate" -> "Recreate"', 'maxSurge 1 -> null', 'maxUnavailable 0 -> null'],
    ],
    ['StatefulSet', { rollingUpdate: { partition: 0 } }, { rollingUpdate: { partition: 3 } }, ['partition 0 -> 3']],
    [
      'RayService',
      { clusterUpgradeOptions: { stepSizePercent: 5, intervalSeconds: 10 } },
      { clusterUpgradeOptions: { stepSizePercent: 10, intervalSeconds: 60 } },
      ['stepSizePercent 5 -> 10', 'intervalSeconds 10 -> 60'],
    ],
    [
      'Fleet',
      { maxUnavailable: '25%', partitions: [{ name: 'a', maxUnavailable: 1 }] },
      { maxUnavailable: '50%', partitions: [{ name: 'a', maxUnavailable: 2 }, { name: 'b' }] },
      ['maxUnavailable "25%" -> "50%"', 'partitions[0].maxUnavailable 1 -> 2', 'partitions[1].name null -> "b"'],
    ],
    ['Fleet without one', {}, { maxNew: 10 }, ['maxNew null -> 10']],
  ])('%s', (_, before, after, expected) => {
    const diff = diffPlans(planOf([rolloutOf(null, { strategy: before })]), planOf([rolloutOf(null, { strategy: after })]));
    expect(lines(diff)).toEqual(expected.map((line) => `${line} neutral`));
  });

  test('including the level that decides a field, and its value if the strategy lacks it', () => {
    const decided = (value: string, layer: string) =>
      planOf([
        rolloutOf(null, { strategy: {}, provenance: [{ field: 'targetCustomizations[c1]', value, layer, reason: '', overridden: [] }] }),
      ]);
    expect(lines(diffPlans(decided('big', 'user'), decided('small', 'user')))).toEqual([
      'targetCustomizations[c1] "big" -> "small" neutral',
    ]);
    expect(lines(diffPlans(decided('big', 'user'), decided('big', 'platform-config')))).toEqual([
      'targetCustomizations[c1] layer "user" -> "platform-config" neutral',
    ]);
  });
});

/** Every rule: a field, a harmless value, a more harmful one, and the effect of changing from the first to the second. */
const EFFECTS: readonly (readonly [field: string, before: unknown, after: unknown, effect: RiskEffect])[] = [
  ['replicas', 5, 10, 'neutral'],
  ['size', 4, 8, 'neutral'],
  ['nodes', 5, 10, 'neutral'],
  ['otherNodesDown', 1, 2, 'neutral'],
  ['surge', 1, 2, 'neutral'],
  ['unavailable', 1, 2, 'neutral'],
  ['simulation.maxUnavailable', 1, 2, 'riskier'],
  ['leaderLimit', 1, 2, 'neutral'],
  ['iterations', 1, 2, 'neutral'],
  ['peakGroups', 2, 3, 'neutral'],
  ['peakPods', 10, 13, 'riskier'],
  ['minAvailable', 8, 7, 'riskier'],
  ['maxSkewPercent', 10, 20, 'neutral'],
  ['remainingSurge', 1, 2, 'riskier'],
  ['halted', null, { wave: 1, nodes: 1, reason: 'nodes-down' }, 'riskier'],
  ['applications', 2, 3, 'neutral'],
  ['isStepwise', true, false, 'neutral'],
  ['alsoRestarts', null, true, 'neutral'],
  ['rolledBackPods', null, 2, 'neutral'],
  ['restartsSteps', null, true, 'neutral'],
  ['done', true, false, 'riskier'],
  ['unmatchedCount', 0, 2, 'riskier'],
  ['waitSeconds', 30, 60, 'neutral'],
  ['maxWeight', 100, 150, 'neutral'],
  ['remainingOldPods', 0, 4, 'riskier'],
  ['abort.minAvailable', 4, 3, 'riskier'],
  ['blocked', null, { ordinal: 3, reason: 'unready' }, 'riskier'],
  ['latestTrafficPercent', 10, 100, 'neutral'],
  ['outcome', 'promoted', 'stalled', 'riskier'],
  ['outcome', 'none', 'stalled', 'neutral'],
  ['durationSeconds', 0, 200, 'neutral'],
  ['capacityChanges', 1, 10, 'neutral'],
  ['trafficShifts', 1, 20, 'neutral'],
  ['peakCapacityPercent', 120, 200, 'riskier'],
  ['rollback.durationSeconds', 100, 200, 'neutral'],
  ['simulation.maxUnavailablePartitions', 0, 1, 'riskier'],
  ['unpartitionedCount', 0, 3, 'riskier'],
  ['install.halted', null, { partition: 'canary', unavailablePartitions: 1 }, 'riskier'],
  ['install.notReleasedCount', 0, 4, 'neutral'],
  ['update.halted', null, { partition: null, unavailablePartitions: 0 }, 'riskier'],
  ['update.notReleasedCount', 0, 4, 'neutral'],
  ['capacity.verdict', 'fits', 'slower', 'riskier'],
  ['capacity.verdict', 'slower', 'deadlocks', 'riskier'],
  ['capacity.verdict', null, 'fits', 'neutral'],
  ['duration.expectedSeconds', 10, null, 'neutral'],
  ['duration.abortSeconds', 600, null, 'neutral'],
  ['duration.blastRadius', 1, 3, 'riskier'],
  ['workers.surgePods', 1, 3, 'riskier'],
  ['workers.surgeGpus', 0, 8, 'riskier'],
];

const SIMULATION_KINDS = planSchema.$defs.simulation.properties.kind.enum as readonly Simulation['kind'][];

const MIRRORED: Readonly<Record<RiskEffect, RiskEffect>> = { riskier: 'safer', safer: 'riskier', neutral: 'neutral' };

/** Returns `{ a: { b: value } }` for the path a, b. */
function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, field) => ({ [field]: inner }), value) as object;
}

describe('the effect of a field that differs', () => {
  const planWith = (field: string, value: unknown): PlanDocument => {
    const [first, ...rest] = FIGURE_RULES.find((rule) => rule.field === field)!.path;
    const part = nested(rest, value);
    const figures = first === 'simulation' ? { simulation: part } : { simulation: {}, [first!]: part };
    return planOf([rolloutOf(null, figures as Partial<PlannedRollout>)]);
  };

  test.each(EFFECTS)('%s %j -> %j is %s, and the reverse has the opposite effect', (field, before, after, effect) => {
    expect(diffPlans(planWith(field, before), planWith(field, after)).changed).toMatchObject([
      { field, old: before, new: after, risk: effect },
    ]);
    expect(diffPlans(planWith(field, after), planWith(field, before)).changed).toMatchObject([
      { field, old: after, new: before, risk: MIRRORED[effect] },
    ]);
  });

  test('there is an example of every rule, and a reason if it evaluates the field', () => {
    expect([...new Set(EFFECTS.map(([field]) => field))]).toEqual(FIGURE_RULES.map(({ field }) => field));
    expect(FIGURE_RULES.filter(({ risk, reason }) => (risk === undefined) !== (reason === undefined))).toEqual([]);
  });
});

/** Parts of a simulation that are compared elsewhere: its rows by the fields computed from them, and strategy settings by the strategy. */
const NO_FIGURES: readonly string[] = ['kind', 'elided', 'partition', 'type', 'maxNew', 'waves', 'order', 'batches', 'untouched', 'steps'];
const LISTS: readonly string[] = ['roles', 'previews', 'partitions', 'unpartitioned', 'unmatched'];

test.each(SIMULATION_KINDS)('no field of a %s is left out of a diff', (kind) => {
  const figures = Object.keys(planSchema.$defs[kind].properties).filter((field) => ![...NO_FIGURES, ...LISTS].includes(field));
  const compared = FIGURE_RULES.filter(({ path: [first] }) => first === 'simulation').map(({ path: [, field] }) => field);
  expect(figures.filter((figure) => !compared.includes(figure))).toEqual([]);
});

describe('the effect of no longer having a strategy and a simulation', () => {
  const web = planManifests([deployment(rolling(3, 2))]);

  test('is riskier if an error is the cause', () => {
    const refused = planManifests([deployment(rolling('3', 2))]);
    expect(lines(diffPlans(web, refused))).toEqual([
      'strategy {"type":"RollingUpdate","rollingUpdate":{"maxSurge":3,"maxUnavailable":2}} -> null riskier',
      'simulation "deployment" -> null riskier',
      'finding kubernetes/quoted-integer null -> "error" riskier',
    ]);
    expect(diffPlans(refused, web).changed.map(({ risk }) => risk)).toEqual(['safer', 'safer', 'safer']);
  });

  test('is neutral otherwise', () => {
    const paused = planManifests([
      { ...deployment(rolling(3, 2)), spec: { ...((deployment(rolling(3, 2)) as Manifest).spec as object), paused: true } },
    ]);
    expect(lines(diffPlans(web, paused))).toEqual([
      'simulation "deployment" -> null neutral',
      'finding kubernetes/paused null -> "info" neutral',
    ]);
  });
});

describe('findings', () => {
  const withFindings = (...findings: Finding[]) => planOf([rolloutOf(null, { findings })]);
  const warning = findingOf('kubernetes/no-readiness-probe', 'warning', 'spec.containers[0]');

  test.each<[string, Finding[], Finding[], string[]]>([
    ['a new error is riskier', [], [findingOf('a/b', 'error')], ['finding a/b null -> "error" riskier']],
    ['a new warning is riskier', [], [findingOf('a/b', 'warning')], ['finding a/b null -> "warning" riskier']],
    ['a new info is neutral', [], [findingOf('a/b', 'info')], ['finding a/b null -> "info" neutral']],
    [
      'an info that turns into an error is riskier',
      [findingOf('a/b', 'info')],
      [findingOf('a/b', 'error')],
      ['finding a/b "info" -> "error" riskier'],
    ],
    [
      'a warning that turns into an info is safer',
      [findingOf('a/b', 'warning')],
      [findingOf('a/b', 'info')],
      ['finding a/b "warning" -> "info" safer'],
    ],
    ['a removed one is safer', [findingOf('a/b', 'warning')], [], ['finding a/b "warning" -> null safer']],
    [
      'one that moved to another path because a container was inserted before is the same',
      [warning],
      [{ ...warning, path: 'spec.containers[1]' }],
      [],
    ],
    ['one with another message is the same', [warning], [{ ...warning, message: 'other figures' }], []],
    [
      'a second of one code is new',
      [warning],
      [warning, { ...warning, path: 'spec.containers[1]' }],
      ['finding kubernetes/no-readiness-probe null -> "warning" riskier'],
    ],
    [
      'one that stays is not matched with another',
      [warning, { ...warning, path: 'b', severity: 'error' }],
      [{ ...warning, path: 'b', severity: 'error' }],
      ['finding kubernetes/no-readiness-probe "warning" -> null safer'],
    ],
    [
      'of two with one code and path those with the same message id are matched',
      [findingOf('a/b', 'warning', 'spec', 'first'), findingOf('a/b', 'error', 'spec', 'second')],
      [findingOf('a/b', 'error', 'spec', 'second')],
      ['finding a/b "warning" -> null safer'],
    ],
    [
      'one with another message id is the same',
      [findingOf('a/b', 'warning', 'spec', 'first')],
      [findingOf('a/b', 'error', 'spec', 'second')],
      ['finding a/b "warning" -> "error" riskier'],
    ],
    [
      'of two with one code that moved those with the same message id are matched',
      [findingOf('a/b', 'warning', 'spec.a', 'first'), findingOf('a/b', 'error', 'spec.b', 'second')],
      [findingOf('a/b', 'error', 'spec.c', 'second'), findingOf('a/b', 'info', 'spec.d', 'first')],
      ['finding a/b "warning" -> "info" safer'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(lines(diffPlans(withFindings(...before), withFindings(...after)))).toEqual(expected);
  });
});

describe('for any two plans of Deployments', () => {
  const part = fc.oneof(
    fc.nat(12),
    fc.nat(100).map((percent) => `${percent}%`),
    fc.constant('1'),
  );
  const strategy = fc.oneof(
    fc.constant({ type: 'Recreate' }),
    fc.tuple(part, part).map(([maxSurge, maxUnavailable]) => rolling(maxSurge, maxUnavailable)),
  );
  const randomDeployment = fc
    .tuple(strategy, fc.nat(12), fc.constantFrom('a', 'b', 'c'))
    .map(([how, replicas, name]) => deployment(how, replicas, { name }));
  const plan = fc.array(randomDeployment, { maxLength: 4 }).map((objects) => planManifests(objects));

  test('a plan does not differ from itself', () => {
    fc.assert(
      fc.property(plan, (one) => {
        expect(diffPlans(one, JSON.parse(JSON.stringify(one)) as PlanDocument)).toMatchObject({
          changed: [],
          notPlanned: [],
          riskier: false,
        });
      }),
    );
  });

  test('the reverse diff is the mirror image', () => {
    const sorted = (changes: readonly PlanChange[]) => changes.map((change) => JSON.stringify({ ...change, reason: undefined })).toSorted();
    fc.assert(
      fc.property(plan, plan, (one, other) => {
        const there = expectValidDiff(diffPlans(one, other));
        const back = diffPlans(other, one);
        const mirrored = back.changed.map(({ resource, field, old, new: next, risk }) => ({
          resource,
          field,
          old: next,
          new: old,
          risk: MIRRORED[risk],
        }));
        expect(sorted(mirrored)).toEqual(sorted(there.changed));
        expect(there.riskier).toBe(there.changed.some(({ risk }) => risk === 'riskier'));
      }),
    );
  });
});

describe("an operator's resource", () => {
  const BAW = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', name: 'baw' };

  function operatorResource(spec: object): object {
    return { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec };
  }

  function mounted(max_surge: number, max_unavailable: number): object {
    return { replicas: 5, strategy: { rolling_update: { max_surge, max_unavailable } } };
  }

  test.each([
    ['gains', mounted(1, 0), { ...mounted(0, 5), runtime: mounted(1, 1) }, BAW],
    ['loses', { ...mounted(1, 0), runtime: mounted(1, 1) }, mounted(0, 5), BAW],
    ['gains, one level below spec,', { a: mounted(1, 0) }, { a: mounted(0, 5), b: mounted(1, 1) }, { ...BAW, component: 'a' }],
  ])('that %s a second strategy keeps the first one separate, so that its riskier change is reported', (_what, before, after, resource) => {
    const diff = diffOf([operatorResource(before)], [operatorResource(after)]);
    expect(diff.riskier).toBe(true);
    expect(diff.changed).toContainEqual(expect.objectContaining({ resource, field: 'minAvailable', old: 5, new: 0, risk: 'riskier' }));
  });
});
