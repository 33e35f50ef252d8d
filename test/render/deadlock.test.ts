import { rolloutkit } from '../cli/command-line';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { planManifests } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';

const QUOTA = 'apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: pods}\nspec: {hard: {pods: "3"}}\n';

function workload(kind: string, replicas: number, more = ''): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: web}
spec:
  replicas: ${replicas}
${more}  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
`;
}

async function planned(yaml: string) {
  const { stdout } = await rolloutkit('plan web.yaml --format json', { files: { 'web.yaml': `${yaml}---\n${QUOTA}` } });
  return expectValidPlan(JSON.parse(stdout) as PlanDocument).rollouts[0]!;
}

async function shown(yaml: string): Promise<string[]> {
  const { stdout } = await rolloutkit('plan web.yaml', { files: { 'web.yaml': `${yaml}---\n${QUOTA}` } });
  const lines = stdout.split('\n').map((line) => line.trimEnd());
  const from = lines.findIndex((line) => line.includes('deadlocks at') && !line.includes('. '));
  return lines.slice(from, lines.findIndex((line) => line.startsWith('explain a code: ')) - 1);
}

describe('a rollout that deadlocks shows its rows up to the deadlock', () => {
  test('a Deployment whose surge a quota refuses keeps its old pods', async () => {
    expect(await shown(workload('Deployment', 3))).toEqual([
      '  3 replicas: deadlocks at wave 1: its pods do not fit',
      '',
      '  wave  new  old  total  available',
      '     1    0    3      3          3',
    ]);
  });

  test('a StatefulSet with more pods than fit', async () => {
    expect(await shown(workload('StatefulSet', 4, '  serviceName: web\n'))).toEqual([
      '  4 replicas: deadlocks at batch 1: its pods do not fit',
      '  deleted before that: 3',
    ]);
  });
});

const GROUP = 'size: 2\n    workerTemplate: {spec: {containers: [{name: vllm, image: "vllm:2"}]}}\n';

const LEADER_WORKER_SET = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: chat}
spec:
  replicas: 3
  rolloutStrategy: {rollingUpdateConfiguration: {maxSurge: 1, maxUnavailable: 0}}
  leaderWorkerTemplate:
    ${GROUP}`;

const DISAGGREGATED_SET = `apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata: {name: chat}
spec:
  roles:
    - {name: prefill, spec: {replicas: 1, leaderWorkerTemplate: {size: 1, workerTemplate: {spec: {containers: [{name: a, image: "a:2"}]}}}}}
    - {name: decode, spec: {replicas: 2, leaderWorkerTemplate: {size: 1, workerTemplate: {spec: {containers: [{name: a, image: "a:2"}]}}}}}
`;

const ARGO_ROLLOUT = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  strategy: {canary: {maxSurge: 1, maxUnavailable: 0, steps: [{setWeight: 34}, {pause: {duration: 60}}]}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
`;

describe('the JSON of a rollout that deadlocks has no end', () => {
  test('a Deployment has only the pods that the quota admits', async () => {
    expect((await planned(workload('Deployment', 3))).simulation).toEqual({
      kind: 'deployment',
      replicas: 3,
      surge: 1,
      unavailable: 0,
      waves: [],
      iterations: 0,
      peakPods: 3,
      minAvailable: 3,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });

  test('a StatefulSet keeps pods that it does not reach on the old revision', async () => {
    expect((await planned(workload('StatefulSet', 4, '  serviceName: web\n'))).simulation).toEqual({
      kind: 'statefulset',
      replicas: 4,
      partition: 0,
      maxUnavailable: 1,
      order: [3],
      batches: [[3]],
      untouched: [0, 1, 2],
      minAvailable: 3,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });

  test('left out rows are counted up to the deadlock for 2,000 replicas', async () => {
    const yaml = workload('Deployment', 2000, '  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}\n');
    const { simulation } = await planned(yaml);
    expect(simulation).toMatchObject({ halted: { wave: 1, reason: 'insufficient-capacity' }, waves: [{ wave: 1 }] });
    expect(simulation).not.toHaveProperty('elided');
  });

  test('the maximum of an autoscaler deadlocks', async () => {
    const scaled = `${workload('Deployment', 2)}---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 2, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
`;
    const { simulation, autoscaled } = await planned(scaled);
    expect(simulation).not.toHaveProperty('halted');
    expect(autoscaled).toMatchObject({
      maximumCapacity: { verdict: 'deadlocks' },
      maximum: { halted: { reason: 'insufficient-capacity' } },
    });
  });

  test('a RayService whose second cluster does not fit is stalled', () => {
    const replicas = { groupName: 'gpu', replicas: 2, minReplicas: 2, maxReplicas: 2, rayStartParams: {} };
    const container = { name: 'ray', image: 'ray:2', resources: { limits: { cpu: 1, memory: '1Gi', 'nvidia.com/gpu': 1 } } };
    const service = {
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'llm' },
      spec: {
        rayClusterConfig: {
          headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [container] } } },
          workerGroupSpecs: [{ ...replicas, template: { spec: { containers: [container] } } }],
        },
      },
    };
    const { rollouts } = expectValidPlan(planManifests([service], { capacity: { total: { 'nvidia.com/gpu': 3 } } }));
    expect(rollouts[0]).toMatchObject({
      capacity: { verdict: 'deadlocks', deadlockWave: 1 },
      simulation: {
        outcome: 'stalled',
        steps: [{ activeTargetCapacity: 100, pendingTargetCapacity: 0, pendingTraffic: 0 }],
        capacityChanges: 0,
      },
    });
  });

  test('a LeaderWorkerSet stops at the wave whose groups do not fit', async () => {
    expect((await planned(LEADER_WORKER_SET)).simulation).toEqual({
      kind: 'leaderworkerset',
      replicas: 3,
      size: 2,
      surge: 1,
      unavailable: 0,
      partition: 0,
      leaderLimit: 1,
      waves: [{ wave: 1, newGroups: 0, oldGroups: 3, total: 3, available: 3 }],
      peakGroups: 3,
      peakPods: 6,
      minAvailable: 3,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });

  test('a DisaggregatedSet stops at the wave whose groups a full quota refuses', async () => {
    expect((await planned(DISAGGREGATED_SET)).simulation).toMatchObject({
      waves: [
        {
          wave: 1,
          roles: [
            { newGroups: 0, oldGroups: 1, available: 1 },
            { newGroups: 0, oldGroups: 2, available: 2 },
          ],
          skewPercent: 0,
        },
      ],
      peakPods: 3,
      minAvailable: 1,
      maxSkewPercent: 0,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });

  test('an Argo Rollout has no rollback from an end that it does not reach', async () => {
    expect((await planned(ARGO_ROLLOUT)).simulation).toEqual({
      kind: 'argorollout',
      type: 'canary',
      replicas: 3,
      surge: 1,
      unavailable: 0,
      waves: [{ wave: 1, stepsDone: 0, newPods: 0, oldPods: 3, total: 3, available: 3, until: 'ready' }],
      peakPods: 3,
      minAvailable: 3,
      waitSeconds: 0,
      halted: { wave: 1, reason: 'insufficient-capacity' },
    });
  });
});

test('a table and a picture of a rollout slowed by lack of capacity have the figures that happen', async () => {
  const files = {
    'web.yaml': `${workload('Deployment', 2, '  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}\n')}---\n${QUOTA}`,
  };
  const outcome = '2 pods: 3 waves, peak 3, at least 2 available; slower, because fewer pods fit at once';
  const table = await rolloutkit('plan web.yaml --format markdown', { files });
  const picture = await rolloutkit('plan web.yaml --format svg', { files });

  expect(table.stdout).toContain(outcome);
  expect(picture.stdout).toContain(outcome);
  expect(picture.stdout).not.toContain('The picture assumes enough capacity for all of its pods at once.');
});

test('a rollout slowed by lack of capacity shows the rows that happen', async () => {
  const { stdout } = await rolloutkit('plan web.yaml', {
    files: { 'web.yaml': `${workload('Deployment', 2, '  strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 0}}\n')}---\n${QUOTA}` },
  });
  const lines = stdout.split('\n').map((line) => line.trimEnd());
  expect(
    lines.slice(
      lines.findIndex((line) => line.includes('Takes')),
      -1,
    ),
  ).toMatchInlineSnapshot(`
[
  "  Takes 2 waves that create pods, with fewer pods at once: it peaks at 4 pods and ResourceQuota "pods" has 3 left.",
  "  2 replicas: 3 waves (2 create pods), peak 3 pods, at least 2 available",
  "",
  "  wave  new  old  total  available",
  "     1    1    2      3          2",
  "     2    2    1      3          2",
  "     3    2    0      2          2",
]
`);
});
