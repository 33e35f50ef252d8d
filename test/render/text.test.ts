import type { Finding } from '../../src/core/findings/finding';
import type { Simulation } from '../../src/core/simulations/simulation';
import { renderPlanText } from '../../src/render/text/plan';
import { planOf, rolloutOf } from './plans';

/** Returns the text below the heading of a rollout. */
function bodyOf(simulation: Simulation): string {
  const lines = renderPlanText(planOf([rolloutOf(simulation)])).split('\n');
  return lines.slice(lines.indexOf('Deployment shop/web (kubernetes)') + 2).join('\n');
}

const WARNING: Finding = {
  code: 'kubernetes/outage',
  severity: 'warning',
  messageId: 'seen',
  data: {},
  path: 'spec.strategy',
  message: 'Nothing is available.',
  help: 'Write less.',
};

describe('the plan as text', () => {
  test('begins with a summary line, in singular and plural', () => {
    const plans = [
      planOf([]),
      planOf([rolloutOf(null)], [WARNING]),
      planOf([rolloutOf(null), rolloutOf(null)], [WARNING, WARNING, { ...WARNING, severity: 'error' }, { ...WARNING, severity: 'info' }]),
    ];
    expect(plans.map((plan) => renderPlanText(plan).split('\n')[0])).toEqual([
      'no rollouts on Kubernetes 1.36: no findings',
      '1 rollout on Kubernetes 1.36: 1 warning',
      '2 rollouts on Kubernetes 1.36: 1 error, 2 warnings and 1 info',
    ]);
  });

  test('lists the versions of the systems in the plan', () => {
    const plan = planOf([rolloutOf(null, { system: 'kserve' }), rolloutOf(null, { system: 'fleet' }), rolloutOf(null, { system: 'baw' })]);
    expect(renderPlanText(plan)).toContain('3 rollouts on Kubernetes 1.36, KServe 0.17 and Fleet 0.16: no findings\n');
  });

  test.each([
    [{ kubernetes: '1.36', kserve: '0.17', fleet: '0.16' }, 'Kubernetes 1.36, KServe 0.17 and Fleet 0.16 (all assumed)'],
    [{ kubernetes: '1.36', fleet: '0.16' }, 'Kubernetes 1.36 (assumed), KServe 0.17 and Fleet 0.16 (assumed)'],
    [{ kserve: '0.17' }, 'Kubernetes 1.36, KServe 0.17 (assumed) and Fleet 0.16'],
  ])('marks versions that are assumed: %j', (assumedVersions, versions) => {
    const plan = planOf([rolloutOf(null, { system: 'kserve' }), rolloutOf(null, { system: 'fleet' })]);
    expect(renderPlanText({ ...plan, assumedVersions }).split('\n')[0]).toBe(`2 rollouts on ${versions}: no findings`);
  });

  test('shows a rollout with the levels that decided its strategy, created objects, and findings with location and fix', () => {
    const rollout = rolloutOf(null, {
      system: 'kserve',
      resource: {
        apiVersion: 'serving.kserve.io/v1beta1',
        kind: 'InferenceService',
        namespace: 'models',
        name: 'iris',
        component: 'predictor',
      },
      provenance: [
        { field: 'type', value: 'RollingUpdate', layer: 'user', reason: 'set', overridden: [] },
        {
          field: 'maxSurge',
          value: '50%',
          layer: 'user',
          reason: 'set',
          overridden: [
            { layer: 'platform-config', value: '10%', reason: 'a lower level' },
            { layer: 'kserve-default', value: '25%', reason: 'a lower level' },
          ],
        },
        { field: 'maxUnavailable', value: '25%', layer: 'kubernetes-default', reason: 'not set', overridden: [] },
      ],
      creates: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'iris-predictor', namespace: 'models', replicas: 1 }],
      findings: [{ ...WARNING, source: { file: 'iris.yaml', line: 7, column: 3 } }],
    });
    expect(renderPlanText(planOf([rollout]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 and KServe 0.17: 1 warning

warning  kubernetes/outage  InferenceService models/iris predictor  iris.yaml:7:3  spec.strategy
  Nothing is available.
  fix: Write less.

InferenceService models/iris predictor (kserve)
  RollingUpdate (user), maxSurge 50% (user, over platform-config 10% and kserve-default 25%), maxUnavailable 25% (kubernetes-default)
  creates Deployment models/iris-predictor with 1 replica
  no simulation: see the findings

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('shows findings about no rollout before the rollouts', () => {
    const unreadable: Finding = {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'seen',
      data: {},
      path: '',
      message: 'Torn.',
      source: { file: 'a.yaml', line: 3 },
    };
    expect(renderPlanText(planOf([rolloutOf(null)], [unreadable]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36: 1 error

error  input/unreadable  a.yaml:3
  Torn.

Deployment shop/web (kubernetes)
  {"type":"RollingUpdate"}
  no simulation: see the findings

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test('shows control characters escaped and on one line', () => {
    const hostile = 'web\u001b[2J\nERROR\u202e\u0085';
    const text = renderPlanText(
      planOf([
        rolloutOf(null, {
          resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: hostile },
          strategy: { [hostile]: hostile },
          findings: [{ ...WARNING, path: hostile, message: hostile, help: hostile, source: { file: hostile, line: 1 } }],
        }),
      ]),
    );
    expect(text).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36: 1 warning

warning  kubernetes/outage  Deployment web\\u001b[2J\\nERROR\\u202e\\u0085  web\\u001b[2J\\nERROR\\u202e\\u0085:1  web\\u001b[2J\\nERROR\\u202e\\u0085
  web\\u001b[2J\\nERROR\\u202e\\u0085
  fix: web\\u001b[2J\\nERROR\\u202e\\u0085

Deployment web\\u001b[2J\\nERROR\\u202e\\u0085 (kubernetes)
  {"web\\u001b[2J\\nERROR\\u202e\\u0085":"web\\u001b[2J\\nERROR\\u202e\\u0085"}
  no simulation: see the findings

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });
});

test('the constraints and the duration of a rollout come before its waves', () => {
  const end = { kind: 'deployment', surge: 1, unavailable: 0, waves: [], iterations: 2 } as const;
  const rollout = rolloutOf(null, {
    autoscaled: {
      by: 'HorizontalPodAutoscaler "web"',
      minimum: { ...end, replicas: 1, peakPods: 2, minAvailable: 1 },
      maximum: { ...end, replicas: 9, peakPods: 10, minAvailable: 9 },
    },
    capacity: { verdict: 'slower', peakPods: 10, podsThatFit: 9, message: 'Quota "pods" has room for 9 of 10 pods.' },
    duration: { startupSeconds: 30, lowerBoundSeconds: 60, expectedSeconds: 90, abortSeconds: 600, blastRadius: 1 },
  });
  expect(renderPlanText(planOf([rollout]))).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36: no findings

Deployment shop/web (kubernetes)
  {"type":"RollingUpdate"}
  HorizontalPodAutoscaler "web": 1 replica peak at 2 pods with at least 1 available; 9 replicas peak at 10 pods with at least 9 available
  Quota "pods" has room for 9 of 10 pods.
  takes about 1m30s, at least 1m; a broken image is detected after 10m and breaks 1 pod
  no simulation: see the findings
"
`);
});

describe('a simulation as text', () => {
  test('a Deployment: its figures, then its waves', () => {
    const text = bodyOf({
      kind: 'deployment',
      replicas: 1,
      surge: 1,
      unavailable: 0,
      waves: [
        { wave: 1, newReplicas: 1, oldReplicas: 1, total: 2, available: 1 },
        { wave: 2, newReplicas: 1, oldReplicas: 0, total: 1, available: 1 },
      ],
      iterations: 1,
      peakPods: 2,
      minAvailable: 1,
    });
    expect(text).toMatchInlineSnapshot(`
"  1 replica: 2 waves (1 creates pods), peak 2 pods, at least 1 available

  wave  new  old  total  available
     1    1    1      2          1
     2    1    0      1          1
"
`);
  });

  test('without replicas there is nothing to replace', () => {
    expect(
      bodyOf({ kind: 'deployment', replicas: 0, surge: 0, unavailable: 0, waves: [], iterations: 0, peakPods: 0, minAvailable: 0 }),
    ).toBe('  no replicas: nothing to replace\n');
  });

  test('a StatefulSet, one pod at a time and in batches', () => {
    const common = { kind: 'statefulset', replicas: 7, partition: 2, untouched: [0, 1], minAvailable: 6 } as const;
    expect(bodyOf({ ...common, maxUnavailable: 1, order: [6, 5, 4, 3, 2], batches: [[6], [5], [4], [3], [2]] })).toMatchInlineSnapshot(`
"  7 replicas, partition 2, 1 down at once: at least 6 available
  replaced in this order, one by one: 6 to 2
  left on the old revision: 0, 1
"
`);
    expect(bodyOf({ ...common, maxUnavailable: 2, order: [6, 5, 4, 3, 2], batches: [[6, 5], [4, 3], [2]] })).toMatchInlineSnapshot(`
"  7 replicas, partition 2, 2 down at once: at least 6 available
  replaced in this order, batch by batch: [6 5] [4 3] [2]
  left on the old revision: 0, 1
"
`);
    expect(bodyOf({ ...common, maxUnavailable: 1, order: [], batches: [], untouched: [0, 1, 2, 5, 4, 3, 9] })).toMatchInlineSnapshot(`
"  7 replicas, partition 2, 1 down at once: at least 6 available
  left on the old revision: 0 to 2, 5 to 3, 9
"
`);
  });

  test('a DaemonSet: its limit and figures, then its waves', () => {
    const waves = [
      { wave: 1, newPods: 2, oldPods: 1, total: 3, available: 1 },
      { wave: 2, newPods: 3, oldPods: 0, total: 3, available: 2 },
    ];
    expect(bodyOf({ kind: 'daemonset', nodes: 3, surge: 0, unavailable: 2, waves, peakPods: 3, minAvailable: 1 })).toMatchInlineSnapshot(`
"  3 nodes, at most 2 nodes without an available pod: 2 waves, peak 3 pods, at least 1 available

  wave  new  old  total  available
     1    2    1      3          1
     2    3    0      3          2
"
`);
    const surging = [{ wave: 1, newPods: 1, oldPods: 1, total: 2, available: 1 }];
    expect(bodyOf({ kind: 'daemonset', nodes: 1, surge: 1, unavailable: 0, waves: surging, peakPods: 2, minAvailable: 1 }))
      .toMatchInlineSnapshot(`
"  1 node, at most 1 node with two pods: 1 wave, peak 2 pods, at least 1 available

  wave  new  old  total  available
     1    1    1      2          1
"
`);
  });

  test('a DaemonSet that halts shows its rows up to the halt and the reason', () => {
    const halting = { kind: 'daemonset', nodes: 3, surge: 0, unavailable: 1, peakPods: 3, minAvailable: 1 } as const;
    const waves = [{ wave: 1, newPods: 1, oldPods: 2, total: 3, available: 1 }];
    expect(bodyOf({ ...halting, waves, halted: { wave: 1, nodes: 1, reason: 'nodes-down' } })).toMatchInlineSnapshot(`
"  3 nodes, at most 1 node without an available pod: 1 wave, peak 3 pods, at least 1 available

  wave  new  old  total  available
     1    1    2      3          1

  halts after wave 1: 1 node that is down uses up the limit
"
`);
    expect(bodyOf({ ...halting, waves: [], halted: { wave: 0, nodes: 2, reason: 'nodes-down' } })).toMatchInlineSnapshot(`
"  3 nodes: no waves, at least 1 available
  halts before the first wave: 2 nodes that are down use up the limit
"
`);
  });

  test('nodes that are down and whose pods the controller does not count are listed after the others', () => {
    const waves = [{ wave: 1, newPods: 0, oldPods: 2, total: 2, available: 2 }];
    const halted = { wave: 1, nodes: 1, reason: 'nodes-down' } as const;
    const simulation = {
      kind: 'daemonset',
      nodes: 2,
      otherNodesDown: 1,
      surge: 0,
      unavailable: 1,
      waves,
      peakPods: 3,
      minAvailable: 2,
      halted,
    } as const;
    expect(bodyOf(simulation)).toMatchInlineSnapshot(`
"  2 nodes and 1 more that is down, at most 1 node without an available pod: 1 wave, peak 3 pods, at least 2 available

  wave  new  old  total  available
     1    0    2      2          2

  halts after wave 1: 1 node that is down uses up the limit
"
`);
  });

  test('a DaemonSet without nodes has nothing to replace, and one with OnDelete has no waves', () => {
    const still = { kind: 'daemonset', surge: 0, unavailable: 1, waves: [] } as const;
    expect(bodyOf({ ...still, nodes: 0, peakPods: 0, minAvailable: 0 })).toBe('  no nodes: nothing to replace\n');
    expect(bodyOf({ ...still, nodes: 3, peakPods: 3, minAvailable: 3 })).toBe('  3 nodes: no waves, at least 3 available\n');
  });

  test('a DaemonSet shows where waves are left out', () => {
    const waves = Array.from({ length: 100 }, (_, index) => ({
      wave: index < 50 ? index + 1 : index + 1_901,
      newPods: 1,
      oldPods: 1,
      total: 2,
      available: 1,
    }));
    const lines = bodyOf({
      kind: 'daemonset',
      nodes: 2_000,
      surge: 0,
      unavailable: 1,
      waves,
      peakPods: 2_000,
      minAvailable: 1_999,
      elided: 1_900,
    }).split('\n');
    expect(lines.slice(0, -1)).toEqual([
      '  2000 nodes, at most 1 node without an available pod: 2000 waves, peak 2000 pods, at least 1999 available',
      '',
      '  wave  new  old  total  available',
      '     1    1    1      2          1',
      '     2    1    1      2          1',
      '    … 1997 more waves like these …',
      '  2000    1    1      2          1',
    ]);
  });

  test('a pattern of capacity and traffic that move in turns is shown once', () => {
    // Five steps of 20% each: traffic moves in two steps, then the old cluster shrinks and the new one grows.
    const turns = Array.from({ length: 5 }, (_, turn) => turn).flatMap((turn) => {
      const [left, come] = [100 - 20 * turn, 20 * turn];
      const at = (elapsedSeconds: number, active: number, pending: number, moved: number) => ({
        elapsedSeconds,
        activeTargetCapacity: active,
        pendingTargetCapacity: pending,
        activeTraffic: 100 - moved,
        pendingTraffic: moved,
      });
      return [
        at(20 * turn, left, come + 20, come),
        at(20 * turn + 10, left, come + 20, come + 10),
        at(20 * turn + 20, left, come + 20, come + 20),
        at(20 * turn + 20, left - 20, come + 20, come + 20),
      ];
    });
    const text = bodyOf({
      kind: 'rayservice',
      type: 'NewClusterWithIncrementalUpgrade',
      outcome: 'promoted',
      steps: turns,
      durationSeconds: 100,
      capacityChanges: 10,
      trafficShifts: 10,
      peakCapacityPercent: 120,
    });
    expect(text).toMatchInlineSnapshot(`
"  NewClusterWithIncrementalUpgrade: promoted after 1m40s with 10 capacity changes and 10 traffic shifts, peak capacity 120%

  seconds  capacity old  new  traffic old  new
        0           100   20          100    0
       10           100   20           90   10
       20           100   20           80   20
       20            80   20           80   20
       20            80   40           80   20
    … 14 more rows like these …
      100             0  100            0  100
"
`);
  });

  test('a RayService, one row per reconcile', () => {
    const text = bodyOf({
      kind: 'rayservice',
      type: 'NewCluster',
      outcome: 'promoted',
      steps: [
        { elapsedSeconds: 0, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 100, pendingTraffic: 0 },
        { elapsedSeconds: 0, activeTargetCapacity: 0, pendingTargetCapacity: 100, activeTraffic: 0, pendingTraffic: 100 },
      ],
      durationSeconds: 0,
      capacityChanges: 0,
      trafficShifts: 1,
      peakCapacityPercent: 200,
      rollback: { steps: [], durationSeconds: 30 },
    });
    expect(text).toMatchInlineSnapshot(`
"  NewCluster: promoted after 0s with no capacity changes and 1 traffic shift, peak capacity 200%
  a rollback from half of the traffic takes 30s

  seconds  capacity old  new  traffic old  new
        0             0  100          100    0
        0             0  100            0  100
"
`);
  });

  test('a Fleet bundle: partitions, and the waves of an install and an update', () => {
    const text = bodyOf({
      kind: 'fleet',
      partitions: [
        { name: 'eu', count: 12, maxUnavailable: 1 },
        { name: 'everywhere else', count: 3, maxUnavailable: 3 },
      ],
      unpartitionedCount: 1,
      maxUnavailable: 15,
      maxUnavailablePartitions: 0,
      maxNew: 50,
      install: { waves: [{ count: 12 }, { count: 3 }], done: true, halted: null, notReleasedCount: 0 },
      update: { waves: [{ count: 1 }], done: false, halted: { partition: 'eu', unavailablePartitions: 1 }, notReleasedCount: 14 },
    });
    expect(text).toMatchInlineSnapshot(`
"  at most 15 clusters unavailable, and no partitions over the limit
  in no partition, so never installed and never updated: 1 cluster

  partition        clusters  max unavailable
  eu                     12                1
  everywhere else         3                3

  install: 2 waves, up to 12 clusters pull images at once; done
  wave  clusters
  1           12
  2            3

  update: 1 wave, up to 1 cluster pulls images at once; halts after partition eu with 1 partition over the limit, 14 clusters not released
  wave  clusters
  1            1
"
`);
  });
});
