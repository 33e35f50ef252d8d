import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';

const TEMPLATE = podTemplate({ name: 'web', image: 'web:1', readinessProbe: { httpGet: { path: '/', port: 80 } } });

function object(kind: string, spec: object = {}): object {
  return workload(kind, { replicas: 2, template: TEMPLATE, ...spec }, { name: 'web', namespace: 'shop' });
}

/** The errors of a change, each with its advice. */
function errorsOf(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  const { findings, rollouts } = planChange(old, next, options);
  return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)]
    .filter(({ severity }) => severity === 'error')
    .map(({ code, path, help }) => ({ code, path, help }));
}

test('a StatefulSet with another immutable field is one finding, whose advice keeps the pods', () => {
  const [old, next] = [object('StatefulSet'), object('StatefulSet', { podManagementPolicy: 'Parallel' })];
  expect(errorsOf([old], [next])).toEqual([
    { code: 'change/refused', path: 'spec', help: expect.stringContaining('kubectl delete statefulset/web -n shop --cascade=orphan') },
  ]);
});

test.each([
  ['server', 'change/refused', 'create the StatefulSet under a new name next to the old one'],
  ['pulumi', 'change/force-recreates', 'give the new object another name'],
] as const)('a StatefulSet whose new selector does not match its pods is not deleted without them by %s', (apply, code, advice) => {
  const labels = { app: 'shop' };
  const next = object('StatefulSet', { selector: { matchLabels: labels }, template: { ...TEMPLATE, metadata: { labels } } });
  const errors = errorsOf([object('StatefulSet')], [next], { apply });
  expect(errors).toEqual([{ code, path: expect.anything(), help: expect.stringContaining(advice) }]);
  expect(errors[0]!.help).not.toMatch(/run "kubectl delete|orphan and run|Policy: orphan/);
});

test.each([
  [{ type: 'Recreate' }, /"type":"Recreate","rollingUpdate":null/],
  [{ rollingUpdate: { maxSurge: 1 } }, /^Write type: RollingUpdate next to rollingUpdate/],
])('the strategy %j over one of the other type is written in the way that results in it', (strategy, advice) => {
  const stored = 'type' in strategy ? { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } : { type: 'Recreate' };
  const managedFields = [
    { manager: 'kubectl', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': {} } },
  ];
  const live = { ...object('Deployment', { strategy: stored }), metadata: { name: 'web', namespace: 'shop', uid: 'a', managedFields } };
  const [error] = errorsOf([live], [object('Deployment', { strategy })], { apply: 'server' });
  expect(error).toEqual({ code: 'change/refused', path: 'spec.strategy.rollingUpdate', help: expect.stringMatching(advice) });
});

test('a Service that is refused only as merged is written in another way', () => {
  const service = (...protocols: readonly string[]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'dns', namespace: 'shop' },
    spec: { selector: { app: 'dns' }, ports: protocols.map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol })) },
  });
  const both = service('UDP', 'TCP');
  const expected = { code: 'change/refused', help: expect.stringMatching(/loses a port of NEW.*kubectl apply --server-side/) };
  expect(errorsOf([both], [service('UDP')])).toEqual([{ ...expected, path: 'spec.ports' }]);
  expect(errorsOf([both], [service('TCP', 'UDP')])).toEqual([{ ...expected, path: 'spec.ports[1].name' }]);
});

describe('a fault is one finding', () => {
  const mismatch = { selector: { matchLabels: { app: 'web' } }, template: { ...TEMPLATE, metadata: { labels: { app: 'shop' } } } };

  test.each([
    ['labels that the selector does not match', mismatch, 'kubernetes/invalid-workload'],
    ['a number in quotes', { replicas: '2' }, 'kubernetes/quoted-integer'],
    ['an unknown field', { replica: 2 }, 'input/unknown-field'],
  ])('%s in a new object, which was never there, so that nothing is restored', (_, spec, code) => {
    const errors = errorsOf([], [object('Deployment', spec)]);
    expect(errors.map((error) => error.code)).toEqual([code]);
    expect(errors[0]!.help).not.toMatch(/restore|old value/i);
  });

  test.each([
    ['a number in quotes', { replicas: '2' }, 'kubernetes/quoted-integer'],
    ['an unknown field', { replica: 2 }, 'input/unknown-field'],
  ])('%s in an existing object', (_, spec, code) => {
    expect(errorsOf([object('Deployment')], [object('Deployment', spec)]).map((error) => error.code)).toEqual([code]);
  });

  test('the reason has the path and the words of the API server', () => {
    const { change } = planChange([], [object('Deployment', mismatch)]);
    expect(change.objects[0]!.refusal).toEqual({
      path: 'spec.template.metadata.labels',
      message: 'Invalid value: {"app":"shop"}: `selector` does not match template `labels`',
    });
  });
});

test.each([
  [
    'a LeaderWorkerSet that the webhook refuses',
    {
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'chat' },
      spec: {
        replicas: 2,
        rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable: 0, maxSurge: 0 } },
        leaderWorkerTemplate: { size: 2, workerTemplate: TEMPLATE },
      },
    },
    'lws/both-limits-zero',
  ],
  [
    'a Rollout that the controller refuses',
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { ...TEMPLATE, metadata: { labels: { app: 'web' } } },
        strategy: { canary: { maxSurge: 0, maxUnavailable: 0 } },
      },
    },
    'argo-rollouts/invalid-rollout',
  ],
])('%s is not called new', (_, refused, code) => {
  const { change, rollouts } = planChange([], [refused]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['refused']);
  expect(change.summary).toMatchObject({ refused: 1, podsAdded: 0 });
  expect(rollouts.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error').map((one) => one.code))).toEqual([
    code,
  ]);
});

test('a new object whose name the API server is to generate is refused', () => {
  const next = { ...object('Deployment'), metadata: { generateName: 'web-', namespace: 'shop' } };
  const { change } = planChange([], [next]);
  expect(errorsOf([], [next]).map(({ code }) => code)).toEqual(['change/refused']);
  expect(change.objects).toMatchObject([
    { effect: 'refused', refusal: { path: '', message: 'from web-: cannot use generate name with apply' } },
  ]);
  expect(change.summary).toMatchObject({ podsAdded: 0 });
  expect(errorsOf([next], [next]).map(({ code }) => code)).toEqual(['change/refused']);
});

test.each([
  ['argocd', 'create'],
  ['pulumi', 'none'],
] as const)('an object whose name the API server is to generate, with %s: %s', (apply, effect) => {
  const next = { ...object('Deployment'), metadata: { generateName: 'web-', namespace: 'shop' } };
  expect(planChange([next], [next], { apply }).change.objects.map((one) => one.effect)).toEqual([effect]);
});

describe('a finalizer without a domain', () => {
  const metadata = { name: 'web', namespace: 'shop', finalizers: ['resources-finalizer.argocd.argoproj.io'] };
  const changeOf = (kind: object, from: object, to: object) =>
    planChange([{ ...kind, metadata, ...from }], [{ ...kind, metadata, ...to }]).change.objects.map(({ effect, refusal }) => [
      effect,
      refusal?.path,
    ]);

  test.each([
    ['argoproj.io/v1alpha1', 'Application'],
    ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'],
  ])('is accepted in a custom resource of %s, since the API server only warns of it', (apiVersion, kind) => {
    const specs = ['a', 'b'].map((path) => ({ spec: { path } })) as [object, object];
    expect(changeOf({ apiVersion, kind }, ...specs)).toEqual([['unknown', undefined]]);
  });

  test('is refused in an object of Kubernetes', () => {
    const change = changeOf({ apiVersion: 'v1', kind: 'ConfigMap' }, { data: { a: '1' } }, { data: { a: '2' } });
    expect(change).toEqual([['refused', 'metadata.finalizers']]);
  });
});

test('a long name that the API server refuses is cut, as text', () => {
  const name = `web ${'x'.repeat(100)}`;
  const { findings } = planChange([], [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }]);
  expect(findings.filter(({ code }) => code === 'change/refused').map(({ data }) => data.message)).toEqual([
    expect.stringMatching(/^Invalid value: "web x{60,80}…": a lowercase RFC 1123 subdomain/),
  ]);
});
