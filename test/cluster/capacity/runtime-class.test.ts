import { planChange } from '../../../src/headless';

const KATA = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: { name: 'kata' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '2' } },
  scheduling: { nodeSelector: { sandbox: 'yes' } },
};

function deployment(podSpec: object) {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 1,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1' } } }], ...podSpec },
      },
    },
  };
}

function node(cpu: number, labels: object) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', labels: { 'kubernetes.io/hostname': 'a', ...labels } },
    status: { allocatable: { cpu: `${cpu}`, pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'cpu', namespace: 'shop' }, spec: { hard: { cpu: '3' } } };

function verdictWith(surroundings: readonly object[]) {
  const { verdict, because } = planChange([...surroundings, deployment({})], [deployment({ runtimeClassName: 'kata' })]).rollouts[0]!
    .capacity!;
  return [verdict, ...(because ?? [])];
}

test('the overhead of a RuntimeClass in the input counts on nodes and in quotas', () => {
  expect(verdictWith([KATA, node(4, { sandbox: 'yes' })])).toEqual(['fits']);
  expect(verdictWith([KATA, node(3, { sandbox: 'yes' })])).toEqual(['deadlocks']);
  expect(verdictWith([KATA, QUOTA])).toEqual(['deadlocks']);
});

test('its node selector applies to its pods', () => {
  expect(verdictWith([KATA, node(16, {})])).toEqual(['deadlocks']);
});

test('a RuntimeClass that is not in the input leaves the verdict open', () => {
  expect(verdictWith([node(16, {})])).toEqual(['may-not-fit', 'runtimeClassName']);
});

test('a template with the name of a node uses that node only', () => {
  const large = { ...node(16, {}), metadata: { name: 'b', labels: { 'kubernetes.io/hostname': 'b' } } };
  const verdictOn = (cpu: number) =>
    planChange([node(cpu, {}), large, deployment({})], [deployment({ nodeName: 'a' })]).rollouts[0]!.capacity!.verdict;

  expect(verdictOn(0.5)).toBe('deadlocks');
  expect(verdictOn(4)).toBe('fits');
});
