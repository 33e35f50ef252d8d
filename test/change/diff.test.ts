import * as fc from 'fast-check';
import type { Finding, Severity } from '../../src/core/finding';
import type { Manifest } from '../../src/core/manifest';
import type { PlanChange, PlanDiff, RiskEffect } from '../../src/core/plan-diff';
import type { PlanDocument } from '../../src/core/plan-document';
import type { PlannedRollout } from '../../src/core/rollout';
import type { Simulation } from '../../src/core/simulations/simulation';
import { diffPlans, planManifests } from '../../src/headless';
import { FIGURE_RULES, PLAN_RULES } from '../../src/change/diff-rules';
import planSchema from '../../schemas/plan-1.1.json';
import { expectValidDiff } from '../plan-schema';
import { planOf, rolloutOf } from '../render/plans';
import { CLUSTER, incremental, rayService } from '../systems/kuberay/plan';
import { sound } from '../sound-workload';

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };

/** Deployment shop/web with this strategy, about which nothing else is to be said. */
function deployment(strategy: unknown, replicas = 10, metadata: object = { name: 'web', namespace: 'shop' }): object {
  const containers = [{ name: 'web', image: 'web:1', readinessProbe: { httpGet: { path: '/', port: 80 } } }];
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers } };
  return sound({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, strategy, template },
  });
}

function rolling(maxSurge: unknown, maxUnavailable: unknown): object {
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } };
}

function diffOf(before: readonly object[], after: readonly object[]): PlanDiff {
  return expectValidDiff(diffPlans(planManifests(before), planManifests(after), { old: before, new: after }));
}

/** The changes as short lines: `minAvailable 8 -> 6 riskier`. */
function lines({ changed }: Pick<PlanDiff, 'changed'>): string[] {
  return changed.map(({ field, old, new: next, effect }) => `${field} ${JSON.stringify(old)} -> ${JSON.stringify(next)} ${effect}`);
}

function findingOf(code: string, severity: Severity, path = 'spec', messageId = 'seen'): Finding {
  return { code, severity, messageId, data: {}, path, message: `It is ${severity}.` };
}

test('every field that differs is one entry: strategy, layers, figures, findings', () => {
  const before = deployment(rolling(3, 2));
  const after = deployment({ rollingUpdate: { maxSurge: 0, maxUnavailable: '100%' } });
  const [outage] = planManifests([after]).rollouts[0]!.findings;
  expect(diffOf([before], [after])).toEqual({
    formatVersion: '1.1',
    added: [],
    removed: [],
    changed: [
      { resource: WEB, field: 'maxSurge', old: 3, new: 0, effect: 'neutral' },
      { resource: WEB, field: 'maxUnavailable', old: 2, new: '100%', effect: 'neutral' },
      { resource: WEB, field: 'type layer', old: 'user', new: 'kubernetes-default', effect: 'neutral' },
      { resource: WEB, field: 'surge', old: 3, new: 0, effect: 'neutral' },
      { resource: WEB, field: 'unavailable', old: 2, new: 10, effect: 'neutral' },
      { resource: WEB, field: 'iterations', old: 2, new: 1, effect: 'neutral' },
      {
        resource: WEB,
        field: 'peakPods',
        old: 13,
        new: 10,
        effect: 'safer',
        reason: 'The higher the peak, the more room the cluster needs.',
      },
      {
        resource: WEB,
        field: 'minAvailable',
        old: 8,
        new: 0,
        effect: 'riskier',
        reason: 'The fewer pods are available at the worst moment, the less is left to serve.',
      },
      {
        resource: WEB,
        field: 'finding kubernetes/outage',
        old: null,
        new: 'warning',
        effect: 'riskier',
        reason: outage!.message,
      },
    ],
    riskier: true,
  });
});

test('what leaves the rollout as it was is no difference: another image of a Deployment', () => {
  const before = deployment(rolling(3, 2));
  const after = JSON.parse(JSON.stringify(before).replace('web:1', 'web:2')) as object;
  expect(diffOf([before], [after])).toEqual({ formatVersion: '1.1', added: [], removed: [], changed: [], riskier: false });
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

describe('which rollouts belong together', () => {
  const named = (name: string, namespace?: string) =>
    deployment(rolling(3, 2), 10, namespace === undefined ? { name } : { name, namespace });

  test('added and removed rollouts are listed in the order of their plans', () => {
    const { added, removed, changed, riskier } = diffOf([named('a'), named('b'), named('c')], [named('e'), named('b'), named('d')]);
    expect([added.map(({ name }) => name), removed.map(({ name }) => name), changed, riskier]).toEqual([['e', 'd'], ['a', 'c'], [], false]);
  });

  test('the namespace counts', () => {
    const { added, removed } = diffOf([named('a', 'one')], [named('a', 'two'), named('a')]);
    expect({ added, removed }).toEqual({
      added: [
        { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'two', name: 'a' },
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      ],
      removed: [{ apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'one', name: 'a' }],
    });
  });

  test('so do kind, group and component; the version of the API does not', () => {
    const rollout = (resource: object) => rolloutOf(null, { resource: { ...WEB, ...resource } });
    const counts = (resource: object) => {
      const { added, removed, changed } = diffPlans(planOf([rollout({})]), planOf([rollout(resource)]));
      return [added.length, removed.length, changed.length];
    };
    expect([{ kind: 'StatefulSet' }, { apiVersion: 'toys/v1' }, { component: 'predictor' }].map(counts)).toEqual([
      [1, 1, 0],
      [1, 1, 0],
      [1, 1, 0],
    ]);
    expect(counts({ apiVersion: 'apps/v2' })).toEqual([0, 0, 0]);
  });

  test('of two of one name the first goes with the first', () => {
    const two = (first: number, second: number) => [deployment(rolling(first, 0)), deployment(rolling(second, 0))];
    expect(lines(diffOf(two(1, 2), two(1, 5)))).toContain('maxSurge 2 -> 5 neutral');
    expect(lines(diffOf(two(1, 2), two(1, 2)))).toEqual([]);
    expect(diffOf(two(1, 2), two(1, 2).slice(1)).removed).toEqual([WEB]);
  });

  test('errors and warnings of what came and went count, infos do not', () => {
    const findings = [findingOf('kubernetes/outage', 'info'), findingOf('kubernetes/foreign-owner', 'warning')];
    const bare = planOf([]);
    const full = planOf([rolloutOf(null, { findings })]);
    expect(diffPlans(bare, full)).toEqual({
      formatVersion: '1.1',
      added: [WEB],
      removed: [],
      changed: [
        {
          resource: WEB,
          field: 'finding kubernetes/foreign-owner',
          old: null,
          new: 'warning',
          effect: 'riskier',
          reason: 'It is warning.',
        },
      ],
      riskier: true,
    });
    expect(diffPlans(full, bare)).toEqual({
      formatVersion: '1.1',
      added: [],
      removed: [WEB],
      changed: [
        { resource: WEB, field: 'finding kubernetes/foreign-owner', old: 'warning', new: null, effect: 'safer', reason: 'It is warning.' },
      ],
      riskier: false,
    });
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

  test('the level that decides one is told, and what it decides where the strategy does not hold it', () => {
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

/** Every rule: a figure, a harmless value, a more harmful one, and what going from the first to the second is. */
const EFFECTS: readonly (readonly [field: string, before: unknown, after: unknown, effect: RiskEffect])[] = [
  ['replicas', 5, 10, 'neutral'],
  ['nodes', 5, 10, 'neutral'],
  ['surge', 1, 2, 'neutral'],
  ['unavailable', 1, 2, 'neutral'],
  ['simulation.maxUnavailable', 1, 2, 'riskier'],
  ['iterations', 1, 2, 'neutral'],
  ['peakPods', 10, 13, 'riskier'],
  ['minAvailable', 8, 7, 'riskier'],
  ['halted', null, { wave: 1, nodes: 1, reason: 'nodes-down' }, 'riskier'],
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
  ['room.verdict', 'fits', 'slower', 'riskier'],
  ['room.verdict', 'slower', 'deadlocks', 'riskier'],
  ['room.verdict', null, 'fits', 'neutral'],
  ['duration.expectedSeconds', 10, null, 'neutral'],
  ['duration.abortSeconds', 600, null, 'neutral'],
  ['duration.blastRadius', 1, 3, 'riskier'],
  ['workers.surgePods', 1, 3, 'riskier'],
  ['workers.surgeGpus', 0, 8, 'riskier'],
];

const SIMULATION_KINDS = planSchema.$defs.simulation.properties.kind.enum as readonly Simulation['kind'][];

const MIRRORED: Readonly<Record<RiskEffect, RiskEffect>> = { riskier: 'safer', safer: 'riskier', neutral: 'neutral' };

/** `{ a: { b: value } }` of the path a, b. */
function nested(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, field) => ({ [field]: inner }), value) as object;
}

describe('the effect of a figure that differs', () => {
  const planWith = (field: string, value: unknown): PlanDocument => {
    const [first, ...rest] = FIGURE_RULES.find((rule) => rule.field === field)!.at;
    const part = nested(rest, value);
    const figures = first === 'simulation' ? { simulation: part } : { simulation: {}, [first!]: part };
    return planOf([rolloutOf(null, figures as Partial<PlannedRollout>)]);
  };

  test.each(EFFECTS)('%s %j -> %j is %s, and the way back the opposite', (field, before, after, effect) => {
    expect(diffPlans(planWith(field, before), planWith(field, after)).changed).toMatchObject([{ field, old: before, new: after, effect }]);
    expect(diffPlans(planWith(field, after), planWith(field, before)).changed).toMatchObject([
      { field, old: after, new: before, effect: MIRRORED[effect] },
    ]);
  });

  test('there is an example of every rule, and a reason where it judges', () => {
    expect([...new Set(EFFECTS.map(([field]) => field))]).toEqual(FIGURE_RULES.map(({ field }) => field));
    expect([...FIGURE_RULES, ...PLAN_RULES].filter(({ risk, reason }) => (risk === undefined) !== (reason === undefined))).toEqual([]);
  });
});

/** What of a simulation is compared elsewhere: its rows by their figures, and what the strategy says by the strategy. */
const NO_FIGURES: readonly string[] = ['kind', 'elided', 'partition', 'type', 'maxNew', 'waves', 'order', 'batches', 'untouched', 'steps'];
const LISTS: readonly string[] = ['previews', 'partitions', 'unpartitioned'];

test.each(SIMULATION_KINDS)('no figure of a %s is left out of a diff', (kind) => {
  const figures = Object.keys(planSchema.$defs[kind].properties).filter((field) => ![...NO_FIGURES, ...LISTS].includes(field));
  const compared = FIGURE_RULES.filter(({ at: [first] }) => first === 'simulation').map(({ at: [, field] }) => field);
  expect(figures.filter((figure) => !compared.includes(figure))).toEqual([]);
});

describe('the effect of having no strategy and no simulation any more', () => {
  const web = planManifests([deployment(rolling(3, 2))]);

  test('is riskier where an error is why', () => {
    const refused = planManifests([deployment(rolling('3', 2))]);
    expect(lines(diffPlans(web, refused))).toEqual([
      'strategy {"type":"RollingUpdate","rollingUpdate":{"maxSurge":3,"maxUnavailable":2}} -> null riskier',
      'simulation "deployment" -> null riskier',
      'finding kubernetes/quoted-integer null -> "error" riskier',
    ]);
    expect(diffPlans(refused, web).changed.map(({ effect }) => effect)).toEqual(['safer', 'safer', 'safer']);
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
    ['one that went is safer', [findingOf('a/b', 'warning')], [], ['finding a/b "warning" -> null safer']],
    [
      'one that moved to another place, as a container is put before, is the same',
      [warning],
      [{ ...warning, path: 'spec.containers[1]' }],
      [],
    ],
    ['one that says it in other words is the same', [warning], [{ ...warning, message: 'other figures' }], []],
    [
      'a second of one code is new',
      [warning],
      [warning, { ...warning, path: 'spec.containers[1]' }],
      ['finding kubernetes/no-readiness-probe null -> "warning" riskier'],
    ],
    [
      'one that stays where it was is not taken for another',
      [warning, { ...warning, path: 'b', severity: 'error' }],
      [{ ...warning, path: 'b', severity: 'error' }],
      ['finding kubernetes/no-readiness-probe "warning" -> null safer'],
    ],
    [
      'of two of one code at one place those that say the same belong together',
      [findingOf('a/b', 'warning', 'spec', 'first'), findingOf('a/b', 'error', 'spec', 'second')],
      [findingOf('a/b', 'error', 'spec', 'second')],
      ['finding a/b "warning" -> null safer'],
    ],
    [
      'one that says another thing of the same is the same',
      [findingOf('a/b', 'warning', 'spec', 'first')],
      [findingOf('a/b', 'error', 'spec', 'second')],
      ['finding a/b "warning" -> "error" riskier'],
    ],
    [
      'of two of one code that moved those that say the same belong together',
      [findingOf('a/b', 'warning', 'spec.a', 'first'), findingOf('a/b', 'error', 'spec.b', 'second')],
      [findingOf('a/b', 'error', 'spec.c', 'second'), findingOf('a/b', 'info', 'spec.d', 'first')],
      ['finding a/b "warning" -> "info" safer'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(lines(diffPlans(withFindings(...before), withFindings(...after)))).toEqual(expected);
  });
});

test('what is about no rollout has no resource: versions, shared room, findings about the input', () => {
  const plan = (kubernetes: string, together: string, ...findings: Finding[]): PlanDocument => ({
    ...planOf([], findings),
    versions: { kubernetes, kserve: '0.17', knative: '1.21', kuberay: '1.7', fleet: '0.16' },
    room: { oneAfterAnother: 'fits', together, limits: [], message: '' } as PlanDocument['room'],
  });
  const diff = diffPlans(plan('1.34', 'fits'), plan('1.35', 'deadlocks', findingOf('input/unreadable', 'error')));
  expect(diff.changed).toEqual([
    { resource: null, field: 'versions.kubernetes', old: '1.34', new: '1.35', effect: 'neutral' },
    {
      resource: null,
      field: 'room.together',
      old: 'fits',
      new: 'deadlocks',
      effect: 'riskier',
      reason: 'Without room a rollout is slower, or never ends.',
    },
    { resource: null, field: 'finding input/unreadable', old: null, new: 'error', effect: 'riskier', reason: 'It is error.' },
  ]);
});

describe('what a change of a RayService triggers', () => {
  const image = { rayClusterConfig: JSON.parse(JSON.stringify(CLUSTER).replaceAll('ray:2.51.0', 'ray:2.52.0')) as object };

  /** `new-cluster spec.serveConfigV2: why`. */
  const triggers = ({ changed }: PlanDiff) =>
    changed.filter((change) => change.triggers).map(({ triggers: what, field, reason }) => `${what} ${field}: ${reason}`);

  test('stands field by field, by the path in the manifest, without an effect of its own', () => {
    const { changed, riskier } = diffOf([incremental()], [incremental({}, { serveConfigV2: 'applications: []' })]);
    expect({ changed, riskier }).toEqual({
      changed: [
        {
          resource: { apiVersion: 'ray.io/v1', kind: 'RayService', namespace: 'models', name: 'llm' },
          field: 'spec.serveConfigV2',
          old: null,
          new: 'applications: []',
          effect: 'neutral',
          reason: 'The operator sends the new Serve config to the running cluster.',
          triggers: 'in-place',
        },
      ],
      riskier: false,
    });
  });

  test('a new image makes a new cluster', () => {
    expect(triggers(diffOf([incremental()], [incremental({}, image)]))).toEqual([
      'new-cluster spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].image: The hash of the cluster changes.',
      'new-cluster spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].image: The hash of the cluster changes.',
    ]);
  });

  test('a field of the strategy stands once, by its short name', () => {
    const diff = diffOf([incremental()], [incremental({ maxSurgePercent: 40 })]);
    expect(lines(diff)).toEqual([
      'maxSurgePercent 20 -> 40 neutral',
      'capacityChanges 10 -> 6 neutral',
      'peakCapacityPercent 120 -> 140 riskier',
      'workers.surgePods 1 -> 2 riskier',
      'workers.surgeGpus 1 -> 2 riskier',
    ]);
    expect(triggers(diff)).toEqual(['none maxSurgePercent: Holds from the next reconcile on, in a running upgrade too.']);
  });

  test('nothing happens where the new one is refused, whatever changes', () => {
    const diff = diffOf([incremental()], [incremental({ stepSizePercent: 50 }, image)]);
    expect(diff.riskier).toBe(true);
    expect([...new Set(triggers(diff).map((line) => line.replace(/ .*?:/, ':')))]).toEqual([
      'none: The new RayService is refused: nothing happens until its errors are repaired.',
    ]);
  });

  test('nothing is told without the objects, nor of one that was added', () => {
    expect(diffPlans(planManifests([incremental()]), planManifests([incremental({}, image)])).changed).toEqual([]);
    expect(diffOf([], [incremental()]).changed).toEqual([]);
  });

  test('stands for the items of a List too', () => {
    const list = (items: unknown) => ({ apiVersion: 'v1', kind: 'List', items: [items] });
    expect(triggers(diffOf([list(incremental())], [list(incremental({}, image))]))).toHaveLength(2);
  });

  test('of two of one name the first goes with the first', () => {
    const other = rayService({ type: 'NewCluster' });
    const [changed] = diffOf([incremental(), other], [incremental(), rayService({ type: 'NewCluster' }, image)]).changed.filter(
      (change) => change.triggers,
    );
    expect(changed).toMatchObject({ triggers: 'new-cluster', old: 'rayproject/ray:2.51.0', new: 'rayproject/ray:2.52.0' });
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
  const workload = fc
    .tuple(strategy, fc.nat(12), fc.constantFrom('a', 'b', 'c'))
    .map(([how, replicas, name]) => deployment(how, replicas, { name }));
  const plan = fc.array(workload, { maxLength: 4 }).map((objects) => planManifests(objects));

  test('a plan differs from itself in nothing', () => {
    fc.assert(
      fc.property(plan, (one) => {
        expect(diffPlans(one, JSON.parse(JSON.stringify(one)) as PlanDocument)).toEqual({
          formatVersion: '1.1',
          added: [],
          removed: [],
          changed: [],
          riskier: false,
        });
      }),
    );
  });

  test('the way back is the mirror image', () => {
    const sorted = (changes: readonly PlanChange[]) => changes.map((change) => JSON.stringify({ ...change, reason: undefined })).toSorted();
    fc.assert(
      fc.property(plan, plan, (one, other) => {
        const there = expectValidDiff(diffPlans(one, other));
        const back = diffPlans(other, one);
        const mirrored = back.changed.map(({ resource, field, old, new: next, effect }) => ({
          resource,
          field,
          old: next,
          new: old,
          effect: MIRRORED[effect],
        }));
        expect(sorted(mirrored)).toEqual(sorted(there.changed));
        expect([back.added, back.removed]).toEqual([there.removed, there.added]);
        expect(there.riskier).toBe(there.changed.some(({ effect }) => effect === 'riskier'));
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
  ])('that %s a second strategy keeps the first one apart, whose riskier change is seen', (_what, before, after, resource) => {
    const diff = diffOf([operatorResource(before)], [operatorResource(after)]);
    expect(diff.riskier).toBe(true);
    expect(diff.changed).toContainEqual(expect.objectContaining({ resource, field: 'minAvailable', old: 5, new: 0, effect: 'riskier' }));
    expect([...diff.added, ...diff.removed]).toHaveLength(1);
  });
});
