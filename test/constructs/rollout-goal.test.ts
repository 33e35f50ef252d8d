import { ApiObject, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  DaemonSetPolicy,
  DeploymentPolicy,
  InferenceServiceRollout,
  LeaderWorkerSetRollout,
  OperatorRollingUpdate,
  Rollout,
} from '../../src';
import { sound } from '../sound-workload';
import { synthError } from './synth-error';

const server = { name: 'vllm', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 1 } } };

function specOf(object: ApiObject) {
  return (object.toJson() as { spec: Record<string, unknown> }).spec;
}

describe('Rollout.goal is resolved at synth to the best strategy', () => {
  test('of an InferenceService, as explicit numbers whose provenance is the goal', () => {
    const iris = new InferenceServiceRollout(Testing.chart(), 'iris', {
      predictor: {
        minReplicas: 8,
        containers: [{ ...server, name: 'kserve-container' }],
        rollout: Rollout.goal({ available: 6, extraGpus: 2, within: '15m' }),
      },
    });
    expect(iris.predictor.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 2 } });
    expect(iris.predictor.provenance[1]).toMatchObject({
      field: 'maxSurge',
      value: 2,
      layer: 'user',
      reason: 'goal: 6 available, at most 2 extra GPUs, within 15m; assumes 60 s until a pod is ready',
    });
    expect(iris.rollouts[0]!.simulation).toMatchObject({ peakPods: 10, minAvailable: 6 });
  });

  test('also for the most replicas of the autoscaler that KServe creates', () => {
    const iris = new InferenceServiceRollout(Testing.chart(), 'iris', {
      predictor: {
        minReplicas: 4,
        maxReplicas: 12,
        containers: [{ ...server, name: 'kserve-container' }],
        rollout: Rollout.goal({ available: '75%', extraGpus: 2, within: '5m' }),
      },
    });
    expect(iris.predictor.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } });
  });

  test('of a Deployment that a policy is applied to, under the quota and the autoscaler of its chart', () => {
    const chart = Testing.chart();
    new ApiObject(chart, 'quota', {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'gpus' },
      spec: { hard: { 'requests.nvidia.com/gpu': 9 } },
    });
    const spec = {
      replicas: 8,
      selector: { matchLabels: { app: 'llm' } },
      template: { metadata: { labels: { app: 'llm' } }, spec: { containers: [server] } },
    };
    const llm = new ApiObject(chart, 'llm', sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'llm' }, spec }));
    DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 6, prefer: 'available' }), revisionHistory: 3 }).applyTo(llm);
    expect(specOf(llm)).toMatchObject({
      revisionHistoryLimit: 3,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
  });

  test('of a Deployment that shares the quota of its chart with other pods', () => {
    const chart = Testing.chart();
    const quota = { metadata: { name: 'gpus' }, spec: { hard: { 'requests.nvidia.com/gpu': 8 } } };
    new ApiObject(chart, 'quota', { apiVersion: 'v1', kind: 'ResourceQuota', ...quota });
    const deploy = (name: string, replicas: number) => {
      const template = { metadata: { labels: { app: name } }, spec: { containers: [server] } };
      const spec = { replicas, selector: { matchLabels: { app: name } }, template };
      return new ApiObject(chart, name, sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec }));
    };
    deploy('embedding', 3);
    const llm = deploy('llm', 4);
    DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 4, within: '10m' }) }).applyTo(llm);
    // 3 + 4 of 8 GPUs are used.
    expect(specOf(llm)).toMatchObject({ strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  });

  test('of a Deployment of cdk8s-plus', () => {
    const web = new kplus.Deployment(Testing.chart(), 'web', { containers: [{ image: 'web:2' }], replicas: 4 });
    const object = DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 4, extraPods: '50%' }) }).applyTo(web);
    expect(specOf(object)).toMatchObject({ strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } });
  });

  test('of a StatefulSet, in a version that keeps maxUnavailable', () => {
    const db = new ApiObject(
      Testing.chart(),
      'db',
      sound({
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: { name: 'db' },
        spec: { replicas: 6, podManagementPolicy: 'Parallel' },
      }),
    );
    DeploymentPolicy.stateful({ rollout: Rollout.goal({ available: 4 }), kubernetes: '1.37' }).applyTo(db);
    expect(specOf(db)).toMatchObject({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0, maxUnavailable: 2 } } });
  });

  test('of a DaemonSet, for the nodes that it is given', () => {
    const agent = new ApiObject(
      Testing.chart(),
      'agent',
      sound({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' }, spec: {} }),
    );
    DaemonSetPolicy.of({ rollout: Rollout.goal({ available: '90%', extraPods: 0 }), nodes: 20 }).applyTo(agent);
    expect(specOf(agent)).toMatchObject({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } });
  });

  test('of a LeaderWorkerSet, whose limits count groups and whose GPUs are those of all pods', () => {
    const llama = new LeaderWorkerSetRollout(Testing.chart(), 'llama', {
      replicas: 4,
      size: 2,
      rollout: Rollout.goal({ available: 3, extraGpus: 2 }),
      leaderWorkerTemplate: { workerTemplate: { spec: { containers: [server] } } },
    });
    expect(specOf(llama.apiObject).rolloutStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdateConfiguration: { maxUnavailable: 1, maxSurge: 0 },
    });
  });

  test('of the Deployment of an operator, in the names of its resource', () => {
    const baw = new OperatorRollingUpdate(Testing.chart(), 'baw', { replicas: 5, strategy: Rollout.goal({ available: 4, extraPods: 0 }) });
    expect(specOf(baw.apiObject)).toMatchObject({
      strategy: { type: 'RollingUpdate', rolling_update: { max_surge: '0', max_unavailable: '1' } },
    });
  });
});

describe('a goal that cannot be resolved fails the synth', () => {
  test('with the limit in the way and the closest possible, if no strategy meets it', () => {
    const error = synthError((chart) => {
      new InferenceServiceRollout(chart, 'iris', {
        predictor: {
          minReplicas: 8,
          containers: [{ ...server, name: 'kserve-container' }],
          rollout: Rollout.goal({ available: 8, extraPods: 0 }),
        },
      });
    });
    expect(error).toContain(
      'predictor.rollout.goal: No strategy meets the goal of 8 available, at most 0 extra pods for 8 replicas. ' +
        'Available: 8 wanted, 7 is the closest possible; extra pods: 0 wanted, 1 is the closest possible.',
    );
    expect(error).toContain('rollout-goal.test.ts');
  });

  test('if the nodes of the chart are full', () => {
    const error = synthError((chart) => {
      const status = { allocatable: { cpu: '8', pods: '110', 'nvidia.com/gpu': '4' } };
      new ApiObject(chart, 'node', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a100' }, status });
      const template = { metadata: { labels: { app: 'llm' } }, spec: { containers: [server] } };
      const spec = { replicas: 4, selector: { matchLabels: { app: 'llm' } }, template };
      const llm = new ApiObject(chart, 'llm', sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'llm' }, spec }));
      DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 4 }) }).applyTo(llm);
    });
    expect(error).toContain('Available: 4 wanted, 3 is the closest possible; capacity: fits wanted, deadlocks is the closest possible.');
  });

  test('if a policy is applied to a workload for which no strategy meets it', () => {
    const error = synthError((chart) => {
      const web = new kplus.Deployment(chart, 'web', { containers: [{ image: 'web:2' }], replicas: 2 });
      DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 2, within: '30s' }) }).applyTo(web);
    });
    expect(error).toContain(
      'rollout.goal: No strategy meets the goal of 2 available, within 30s for 2 replicas. Time: 30s wanted, 1m is the closest possible.',
    );
  });

  test.each([
    [{ within: 'soon' }, 'strategy.goal.within: "soon" is not a duration; write 15m, 1h30m or 90s'],
    [{}, 'strategy.goal has no limit: write available, extraPods, extraGpus or within'],
    [{ extraGpus: 1, available: 5 }, 'The requests of its pods are not known, and so neither are their GPUs.'],
  ])('%j', (goal, message) => {
    const error = synthError((chart) => {
      new OperatorRollingUpdate(chart, 'baw', { replicas: 5, strategy: Rollout.goal(goal) });
    });
    expect(error).toContain(message);
  });
});
