import { planChange } from '../../../src/change/plan-change';
import { renderPlanText } from '../../../src/render/text/plan';
import { expectValidPlan } from '../../plan-schema';

const INCREMENTAL = {
  type: 'NewClusterWithIncrementalUpgrade',
  clusterUpgradeOptions: { gatewayClassName: 'istio', stepSizePercent: 50, intervalSeconds: 30, maxSurgePercent: 100 },
};
const NEW_CLUSTER = { type: 'NewCluster' };

/** A RayService with a head and 2 workers. */
function llm(image: string, upgradeStrategy: object = INCREMENTAL, spec: object = {}) {
  const template = { spec: { containers: [{ name: 'ray', image, ports: [{ name: 'serve', containerPort: 8000 }] }] } };
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm', namespace: 'ml' },
    spec: {
      upgradeStrategy,
      ...spec,
      serveConfigV2: 'applications: [{name: a, import_path: "a:app", deployments: [{name: d, num_replicas: 1}]}]',
      rayClusterConfig: {
        enableInTreeAutoscaling: true,
        headGroupSpec: { rayStartParams: {}, template },
        workerGroupSpecs: [{ groupName: 'w', replicas: 2, minReplicas: 0, maxReplicas: 2, rayStartParams: {}, template }],
      },
    },
  };
}

/** Formats each Service in one line: `llm-active-serve-svc [stable] 3 -> 3: 3 (0), 3 (0.5)`. */
function services(old: object, next: object, others: readonly object[] = []): string[] {
  const plan = expectValidPlan(planChange([old, ...others], [next, ...others], { versions: { kuberay: '1.7' } }));
  return (plan.services ?? []).map(({ resource, role, readyEndpoints: { before, after }, waves = [], usedBy = [] }) => {
    const rows = waves.map(({ ready, newShare }) => `${ready} (${newShare ?? '-'})`);
    const routes = usedBy.map(({ kind, name }) => ` by ${kind} ${name}`);
    return `${resource.name} [${role}]${routes.join('')} ${before} -> ${after}${rows.length > 0 ? `: ${rows.join(', ')}` : ''}`;
  });
}

test('the weights of the HTTPRoute decide the share of the new cluster, not its pods', () => {
  expect(services(llm('a:1'), llm('a:2'))).toEqual([
    'llm-active-serve-svc [stable] by HTTPRoute llm-httproute 3 -> 3: 3 (0), 3 (0), 3 (0.5), 3 (1), 1 (1), 3 (1)',
    'llm-pending-serve-svc [canary] by HTTPRoute llm-httproute 0 -> 3: 0 (0), 1 (0), 3 (0.5), 3 (1), 3 (1), 3 (1)',
  ]);
});

test('the headline does not count the endpoints of the old cluster, whose requests the weights move away before its pods go', () => {
  const text = renderPlanText(planChange([llm('a:1')], [llm('a:2')], { versions: { kuberay: '1.7' } }));
  expect(text.split('\n').slice(0, 2)).toEqual([
    '1 of 1 object differs: 1 rolls; 3 pods are replaced; needs up to 3 extra pods; assumes Kubernetes 1.36',
    '! roll   RayService ml/llm   image a:1 -> a:2 and 1 more',
  ]);
});

test('the Service of a NewCluster upgrade moves to the new cluster at once', () => {
  expect(services(llm('a:1', NEW_CLUSTER), llm('a:2', NEW_CLUSTER))).toEqual(['llm-serve-svc [active] 3 -> 3: 3 (0), 3 (1), 3 (1)']);
});

test('serveService names the Service, and the head is no endpoint if it is excluded', () => {
  const spec = { serveService: { metadata: { name: 'chat' } }, excludeHeadPodFromServeSvc: true };
  expect(services(llm('a:1', NEW_CLUSTER, spec), llm('a:2', NEW_CLUSTER, spec))).toEqual(['chat [active] 2 -> 2: 2 (0), 2 (1), 2 (1)']);
});

test('without an upgrade there is one cluster, and with type None none replaces it', () => {
  expect(services(llm('a:1'), llm('a:1'))).toEqual(['llm-active-serve-svc [stable] by HTTPRoute llm-httproute 3 -> 3']);
  expect(services(llm('a:1', { type: 'None' }), llm('a:2', { type: 'None' }))).toEqual([]);
});

test('the Service of a new RayService has endpoints once its pods are ready', () => {
  const plan = planChange([], [llm('a:1', NEW_CLUSTER)], { versions: { kuberay: '1.7' } });
  expect(plan.services!.map(({ readyEndpoints }) => readyEndpoints)).toEqual([{ before: 0, least: 0, after: 3 }]);
  expect(plan.services![0]!.waves!.map(({ ready }) => ready)).toEqual([0, 3]);
});

test('the operator creates the Services of another type of upgrade', () => {
  expect(services(llm('a:1'), llm('a:2', NEW_CLUSTER))).toEqual(['llm-serve-svc [active] 0 -> 3: 3 (0), 3 (1), 3 (1)']);
});

test.each([
  ['3', '3 -> 3: 3 (0)', '0 -> 0: 0 (0)'],
  ['4', '3 -> 3: 3 (0), 3 (0)', '0 -> 1: 0 (0), 1 (0)'],
])('a quota of %s pods, which the new cluster exceeds, leaves the requests at the old one', (pods, active, pending) => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'ml' }, spec: { hard: { pods } } };
  expect(services(llm('a:1'), llm('a:2'), [quota])).toEqual([
    `llm-active-serve-svc [stable] by HTTPRoute llm-httproute ${active}`,
    `llm-pending-serve-svc [canary] by HTTPRoute llm-httproute ${pending}`,
  ]);
});
