import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';

const ZONE = 'topology.kubernetes.io/zone';

function deployment(image: string, replicas: number, constraint: object) {
  const labels = { app: 'web' };
  const spread = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: labels },
    ...constraint,
  };
  const containers = [{ name: 'web', image, resources: { requests: { cpu: '100m', memory: '64Mi' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { topologySpreadConstraints: [spread], containers } },
    },
  };
}

/** Two zones with two nodes each. */
const capacity = {
  nodePools: ['a', 'b'].map((zone) => ({
    name: zone,
    count: 2,
    labels: { [ZONE]: zone },
    allocatable: { cpu: '8', memory: '32Gi', pods: 110 },
  })),
};

type Pods = readonly [image: string, replicas: number];

/** Plans a change between pods with a spread constraint. Without OLD, the pods are new. */
function change(old: Pods | undefined, next: Pods, constraint: object) {
  const before = old ? [deployment(...old, constraint)] : [];
  const [rollout] = expectValidPlan(planChange(before, [deployment(...next, constraint)], { capacity })).rollouts;
  const { verdict, podsThatFit, shortage } = rollout!.capacity!;
  const finding = rollout!.findings.find(({ code }) => code === 'kubernetes/insufficient-capacity');
  return { verdict, podsThatFit, shortage: shortage?.kind, help: finding?.help };
}

const HELP = 'Lower minDomains of the spread constraint to the domains that the nodes have, or add nodes in another domain.';
const TOO_FEW = { verdict: 'deadlocks', podsThatFit: 2, shortage: 'domains', help: HELP };

test('two zones and minDomains 3 allow maxSkew pods each, and the help names minDomains', () => {
  expect(change(['web:1', 6], ['web:2', 6], { minDomains: 3 })).toEqual(TOO_FEW);
  expect(change(['web:1', 2], ['web:1', 4], { minDomains: 3 })).toEqual(TOO_FEW);
  expect(change(['web:1', 2], ['web:2', 4], { minDomains: 3 })).toEqual(TOO_FEW);
  expect(change(undefined, ['web:1', 6], { minDomains: 3 })).toEqual(TOO_FEW);
  expect(change(undefined, ['web:1', 6], { minDomains: 3, maxSkew: 2 })).toEqual({ ...TOO_FEW, podsThatFit: 4 });
});

test('each node is a domain of its host name', () => {
  const byHost = { topologyKey: 'kubernetes.io/hostname' };
  expect(change(undefined, ['web:1', 6], { ...byHost, minDomains: 5 })).toEqual({ ...TOO_FEW, podsThatFit: 4 });
  expect(change(['web:1', 6], ['web:2', 6], { ...byHost, minDomains: 4 })).toMatchObject({ verdict: 'fits' });
});

test('enough domains, or a constraint that does not count the pods, limit nothing', () => {
  expect(change(['web:1', 6], ['web:2', 6], { minDomains: 2 })).toMatchObject({ verdict: 'fits' });
  const others = { labelSelector: { matchLabels: { app: 'api' } } };
  expect(change(['web:1', 6], ['web:2', 6], { minDomains: 3, ...others })).toMatchObject({ verdict: 'fits' });
  expect(change(undefined, ['web:1', 2], { minDomains: 3 })).toMatchObject({ verdict: 'may-not-fit' });
});
