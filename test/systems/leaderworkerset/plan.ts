import { planManifests } from '../../../src/headless';
import type { PlanOptions, PlannedRollout } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { expectValidPlan } from '../../plan-schema';

/** Returns a LeaderWorkerSet with groups of 4 pods with 8 GPUs each. */
export function leaderWorkerSet(spec: Fields = {}, template: Fields = {}, name = 'llama'): Manifest {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name, namespace: 'models' },
    spec: {
      replicas: 2,
      leaderWorkerTemplate: {
        size: 4,
        workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1', resources: { limits: { 'nvidia.com/gpu': 8 } } }] } },
        ...template,
      },
      ...spec,
    },
  };
}

/** Returns a strategy with these limits. */
export function limits(rollingUpdateConfiguration: Fields): Fields {
  return { rolloutStrategy: { rollingUpdateConfiguration } };
}

export function planned(objects: readonly Manifest[], options: PlanOptions = {}): PlannedRollout {
  return expectValidPlan(planManifests(objects, options)).rollouts[0]!;
}

/** Returns the findings as `severity code messageId path`. */
export function lines(objects: readonly Manifest[], options: PlanOptions = {}): string[] {
  return planned(objects, options).findings.map(({ code, messageId, path, severity }) => `${severity} ${code} ${messageId} ${path}`);
}
