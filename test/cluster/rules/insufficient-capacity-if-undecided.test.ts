import { planChange, planManifests } from '../../../src/headless';
import type { PlannedRollout } from '../../../src/core/document/rollout';

function deployment(replicas: number, cpu: number, podSpec: object = {}) {
  const labels = { app: 'web' };
  const containers = [
    { name: 'web', image: 'web:1', readinessProbe: { tcpSocket: { port: 80 } }, resources: { requests: { cpu: `${cpu}` } } },
  ];
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const template = { metadata: { labels }, spec: { containers, ...podSpec } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas, strategy, selector: { matchLabels: labels }, template },
  };
}

function quota(cpu: number) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'compute', namespace: 'shop' },
    spec: { hard: { 'requests.cpu': `${cpu}` } },
  };
}

const pools = (count: number, cpu: number) => ({ nodePools: [{ name: 'web', count, allocatable: { cpu: `${cpu}` } }] });

/** Returns the verdict, and the finding with its help. */
function findingOf({ capacity, findings }: PlannedRollout) {
  const found = findings.filter(({ code }) => code === 'kubernetes/insufficient-capacity');
  return [capacity!.verdict, ...found.flatMap(({ severity, message, help }) => [severity, message, help])];
}

describe('a rollout that may not fit has a finding', () => {
  const scaled = (cpu: number) => planChange([deployment(1, 2), quota(cpu)], [deployment(2, 1), quota(cpu)]).rollouts[0]!;

  test('if a quota admits the pods in one order only, and what it is to be raised to', () => {
    expect(findingOf(scaled(4))).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "warning",
  "The pods may not fit: between 0 and 2 of 2 new pods run. This depends on whether old or new pods are created first.",
  "Raise ResourceQuota "compute" so that it has 5 requests.cpu left, or lower the requests of a pod.",
]
`);
  });

  test('and none once the quota is raised', () => {
    expect(findingOf(scaled(5))).toEqual(['fits']);
  });

  test('if the choice of nodes decides', () => {
    const change = (large: number) => {
      const [small] = pools(1, 1).nodePools;
      const capacity = { nodePools: [...pools(large, 3).nodePools, { ...small!, name: 'small' }] };
      return planChange([deployment(1, 1)], [deployment(1, 3)], { capacity }).rollouts[0]!;
    };
    expect(findingOf(change(1))).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "warning",
  "The pods may not fit: between 0 and 1 of 1 new pod run. This depends on which nodes the scheduler chooses.",
  "Add capacity, or lower the requests of a pod, until the pods fit in any case.",
]
`);
    expect(findingOf(change(2))).toEqual(['fits']);
  });

  test('as an info if plans do not model a constraint', () => {
    const [rollout] = planManifests([deployment(2, 1, { runtimeClassName: 'gvisor' })], { capacity: pools(3, 2) }).rollouts;
    expect(findingOf(rollout!)).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "info",
  "The pods may not fit: there is capacity for its peak of 3 pods, but plans do not model runtimeClassName.",
  "Look at runtimeClassName before you apply: a new pod that finds no node stays Pending, and the rollout waits for it.",
]
`);
  });
});

test('what another rule reports has no second finding', () => {
  const gated = deployment(2, 1, { schedulingGates: [{ name: 'example.com/gate' }] });
  const custom = deployment(2, 1, { schedulerName: 'volcano' });
  const codesOf = (object: object) => {
    const [{ capacity, findings }] = planManifests([object], { capacity: pools(3, 2) }).rollouts as [PlannedRollout];
    return [capacity!.verdict, ...findings.map(({ code }) => code)];
  };
  expect(codesOf(gated)).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "kubernetes/scheduling-gated",
]
`);
  expect(codesOf(custom)).toMatchInlineSnapshot(`
[
  "may-not-fit",
  "kubernetes/awaits-other-component",
]
`);
});
