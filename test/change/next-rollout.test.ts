import { addNextRolloutFindings, mayAlterNextRollout } from '../../src/change/result/next-rollout';
import type { ApplyEffect } from '../../src/core/document/change';
import type { Manifest } from '../../src/core/manifest/manifest';
import type { PlannedRollout } from '../../src/core/document/rollout';
import { isNextRolloutFinding } from '../../src/core/findings/finding';
import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';
import { rolloutkit } from '../cli/command-line';

const web = (strategy: object) =>
  workload(
    'Deployment',
    { replicas: 4, strategy: { rollingUpdate: strategy }, template: podTemplate({ image: 'web:1' }) },
    { name: 'web' },
  );
const SAFE = web({ maxSurge: 1, maxUnavailable: 0 });
const OUTAGE = web({ maxSurge: 0, maxUnavailable: '100%' });

function nextRolloutCodes(old: object, next: object, options?: ChangeOptions): string[] {
  const { rollouts } = planChange([old], [next], options);
  return rollouts.flatMap(({ findings }) => findings.filter(isNextRolloutFinding).map(({ code }) => code));
}

test('a change that stores a strategy has the findings of the next rollout, also if the plans of both sides are larger than the output', () => {
  expect(nextRolloutCodes(SAFE, OUTAGE)).toEqual(['kubernetes/outage']);
  expect(nextRolloutCodes(SAFE, OUTAGE, { budget: { 'output-megabytes': 0.0012 } })).toEqual(['kubernetes/outage']);
});

test.each<[kind: string, old: string, next: string, text: string]>([
  [
    'LeaderWorkerSet',
    'apiVersion: leaderworkerset.x-k8s.io/v1, spec: { replicas: 2, rolloutStrategy: { rollingUpdateConfiguration: { maxUnavailable: 1 } }, leaderWorkerTemplate: { size: 2, workerTemplate: { spec: { containers: [{ name: a, image: a }] } } } }',
    'maxUnavailable: 2',
    '2 groups with maxUnavailable 2 and maxSurge 0: at some point none is available.',
  ],
  [
    'Rollout',
    'apiVersion: argoproj.io/v1alpha1, spec: { replicas: 2, strategy: { canary: { maxSurge: 0, maxUnavailable: 1 } }, selector: { matchLabels: { app: a } }, template: { metadata: { labels: { app: a } }, spec: { containers: [{ name: a, image: a }] } } }',
    'maxUnavailable: 2',
    'maxUnavailable 2 allows 2 unavailable pods for 2 replicas: all old pods are deleted before a new one is ready, and no pod is available in between.',
  ],
])('a %s that replaces no pods now has its outage at the next rollout', async (kind, old, next, text) => {
  const object = `{ kind: ${kind}, metadata: { name: a }, ${old} }\n`;
  const { stdout } = await rolloutkit('plan --versions kubernetes=1.37 --from old.yaml new.yaml', {
    files: { 'old.yaml': object, 'new.yaml': object.replace('maxUnavailable: 1', next) },
  });
  expect(stdout).toContain(`At the next rollout: ${text}`);
  expect(stdout.split('\n').filter((line) => line.includes(text))).toHaveLength(1);
  expect(stdout).toContain('  no pod is replaced\n');
});

test('more than a hundred findings of one rule about the next rollout are counted', () => {
  const spread = Array.from({ length: 103 }, (_, index) => ({
    maxSkew: 1,
    topologyKey: `zone-${index}`,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'new' } },
  }));
  const template = podTemplate({ image: 'new:1' });
  const added = workload(
    'Deployment',
    { replicas: 3, template: { ...template, spec: { ...template.spec, topologySpreadConstraints: spread } } },
    { name: 'new' },
  );
  const { findings } = planChange([SAFE], [SAFE, added]).rollouts.find(({ resource }) => resource.name === 'new')!;
  expect(findings.map(({ code }) => code)).toEqual(Array.from({ length: 101 }, () => 'kubernetes/spread-skewed-after-rollout'));
  expect(findings.at(-1)).toMatchObject({
    message: 'At the next rollout: There are 3 more findings of this rule for this object; only the first 100 are listed.',
    help: 'Fix those and run again.',
  });
});

test('a finding of OLD is reported again if the change makes it worse', () => {
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'web' } };
  const spec = { minAvailable: 3, selector: { matchLabels: { app: 'web' } } };
  const helpOf = (old: object, next: object, requires: object) =>
    planChange([old, { ...budget, spec }], [next, { ...budget, spec: { ...spec, ...requires } }]).rollouts[0]!.findings.map(
      ({ code, help }) => [code, help],
    );
  const [two, three] = [2, 3].map((maxUnavailable) => web({ maxSurge: 0, maxUnavailable }));
  expect(helpOf(two!, three!, {})).toEqual([
    ['kubernetes/pdb-broken-by-rollout', 'Write maxUnavailable: 1, or loosen the budget to minAvailable: 1.'],
  ]);
  expect(helpOf(two!, two!, {})).toEqual([]);
  // The budget that the advice allows is one that the next rollout respects too.
  expect(helpOf(SAFE, two!, { minAvailable: 4 })).toEqual([
    ['kubernetes/pdb-blocks-eviction', 'Write maxUnavailable: 2 instead, or minAvailable: 2.'],
  ]);
});

test('planning the next rollouts uses the seconds of the budget, and no more', () => {
  let milliseconds = 0n;
  const clock = jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => (milliseconds += 1n) * 1_000_000n);
  const elapsed = (budgetMilliseconds: number) => {
    const start = milliseconds;
    const { rollouts } = planChange([SAFE], [OUTAGE], { budget: { seconds: budgetMilliseconds / 1_000 } });
    return { isPlanned: rollouts.length > 0, elapsed: Number(milliseconds - start) };
  };
  const runs = Array.from({ length: 100 }, (_, index) => ({ budget: index + 1, ...elapsed(index + 1) }));
  clock.mockRestore();
  expect(runs.at(-1)).toMatchObject({ isPlanned: true });
  // Once the time is over, only a plan without rollouts is built.
  expect(runs.filter(({ budget, elapsed: used }) => used > budget + 6)).toEqual([]);
});

const ROLLS = { simulation: { kind: 'deployment' } } as unknown as PlannedRollout;
const STAYS = { simulation: null } as unknown as PlannedRollout;

const object = (apiVersion: string, kind: string, name = 'x') => ({ apiVersion, kind, metadata: { name } }) as Manifest;
const DEPLOYMENT = object('apps/v1', 'Deployment');
const QUOTA = object('v1', 'ResourceQuota');
const CONFIG_MAP = object('v1', 'ConfigMap');
const PLATFORM_CONFIG = object('v1', 'ConfigMap', 'inferenceservice-config');

const CASES: readonly (readonly [string, readonly PlannedRollout[], Manifest, ApplyEffect, boolean])[] = [
  ['a stored strategy', [STAYS], DEPLOYMENT, 'settings', true],
  ['a new quota', [ROLLS, STAYS], QUOTA, 'create', true],
  ['a new quota if all pods are replaced now', [ROLLS], QUOTA, 'create', false],
  ['a rollout', [ROLLS, STAYS], DEPLOYMENT, 'roll', false],
  ['other labels', [STAYS], DEPLOYMENT, 'metadata', false],
  ['a new ConfigMap, as a generator of kustomize writes one', [STAYS], CONFIG_MAP, 'create', false],
  ['a ConfigMap of a controller', [STAYS], PLATFORM_CONFIG, 'settings', true],
];

test.each(CASES)('%s', (_, rollouts, changed, effect, may) => {
  expect(mayAlterNextRollout({ rollouts }, [{ object: changed, effect }])).toBe(may);
});

test('a rollout on whose next rollout rolloutkit fails does not hide that of the others', () => {
  const named = (name: string) => ({ ...OUTAGE, metadata: { name } });
  const next = planChange([], [named('a'), named('b')]);
  const now = { ...next, rollouts: next.rollouts.map((rollout) => ({ ...rollout, simulation: null, findings: [] })) };
  // A message cannot be written from data that its rule does not know.
  const [first, ...others] = next.rollouts;
  const broken = { ...first!, findings: first!.findings.map((finding) => ({ ...finding, messageId: 'unknown' })) };
  const plan = addNextRolloutFindings(now, { old: { ...next, rollouts: [] }, next: { ...next, rollouts: [broken, ...others] } });
  expect(plan.rollouts.map(({ findings }) => findings.map(({ code, messageId }) => `${code} ${messageId}`))).toEqual([
    ['input/unreadable failed'],
    ['kubernetes/outage unavailable'],
  ]);
});
