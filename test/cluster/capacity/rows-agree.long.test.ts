import type { CapacityHalt } from '../../../src/core/simulations/halt';
import type { Manifest } from '../../../src/core/manifest';
import { planManifests } from '../../../src/headless';
import { buildRolloutChart } from '../../../src/render/svg/rollout-chart';
import { renderPlanText } from '../../../src/render/text';

const GPU = 'nvidia.com/gpu';
const labels = { app: 'llm' };
const metadata = { name: 'llm', namespace: 'models' };
const container = { name: 'model', image: 'llm:2', resources: { limits: { [GPU]: 2 } } };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };

/** Limits of a strategy. */
interface Limits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

type Build = (limits: Limits) => Manifest;

function argoRollout(replicas: number, strategy: object): Manifest {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, spec: { replicas, selector, strategy, template } };
}

function createGroups(size: number): Build {
  return ({ replicas, ...limits }) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata,
    spec: {
      replicas,
      rolloutStrategy: { rollingUpdateConfiguration: limits },
      leaderWorkerTemplate: { size, workerTemplate: { spec: template.spec } },
    },
  });
}

const KINDS: readonly (readonly [string, Build])[] = [
  [
    'Deployment',
    ({ replicas, ...limits }) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas, strategy: { rollingUpdate: limits }, selector, template },
    }),
  ],
  [
    'StatefulSet',
    ({ replicas, maxUnavailable }) => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { replicas, serviceName: 'llm', updateStrategy: { rollingUpdate: { partition: maxUnavailable } }, selector, template },
    }),
  ],
  [
    'DaemonSet',
    ({ maxSurge, maxUnavailable }) => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: { updateStrategy: { rollingUpdate: { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : maxUnavailable } }, selector, template },
    }),
  ],
  [
    'InferenceService',
    ({ replicas, ...rollingUpdate }) => ({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { ...metadata, annotations: { 'serving.kserve.io/deploymentMode': 'RawDeployment' } },
      spec: {
        predictor: {
          minReplicas: replicas,
          maxReplicas: replicas,
          deploymentStrategy: { type: 'RollingUpdate', rollingUpdate },
          containers: [{ ...container, name: 'kserve-container' }],
        },
      },
    }),
  ],
  [
    'canary',
    ({ replicas, ...limits }) => argoRollout(replicas, { canary: { ...limits, steps: [{ setWeight: 25 }, { pause: { duration: 10 } }] } }),
  ],
  ['blue-green Rollout', ({ replicas }) => argoRollout(replicas, { blueGreen: { activeService: 'llm', autoPromotionEnabled: true } })],
  ['LeaderWorkerSet of single pods', createGroups(1)],
  ['LeaderWorkerSet', createGroups(3)],
];

function createNodes(count: number, gpus: number): Manifest[] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${index}`, labels: { 'kubernetes.io/hostname': `n${index}` } },
    status: { allocatable: { cpu: '64', memory: '64Gi', pods: '110', [GPU]: gpus }, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
}

function createQuota(gpus: number): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { ...metadata, name: 'gpus' },
    spec: { hard: { [`requests.${GPU}`]: `${gpus}` } },
  };
}

const LIMITS = [1, 2, 4].flatMap((replicas) =>
  [
    [1, 0],
    [0, 1],
    [2, 1],
    [2, 0],
  ].map(([maxSurge, maxUnavailable]) => ({ replicas, maxSurge: maxSurge!, maxUnavailable: maxUnavailable! })),
);
const CLUSTERS = [
  [1, 8],
  [2, 4],
  [4, 2],
  [3, 5],
  [4, 4],
].flatMap(([count, gpus]) => [undefined, 2, 4, 8, 9, 10, 14].map((quota) => ({ nodes: createNodes(count!, gpus!), quota })));

/** The fields of simulations by rows that this test reads. */
interface Rows {
  readonly kind: string;
  readonly replicas?: number;
  readonly nodes?: number;
  readonly size?: number;
  readonly peakPods?: number;
  readonly waves?: readonly Readonly<Record<string, number>>[];
  readonly halted?: CapacityHalt;
}

/** Lists the ways in which the verdict, the rows, the text and the picture of a plan disagree. */
function findDisagreements(objects: readonly Manifest[], quota: number | undefined): string[] {
  const plan = planManifests(objects);
  const rollout = plan.rollouts[0]!;
  const { capacity } = rollout;
  const { waves = [], size = 1, peakPods, halted, ...simulation } = rollout.simulation as Rows;
  const { verdict, deadlockWave } = capacity ?? {};
  const text = renderPlanText(plan);
  const before = (simulation.replicas ?? simulation.nodes ?? 0) * size;
  const peakOfRows = Math.max(before, ...waves.map((wave) => wave.total! * size));
  const rows = waves.map((row) =>
    [
      row.wave,
      row.newReplicas ?? row.newPods ?? row.newGroups,
      row.oldReplicas ?? row.oldPods ?? row.oldGroups,
      row.total,
      row.available,
    ].join(' '),
  );
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));
  const chart = buildRolloutChart(rollout);
  const isCertain = verdict !== 'may-not-fit';
  const faults: Readonly<Record<string, boolean>> = {
    'the rows stop elsewhere': isCertain && halted?.wave !== deadlockWave,
    'the peak is not that of the rows': peakPods !== undefined && (size > 1 ? peakPods > peakOfRows : peakPods !== peakOfRows),
    'the peak is beyond the quota': isCertain && quota !== undefined && peakPods !== undefined && peakPods > before && peakPods * 2 > quota,
    'the text lacks a row': rows.some((row) => !lines.some((line) => line === row || line.startsWith(`${row} `))),
    'the text does not say where it deadlocks':
      deadlockWave !== undefined && !new RegExp(`deadlocks at \\w+ ${deadlockWave}\\b`).test(text),
    'the text has another peak': peakPods !== undefined && Number(/ peak (\d+) pods?/.exec(text)?.[1] ?? peakPods) !== peakPods,
    'the picture ends otherwise': isCertain && chart !== undefined && chart.isStuck !== (verdict === 'deadlocks'),
    'the picture stops elsewhere':
      isCertain && deadlockWave !== undefined && chart !== undefined && !chart.outcome.includes(` ${deadlockWave}`),
  };
  return Object.keys(faults).filter((fault) => faults[fault]);
}

test.each(KINDS)('%s: verdict, rows, text and picture agree under any quota and on any nodes', (_, build) => {
  const found = LIMITS.flatMap((limits) =>
    CLUSTERS.flatMap(({ nodes, quota }) => {
      const faults = findDisagreements([build(limits), ...(quota === undefined ? [] : [createQuota(quota)]), ...nodes], quota);
      return faults.map((fault) => `${fault}: ${JSON.stringify({ ...limits, quota, nodes: nodes.length })}`);
    }),
  );
  expect(found).toEqual([]);
});
