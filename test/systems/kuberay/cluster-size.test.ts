import * as fc from 'fast-check';
import type { RayServiceStep } from '../../../src/core/simulations/rayservice';
import { simulateUpgradeSteps } from '../../../src/systems/kuberay/simulate';
import { safeMaxSurgePercent } from '../../../src/props/safe-surge';
import { computeSurgeSize } from '../../../src/systems/kuberay/cluster-size';
import type { PodTemplate, RayClusterSpec } from '../../../src/systems/kuberay/types';
import { parseWorkerGroups } from '../../../src/systems/kuberay/worker-groups';
import { CLUSTER } from './plan';

function pod(limits: Record<string, string | number>, requests: Record<string, string | number> = {}): PodTemplate {
  return { spec: { containers: [{ name: 'ray-worker', resources: { limits, requests } }] } };
}

function cluster(...groups: { replicas: number; template: PodTemplate; minReplicas?: number; numOfHosts?: number }[]): RayClusterSpec {
  return {
    headGroupSpec: CLUSTER.headGroupSpec,
    workerGroupSpecs: groups.map((group, index) => ({ groupName: `g${index}`, minReplicas: 0, maxReplicas: 50, ...group })),
  };
}

describe('safeMaxSurgePercent', () => {
  test("the guide's example: 5 workers with a GPU each", () => {
    expect(safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 })).toBe(20);
  });

  test.each([
    ['it is rounded up to a full pod', { gpusPerPod: 1, totalGpus: 3 }, 34],
    ['eight GPUs of forty', { gpusPerPod: 8, totalGpus: 40 }, 20],
    ['one pod is the entire cluster', { gpusPerPod: 4, totalGpus: 4 }, 100],
    ['one of a thousand', { gpusPerPod: 1, totalGpus: 1000 }, 1],
    ['CPUs, as a quantity', { cpusPerPod: '500m', totalCpus: 4 }, 13],
    ['memory', { memoryPerPod: '16Gi', totalMemory: '160Gi' }, 10],
    ['a custom resource', { resources: { 'example.com/fpga': { perPod: 1, total: 4 } } }, 25],
    ['the scarcest resource decides', { gpusPerPod: 1, totalGpus: 10, memoryPerPod: '64Gi', totalMemory: '256Gi' }, 25],
    ['floating-point error does not raise it', { cpusPerPod: 1.1, totalCpus: 5.5 }, 20],
  ])('%s', (_what, input, percent) => {
    expect(safeMaxSurgePercent(input)).toBe(percent);
  });

  test('it accepts a pod template and the totals of the cluster', () => {
    const podTemplate = pod({ 'nvidia.com/gpu': 1, memory: '32Gi' }, { cpu: '4' });
    expect(safeMaxSurgePercent({ podTemplate, total: { 'nvidia.com/gpu': 5 } })).toBe(20);
    expect(safeMaxSurgePercent({ podTemplate, total: { 'nvidia.com/gpu': 5, cpu: 16, memory: '320Gi' } })).toBe(25);
  });

  test('it accepts a full Ray cluster: the largest pod of each resource counts against all workers', () => {
    const rayCluster = cluster(
      { replicas: 8, template: pod({ 'nvidia.com/gpu': 1, cpu: 8 }) },
      { replicas: 1, template: pod({ 'nvidia.com/gpu': 4, cpu: 8 }) },
    );
    expect(safeMaxSurgePercent({ rayCluster })).toBe(34);
  });

  test.each<[string, Parameters<typeof safeMaxSurgePercent>[0], string]>([
    ['nothing to count', {}, 'safeMaxSurgePercent has nothing to count'],
    ['one value of a pair', { gpusPerPod: 1 }, 'GPUs: one pod has 1 and the cluster undefined'],
    ['a pod larger than the cluster', { gpusPerPod: 8, totalGpus: 4 }, 'GPUs: one pod has 8 and the cluster 4'],
    ['0 of 0', { gpusPerPod: 0, totalGpus: 0 }, 'GPUs: one pod has 0 and the cluster 0'],
    ['an invalid quantity', { memoryPerPod: 'much', totalMemory: '1Gi' }, 'memory: one pod has "much" and the cluster "1Gi"'],
    [
      'workers that request nothing',
      { rayCluster: cluster({ replicas: 3, template: pod({}) }) },
      'safeMaxSurgePercent has nothing to count',
    ],
  ])('throws for %s', (_what, input, message) => {
    expect(() => safeMaxSurgePercent(input)).toThrow(RangeError);
    expect(() => safeMaxSurgePercent(input)).toThrow(message);
  });

  test('the error says what to pass', () => {
    expect(() => safeMaxSurgePercent({ cpusPerPod: '8', totalCpus: '4' })).toThrow(
      'CPUs: one pod has "8" and the cluster "4". ' +
        'Pass both, as numbers or quantities such as "500m" and "16Gi"; the pod must not have more than the cluster. (called at test/',
    );
  });

  test('the returned surge is at least one pod, and one percent less is not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 1, max: 500 }), (gpusPerPod, pods) => {
        const percent = safeMaxSurgePercent({ gpusPerPod, totalGpus: gpusPerPod * pods });
        expect(percent * pods).toBeGreaterThanOrEqual(100);
        expect((percent - 1) * pods < 100 || percent === 1).toBe(true);
      }),
    );
  });
});

/** Returns the rows of an upgrade with this surge. Traffic follows at once. */
function rowsAt(maxSurgePercent: number): RayServiceStep[] {
  return simulateUpgradeSteps({ maxSurgePercent, stepSizePercent: maxSurgePercent, intervalSeconds: 1 });
}

describe('computeSurgeSize returns the pods and GPUs of a second cluster', () => {
  test('one pod and one GPU of five', () => {
    expect(computeSurgeSize(parseWorkerGroups(CLUSTER), rowsAt(20))).toEqual({ pods: 5, gpus: 5, surgePods: 1, surgeGpus: 1 });
  });

  test('workers for minReplicas start at once, with any surge', () => {
    const rayCluster = cluster({ replicas: 5, minReplicas: 4, template: pod({ 'nvidia.com/gpu': 1 }) });
    expect(computeSurgeSize(parseWorkerGroups(rayCluster), rowsAt(20))).toEqual({ pods: 5, gpus: 5, surgePods: 4, surgeGpus: 4 });
  });

  test('every group is rounded on its own, half up as in Ray Serve, and a replica with several hosts is not split', () => {
    const rayCluster = cluster(
      { replicas: 5, numOfHosts: 2, template: pod({ 'nvidia.com/gpu': 8 }) },
      { replicas: 3, template: pod({ cpu: 4 }) },
    );
    expect(computeSurgeSize(parseWorkerGroups(rayCluster), rowsAt(20))).toEqual({ pods: 13, gpus: 80, surgePods: 3, surgeGpus: 16 });
  });

  test('a cluster without worker groups has no known size', () => {
    expect(computeSurgeSize(parseWorkerGroups({}), rowsAt(20))).toEqual({ pods: 0, gpus: 0, surgePods: 0, surgeGpus: 0 });
  });
});
