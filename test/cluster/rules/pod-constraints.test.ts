import type { Finding } from '../../../src/core/findings/finding';
import { planChange, planManifests } from '../../../src/headless';

function webWith(podSpec: object, spec: object = {}) {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'web:1', readinessProbe: { tcpSocket: { port: 8080 } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers, ...podSpec } }, ...spec },
  };
}

function findingsOf(podSpec: object, spec: object = {}, others: readonly object[] = []) {
  return planManifests([webWith(podSpec, spec), ...others]).rollouts[0]!.findings.map(({ code, severity, messageId, data, path }) => ({
    code,
    severity,
    messageId,
    data,
    path,
  }));
}

describe('kubernetes/scheduling-gated', () => {
  test('reports pods with scheduling gates', () => {
    expect(findingsOf({ schedulingGates: [{ name: 'example.com/ready' }] })).toEqual([
      {
        code: 'kubernetes/scheduling-gated',
        severity: 'warning',
        messageId: 'waits',
        data: { gates: { names: ['example.com/ready'] } },
        path: 'spec.template.spec.schedulingGates',
      },
    ]);
    expect(findingsOf({ schedulingGates: [] })).toEqual([]);
  });

  const GATED = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }], schedulingGates: [{ name: 'example.com/ready' }] };
  const metadata = { name: 'a', namespace: 'shop' };

  test.each<[what: string, object: object, message: string, path: string]>([
    [
      'a Job',
      { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template: { spec: GATED } } },
      'Each pod of Job shop/a has',
      'spec.template.spec.schedulingGates',
    ],
    [
      'a CronJob',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata,
        spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: { spec: GATED } } } },
      },
      'Each pod of CronJob shop/a has',
      'spec.jobTemplate.spec.template.spec.schedulingGates',
    ],
    ['a Pod', { apiVersion: 'v1', kind: 'Pod', metadata, spec: GATED }, 'Pod shop/a has', 'spec.schedulingGates'],
  ])('reports %s too, if it is created or changed', (_what, object, message, path) => {
    const text = `${message} the scheduling gate example.com/ready. The scheduler does not place it until a controller or a user removes the gate.`;
    const describe = ({ findings }: { readonly findings: readonly Finding[] }) =>
      findings.filter(({ code }) => code === 'kubernetes/scheduling-gated').map((found) => [found.severity, found.path, found.message]);
    expect(describe(planManifests([object]))).toEqual([['warning', path, text]]);
    expect(describe(planChange([], [object]))).toEqual([['warning', path, text]]);
    expect(describe(planChange([object], [object]))).toEqual([]);
  });
});

test('fields that an earlier version of Kubernetes drops neither hold pods back nor keep them even', () => {
  const spec = {
    schedulingGates: [{ name: 'example.com/ready' }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
        matchLabelKeys: ['pod-template-hash'],
      },
    ],
  };
  const describe = (kubernetes: string) =>
    planManifests([webWith(spec)], { versions: { kubernetes } })
      .rollouts[0]!.findings.filter(({ code }) => /gated|skewed/.test(code))
      .map(({ code, help }) => `${code}: ${help}`);
  expect([describe('1.27'), describe('1.26')]).toEqual([
    [
      'kubernetes/scheduling-gated: Remove schedulingGates from the template, or check that a controller removes the gates of every new pod.',
    ],
    [
      'kubernetes/spread-skewed-after-rollout: Add matchLabelKeys: [pod-template-hash] to the constraint, so that only pods of the same revision count, once the cluster has Kubernetes 1.27: earlier ones drop the field.',
    ],
  ]);
});

describe('kubernetes/awaits-other-component', () => {
  test.each([
    ['readinessGates', [{ conditionType: 'a.io/b' }], 'warning', 'readinessGate', { conditions: { names: ['a.io/b'] } }],
    ['schedulerName', 'volcano', 'info', 'scheduler', { name: 'volcano' }],
    ['nodeName', 'node-1', 'warning', 'node', { name: 'node-1' }],
  ])('reports pods that need what no manifest shows: %s', (field, value, severity, messageId, data) => {
    expect(findingsOf({ [field]: value })).toEqual([
      { code: 'kubernetes/awaits-other-component', severity, messageId, data, path: `spec.template.spec.${field}` },
    ]);
  });

  test('reports the pods of a cluster that is created next to a running one', () => {
    const template = (spec: object) => ({ spec: { containers: [{ name: 'ray', image: 'rayproject/ray:2.9.0' }], ...spec } });
    const rayClusterConfig = {
      headGroupSpec: { rayStartParams: {}, template: template({ schedulerName: 'volcano' }) },
      workerGroupSpecs: [
        {
          groupName: 'a',
          replicas: 1,
          minReplicas: 1,
          maxReplicas: 1,
          rayStartParams: {},
          template: template({ schedulingGates: [{ name: 'a.io/b' }] }),
        },
      ],
    };
    const service = {
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'ray' },
      spec: { serveConfigV2: 'applications: []', rayClusterConfig },
    };
    expect(planManifests([service]).rollouts[0]!.findings.map(({ code, path }) => [code, path])).toEqual(
      expect.arrayContaining([
        ['kubernetes/awaits-other-component', 'spec.rayClusterConfig.headGroupSpec.template.spec.schedulerName'],
        ['kubernetes/scheduling-gated', 'spec.rayClusterConfig.workerGroupSpecs[0].template.spec.schedulingGates'],
      ]),
    );
  });

  test('reports nothing for the default scheduler, nor for a node that the input contains', () => {
    expect(findingsOf({ schedulerName: 'default-scheduler', readinessGates: [], nodeName: '' })).toEqual([]);
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-1' },
      status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
    };
    expect(findingsOf({ nodeName: 'node-1' }, {}, [node])).toEqual([]);
    expect(findingsOf({ nodeName: 'node-2' }, {}, [node])).toMatchObject([{ code: 'kubernetes/insufficient-capacity', severity: 'error' }]);
  });
});

describe('kubernetes/spread-skewed-after-rollout', () => {
  const constraint = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  };

  test('reports a hard spread constraint that counts old and new pods together', () => {
    expect(findingsOf({ topologySpreadConstraints: [constraint] })).toEqual([
      {
        code: 'kubernetes/spread-skewed-after-rollout',
        severity: 'info',
        messageId: 'countsOldPods',
        data: { topologyKey: 'kubernetes.io/hostname', maxSkew: 1, revisionLabel: 'pod-template-hash' },
        path: 'spec.template.spec.topologySpreadConstraints[0]',
      },
    ]);
  });

  test.each([
    ['matchLabelKeys with the label of the revision', { ...constraint, matchLabelKeys: ['pod-template-hash'] }],
    ['a preference', { ...constraint, whenUnsatisfiable: 'ScheduleAnyway' }],
    ['a selector of other pods', { ...constraint, labelSelector: { matchLabels: { app: 'db' } } }],
  ])('reports nothing for %s', (_what, other) => {
    expect(findingsOf({ topologySpreadConstraints: [other] })).toEqual([]);
  });

  test('reports nothing for pods that the nodes keep even: in a single domain, or with fewer domains than minDomains', () => {
    const zone = 'topology.kubernetes.io/zone';
    const capacityOf = (zones: readonly string[]) => ({
      nodePools: zones.map((name) => ({ name, count: 2, labels: { [zone]: name }, allocatable: { cpu: '8', memory: '32Gi', pods: 110 } })),
    });
    const isReported = (zones: readonly string[], spread: object) => {
      const pod = webWith({ topologySpreadConstraints: [{ ...constraint, topologyKey: zone, ...spread }] });
      const { findings } = planManifests([pod], { capacity: capacityOf(zones) }).rollouts[0]!;
      return findings.some(({ code }) => code === 'kubernetes/spread-skewed-after-rollout');
    };
    expect({
      'one zone': isReported(['a'], {}),
      'two zones': isReported(['a', 'b'], {}),
      'two zones of three': isReported(['a', 'b'], { minDomains: 3 }),
      'two zones of two': isReported(['a', 'b'], { minDomains: 2 }),
      'one zone with two hosts': isReported(['a'], { topologyKey: 'kubernetes.io/hostname' }),
    }).toEqual({
      'one zone': false,
      'two zones': true,
      'two zones of three': false,
      'two zones of two': true,
      'one zone with two hosts': true,
    });
  });

  test('reports nothing for a single pod, and for pods that can never differ by more than maxSkew', () => {
    expect(findingsOf({ topologySpreadConstraints: [constraint] }, { replicas: 1 })).toEqual([]);
    expect(findingsOf({ topologySpreadConstraints: [{ ...constraint, maxSkew: 5 }] }, { replicas: 5 })).toEqual([]);
    expect(findingsOf({ topologySpreadConstraints: [{ ...constraint, maxSkew: 5 }] }, { replicas: 6 })).toHaveLength(1);
  });

  test('reports nothing for a Deployment that deletes its old pods before it creates new ones', () => {
    const codesOf = (strategy: object, maxSkew: number) =>
      findingsOf({ topologySpreadConstraints: [{ ...constraint, maxSkew }] }, { replicas: 5, strategy }).map(({ code }) => code);
    const inPlace = (maxUnavailable: number) => ({ rollingUpdate: { maxSurge: 0, maxUnavailable } });
    expect({
      'Recreate, maxSkew 1': codesOf({ type: 'Recreate' }, 1),
      'Recreate, maxSkew 2': codesOf({ type: 'Recreate' }, 2),
      'one at a time, maxSkew 1': codesOf(inPlace(1), 1),
      'one at a time, maxSkew 2': codesOf(inPlace(1), 2),
      'two at a time, maxSkew 1': codesOf(inPlace(2), 1),
      'a surge, maxSkew 1': codesOf({ rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } }, 1),
    }).toMatchInlineSnapshot(`
{
  "Recreate, maxSkew 1": [
    "kubernetes/outage",
  ],
  "Recreate, maxSkew 2": [
    "kubernetes/outage",
  ],
  "a surge, maxSkew 1": [
    "kubernetes/spread-skewed-after-rollout",
  ],
  "one at a time, maxSkew 1": [],
  "one at a time, maxSkew 2": [
    "kubernetes/spread-skewed-after-rollout",
  ],
  "two at a time, maxSkew 1": [],
}
`);
  });

  test('reports nothing for a StatefulSet with maxSkew 1, whose new pod takes the emptiest node', () => {
    const codesOf = (maxSkew: number) => {
      const template = {
        metadata: { labels: { app: 'web' } },
        spec: { topologySpreadConstraints: [{ ...constraint, maxSkew }], containers: [{ name: 'web', image: 'web:1' }] },
      };
      const spec = { replicas: 5, serviceName: 'web', selector: { matchLabels: { app: 'web' } }, template };
      const object = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'web' }, spec };
      return planManifests([object]).rollouts.flatMap(({ findings }) => findings.map(({ code }) => code));
    };
    expect(codesOf(1)).toEqual([]);
    expect(codesOf(2)).toEqual(['kubernetes/spread-skewed-after-rollout']);
  });
});
