import { planManifests } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest';
import { recorded } from './recording';

interface Made {
  readonly kind: 'Deployment' | 'LeaderWorkerSet';
  readonly name: string;
  /** Null where the controller writes none, which the API server takes for 1. */
  readonly replicas: number | null;
  readonly size?: number;
  readonly strategy: Fields;
}

type Case = readonly [spec: Fields, made: readonly Made[]];

/** What Kubernetes and LeaderWorkerSet fill in where the controller writes no limits. */
const STORED = {
  Deployment: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
  LeaderWorkerSet: { type: 'RollingUpdate', rollingUpdateConfiguration: { partition: 0, maxUnavailable: 1, maxSurge: 0 } },
} as const;

function stored({ kind, name, replicas, size, strategy }: Made): object {
  const groups = kind === 'LeaderWorkerSet' ? { size: size ?? 1 } : {};
  return { kind, name, replicas: replicas ?? 1, ...groups, strategy: strategy.type === 'Recreate' ? strategy : STORED[kind] };
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
])('KServe %s makes the workloads of an LLMInferenceService that we say, with their replicas, groups and strategies', (version, name) => {
  const cases = recorded(name) as readonly Case[];
  const ours = cases.map(([spec]) => planned(spec, version));
  const differing = cases.flatMap(([spec, made], index) =>
    JSON.stringify(ours[index]) === JSON.stringify(made.map(stored)) ? [] : [{ spec, made: made.map(stored), ours: ours[index] }],
  );
  expect(differing).toEqual([]);
  expect(cases.length).toBeGreaterThan(300);
});
