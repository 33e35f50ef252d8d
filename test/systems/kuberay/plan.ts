import type { PlannedRollout } from '../../../src/core/document/rollout';
import type { RayServiceSimulation, RayServiceStep } from '../../../src/core/simulations/rayservice';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import { factsOf } from '../../facts';
import type { Facts } from '../../facts';

/** Options from the guide's example. */
export const OPTIONS = { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };

/** A head, and five workers with a GPU each. */
export const CLUSTER = {
  enableInTreeAutoscaling: true,
  headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0' }] } } },
  workerGroupSpecs: [
    {
      groupName: 'gpu',
      replicas: 5,
      minReplicas: 0,
      maxReplicas: 10,
      template: {
        spec: { containers: [{ name: 'ray-worker', image: 'rayproject/ray:2.51.0', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
      },
    },
  ],
};

/** Returns a RayService with this upgradeStrategy and these fields of the spec replaced. */
export function rayService(upgradeStrategy: unknown, spec: object = {}, metadata: object = { name: 'llm', namespace: 'models' }): object {
  return { apiVersion: 'ray.io/v1', kind: 'RayService', metadata, spec: { upgradeStrategy, rayClusterConfig: CLUSTER, ...spec } };
}

/** Returns a RayService with an incremental upgrade and these options instead of the guide's. */
export function incremental(options: object = {}, spec: object = {}): object {
  return rayService({ type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: { ...OPTIONS, ...options } }, spec);
}

/** Returns the rollout of the first object, planned with all of them as input. */
export function rolloutOf(object: object | readonly object[], options?: PlanOptions): PlannedRollout {
  return planManifests(Array.isArray(object) ? object : [object], options).rollouts[0]!;
}

/** Returns the simulation of a RayService that is not refused. */
export function simulationOf(object: object, options?: PlanOptions): RayServiceSimulation {
  const { simulation } = rolloutOf(object, options);
  if (simulation?.kind !== 'rayservice') throw new Error(`not simulated: ${JSON.stringify(rolloutOf(object, options).findings)}`);
  return simulation;
}

/** Returns the findings of the first object's rollout as short lines: `error kuberay/zero-surge spec.upgradeStrategy.…`. */
export function lines(object: object | readonly object[], options?: PlanOptions): string[] {
  return rolloutOf(object, options).findings.map(({ severity, code, path }) => `${severity} ${code} ${path}`);
}

/** Returns the facts of the only finding of the first object's rollout. */
export function onlyFinding(object: object | readonly object[], options?: PlanOptions): Facts {
  const { findings } = rolloutOf(object, options);
  expect(findings).toHaveLength(1);
  return factsOf(findings)[0]!;
}

/** Formats the rows of a simulation as a table: seconds, capacity of active and pending, traffic of active and pending. */
export function table(steps: readonly RayServiceStep[]): string {
  const rows = steps.map((row) => [
    row.elapsedSeconds,
    row.activeTargetCapacity,
    row.pendingTargetCapacity,
    row.activeTraffic,
    row.pendingTraffic,
  ]);
  return [
    '   s  active pending | active pending',
    ...rows.map(([s, a, p, at, pt]) => `${pad(s, 4)} ${pad(a, 7)} ${pad(p, 7)} | ${pad(at, 6)} ${pad(pt, 7)}`),
  ].join('\n');
}

function pad(value: number | undefined, width: number): string {
  return String(value).padStart(width);
}
