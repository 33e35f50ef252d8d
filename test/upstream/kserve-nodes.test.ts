import { checkMultinodeGpus } from '../../src/systems/kserve/rules/invalid-multinode';
import { computeRayNodes } from '../../src/systems/kserve/nodes';
import { recorded } from './recording';

interface Cluster {
  /** pipelineParallelSize × tensorParallelSize */
  readonly total: number;
  /** GPUs that the containers of head and worker ask for; 0: none. */
  readonly head: number;
  readonly worker: number;
  readonly nodes?: number;
  readonly headGpus: number;
  readonly workerGpus: number;
  readonly error?: string;
}

const clusters = recorded('kserve-nodes') as readonly Cluster[];

const taken = clusters.filter(({ error }) => error === undefined);
const refused = clusters.filter(({ error }) => error !== undefined);

function refusalsOf(cluster: Cluster): string[] {
  return checkMultinodeGpus(cluster, computeRayNodes(cluster)).map(({ message }) => message);
}

describe('nodes of a multinode predictor in KServe 0.17', () => {
  test('are as many, with as many GPUs, as we show', () => {
    expect(taken.length).toBeGreaterThan(300);
    expect(taken.map((cluster) => ({ ...cluster, ...computeRayNodes(cluster) }))).toEqual(
      taken.map((cluster) => ({ ...cluster, count: cluster.nodes })),
    );
  });

  test('are refused where we say so, for the reason that we quote', () => {
    expect(refused.length).toBeGreaterThan(20);
    expect(taken.flatMap(refusalsOf)).toEqual([]);
    expect(refused.filter((cluster) => !refusalsOf(cluster)[0]?.includes(cluster.error!))).toEqual([]);
  });
});
