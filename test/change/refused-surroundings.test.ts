/** What surrounds the rollouts of a change if the API server refuses an object of NEW: the object as OLD has it, or nothing. */
import { planChange } from '../../src/headless';
import { rolloutkit } from '../cli/command-line';
import { autoscaler } from '../builders/autoscaler';
import { disruptionBudget } from '../builders/disruption-budget';
import { limitRange, quota } from '../builders/quota';
import { deployment, podTemplate } from '../builders/workload';
import { expectValidPlan } from '../plan-schema';

const SHOP = { namespace: 'shop' };

function web(image: string, env: object = {}) {
  const container = { name: 'web', image, resources: { requests: { cpu: '2' }, limits: { cpu: '2' } }, ...env };
  return deployment({ replicas: 3, template: podTemplate(container) }, { name: 'web', ...SHOP });
}

function namespace(labels: object) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } };
}

function pod(spec: object = {}) {
  const containers = [{ name: 'one', image: 'one:1', resources: { requests: { cpu: '7' }, limits: { cpu: '7' } } }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one', ...SHOP }, spec: { containers, ...spec } };
}

function change(old: readonly object[], next: readonly object[]) {
  return expectValidPlan(planChange(old, next));
}

const RESTRICTED = { 'pod-security.kubernetes.io/enforce': 'restricted' };

/** Objects that surround a Deployment: as OLD has them, as NEW may have them, and that of NEW with a value that the API server refuses. */
const SURROUNDINGS: [string, { old: object; next: object; refused: object }][] = [
  [
    'a quota',
    { old: quota({ pods: '3' }, SHOP), next: quota({ pods: '40' }, SHOP), refused: quota({ pods: '40', 'limits.cpu': '-4' }, SHOP) },
  ],
  ['a Namespace', { old: namespace(RESTRICTED), next: namespace({}), refused: namespace({ team: 'a b' }) }],
  [
    'a LimitRange',
    {
      old: limitRange([{ type: 'Container', max: { cpu: '1' } }], SHOP),
      next: limitRange([{ type: 'Container', max: { cpu: '4' } }], SHOP),
      refused: limitRange([{ type: 'Container', min: { cpu: '8' }, max: { cpu: '4' } }], SHOP),
    },
  ],
  [
    'a budget',
    {
      old: disruptionBudget({ maxUnavailable: 1 }, SHOP),
      next: disruptionBudget({ maxUnavailable: 0 }, SHOP),
      refused: disruptionBudget({ maxUnavailable: 0, unhealthyPodEvictionPolicy: 'Never' }, SHOP),
    },
  ],
  [
    'an autoscaler',
    {
      old: autoscaler({ minReplicas: 2, maxReplicas: 4 }, SHOP),
      next: autoscaler({ minReplicas: 3, maxReplicas: 9 }, SHOP),
      refused: autoscaler({ minReplicas: 10, maxReplicas: 9 }, SHOP),
    },
  ],
];

describe('a change that the API server refuses leaves as OLD has it, for the rollouts,', () => {
  test.each(SURROUNDINGS)('%s', (_what, { old, next, refused }) => {
    const rolloutsBy = (object: object) => change([web('web:1'), old], [web('web:2'), object]).rollouts;
    expect(rolloutsBy(refused)).toEqual(rolloutsBy(old));
    expect(rolloutsBy(next)).not.toEqual(rolloutsBy(old));
  });

  test('a quota whose change cannot be decoded', () => {
    const { change: plan, rollouts } = change(
      [web('web:1'), quota({ pods: '3' }, SHOP)],
      [web('web:2'), quota({ pods: '40', scopes: ['BestEffort'] }, SHOP)],
    );
    expect(plan.objects.map(({ effect }) => effect)).toEqual(['roll', 'refused']);
    expect(plan.summary.podsReplaced).toBe(0);
    expect(rollouts[0]!.findings.map(({ code }) => code)).toContain('kubernetes/surge-needs-headroom');
  });

  test('a Service, in its place in the plan', () => {
    const service = (name: string, labels: object, port = 80) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, ...SHOP },
      spec: { selector: labels, ports: [{ port }] },
    });
    const { services } = change(
      [service('a', { app: 'web' }), service('b', { app: 'web' }), web('web:1')],
      [service('a', { app: 'other' }, 800_000), service('b', { app: 'web' }), web('web:2')],
    );
    expect(services!.map(({ resource: { name }, readyEndpoints }) => [name, readyEndpoints])).toEqual([
      ['a', { before: 3, least: 3, after: 3 }],
      ['b', { before: 3, least: 3, after: 3 }],
    ]);
  });

  test('the ConfigMap that its pods read, so that it takes a restart', () => {
    const env = (name: string) => ({ envFrom: [{ configMapRef: { name } }] });
    const config = (value: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', ...SHOP }, data: { value } });
    const refused = { ...web('web:1', env('two')), spec: { ...web('web:1', env('two')).spec, minReadySeconds: -1 } };
    const { change: plan } = change([web('web:1', env('one')), config('1')], [refused, config('2')]);
    expect(plan.objects.map(({ effect }) => effect)).toEqual(['refused', 'restart-needed']);
  });
});

describe('a new object that the API server refuses surrounds nothing:', () => {
  test.each([
    ...SURROUNDINGS,
    ['a Pod', { next: pod(), refused: pod({ serviceAccountName: 'a_b' }) }] as [string, { next: object; refused: object }],
  ])('%s', (_what, { refused }) => {
    const amid = [web('web:1'), quota({ 'requests.cpu': '14' }, { name: 'cpu', ...SHOP })];
    const { change: plan, rollouts } = change(amid, [web('web:2'), amid[1]!, refused]);
    const without = change(amid, [web('web:2'), amid[1]!]);
    expect(plan.objects.map(({ effect }) => effect)).toEqual(['roll', 'none', 'refused']);
    expect(rollouts).toEqual(without.rollouts);
    expect(plan.summary.podsReplaced).toBe(3);
  });

  test('and its own findings stay', () => {
    const [, { refused }] = SURROUNDINGS.at(-1)!;
    const { findings } = change([web('web:1')], [web('web:2'), refused]);
    expect(findings.map(({ code, path }) => [code, path])).toContainEqual(['kubernetes/invalid-strategy', 'spec.maxReplicas']);
  });
});

/** Files of two kustomizations, a and b, each with a Deployment of 3 pods. */
function units(image: string, inA: object): Record<string, string> {
  const deploymentOf = (name: string) => ({ ...web(image), metadata: { name, ...SHOP } });
  return Object.fromEntries(
    ['a', 'b'].flatMap((unit) => [
      [`${unit}/kustomization.yaml`, 'resources: [all.yaml]\n'],
      [`${unit}/all.yaml`, [deploymentOf(unit), ...(unit === 'a' ? [inA] : [])].map((object) => JSON.stringify(object)).join('\n---\n')],
    ]),
  );
}

function inFolder(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}

test.each([
  ['quota', quota({ pods: '6' }, SHOP), quota({ pods: '1', 'limits.cpu': '-4' }, SHOP)],
  ['budget', disruptionBudget({ minAvailable: 3 }, SHOP), disruptionBudget({ minAvailable: 0, unhealthyPodEvictionPolicy: 'Never' }, SHOP)],
])('a %s whose change is refused stays in its unit', async (_what, old, refused) => {
  const planOf = async (next: object) => {
    const files = { ...inFolder('old', units('web:1', old)), ...inFolder('new', units('web:2', next)) };
    const { stdout } = await rolloutkit('plan --from old new --format json', { files });
    return (JSON.parse(stdout) as ReturnType<typeof planChange>).rollouts;
  };
  expect(await planOf(refused)).toEqual(await planOf(old));
});

/** Runs a command over a Deployment and a Namespace, whose change from the restricted level is refused. */
async function runWithNamespace(command: string): Promise<string> {
  const text = (image: string, labels: object) => `${JSON.stringify(web(image))}\n---\n${JSON.stringify(namespace(labels))}`;
  const files = { 'old.yaml': text('web:1', RESTRICTED), 'new.yaml': text('web:2', { team: 'a b' }) };
  const { stdout } = await rolloutkit(command, { files });
  return stdout;
}

test('a diff compares what OLD and NEW do amid the objects as OLD has them', async () => {
  const { changed } = JSON.parse(await runWithNamespace('diff old.yaml new.yaml --format json')) as { changed: readonly object[] };
  expect(changed).toEqual([
    expect.objectContaining({ resource: expect.objectContaining({ kind: 'Namespace' }), field: 'apply', new: 'refused' }),
    expect.objectContaining({ field: 'apply kubernetes/pod-security', risk: 'riskier' }),
  ]);
});

test('the check of a change reports the deadlock next to the refusal', async () => {
  const { findings } = JSON.parse(await runWithNamespace('check --from old.yaml new.yaml --format json')) as {
    findings: readonly { readonly code: string }[];
  };
  expect(findings.map(({ code }) => code)).toEqual(['change/refused', 'kubernetes/pod-security']);
});

test('advice on the next rollout counts the quota as OLD has it', async () => {
  const text = (hard: object) => `${JSON.stringify(web('web:1'))}\n---\n${JSON.stringify(quota(hard, SHOP))}`;
  const files = { 'old.yaml': text({ pods: '3' }), 'new.yaml': text({ pods: '40', scopes: ['BestEffort'] }) };
  const { stdout } = await rolloutkit('advise --from old.yaml new.yaml --available 3 --format json', { files });
  const [rollout] = (JSON.parse(stdout) as { rollouts: readonly { current: object }[] }).rollouts;
  expect(rollout!.current).toMatchObject({ verdict: 'deadlocks', meets: false });
});
