import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { formatPlanHeadline } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

function job(annotations: Readonly<Record<string, string>>, image = 'api:1'): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', namespace: 'shop', annotations },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image }] } } },
  };
}

function hookOf(annotations: Readonly<Record<string, string>>, options: ChangeOptions = {}) {
  const { change } = expectValidPlan(planChange([job(annotations)], [job(annotations, 'api:2')], options));
  const { effect, apply, hook } = change.objects[0]!;
  return { effect, apply, ...hook };
}

test.each<[string, Readonly<Record<string, string>>, ChangeOptions, object]>([
  [
    'a hook of Helm is created for each upgrade',
    { 'helm.sh/hook': 'pre-upgrade,pre-install', 'helm.sh/hook-weight': '-5' },
    {},
    {
      effect: 'hook',
      apply: 'helm',
      phases: ['pre-upgrade', 'pre-install'],
      runsOnUpgrade: true,
      weight: -5,
      deletePolicy: ['before-hook-creation'],
    },
  ],
  [
    'a test of Helm does not run',
    { 'helm.sh/hook': 'test', 'helm.sh/hook-delete-policy': 'hook-succeeded,hook-failed' },
    { apply: 'helm4' },
    { effect: 'hook', apply: 'helm4', phases: ['test'], runsOnUpgrade: false, weight: 0, deletePolicy: ['hook-succeeded', 'hook-failed'] },
  ],
  [
    'Helm skips an object with an unknown event',
    { 'helm.sh/hook': 'pre-upgrade,crd-install' },
    { apply: 'fleet' },
    { effect: 'hook', apply: 'fleet', phases: [], runsOnUpgrade: false, weight: 0, deletePolicy: ['before-hook-creation'] },
  ],
  [
    'Argo CD runs the hooks of Helm at each sync',
    { 'helm.sh/hook': 'post-install', 'argocd.argoproj.io/sync-wave': '2' },
    { apply: 'argocd' },
    { effect: 'hook', apply: 'argocd', phases: ['PostSync'], runsOnUpgrade: true, weight: 2, deletePolicy: ['before-hook-creation'] },
  ],
  [
    'its own annotation wins',
    { 'helm.sh/hook': 'post-install', 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' },
    {},
    { effect: 'hook', apply: 'argocd', phases: ['PreSync'], runsOnUpgrade: true, weight: 0, deletePolicy: ['hook-succeeded'] },
  ],
  ['kubectl knows no hooks', { 'helm.sh/hook': 'pre-upgrade' }, { apply: 'client' }, { effect: 'refused', apply: 'client' }],
  [
    'Pulumi knows no hooks and replaces the Job',
    { 'helm.sh/hook': 'pre-upgrade' },
    { apply: 'pulumi' },
    { effect: 'replace', apply: 'pulumi' },
  ],
])('%s', (_what, annotations, options, expected) => {
  expect(hookOf(annotations, options)).toEqual(expected);
});

test('a hook is no change, needs no pods next to a rollout, and is not pruned', () => {
  const hook = job({ 'helm.sh/hook': 'pre-upgrade' });
  const added = expectValidPlan(planChange([], [hook])).change;
  expect(added.summary).toMatchObject({ hook: 1, create: 0, podsAdded: 0, peakExtraPods: 0 });
  const pruned = expectValidPlan(planChange([hook], [], { prune: true })).change;
  expect(pruned.objects.map(({ effect }) => effect)).toEqual(['none']);
});

test.each([
  ['alone', [], 'only hooks may differ; 1 hook is not compared; assumes Kubernetes 1.36'],
  [
    'next to an object that does not differ',
    [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } }],
    'only hooks may differ: the object is up to date; 1 hook is not compared; assumes Kubernetes 1.36',
  ],
])('a hook with another image is not called unchanged: %s', (_what, others, headline) => {
  const hook = (image: string) => ({
    ...job({ 'helm.sh/hook': 'post-upgrade' }),
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'migrate', image }] } } },
  });
  expect(formatPlanHeadline(planChange([hook('web:1'), ...others], [hook('web:2'), ...others]))).toBe(headline);
});

test('the pods of a hook do not count against a quota that a rollout needs', () => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: '3' } } };
  const web = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    },
  });
  const verdictWith = (next: object) => planChange([quota, web('web:1')], [quota, web('web:2'), next]).rollouts[0]!.capacity?.verdict;
  expect(verdictWith(job({ 'helm.sh/hook': 'pre-upgrade' }))).toBe('fits');
  expect(verdictWith(job({}))).toBe('may-not-fit');
});

describe('the pods of a hook run in their phase', () => {
  const quota = (pods: number) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'pods', namespace: 'shop' },
    spec: { hard: { pods: String(pods) } },
  });
  const web = (replicas: number, annotations: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });
  const textsOf = (old: object[], next: object[], apply: ChangeOptions['apply'] = 'helm') =>
    planChange(old, next, { apply }).findings.flatMap(({ code, message }) => (code === 'change/hook-pods' ? [message] : []));

  test.each<
    [what: string, annotations: Readonly<Record<string, string>>, pods: number, replicas: readonly [number, number], texts: string[]]
  >([
    [
      'next to the pods of OLD before an upgrade',
      { 'helm.sh/hook': 'pre-upgrade' },
      3,
      [3, 2],
      [
        'No pod of hook Job shop/migrate can start in phase pre-upgrade: ResourceQuota "pods" has no pods left next to the pods of OLD. Helm waits until its timeout, and then it fails without applying anything.',
      ],
    ],
    [
      'next to the pods of NEW after an upgrade',
      { 'helm.sh/hook': 'post-upgrade' },
      3,
      [2, 3],
      [
        'No pod of hook Job shop/migrate can start in phase post-upgrade: ResourceQuota "pods" has no pods left next to the pods of NEW. Helm waits until its timeout, and then it fails.',
      ],
    ],
    ['and not next to those of NEW before an upgrade', { 'helm.sh/hook': 'pre-upgrade' }, 3, [2, 3], []],
    ['and not in a phase that the upgrade lacks', { 'helm.sh/hook': 'test' }, 3, [3, 3], []],
    ['and one by one where others do not fit', { 'helm.sh/hook': 'pre-upgrade' }, 4, [3, 3], []],
  ])('%s', (_what, annotations, pods, [before, after], texts) => {
    expect(textsOf([web(before), quota(pods)], [web(after), quota(pods), job(annotations)])).toEqual(texts);
  });

  test('and a workload that is a hook is deleted at each upgrade, with all its pods', () => {
    const hook = { 'helm.sh/hook': 'pre-upgrade' };
    expect(textsOf([web(2, hook)], [web(2, hook)], 'helm4')).toEqual([
      'Deployment shop/web is a hook: Helm 4 deletes it with all its pods at each upgrade, and then creates it again.',
    ]);
    expect(textsOf([web(2, hook)], [web(2, hook)], 'client')).toEqual([]);
  });
});

describe('an annotation does not take a workload out of view', () => {
  const web = (image: string, annotations: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    },
  });
  const hooksOf = (old: object[], next: object[], options: ChangeOptions = {}) => {
    const plan = expectValidPlan(planChange(old, next, options));
    const found = plan.findings.filter(({ code }) => code === 'change/hook-pods');
    return { headline: formatPlanHeadline(plan), found: found.map(({ severity, message }) => [severity, message]) };
  };

  test.each([
    ['helm.sh/hook', 'test', 'Helm'],
    ['helm.sh/hook', 'pre-upgrade', 'Helm'],
    ['argocd.argoproj.io/hook', 'Skip', 'Argo CD'],
  ])('one that becomes a hook is an error: %s: %s', (annotation, value, title) => {
    expect(hooksOf([web('web:1')], [web('web:2', { [annotation]: value })])).toEqual({
      headline: '1 object becomes a hook, and what runs now is deleted; 1 hook is not compared; assumes Kubernetes 1.36',
      found: [
        [
          'error',
          `Deployment shop/web becomes a hook: ${title} deletes the one that it applied before, with all its pods. Its other changes are not planned.`,
        ],
      ],
    });
  });

  test('a new one that is a hook and does not run is a warning, because kubectl would apply it', () => {
    expect(hooksOf([], [web('web:1', { 'helm.sh/hook': 'test' })]).found).toEqual([
      ['warning', 'Deployment shop/web is a hook that Helm does not run at an upgrade, so it is not planned. kubectl would apply it.'],
    ]);
  });

  const MODEL = { predictor: { model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://model' } } };
  test.each([
    ['InferenceService', 'serving.kserve.io/v1beta1', MODEL, 'error'],
    ['PersistentVolumeClaim', 'v1', { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }, 'error'],
    ['Service', 'v1', { ports: [{ port: 80 }] }, 'warning'],
    ['PodDisruptionBudget', 'policy/v1', { minAvailable: 1, selector: {} }, 'warning'],
  ])('a %s that becomes a hook is an error or a warning', (kind, apiVersion, spec, severity) => {
    const object = (annotations: object) => ({ apiVersion, kind, metadata: { name: 'web', namespace: 'shop', annotations }, spec });
    expect(hooksOf([object({})], [object({ 'helm.sh/hook': 'test' })]).found.map(([found]) => found)).toEqual([severity]);
  });

  test('a Job that becomes a hook is an info', () => {
    expect(hooksOf([job({})], [job({ 'helm.sh/hook': 'pre-upgrade' })]).found).toEqual([
      ['info', 'Job shop/migrate becomes a hook: Helm deletes the one that it applied before. Its other changes are not planned.'],
    ]);
  });

  test('with the tool named, it is planned as that tool applies it', () => {
    const { headline, found } = hooksOf([web('web:1')], [web('web:2', { 'helm.sh/hook': 'test' })], { apply: 'client' });
    expect([headline, found]).toEqual([expect.stringContaining('1 of 1 object differs: 1 rolls'), []]);
  });
});

describe('a hook of Helm that the last run left behind', () => {
  const findingsOf = (deletePolicy: string, apply: ChangeOptions['apply'], metadata: object = {}, spec: object = {}) => {
    const next = job({ 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': deletePolicy }) as {
      metadata: object;
      spec: object;
    };
    const old = { ...next, metadata: { ...next.metadata, ...metadata }, spec: { ...next.spec, ...spec } };
    const { findings } = planChange([old], [{ ...next, spec: { ...next.spec, ...spec } }], { apply });
    return findings.filter(({ code }) => code === 'change/hook-pods').map(({ severity, message }) => [severity, message]);
  };
  const LIVE = { uid: '5b5b1a3e-0000-4000-8000-000000000001' };

  test('cannot be created again', () => {
    const message =
      'Job shop/migrate of the last run is still there, and its delete policy lacks before-hook-creation: ' +
      'Helm cannot create it in phase pre-upgrade, so the upgrade fails before anything else is written.';
    expect(findingsOf('hook-failed', 'helm')).toEqual([['warning', message]]);
    expect(findingsOf('hook-failed', 'helm', LIVE)).toEqual([['error', message]]);
    expect(findingsOf('hook-succeeded', 'helm', LIVE)).toEqual([['error', message]]);
  });

  test('does not run again if it is applied server-side', () => {
    expect(findingsOf('hook-failed', 'helm4')).toEqual([['warning', expect.stringContaining('a finished Job does not run again')]]);
  });

  test.each([
    ['hook-succeeded', {}],
    ['before-hook-creation,hook-failed', {}],
    ['hook-failed', { ttlSecondsAfterFinished: 60 }],
  ])('is none with policy %s and fields %j', (deletePolicy, spec) => {
    expect(findingsOf(deletePolicy, 'helm', {}, spec)).toEqual([]);
  });
});
