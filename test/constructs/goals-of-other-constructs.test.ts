import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import {
  DaemonSetPolicy,
  DeploymentPolicy,
  DisaggregatedSetRollout,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  Inventory,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  Rollout,
  RolloutPlan,
} from '../../src';
import type { FleetGoal, RayClusterProps, UpgradeGoal } from '../../src';
import { synthError, withoutPlaces } from './synth-error';

const gpu = { resources: { limits: { 'nvidia.com/gpu': 1 } } };
const serveConfig = { applications: [{ name: 'app', import_path: 'model:app' }] };

/** Returns a cluster whose autoscaler may have 1 to `maxReplicas` workers of one GPU. */
function rayCluster(replicas: number, maxReplicas = replicas): RayClusterProps {
  const worker = { name: 'worker', image: 'rayproject/ray:2.51.0', ...gpu };
  return {
    headGroupSpec: { template: { spec: { containers: [{ name: 'head', image: 'rayproject/ray:2.51.0' }] } } },
    workerGroupSpecs: [{ groupName: 'gpu', replicas, minReplicas: 1, maxReplicas, template: { spec: { containers: [worker] } } }],
  };
}

function rayService(chart: Chart, goal: UpgradeGoal, cluster = rayCluster(10)): IncrementalRayService {
  return new IncrementalRayService(chart, 'llm', { upgrade: { gatewayClassName: 'istio', goal }, serveConfig, rayCluster: cluster });
}

function paceOf({ apiObjects: [service] }: IncrementalRayService) {
  return (service!.toJson() as { spec: { upgradeStrategy: { clusterUpgradeOptions: unknown } } }).spec.upgradeStrategy
    .clusterUpgradeOptions;
}

function inventoryOf(count: number): Inventory {
  return Inventory.of({ clusters: Array.from({ length: count }, (_, index) => ({ name: `c${String(index + 10)}`, namespace: 'fleet' })) });
}

function bundle(chart: Chart, goal: FleetGoal, inventory?: Inventory): FleetBundle {
  return new FleetBundle(chart, 'shop', { targets: [{ clusterSelector: {} }], rollout: { goal }, ...(inventory && { inventory }) });
}

const leaderWorkerTemplate = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1', ...gpu }] } } };

/** Returns the provenance of a rollout that follows from a goal. */
function reasonsOf({ rollouts }: { readonly rollouts: RolloutPlan['document']['rollouts'] }): string[] {
  return rollouts.flatMap(({ provenance }) => provenance.map(({ field, value, reason }) => `${field} ${String(value)}: ${reason}`));
}

describe('the goal of an incremental upgrade is resolved to its pace', () => {
  test('the fastest one, with the advised interval and the smallest step that is as fast', () => {
    const llm = rayService(Testing.chart(), { extraGpus: 2, within: '45m', maxStep: 10 });
    expect(paceOf(llm)).toEqual({ gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 10, intervalSeconds: 60 });
    expect(llm.rollouts[0]).toMatchObject({ simulation: { durationSeconds: 600 }, workers: { surgeGpus: 2 } });
    expect(reasonsOf(llm).slice(1, 4)).toEqual([
      'maxSurgePercent 20: goal: at most 2 extra GPUs, within 45m, at most 10% of the traffic in one step',
      'stepSizePercent 10: goal: at most 2 extra GPUs, within 45m, at most 10% of the traffic in one step',
      'intervalSeconds 60: goal: at most 2 extra GPUs, within 45m, at most 10% of the traffic in one step',
    ]);
  });

  test('with a shorter interval if the advised one is too slow', () => {
    const llm = rayService(Testing.chart(), { extraGpus: 1, within: '5m', startupSeconds: 10 });
    expect(paceOf(llm)).toEqual({ gatewayClassName: 'istio', maxSurgePercent: 10, stepSizePercent: 10, intervalSeconds: 28 });
  });

  test('also for the most workers of the autoscaler', () => {
    const llm = rayService(Testing.chart(), { extraGpus: 4 }, rayCluster(10, 40));
    expect(paceOf(llm)).toMatchObject({ maxSurgePercent: 10, stepSizePercent: 10 });
    expect(llm.rollouts[0]!.workers).toMatchObject({ surgeGpus: 1, maximum: { surgeGpus: 4 } });
  });

  test('under the quota of its chart', () => {
    const chart = Testing.chart();
    const spec = { hard: { 'requests.nvidia.com/gpu': 13 } };
    new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'gpus' }, spec });
    expect(paceOf(rayService(chart, { within: '10m' }))).toMatchObject({ maxSurgePercent: 25 });
  });

  test('of the stages for Git', () => {
    const llm = new IncrementalRayService(Testing.chart(), 'llm', {
      ownership: 'gitops',
      upgrade: { gatewayClassName: 'istio', goal: { extraGpus: 5 } },
      current: { serveConfig, rayCluster: rayCluster(10) },
      next: { serveConfig, rayCluster: rayCluster(10) },
    });
    expect(llm.stages).toHaveLength(7);
    expect(llm.simulation).toMatchObject({ peakCapacityPercent: 150, outcome: 'promoted' });
  });

  test.each([
    [
      { extraGpus: 1, within: '1m' },
      'upgrade.goal: No pace meets the goal of at most 1 extra GPU, within 1m for 10 workers. Time: 1m wanted, 2m2s is the closest possible. ' +
        'Ask for less, or change what is in the way',
    ],
    [{ extraGpus: 0 }, 'Extra GPUs: 0 wanted, 1 is the closest possible'],
    [{ maxStep: 0 }, 'upgrade.goal.maxStep: 0 is not a percentage of the traffic; write an integer from 1 to 100'],
    [{ extraGpu: 2 }, 'upgrade.goal.extraGpu: not a limit of this goal; write extraGpus'],
    [{}, 'upgrade.goal has no limit: write extraGpus, within or maxStep'],
  ])('%j fails the synth', (goal, message) => {
    const error = synthError((chart) => rayService(chart, goal as UpgradeGoal));
    expect(withoutPlaces(error)).toContain(message);
    expect(error).toContain('goals-of-other-constructs.test.ts');
  });

  test('GPUs cannot be limited if the autoscaler may add any number of workers', () => {
    const [group] = rayCluster(10).workerGroupSpecs!;
    const cluster = { ...rayCluster(10), workerGroupSpecs: [{ ...group!, maxReplicas: 2_147_483_647 }] };
    expect(synthError((chart) => rayService(chart, { extraGpus: 2 }, cluster))).toContain(
      'upgrade.goal.extraGpus: A worker group has no maxReplicas, so the autoscaler may add any number of GPUs. Set maxReplicas',
    );
  });
});

describe('the goal of a Fleet bundle is resolved to partitions and limits over its inventory', () => {
  test('waves of the same size, and a limit that stops the update after so many broken clusters', () => {
    const chart = new Chart(new App(), 'shop', { namespace: 'fleet' });
    const shop = bundle(chart, { atMostClustersAtOnce: 5, stopAfterBroken: 2, waves: 3 }, inventoryOf(20));
    expect(shop.rolloutStrategy).toEqual({
      maxUnavailable: 2,
      maxUnavailablePartitions: 0,
      autoPartitionSize: 7,
      autoPartitionThreshold: 1,
    });
    const [{ simulation }] = shop.rollouts as [RolloutPlan['document']['rollouts'][number]];
    expect(simulation).toMatchObject({ partitions: [{ count: 7 }, { count: 7 }, { count: 6 }], update: { done: true, halted: null } });
    expect(reasonsOf(shop)[0]).toBe('maxUnavailable 2: goal: at most 5 clusters at once, stop after 2 broken clusters, 3 waves');
    expect(shop.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  test('a limit alone needs no partitions, and so do waves of one cluster', () => {
    const strategyOf = (goal: FleetGoal) =>
      bundle(new Chart(new App(), 'shop', { namespace: 'fleet' }), goal, inventoryOf(6)).rolloutStrategy;
    expect(strategyOf({ atMostClustersAtOnce: 4 })).toEqual({ maxUnavailable: 4 });
    expect(strategyOf({ waves: 6 })).toEqual({ maxUnavailable: 1 });
  });

  test.each([
    [{ waves: 6 }, 20, 'rollout.goal: No rollout meets the goal of 6 waves for 20 clusters. Waves: 6 wanted, 7 is the closest possible.'],
    [{ waves: 30 }, 20, 'Waves: 30 wanted, 20 is the closest possible.'],
    [
      { stopAfterBroken: 0 },
      20,
      'Broken clusters: 0 wanted, 1 is the closest possible. Fleet updates no cluster at all with a limit of 0.',
    ],
    [{ atMostClustersAtOnce: 1.5 }, 20, 'rollout.goal.atMostClustersAtOnce: 1.5 is not a number of clusters; write 3'],
    [{ wave: 3 }, 20, 'rollout.goal.wave: not a limit of this goal; write waves'],
    [{}, 20, 'rollout.goal has no limit: write atMostClustersAtOnce, stopAfterBroken or waves'],
    [{ waves: 2 }, undefined, "rollout.goal needs the clusters: set inventory, such as Inventory.fromFile('clusters.yaml')"],
  ])('%j for %s clusters fails the synth', (goal, clusters, message) => {
    const error = synthError((chart) => {
      const inventory =
        clusters === undefined ? undefined : Inventory.of({ clusters: Array.from({ length: clusters }, (_, i) => ({ name: `c${i}` })) });
      bundle(chart, goal as FleetGoal, inventory);
    });
    expect(error).toContain(message);
  });

  test('clusters of another namespace are not reached, and the error says what to write', () => {
    const inventory = Inventory.of({ clusters: [{ name: 'paris', namespace: 'fleet-default' }] });
    expect(synthError((chart) => bundle(new Chart(chart, 'fleet', { namespace: 'shop' }), { waves: 1 }, inventory))).toContain(
      'rollout.goal cannot be resolved: the targets match none of the clusters of the inventory in the namespace of the bundle; ' +
        'write targets that match, or the namespace of the clusters',
    );
  });

  test('clusters that are down now are in the way, if they are more than the limit', () => {
    const error = synthError((chart) => {
      const status = { namespace: 'cluster', conditions: [{ type: 'Ready', status: 'False' }] };
      const clusters = ['a', 'b', 'c', 'd'].map((name, index) => ({
        apiVersion: 'fleet.cattle.io/v1alpha1',
        kind: 'Cluster',
        metadata: { name },
        ...(index < 2 && { status }),
      }));
      bundle(chart, { stopAfterBroken: 1 }, Inventory.of(clusters));
    });
    expect(error).toContain(
      'Broken clusters: 1 wanted, 3 is the closest possible. Clusters that are down or paused now hold the update back.',
    );
  });
});

describe('goals of groups and operators', () => {
  test('the roles of a DisaggregatedSet are resolved together, because they are replaced in step', () => {
    const app = new App();
    new DisaggregatedSetRollout(new Chart(app, 'models'), 'chat', {
      roles: [
        { name: 'prefill', replicas: 4, rollout: Rollout.goal({ available: 4 }), leaderWorkerTemplate },
        { name: 'decode', replicas: 2, size: 2, rollout: Rollout.goal({ available: 2, extraGpus: 2 }), leaderWorkerTemplate },
      ],
    });
    const reason = 'goal: 4 available and 2 available, at most 2 extra GPUs';
    expect(reasonsOf(RolloutPlan.of(app).document)).toEqual([
      `prefill.maxSurge 2: ${reason}`,
      `prefill.maxUnavailable 0: ${reason}`,
      `decode.maxSurge 1: ${reason}`,
      `decode.maxUnavailable 0: ${reason}`,
    ]);
  });

  test('a role without a goal keeps its limits, and an impossible goal names the role', () => {
    const error = synthError((chart) => {
      new DisaggregatedSetRollout(chart, 'chat', {
        roles: [
          { name: 'prefill', replicas: 4, leaderWorkerTemplate },
          { name: 'decode', replicas: 2, rollout: Rollout.goal({ available: 2, extraPods: 0 }), leaderWorkerTemplate },
        ],
      });
    });
    expect(error).toContain(
      'roles[1].rollout.goal: No strategy meets the goal of 2 available, at most 0 extra pods for 2 groups. ' +
        'Extra pods: 0 wanted, 1 is the closest possible.',
    );
  });

  test('both workloads of an LLMInferenceService have goals of their own', () => {
    const app = new App();
    const template = { containers: [{ name: 'main', image: 'vllm:1', ...gpu }] };
    new LLMInferenceServiceRollout(new Chart(app, 'models'), 'chat', {
      kserve: 'next',
      model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
      replicas: 4,
      template,
      rollout: Rollout.goal({ available: 4, extraGpus: 1 }),
      prefill: { replicas: 2, template, rollout: Rollout.goal({ available: 1, extraPods: 0 }) },
    });
    expect(reasonsOf(RolloutPlan.of(app).document).filter((line) => line.startsWith('max'))).toEqual([
      'maxSurge 1: goal: 4 available, at most 1 extra GPU',
      'maxUnavailable 0: goal: 4 available, at most 1 extra GPU',
      'maxSurge 0: goal: 1 available, at most 0 extra pods',
      'maxUnavailable 1: goal: 1 available, at most 0 extra pods',
    ]);
  });

  test('the plan of the app knows the goals of a LeaderWorkerSet, of an operator and of a policy, and not that of a patched limit', () => {
    const app = new App();
    const chart = new Chart(app, 'models');
    new LeaderWorkerSetRollout(chart, 'llama', { replicas: 4, rollout: Rollout.goal({ available: 3 }), leaderWorkerTemplate });
    const goal = Rollout.goal({ available: 4, extraPods: 0 });
    new OperatorRollingUpdate(chart, 'baw', { replicas: 5, strategy: goal });
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    const web = new ApiObject(chart, 'web', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { replicas: 5, selector: { matchLabels: { app: 'web' } }, template },
    });
    DeploymentPolicy.stateless({ rollout: goal }).applyTo(web).addJsonPatch(JsonPatch.replace('/spec/strategy/rollingUpdate/maxSurge', 3));
    expect(reasonsOf(RolloutPlan.of(app).document).filter((line) => line.startsWith('max'))).toEqual([
      'maxSurge 0: goal: 3 available',
      'maxUnavailable 1: goal: 3 available',
      'maxSurge 0: goal: 4 available, at most 0 extra pods',
      'maxUnavailable 1: goal: 4 available, at most 0 extra pods',
      'maxSurge 3: spec.strategy.rollingUpdate.maxSurge is set.',
      'maxUnavailable 1: goal: 4 available, at most 0 extra pods',
    ]);
  });

  test('the goal of an operator is resolved under the quota of its chart', () => {
    const chart = Testing.chart();
    const spec = { hard: { pods: 5 } };
    new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods' }, spec });
    const baw = new OperatorRollingUpdate(chart, 'baw', { replicas: 5, strategy: Rollout.goal({ available: 3 }) });
    expect(baw.apiObject.toJson()).toMatchObject({ spec: { strategy: { rolling_update: { max_unavailable: '2' } } } });
  });
});

describe('a mistake about a goal is answered on the line of the user', () => {
  const containers = [{ name: 'kserve-container', image: 'vllm:1' }];
  const workload = (chart: Chart, kind: string) => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
    return new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind, metadata: { name: 'web' }, spec });
  };
  test.each<readonly [mistake: string, make: (chart: Chart) => unknown, says: string]>([
    [
      'its limits without a goal',
      (chart) => new InferenceServiceRollout(chart, 'it', { predictor: { containers, rollout: { available: 2 } as never } }),
      "available is a limit of a goal, which is not an intent by itself. Write Rollout.goal({ available: 6, within: '15m' }).",
    ],
    ['a pace next to it', pacedAndGoal, 'upgrade.maxSurgePercent is set next to upgrade.goal, which decides it: delete one of them'],
    [
      'partitions next to it',
      (chart) =>
        new FleetBundle(chart, 'it', {
          targets: [{ clusterSelector: {} }],
          inventory: inventoryOf(4),
          rollout: { goal: { waves: 2 }, partitions: [] } as never,
        }),
      'rollout.partitions is set next to rollout.goal, which decides it: delete one of them',
    ],
    [
      'a list as inventory',
      (chart) => bundle(chart, { waves: 2 }, [{ name: 'a' }] as never),
      'inventory is a list; pass the result of Inventory.of or Inventory.fromFile',
    ],
    [
      'a role without pods',
      (chart) => new DisaggregatedSetRollout(chart, 'it', { roles: [{ name: 'a', rollout: Rollout.goal({ available: 1 }) }] as never }),
      'roles[0].leaderWorkerTemplate.workerTemplate is undefined; write a map with the pod of the workers',
    ],
    [
      'a limit next to it in a policy',
      (chart) =>
        DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 2 }), maxSurge: 1 }).applyTo(workload(chart, 'Deployment')),
      'maxSurge is set next to the goal in rollout, which decides it: delete one of them',
    ],
    [
      'no number of nodes',
      (chart) => DaemonSetPolicy.of({ rollout: Rollout.goal({ available: '90%' }) } as never).applyTo(workload(chart, 'DaemonSet')),
      'rollout.goal needs the number of nodes that the pods run on: write nodes: 20',
    ],
    [
      'a service on several nodes',
      (chart) =>
        new InferenceServiceRollout(chart, 'it', {
          predictor: { containers, workerSpec: { pipelineParallelSize: 2 }, rollout: Rollout.goal({ available: 1 }) },
        }),
      'predictor.rollout.goal cannot be resolved. The controller of kserve sets its strategy, so there is none to choose.',
    ],
  ])('%s', (_mistake, make, says) => {
    const error = synthError(make);
    expect(error).toContain(says);
    expect(error).toContain('goals-of-other-constructs.test.ts');
  });
});

/** Creates an upgrade with a goal and a pace. */
function pacedAndGoal(chart: Chart): IncrementalRayService {
  const upgrade = { gatewayClassName: 'istio', goal: { extraGpus: 2 }, maxSurgePercent: 20 } as never;
  return new IncrementalRayService(chart, 'paced', { upgrade, serveConfig, rayCluster: rayCluster(4) });
}
