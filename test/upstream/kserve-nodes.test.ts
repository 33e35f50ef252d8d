import { checkMultinodeGpus } from '../../src/systems/kserve/rules/invalid-multinode';
import { computeRayNodes } from '../../src/systems/kserve/nodes';
import { recorded } from './recording';

interface Cluster {
  /** pipelineParallelSize × tensorParallelSize */
  readonly total: number;
  /** GPUs that the containers of the head and the workers request; 0 if none. */
  readonly head: number;
  readonly worker: number;
  readonly nodes?: number;
  readonly headGpus: number;
  readonly workerGpus: number;
  readonly error?: string;
}

const clusters = recorded('kserve-nodes') as readonly Cluster[];

const accepted = clusters.filter(({ error }) => error === undefined);
const refused = clusters.filter(({ error }) => error !== undefined);

function refusalsOf(cluster: Cluster): string[] {
  return checkMultinodeGpus(cluster, computeRayNodes(cluster)).map(({ message }) => message);
}

describe('the nodes of a multi-node predictor in KServe 0.17', () => {
  test('have the count and the GPUs that we compute', () => {
    expect(accepted.length).toBeGreaterThan(300);
    expect(accepted.map((cluster) => ({ ...cluster, ...computeRayNodes(cluster) }))).toEqual(
      accepted.map((cluster) => ({ ...cluster, count: cluster.nodes })),
    );
  });

  test('are refused exactly when we report it, for the reason that we quote', () => {
    expect(refused.length).toBeGreaterThan(20);
    expect(accepted.flatMap(refusalsOf)).toEqual([]);
    expect(refused.filter((cluster) => !refusalsOf(cluster)[0]?.includes(cluster.error!))).toEqual([]);
  });
});
