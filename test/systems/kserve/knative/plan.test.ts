import { planChange } from '../../../../src/headless';
import type { RevisionSimulation } from '../../../../src/core/simulations/revision';
import { factsOf } from '../../../facts';
import { expectValidPlan } from '../../../plan-schema';
import { configMap, listed, plan, rolloutOf, service, STANDARD } from '../plan';
import { quota } from '../../../builders/quota';

const KNATIVE = configMap({ defaultDeploymentMode: 'Knative' });
const GPUS = {
  modelFormat: { name: 'huggingface' },
  storageUri: 's3://models/llm',
  resources: { limits: { 'nvidia.com/gpu': 1 } },
};

const gpuQuota = (gpus: number) => quota({ 'requests.nvidia.com/gpu': gpus }, { name: 'gpus', namespace: 'models' });

function rowsOf(simulation: unknown): string[] {
  return (simulation as RevisionSimulation).waves.map(
    ({ oldPods, newPods, latestTrafficPercent }) => `${oldPods}/${newPods}/${latestTrafficPercent}`,
  );
}

describe('a service in mode Knative', () => {
  test('has one rollout per component, without a strategy, each with the Service that KServe creates', () => {
    const document = expectValidPlan(
      plan([KNATIVE, service({ minReplicas: 2 }, { spec: { transformer: { minReplicas: 0, containers: [{ image: 'pre:2' }] } } })]),
    );
    const rollouts = document.rollouts.map(({ resource, strategy, provenance, creates, simulation }) => ({
      component: resource.component,
      strategy,
      provenance,
      creates,
      rows: rowsOf(simulation),
    }));
    expect(rollouts).toEqual([
      {
        component: 'predictor',
        strategy: null,
        provenance: [],
        creates: [{ apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'iris-predictor', namespace: 'models', replicas: 2 }],
        rows: ['2/1/0', '2/2/0', '2/2/100', '0/2/100'],
      },
      {
        component: 'transformer',
        strategy: null,
        provenance: [],
        creates: [{ apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'iris-transformer', namespace: 'models', replicas: 0 }],
        rows: ['0/1/0', '0/1/100', '0/0/100'],
      },
    ]);
    expect(document.rollouts.flatMap(({ findings }) => findings)).toEqual([]);
  });

  test.each([
    [
      'the initial scale of an annotation',
      { 'autoscaling.knative.dev/initial-scale': '3' },
      '0.17',
      ['1/3/0', '1/3/100', '1/1/100', '0/1/100'],
    ],
    [
      'an initial scale of 0, which KServe drops',
      { 'autoscaling.knative.dev/initial-scale': '0' },
      '0.17',
      ['1/1/0', '1/1/100', '0/1/100'],
    ],
    ['the HPA class', { 'autoscaling.knative.dev/class': 'hpa.autoscaling.knative.dev' }, '0.17', ['1/1/0', '1/1/100']],
    ['a rollout-duration', { 'serving.knative.dev/rollout-duration': '3s' }, '0.17', ['1/1/0', '1/1/1', '1/1/51', '1/1/100', '0/1/100']],
  ] as const)('applies %s', (_, annotations, version, rows) => {
    expect(rowsOf(rolloutOf(plan([KNATIVE, service({}, { annotations })], version), 'predictor').simulation)).toEqual(rows);
  });

  test.each([
    ['10m30s', 660],
    ['1.5m', 120],
    ['90000ms', 120],
    ['0', 30],
    ['1.5s', 630],
    ['-1m', 630],
    ['90', 630],
  ])(
    'a progress-deadline of %s counts if it has whole seconds, otherwise the default: with the grace period %i',
    (deadline, abortSeconds) => {
      const annotations = { 'serving.knative.dev/progress-deadline': deadline };
      const { duration } = rolloutOf(plan([KNATIVE, service({}, { annotations })], '0.17', { startupSeconds: 90 }), 'predictor');
      expect(duration).toMatchObject({ abortSeconds });
    },
  );

  test('deadlocks at its first wave if a quota rejects its ReplicaSet', () => {
    const hard = { 'count/replicasets.apps': 1 };
    const full = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'sets', namespace: 'models' }, spec: { hard } };
    expect(factsOf(rolloutOf(plan([KNATIVE, service(), full]), 'predictor').findings)).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'rejected',
        data: { rejection: { kind: 'replica-sets', quota: 'sets', used: '1', hard: '1', needed: '2' }, unit: 'wave', deadlockWave: 1 },
        path: 'spec.predictor.minReplicas',
      },
    ]);
  });

  test('reports invalid start-up annotations: once for the service, and for each component', () => {
    const annotations = { 'rolloutkit/startup-seconds': '2m' };
    const spec = { transformer: { annotations, containers: [{ image: 'pre:2' }] } };
    const document = plan([KNATIVE, service({ annotations }, { annotations, spec })]);
    expect(['predictor', 'transformer'].map((component) => listed(rolloutOf(document, component).findings))).toEqual([
      [
        'warning input/wrong-type at metadata.annotations[rolloutkit/startup-seconds]',
        'warning input/wrong-type at spec.predictor.annotations[rolloutkit/startup-seconds]',
      ],
      ['warning input/wrong-type at spec.transformer.annotations[rolloutkit/startup-seconds]'],
    ]);
  });

  test('starts with minReplicas in KServe 0.15.1', () => {
    const rows = (version: string) => rowsOf(rolloutOf(plan([KNATIVE, service({ minReplicas: 4 })], version), 'predictor').simulation);
    expect(rows('0.15.1')).toEqual(['4/4/0', '4/4/100', '0/4/100']);
    expect(rows('0.15.2')).toEqual(['4/1/0', '4/4/0', '4/4/100', '0/4/100']);
  });

  test('keeps both Revisions while canaryTrafficPercent splits the requests', () => {
    const { simulation } = rolloutOf(plan([KNATIVE, service({ minReplicas: 4, canaryTrafficPercent: 10 })]), 'predictor');
    expect(rowsOf(simulation)).toEqual(['4/1/0', '4/4/0', '4/4/10']);
    expect(simulation).toMatchObject({ latestTrafficPercent: 10, peakPods: 8 });
  });

  test('is shown at both ends of its range, with most pods in the old Revision', () => {
    const { autoscaled } = rolloutOf(plan([KNATIVE, service({ minReplicas: 4, maxReplicas: 8 })]), 'predictor');
    expect(autoscaled).toMatchObject({ by: 'PodAutoscaler of "iris-predictor"', minimum: { peakPods: 8 }, maximum: { peakPods: 16 } });
    expect(rowsOf(autoscaled!.maximum)).toEqual(['8/1/0', '8/4/0', '8/4/100', '8/8/100', '0/8/100']);
  });

  test.each([0, 1, 99, 100])('accepts canaryTrafficPercent %i', (canaryTrafficPercent) => {
    const { simulation, findings } = rolloutOf(plan([KNATIVE, service({ canaryTrafficPercent })]), 'predictor');
    expect(simulation).toMatchObject({ latestTrafficPercent: canaryTrafficPercent });
    expect(findings).toEqual([]);
  });

  test.each([101, 120, -1])('refuses canaryTrafficPercent %i', (canaryTrafficPercent) => {
    const rollout = rolloutOf(plan([KNATIVE, service({ canaryTrafficPercent })]), 'predictor');
    expect(rollout.simulation).toBeNull();
    expect(factsOf(rollout.findings)).toEqual([
      {
        code: 'kserve/invalid-service',
        severity: 'error',
        messageId: 'revisionTraffic',
        data: { percent: canaryTrafficPercent },
        path: 'spec.predictor.canaryTrafficPercent',
      },
    ]);
  });

  test('rolls nothing out if it is stopped', () => {
    const annotations = { 'serving.kserve.io/stop': 'True' };
    expect(listed(rolloutOf(plan([KNATIVE, service({}, { annotations })])).findings)).toEqual([
      'info kserve/no-deployment at metadata.annotations[serving.kserve.io/stop]',
    ]);
  });
});

test('a changed minReplicas creates a Revision next to an old one that keeps its own', () => {
  const changed = (before: number, after: number) => {
    const { change, rollouts } = planChange([KNATIVE, service({ minReplicas: before })], [KNATIVE, service({ minReplicas: after })]);
    const { effect, pods } = change.objects.find(({ resource }) => resource.kind === 'InferenceService')!;
    return { effect, pods, rows: rowsOf(rollouts[0]!.simulation) };
  };
  expect(changed(3, 2)).toEqual({
    effect: 'roll-and-scale',
    pods: { before: 3, after: 2 },
    rows: ['3/1/0', '3/2/0', '3/2/100', '0/2/100'],
  });
  expect(changed(0, 2)).toEqual({ effect: 'roll-and-scale', pods: { before: 0, after: 2 }, rows: ['0/1/0', '0/2/0', '0/2/100'] });
});

describe('the pods of both Revisions among other objects', () => {
  test('request scarce resources twice, which is a warning', () => {
    const { findings } = rolloutOf(plan([KNATIVE, service({ model: GPUS, minReplicas: 4 })]), 'predictor');
    expect(factsOf(findings)).toEqual([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'warning',
        messageId: 'revision',
        data: { replicas: 4, newPods: 4, scarceResources: [{ resource: 'nvidia.com/gpu', more: '4' }] },
        path: 'spec.predictor.minReplicas',
      },
    ]);
  });

  test.each([
    [4, ['4/0/0', '4/0/0', '4/0/0'], { wave: 2, reason: 'insufficient-capacity', afterSeconds: 630 }, 4],
    [6, ['4/1/0', '4/2/0'], { wave: 2, reason: 'insufficient-capacity' }, 6],
    [8, ['4/1/0', '4/4/0', '4/4/100', '0/4/100'], undefined, 8],
  ] as const)('under a quota of %i GPUs', (gpus, rows, halted, podsThatFit) => {
    const document = expectValidPlan(plan([KNATIVE, service({ model: GPUS, minReplicas: 4 }), gpuQuota(gpus)]));
    const { simulation, capacity, findings } = rolloutOf(document, 'predictor');
    expect(rowsOf(simulation)).toEqual(rows);
    expect((simulation as RevisionSimulation).halted).toEqual(halted);
    expect(capacity).toMatchObject({
      verdict: halted ? 'deadlocks' : 'fits',
      peakPods: 8,
      podsThatFit,
      ...(halted && { deadlockWave: 2 }),
    });
    expect(findings.map(({ severity, messageId }) => `${severity} ${messageId}`)).toEqual([
      halted ? 'error revisionInsufficientCapacity' : 'warning revision',
    ]);
  });

  test('an idle service with 0 pods also needs capacity for one', () => {
    const { simulation, findings } = rolloutOf(plan([KNATIVE, service({ model: GPUS, minReplicas: 0 }), gpuQuota(0)]), 'predictor');
    expect(simulation).toMatchObject({ halted: { wave: 1, reason: 'insufficient-capacity', afterSeconds: 630 } });
    expect(findings.map(({ messageId }) => messageId)).toEqual(['revisionInsufficientCapacity']);
  });

  test('a progress-deadline determines when Knative abandons the Revision', () => {
    const annotations = { 'serving.knative.dev/progress-deadline': '20m' };
    const { simulation } = rolloutOf(plan([KNATIVE, service({ model: GPUS }, { annotations }), gpuQuota(1)]), 'predictor');
    expect(simulation).toMatchObject({ halted: { afterSeconds: 1230 } });
  });

  test('with a Knative that is ready at one pod, a quota halts it and a lack of nodes does not', () => {
    const isvc = service({ model: GPUS, minReplicas: 4 });
    const versions = { versions: { kserve: '0.17', knative: '1.17' } };
    const nodes = { nodePools: [{ name: 'gpu', count: 6, allocatable: { cpu: 8, 'nvidia.com/gpu': 1, pods: 10 } }] };
    const verdict = (options: object, ...objects: ReturnType<typeof quota>[]) =>
      rolloutOf(plan([KNATIVE, isvc, ...objects], '0.17', options), 'predictor').capacity?.verdict;
    expect(verdict(versions, gpuQuota(6))).toBe('deadlocks');
    expect(verdict({ ...versions, capacity: nodes })).toBe('slower');
    expect(verdict({ capacity: nodes })).toBe('deadlocks');
  });

  test('a budget is not violated: the old Revision stays until the new one is ready', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'iris', namespace: 'models' },
      spec: { minAvailable: 3, selector: { matchLabels: { 'serving.knative.dev/service': 'iris-predictor' } } },
    };
    expect(rolloutOf(plan([KNATIVE, service({ minReplicas: 4 }), budget]), 'predictor').findings).toEqual([]);
  });

  test('two services that each use the capacity that the other waits for may deadlock', () => {
    const other = { ...service({ model: GPUS, minReplicas: 2 }), metadata: { name: 'other', namespace: 'models' } };
    const { capacity } = plan([KNATIVE, service({ model: GPUS, minReplicas: 2 }), other, gpuQuota(6)]);
    expect(capacity).toMatchObject({ sequential: 'fits', concurrent: 'deadlocks' });
  });

  test('the duration: start-up, then 30 s until the old Revision is deleted; 630 s until a broken image is abandoned', () => {
    const { duration } = rolloutOf(plan([KNATIVE, service({ minReplicas: 4 })], '0.17', { startupSeconds: 90 }), 'predictor');
    expect(duration).toEqual({ startupSeconds: 90, lowerBoundSeconds: 120, expectedSeconds: 120, abortSeconds: 630, blastRadius: 4 });
  });
});

describe('without a ConfigMap in the input', () => {
  const kindsOf = (...objects: Parameters<typeof plan>[0]) => plan(objects).rollouts.map(({ simulation }) => simulation?.kind);
  const assumption = (...objects: Parameters<typeof plan>[0]) =>
    factsOf(plan(objects).findings).map(({ severity, messageId, data }) => [severity, messageId, (data as { services: number }).services]);

  test('the mode is the default that KServe ships, in every version, and one warning reports what it decides', () => {
    for (const version of ['0.15', '0.16', '0.20']) expect(plan([service()], version).rollouts[0]!.simulation?.kind).toBe('revision');
    const annotated = { ...service({}, { annotations: STANDARD }), metadata: { name: 'other', annotations: STANDARD } };
    expect(assumption(service(), annotated)).toEqual([['warning', 'assumedMode', 1]]);
  });

  test.each([
    ['annotated', service({}, { annotations: STANDARD }), 'deployment'],
    ['annotated Knative', service({}, { annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } }), 'revision'],
    ['with a deploymentStrategy', service({ deploymentStrategy: { type: 'Recreate' } }), 'deployment'],
    ['created in a mode', service({}, { status: { deploymentMode: 'Standard' } }), 'deployment'],
  ] as const)('a service %s does not depend on it', (_, isvc, kind) => {
    expect(kindsOf(isvc)).toEqual([kind]);
    expect(assumption(isvc)).toEqual([['info', 'assumed', 0]]);
  });
});

test.each(['serving.kserve.io/v1alpha2', 'serving.kserve.io/v1'])(
  'an InferenceService of %s is refused, whatever its content',
  (apiVersion) => {
    const { rollouts, findings } = plan([{ ...service(), apiVersion }]);
    expect(rollouts).toMatchObject([{ strategy: null, simulation: null }]);
    expect(factsOf(rollouts[0]!.findings)).toEqual([
      {
        code: 'kserve/invalid-service',
        severity: 'error',
        messageId: 'version',
        data: { apiVersion, served: 'serving.kserve.io/v1beta1' },
        path: 'apiVersion',
      },
    ]);
    expect(findings).toEqual([]);
  },
);
