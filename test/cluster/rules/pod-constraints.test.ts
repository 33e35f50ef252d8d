import { planManifests } from '../../../src/headless';

function findingsOf(podSpec: object, spec: object = {}) {
  const labels = { app: 'web' };
  const containers = [{ name: 'web', image: 'web:1', readinessProbe: { tcpSocket: { port: 8080 } } }];
  const web = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers, ...podSpec } }, ...spec },
  };
  return planManifests([web]).rollouts[0]!.findings.map(({ code, severity, messageId, data, path }) => ({
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

  test('reports nothing for a single pod', () => {
    expect(findingsOf({ topologySpreadConstraints: [constraint] }, { replicas: 1 })).toEqual([]);
  });
});
