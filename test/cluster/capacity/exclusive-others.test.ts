/** Required anti-affinity between two workloads, of which one has pods on unknown nodes. */
import { planChange } from 'rolloutkit/plan';

const HOSTNAME = 'kubernetes.io/hostname';

const affinity = (app: string) => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOSTNAME, labelSelector: { matchLabels: { app } } }] },
});

const deployment = (name: string, image: string, podSpec: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'shop' },
  spec: {
    replicas: 1,
    strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name, image, resources: { requests: { cpu: '1' } } }], ...podSpec },
    },
  },
});

const DB = deployment('db', 'db:1');

/** Plans an update of the Deployment web on some nodes for ten pods each, next to another Deployment. */
function planWeb(other: object, podSpec: object = {}, count = 1) {
  const [old, next] = ['web:1', 'web:2'].map((image) => [deployment('web', image, podSpec), other]);
  const capacity = { nodePools: [{ name: 'pool', count, allocatable: { cpu: '10', memory: '16Gi', pods: '110' } }] };
  const { rollouts } = planChange(old!, next!, { capacity });
  return rollouts.find(({ resource }) => resource.name === 'web')!.capacity?.message;
}

const FITS = 'Fits: there is capacity for its peak of 2 pods.';
const MAY_NOT_FIT = 'May not fit: there is capacity for its peak of 2 pods, but plans do not model podAntiAffinity.';

test.each([
  ['pods of the other workload avoid the new ones', deployment('db', 'db:1', { affinity: affinity('web') }), {}, MAY_NOT_FIT],
  ['the new pods avoid those of the other workload', DB, { affinity: affinity('db') }, MAY_NOT_FIT],
  ['neither avoids the other', DB, {}, FITS],
  ['the other workload avoids pods that are not in view', deployment('db', 'db:1', { affinity: affinity('cache') }), {}, FITS],
  [
    'the other workload has no pods',
    { ...DB, spec: { ...DB.spec, replicas: 0, template: deployment('db', 'db:1', { affinity: affinity('web') }).spec.template } },
    {},
    FITS,
  ],
])('if %s', (_, other, podSpec, message) => {
  expect(planWeb(other, podSpec)).toBe(message);
});

test('if the other workload is a StatefulSet', () => {
  const { spec, ...rest } = deployment('db', 'db:1', { affinity: affinity('web') });
  const { strategy: _, ...others } = spec;
  expect(planWeb({ ...rest, kind: 'StatefulSet', spec: { ...others, serviceName: 'db' } })).toBe(MAY_NOT_FIT);
});

test('a verdict with the running pods of the other workload in view is exact', () => {
  const node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n1', labels: { [HOSTNAME]: 'n1' } },
    status: { allocatable: { cpu: '10', memory: '16Gi', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
  const db = deployment('db', 'db:1', { affinity: affinity('web') });
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'db-0', namespace: 'shop', labels: { app: 'db' } },
    spec: { nodeName: 'n1', ...db.spec.template.spec },
    status: { phase: 'Running' },
  };
  const [old, next] = ['web:1', 'web:2'].map((image) => [
    deployment('web', image),
    { ...db, spec: { ...db.spec, replicas: 0 } },
    pod,
    node,
  ]);
  const { rollouts } = planChange(old!, next!, {});
  expect(rollouts.find(({ resource }) => resource.name === 'web')!.capacity).toMatchObject({ verdict: 'deadlocks' });
});
