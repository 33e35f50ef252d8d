import { planChange } from '../../../src/change/plan-change';
import { expectValidPlan } from '../../plan-schema';

const INCREMENTAL = {
  type: 'NewClusterWithIncrementalUpgrade',
  clusterUpgradeOptions: { gatewayClassName: 'istio', maxSurgePercent: 50, stepSizePercent: 50, intervalSeconds: 10 },
};

interface Parts {
  readonly image?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly upgradeStrategy?: object;
}

/** A RayService with a head and up to 4 workers. */
function llm({ image = 'ray:1', labels = { app: 'llm' }, upgradeStrategy = INCREMENTAL }: Parts = {}) {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'ray', image }] } };
  const worker = { groupName: 'w', replicas: 4, minReplicas: 0, maxReplicas: 4, rayStartParams: {}, template };
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm' },
    spec: {
      upgradeStrategy,
      serveConfigV2: 'applications: [{name: a, import_path: "x:y", deployments: [{name: d, num_replicas: 4}]}]',
      rayClusterConfig: {
        rayVersion: '2.46.0',
        enableInTreeAutoscaling: true,
        headGroupSpec: { rayStartParams: {}, template },
        workerGroupSpecs: [worker],
      },
    },
  };
}

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'llm' },
  spec: { selector: { app: 'llm' }, ports: [{ port: 8000 }] },
};

/** Formats the ready endpoints of the Service of the user and the share of the new cluster: `5 -> 5: 5 (0), 5 (1)`. */
function endpoints(old: Parts, next: Parts): string | undefined {
  const { services = [] } = expectValidPlan(planChange([llm(old), SERVICE], [llm(next), SERVICE]));
  const own = services.find(({ resource }) => resource.name === 'llm');
  if (!own) return undefined;
  const { readyEndpoints, waves = [] } = own;
  const rows = waves.map(({ ready, newShare }) => `${ready} (${newShare ?? '-'})`);
  return `${readyEndpoints.before} -> ${readyEndpoints.after}: ${rows.join(', ')}`;
}

test('the pods of both clusters are endpoints while the capacity moves', () => {
  expect(endpoints({}, { image: 'ray:2' })).toBe('5 -> 5: 5 (0), 6 (0.1667), 8 (0.375), 6 (0.5), 6 (0.5), 8 (0.625), 6 (0.8333), 5 (1)');
});

test('a new cluster doubles the endpoints until the old one is deleted', () => {
  const upgradeStrategy = { type: 'NewCluster' };
  expect(endpoints({ upgradeStrategy }, { upgradeStrategy, image: 'ray:2' })).toBe('5 -> 5: 5 (0), 10 (0.5), 5 (1)');
});

test('a cluster that drops the label of the Service leaves no endpoint in the last row', () => {
  const upgradeStrategy = { type: 'NewCluster' };
  expect(endpoints({ upgradeStrategy }, { upgradeStrategy, labels: { app: 'other' } })).toBe('5 -> 0: 5 (0), 5 (0), 0 (-)');
});

test('nothing changes without an upgrade', () => {
  const upgradeStrategy = { type: 'None' };
  expect(endpoints({ upgradeStrategy }, { upgradeStrategy, image: 'ray:2' })).toBe('5 -> 5: ');
});

test('a suspended service has no pods, and its Service no endpoints', () => {
  const suspended = { ...llm(), spec: { ...llm().spec, suspend: true } };
  const change = (old: object, next: object) => {
    const { services = [], change: planned, rollouts } = expectValidPlan(planChange([old, SERVICE], [next, SERVICE]));
    const { effect, pods } = planned.objects[0]!;
    return [effect, pods, services[0]?.readyEndpoints, rollouts[0]?.findings.map(({ code }) => code)];
  };
  expect(change(llm(), suspended)).toEqual(['scale', { before: 5, after: 0 }, { before: 5, least: 0, after: 0 }, ['kuberay/suspended']]);
  expect(change(suspended, llm())).toEqual(['scale', { before: 0, after: 5 }, { before: 0, least: 0, after: 5 }, []]);
});
