import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { podTemplate, workload } from '../builders/workload';
import { expectValidPlan } from '../plan-schema';

/* Flux applies nothing of a suspended Kustomization or HelmRelease. What differs is held, and what its next rollout meets is still reported. */

const META = { name: 'apps', namespace: 'flux-system' };

function kustomization(suspend: boolean, spec: object = {}): object {
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: META,
    spec: { path: './apps', suspend, ...spec },
  };
}

function web(image: string, spec: object = {}, name = 'web'): object {
  const template = podTemplate({ name: 'web', image, readinessProbe: { tcpSocket: { port: 80 } } });
  return workload('Deployment', { replicas: 3, template, ...spec }, { name, namespace: 'shop' });
}

function effectsOf(old: readonly object[], next: readonly object[], options: Parameters<typeof planChange>[2] = {}): string[] {
  const plan = planChange(old, next, options);
  expectValidPlan(plan);
  const findings = [...plan.findings, ...plan.rollouts.flatMap((rollout) => rollout.findings)];
  return [
    ...plan.change.objects.map(
      ({ resource, effect, heldUntil }) => `${resource.kind} ${resource.name}: ${effect}${heldUntil ? ` until ${heldUntil}` : ''}`,
    ),
    ...findings.map(({ severity, code, message }) => `${severity} ${code} ${message}`),
  ];
}

test('a change of a suspended Kustomization waits until it is resumed', () => {
  const old = [kustomization(true), web('web:1')];
  const next = [kustomization(true), web('web:2'), web('web:1', {}, 'new')];
  expect(effectsOf(old, next)).toMatchInlineSnapshot(`
[
  "Kustomization apps: none",
  "Deployment web: held until Kustomization flux-system/apps is resumed",
  "Deployment new: held until Kustomization flux-system/apps is resumed",
  "warning change/not-applied Kustomization flux-system/apps is suspended: Flux applies the changes of 2 objects, such as Deployment shop/web, only once it is resumed.",
]
`);
  expect(renderPlanText(planChange(old, next)).split('\n').slice(0, 3)).toMatchInlineSnapshot(`
[
  "2 of 3 objects differ: 2 are on hold; no pods are affected; assumes Kubernetes 1.36",
  "! held   Deployment shop/web   until Kustomization flux-system/apps is resumed   image web:1 -> web:2",
  "! held   Deployment shop/new   until Kustomization flux-system/apps is resumed",
]
`);
});

test('what the next rollout meets, and what the API server will refuse, are errors already now', () => {
  expect(
    effectsOf(
      [kustomization(true), web('web:1'), web('api:1', {}, 'api')],
      [
        kustomization(true),
        web('web:1', { strategy: { rollingUpdate: { maxUnavailable: '100%' } } }),
        web('api:1', { selector: { matchLabels: { app: 'other' } } }, 'api'),
      ],
    ),
  ).toMatchInlineSnapshot(`
[
  "Kustomization apps: none",
  "Deployment web: held until Kustomization flux-system/apps is resumed",
  "Deployment api: refused",
  "warning change/not-applied Kustomization flux-system/apps is suspended: Flux applies the change of Deployment shop/web only once it is resumed.",
  "error kubernetes/outage At the next rollout: maxUnavailable "100%" allows 3 unavailable pods for 3 replicas: all old pods are deleted before a new one is ready, and no pod is available in between.",
  "error kubernetes/invalid-workload The labels of the pod template, "app=api", do not match spec.selector, "app=other": the API server refuses the object.",
]
`);
});

test('nothing is pruned while it is suspended', () => {
  const owned = {
    ...web('web:1'),
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' },
    },
  };
  const deletedUnder = (suspend: boolean) => {
    const source = kustomization(suspend, { prune: true });
    return planChange([source, owned], [source], { prune: true }).change.objects.map(({ effect }) => effect);
  };
  expect([deletedUnder(false), deletedUnder(true)]).toEqual([
    ['none', 'delete'],
    ['none', 'none'],
  ]);
});

test.each<[effect: string, what: string, options: object, suspend: boolean]>([
  ['roll', 'it is not suspended', {}, false],
  ['held', 'it is suspended', {}, true],
  ['roll', 'kubectl applies the object', { apply: 'client' }, true],
])('the effect of another image is %s if %s', (effect, _what, options, suspend) => {
  const { change } = planChange([kustomization(suspend), web('web:1')], [kustomization(suspend), web('web:2')], options);
  expect(change.objects.at(-1)?.effect).toBe(effect);
});

test('so does a change of a suspended HelmRelease', () => {
  const release = {
    apiVersion: 'helm.toolkit.fluxcd.io/v2',
    kind: 'HelmRelease',
    metadata: META,
    spec: { suspend: true, chart: { spec: { chart: './charts/web', sourceRef: { kind: 'GitRepository', name: 'home' } } } },
  };
  expect(effectsOf([release, web('web:1')], [release, web('web:2')])).toMatchInlineSnapshot(`
[
  "HelmRelease apps: none",
  "Deployment web: held until HelmRelease flux-system/apps is resumed",
  "warning change/not-applied HelmRelease flux-system/apps is suspended: Flux applies the change of Deployment shop/web only once it is resumed.",
]
`);
});

test('a source that is resumed by the change applies it', () => {
  expect(effectsOf([kustomization(true), web('web:1')], [kustomization(false), web('web:2')])).toMatchInlineSnapshot(`
[
  "Kustomization apps: unknown",
  "Deployment web: roll",
]
`);
});
