import { planManifests } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { RECORDING_STEP, sampleOf } from '../setup/recording-step';
import { recorded } from './recording';

interface CreatedWorkload {
  readonly kind: 'Deployment' | 'LeaderWorkerSet';
  readonly name: string;
  /** Null if the controller writes none, which the API server defaults to 1. */
  readonly replicas: number | null;
  readonly size?: number;
  readonly strategy: Fields;
}

type Case = readonly [spec: Fields, created: readonly CreatedWorkload[]];

/** The defaults of Kubernetes and LeaderWorkerSet for a strategy without limits. */
const DEFAULTED = {
  Deployment: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  LeaderWorkerSet: { type: 'RollingUpdate', rollingUpdateConfiguration: { partition: 0, maxUnavailable: 1, maxSurge: 0 } },
} as const;

function stored({ kind, name, replicas, size, strategy }: CreatedWorkload): object {
  const groups = kind === 'LeaderWorkerSet' ? { size: size ?? 1 } : {};
  return { kind, name, replicas: replicas ?? 1, ...groups, strategy: strategy.type === 'Recreate' ? strategy : DEFAULTED[kind] };
}

function planned(spec: Fields, kserve: string): object[] {
  const service: Manifest = {
    apiVersion: 'serving.kserve.io/v1alpha2',
    kind: 'LLMInferenceService',
    metadata: { name: 'chat', namespace: 'models' },
    spec,
  };
  const { rollouts } = planManifests([service], { versions: { kserve } });
  return rollouts
    .flatMap(({ creates = [], strategy, groups }) =>
      creates.map(({ kind, name, replicas }) => ({ kind, name, replicas, ...(groups && { size: groups.size }), strategy })),
    )
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

test.each([
  ['0.20', 'kserve-llm-workloads'],
  ['0.19', 'kserve-llm-workloads-0.19'],
])(
  'KServe %s creates the workloads of an LLMInferenceService that we plan, with their replicas, groups and strategies',
  (version, name) => {
    const cases = sampleOf(recorded(name) as readonly Case[]);
    const ours = cases.map(([spec]) => planned(spec, version));
    const differing = cases.flatMap(([spec, created], index) =>
      JSON.stringify(ours[index]) === JSON.stringify(created.map(stored))
        ? []
        : [{ spec, created: created.map(stored), ours: ours[index] }],
    );
    expect(differing).toEqual([]);
    expect(cases.length).toBeGreaterThan(300 / RECORDING_STEP);
  },
);
