import { planChange } from '../../src/change/plan-change';
import { diffPlans } from '../../src/change/diff/diff';
import { planManifests } from '../../src/plan/plan';
import type { ServicePlan } from '../../src/core/service-plan';
import { expectValidPlan } from '../plan-schema';

interface Pods {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly selector?: Readonly<Record<string, string>>;
  readonly image?: string;
  readonly spec?: object;
}

function workload({
  kind = 'Deployment',
  apiVersion = 'apps/v1',
  name = 'api',
  labels = { app: 'api' },
  selector = { app: 'api' },
  image = 'api:1',
  spec = {},
}: Pods = {}) {
  const containers = [{ name: 'api', image, readinessProbe: { tcpSocket: { port: 80 } } }];
  return {
    apiVersion,
    kind,
    metadata: { name },
    spec: { replicas: 4, selector: { matchLabels: selector }, template: { metadata: { labels }, spec: { containers } }, ...spec },
  };
}

function service(name: string, selector: Readonly<Record<string, string>>, spec: object = {}) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector, ports: [{ port: 80 }], ...spec } };
}

/** Formats a Service in one line: `api 4 -> 3 -> 4: 3 (0), 3 (0.6667), 4 (1)`. */
function format({ resource, role, readyEndpoints: { before, least, after }, waves = [] }: ServicePlan): string {
  const rows = waves.map(({ ready, newShare }) => `${ready} (${newShare ?? '-'})`);
  return `${resource.name}${role ? ` [${role}]` : ''} ${before} -> ${least} -> ${after}${rows.length > 0 ? `: ${rows.join(', ')}` : ''}`;
}

function planned(old: readonly object[], next: readonly object[], options: object = {}): string[] {
  return (expectValidPlan(planChange(old, next, options)).services ?? []).map(format);
}

/** Builds a pod template with these ports. */
function withPorts(ports: readonly object[]) {
  const container = { name: 'api', image: 'api:1', ports, readinessProbe: { tcpSocket: { port: 80 } } };
  return { metadata: { labels: { app: 'api' } }, spec: { containers: [container] } };
}

const NEW_IMAGE = { image: 'api:2' };

test('a Service has the ready pods of each wave, and the share of the new version', () => {
  expect(planned([workload(), service('api', { app: 'api' })], [workload(NEW_IMAGE), service('api', { app: 'api' })])).toEqual([
    'api 4 -> 3 -> 4: 3 (0), 3 (0.6667), 4 (1)',
  ]);
});

test('a plan of one version has the Services of its rollouts, in input order', () => {
  const { services } = expectValidPlan(
    planManifests([service('b', { app: 'api' }), workload(), service('a', { app: 'api' }), service('c', { app: 'other' })]),
  );
  expect(services!.map(format)).toEqual(['b 4 -> 3 -> 4: 3 (0), 3 (0.6667), 4 (1)', 'a 4 -> 3 -> 4: 3 (0), 3 (0.6667), 4 (1)']);
});

test('without a Service the document has no services', () => {
  expect(planManifests([workload()])).not.toHaveProperty('services');
});

test('the selector changes at once, the pods one after another', () => {
  const old = [workload({ labels: { app: 'api', v: 'a' } }), service('api', { v: 'a' })];
  const next = [workload({ labels: { app: 'api', v: 'b' } }), service('api', { v: 'b' })];
  expect(planned(old, next)).toEqual(['api 4 -> 0 -> 4: 0 (-), 2 (1), 4 (1)']);
});

test('several workloads of one Service count together', () => {
  const stable = workload({ name: 'stable', labels: { app: 'api', t: 's' }, selector: { t: 's' }, spec: { replicas: 9 } });
  const canary = (image: string) =>
    workload({ name: 'canary', labels: { app: 'api', t: 'c' }, selector: { t: 'c' }, image, spec: { replicas: 1 } });
  expect(
    planned([stable, canary('api:1'), service('api', { app: 'api' })], [stable, canary('api:2'), service('api', { app: 'api' })]),
  ).toEqual(['api 10 -> 10 -> 10: 10 (0), 10 (0.1)']);
});

test('with minReadySeconds, pods are endpoints before they are available', () => {
  const side = (image: string) => [workload({ image, spec: { minReadySeconds: 300 } }), service('api', { app: 'api' })];
  expect(planned(side('api:1'), side('api:2'))).toEqual(['api 4 -> 3 -> 4: 3 (0), 5 (0.4), 3 (0.6667), 5 (0.8), 4 (1)']);
});

test('a scale or a selector that moves pods from one workload to another makes the one that grows the new version', () => {
  const side = (stable: number, canary: number, selector: Readonly<Record<string, string>> = { app: 'api' }) => [
    workload({ name: 'stable', labels: { app: 'api', t: 's' }, selector: { t: 's' }, spec: { replicas: stable } }),
    workload({ name: 'canary', labels: { app: 'api', t: 'c' }, selector: { t: 'c' }, spec: { replicas: canary } }),
    service('api', selector),
  ];
  expect(planned(side(9, 1), side(5, 5))).toEqual(['api 10 -> 6 -> 10: 6 (0.1667), 10 (0.5)']);
  expect(planned(side(5, 5), side(0, 10))).toEqual(['api 10 -> 5 -> 10: 5 (1), 10 (1)']);
  expect(planned(side(3, 0, { t: 's' }), side(3, 3, { t: 'c' }))).toEqual(['api 3 -> 0 -> 3: 0 (-), 3 (1)']);
  // Both grow, so neither is the new version.
  expect(planned(side(9, 1), side(10, 2))).toEqual(['api 10 -> 10 -> 12: 10 (0), 12 (0)']);
});

test('a scale changes the number at once', () => {
  const old = [workload(), service('api', { app: 'api' })];
  expect(planned(old, [workload({ spec: { replicas: 2 } }), service('api', { app: 'api' })])).toEqual(['api 4 -> 2 -> 2']);
});

test('a renamed workload is deleted before the new one is ready', () => {
  const old = [workload({ labels: { app: 'api', n: 'a' }, selector: { n: 'a' } }), service('api', { app: 'api' })];
  const next = [workload({ name: 'api-v2', labels: { app: 'api', n: 'b' }, selector: { n: 'b' } }), service('api', { app: 'api' })];
  expect(planned(old, next, { prune: true })).toEqual(['api 4 -> 0 -> 4: 0 (-), 4 (1)']);
  expect(planned(old, next)).toEqual(['api 4 -> 4 -> 8: 4 (0), 8 (0.5)']);
});

test('Pulumi deletes the old workload once the new one is ready', () => {
  const old = [workload({ labels: { app: 'api', n: 'a' }, selector: { n: 'a' } }), service('api', { app: 'api' })];
  const next = [workload({ name: 'api-v2', labels: { app: 'api', n: 'b' }, selector: { n: 'b' } }), service('api', { app: 'api' })];
  expect(planned(old, next, { prune: true, apply: 'pulumi' })).toEqual(['api 4 -> 4 -> 4: 4 (0), 8 (0.5), 4 (1)']);
});

test('Helm deletes nothing if the API server refuses an object', () => {
  const other = (selector: string) => workload({ name: 'other', labels: { app: selector }, selector: { app: selector } });
  const old = [workload({ labels: { app: 'api', n: 'a' }, selector: { n: 'a' } }), other('x'), service('api', { app: 'api' })];
  const next = [
    workload({ name: 'api-v2', labels: { app: 'api', n: 'b' }, selector: { n: 'b' } }),
    other('y'),
    service('api', { app: 'api' }),
  ];
  expect(planned(old, next, { prune: true, apply: 'helm' })).toEqual(['api 4 -> 4 -> 8: 4 (0), 8 (0.5)']);
});

test('a StatefulSet and the groups of a LeaderWorkerSet have their own rows', () => {
  const set = (image: string) => workload({ kind: 'StatefulSet', image, spec: { replicas: 3 } });
  const groups = (image: string) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'llm' },
    spec: {
      replicas: 2,
      leaderWorkerTemplate: {
        size: 3,
        leaderTemplate: { metadata: { labels: { app: 'llm', part: 'leader' } }, spec: { containers: [{ name: 'l', image }] } },
        workerTemplate: { metadata: { labels: { app: 'llm' } }, spec: { containers: [{ name: 'w', image }] } },
      },
    },
  });
  const services = [service('api', { app: 'api' }), service('leaders', { part: 'leader' }), service('all', { app: 'llm' })];
  expect(planned([set('a'), groups('a'), ...services], [set('b'), groups('b'), ...services])).toEqual([
    'api 3 -> 2 -> 3: 2 (0), 2 (0.5), 2 (1)',
    'leaders 2 -> 1 -> 2: 1 (0), 1 (1)',
    'all 6 -> 3 -> 6: 3 (0), 3 (1)',
  ]);
});

test('Services of a routed Rollout follow their version, and one without a role reaches both past the weights', () => {
  const canary = {
    stableService: 'web',
    canaryService: 'web-canary',
    trafficRouting: { nginx: { stableIngress: 'web' } },
    steps: [{ setWeight: 25 }, { pause: { duration: 60 } }],
  };
  const rollout = (image: string) =>
    workload({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', image, spec: { strategy: { canary } } });
  const services = ['web', 'web-canary', 'root'].map((name) => service(name, { app: 'api' }));
  expect(planned([rollout('a'), ...services], [rollout('b'), ...services])).toEqual([
    'web [stable] 4 -> 4 -> 4: 4 (0), 4 (0.25), 4 (0.25), 4 (1), 4 (1)',
    'web-canary [canary] 4 -> 0 -> 4: 0 (0), 1 (0.25), 1 (0.25), 4 (1), 4 (1)',
    'root 4 -> 4 -> 4: 4 (0), 5 (0.2), 5 (0.2), 8 (0.5), 4 (1)',
  ]);
});

test('the Services of a blue-green Rollout switch when the new version is promoted', () => {
  const blueGreen = { activeService: 'web', previewService: 'preview' };
  const rollout = (image: string) =>
    workload({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', image, spec: { strategy: { blueGreen } } });
  const services = ['web', 'preview'].map((name) => service(name, { app: 'api' }));
  expect(planned([rollout('a'), ...services], [rollout('b'), ...services])).toEqual([
    'web [active] 4 -> 4 -> 4: 4 (0), 4 (1), 4 (1)',
    'preview [preview] 4 -> 0 -> 4: 0 (0), 4 (1), 4 (1)',
  ]);
});

test('objects that are not planned may have pods that the Service selects too', () => {
  const database = (name: string) => ({ apiVersion: 'k8s.mariadb.com/v1alpha1', kind: 'MariaDB', metadata: { name }, spec: {} });
  const { services } = planManifests([workload(), database('api-db'), database('db'), service('api', { app: 'api' })]);
  expect(services![0]!.mayAlsoSelect).toEqual([{ apiVersion: 'k8s.mariadb.com/v1alpha1', kind: 'MariaDB', name: 'api-db' }]);
});

test.each([
  [
    'a Service of Knative, whose pods depend on the load',
    {
      apiVersion: 'serving.knative.dev/v1',
      kind: 'Service',
      spec: { template: { metadata: { labels: { v: 'b' } }, spec: { containers: [{ image: 'a:1' }] } } },
    },
  ],
  [
    'a resource whose operator derives the labels',
    {
      apiVersion: 'icp4a.ibm.com/v1',
      kind: 'ICP4ACluster',
      spec: { mode: 'b', strategy: { type: 'RollingUpdate', rolling_update: { max_surge: 1 } } },
    },
  ],
])('%s may have pods that a Service selects, so it is not said to lose its endpoints', (_, object) => {
  const other = { ...object, metadata: { name: 'other' } };
  const side = (v: string) => [workload({ labels: { app: 'api', v } }), service('api', { v }), other];
  const { services, findings } = planChange(side('a'), side('b'));
  expect(services![0]!.mayAlsoSelect).toMatchObject([{ kind: object.kind, name: 'other' }]);
  expect(findings.filter(({ code }) => code === 'change/service-without-endpoints')).toEqual([]);
});

test('a port that a change adds has no users yet, so its missing endpoints are no loss', () => {
  const http = { name: 'http', port: 80, targetPort: 80 };
  const metrics = { name: 'metrics', port: 9090, targetPort: 'metrics' };
  const pods = (ports: readonly object[]) => workload({ spec: { template: withPorts(ports) } });
  const old = [pods([]), service('api', { app: 'api' }, { ports: [http] })];
  const next = [pods([{ name: 'metrics', containerPort: 9090 }]), service('api', { app: 'api' }, { ports: [http, metrics] })];
  const { change, services, findings } = expectValidPlan(planChange(old, next));
  expect(services!.map(({ readyEndpoints }) => readyEndpoints)).toEqual([{ before: 4, least: 0, after: 4, leastInUse: 3 }]);
  expect(change.summary.lowest).toMatchObject({ available: 3, replicas: 4 });
  expect(findings).toEqual([]);
  const sides = [planManifests(old), planManifests(next)] as const;
  expect(diffPlans(...sides, change, { services: services!, findings }).changed.filter(({ risk }) => risk === 'riskier')).toEqual([]);
});

test('a port that gets a name keeps its users, so the loss of its endpoints is reported', () => {
  const next = service(
    'api',
    { app: 'api', v: 'b' },
    {
      ports: [
        { name: 'http', port: 80 },
        { name: 'admin', port: 81 },
      ],
    },
  );
  const { findings } = planChange([workload(), service('api', { app: 'api' })], [workload(), next]);
  expect(findings).toMatchObject([{ code: 'change/service-without-endpoints', messageId: 'selector', data: { before: 4, label: 'v=b' } }]);
});

test('routes that name a Service are listed with it', () => {
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'web' },
    spec: { rules: [{ backendRefs: [{ name: 'api', port: 80 }] }] },
  };
  const { services } = planManifests([workload(), service('api', { app: 'api' }), route]);
  expect(services![0]!.usedBy).toEqual([{ apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', name: 'web' }]);
});

test('the lowest availability of a change is that of the Service', () => {
  const old = [workload({ labels: { app: 'api', v: 'a' } }), service('api', { v: 'a' })];
  const next = [workload({ labels: { app: 'api', v: 'b' } }), service('api', { v: 'b' })];
  expect(planChange(old, next).change.summary.lowest).toEqual({
    resource: { apiVersion: 'v1', kind: 'Service', name: 'api' },
    available: 0,
    replicas: 4,
  });
});

test('a difference names a Service that the change leaves without endpoints, although both sides keep some', () => {
  const old = [workload({ labels: { app: 'api', v: 'a' } }), service('api', { v: 'a' })];
  const next = [workload({ labels: { app: 'api', v: 'b' } }), service('api', { v: 'b' })];
  const changed = planChange(old, next);
  const { riskier, changed: differences } = diffPlans(planManifests(old), planManifests(next), changed.change, changed);
  expect({ riskier, differences }).toEqual({
    riskier: true,
    differences: [
      {
        resource: { apiVersion: 'v1', kind: 'Service', name: 'api' },
        field: 'leastReadyEndpoints',
        old: 3,
        new: 0,
        risk: 'riskier',
        reason: 'The change leaves the Service without ready endpoints, although the rollouts keep pods available.',
      },
    ],
  });
});

test('while no endpoint is ready, pods that terminate answer for the seconds of their preStop hook, or connections are refused', () => {
  const graceful = (spec: object) => {
    const built = workload({ spec: { replicas: 1, ...spec } });
    const { template } = built.spec;
    const [container] = template.spec.containers;
    const lifecycle = { preStop: { sleep: { seconds: 5 } } };
    return { ...built, spec: { ...built.spec, template: { ...template, spec: { containers: [{ ...container, lifecycle }] } } } };
  };
  const replaced = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };
  const wavesOf = (objects: readonly object[]) => planManifests(objects).services![0]!.waves;
  expect(wavesOf([graceful(replaced), service('api', { app: 'api' })])).toEqual([
    { wave: 1, ready: 0, answers: 'terminating-pods', answerSeconds: 5 },
  ]);
  expect(wavesOf([workload({ spec: { replicas: 2, strategy: { type: 'Recreate' } } }), service('api', { app: 'api' })])).toEqual([
    { wave: 1, ready: 0, answers: 'terminating-pods' },
    { wave: 2, ready: 0, answers: 'refused' },
  ]);
  expect(wavesOf([workload({ spec: { strategy: { type: 'Recreate' } } }), service('api', { app: 'api' }, { clusterIP: 'None' })])).toEqual([
    { wave: 1, ready: 0 },
    { wave: 2, ready: 0 },
  ]);
});

test('the pods of a new StatefulSet are ready one after another', () => {
  const set = (spec: object) => workload({ kind: 'StatefulSet', spec: { replicas: 3, ...spec } });
  const next = (spec: object) => [set(spec), service('api', { app: 'api' })];
  expect(planned([], next({}))).toEqual(['api 0 -> 0 -> 3: 0 (-), 1 (1), 2 (1), 3 (1)']);
  expect(planned([], next({ podManagementPolicy: 'Parallel' }))).toEqual(['api 0 -> 0 -> 3: 0 (-), 3 (1)']);
});

test('kubectl prunes nothing if the API server refuses an object', () => {
  const other = (name: string) => workload({ name: 'other', labels: { app: name }, selector: { app: name } });
  const named = (name: string) => workload({ name, labels: { app: 'api', n: name }, selector: { n: name } });
  const old = [named('a'), other('x'), service('api', { app: 'api' })];
  expect(planned(old, [named('b'), other('y'), service('api', { app: 'api' })], { prune: true })).toEqual([
    'api 4 -> 4 -> 8: 4 (0), 8 (0.5)',
  ]);
});

const DAEMON_SET = { kind: 'DaemonSet', spec: { replicas: undefined } };

test('pods of a DaemonSet are not counted without nodes, but a Service with them does not lose its endpoints to another workload', () => {
  const own = { selector: { app: 'api', on: 'node' }, labels: { app: 'api', on: 'node' } };
  const old = [workload({ name: 'web' }), workload({ ...DAEMON_SET, ...own }), service('api', { app: 'api' })];
  const plan = planChange(old, old.slice(1), { prune: true });
  expect(plan.services!.map(({ readyEndpoints, mayAlsoSelect, waves }) => ({ readyEndpoints, mayAlsoSelect, waves }))).toEqual([
    {
      readyEndpoints: { before: 4, least: 0, after: 0 },
      mayAlsoSelect: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'api' }],
      waves: [{ wave: 1, ready: 0 }],
    },
  ]);
  expect(plan.findings.map(({ code }) => code)).toEqual(['kubernetes/no-nodes']);
});

test('diff counts a Service as riskier that loses endpoints on an unknown number of nodes', () => {
  const version = (label: string) => [
    workload({ ...DAEMON_SET, labels: { app: 'api', v: label } }),
    service('api', { app: 'api', v: label }),
  ];
  const changed = planChange(version('1'), version('2'));
  const { riskier, changed: differences } = diffPlans(planManifests(version('1')), planManifests(version('2')), changed.change, changed);
  expect(riskier).toBe(true);
  expect(differences.map(({ resource, field, old, new: next }) => [resource.name, field, old, next])).toEqual([
    ['api', 'leastReadyEndpoints', null, 0],
  ]);
});

test('a Rollout takes over the pods of a Deployment before that is scaled down', () => {
  const reference = {
    workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api', scaleDown: 'onsuccess' },
    template: undefined,
  };
  const rollout = workload({ apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', spec: { ...reference, strategy: { canary: {} } } });
  const old = [workload(), service('api', { app: 'api' })];
  expect(planned(old, [...old, rollout])).toEqual(['api 4 -> 4 -> 4: 4 (0), 8 (0.5), 4 (1)']);
});

test('Argo CD deletes first, unless the old object is in a later wave or has PruneLast=true', () => {
  const next = [workload({ name: 'api-v2' }), service('api', { app: 'api' })];
  const plannedWith = (annotations: object) => {
    const old = workload();
    return planned([{ ...old, metadata: { ...old.metadata, annotations } }, next[1]!], next, { prune: true, apply: 'argocd' });
  };
  expect(plannedWith({})).toEqual(['api 4 -> 0 -> 4: 0 (-), 4 (1)']);
  expect(plannedWith({ 'argocd.argoproj.io/sync-wave': '1' })).toEqual(['api 4 -> 4 -> 4: 4 (0), 8 (0.5), 4 (1)']);
  expect(plannedWith({ 'argocd.argoproj.io/sync-options': 'PruneLast=true' })).toEqual(['api 4 -> 4 -> 4: 4 (0), 8 (0.5), 4 (1)']);
});
