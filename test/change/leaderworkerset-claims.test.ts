import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { leaderWorkerSet } from '../systems/leaderworkerset/plan';

interface Set {
  readonly policy?: object;
  readonly replicas?: number;
  readonly size?: number;
  readonly image?: string;
  readonly partition?: number;
  readonly claims?: readonly string[];
}

/** A set of three groups of three pods, whose pods have two claims each. */
function set({ policy, replicas = 3, size = 3, image = 'vllm:1', partition = 0, claims = ['cache', 'log'] }: Set = {}) {
  return leaderWorkerSet(
    { replicas, rolloutStrategy: { rollingUpdateConfiguration: { partition, maxUnavailable: 1 } } },
    {
      size,
      ...(policy && { persistentVolumeClaimRetentionPolicy: policy }),
      volumeClaimTemplates: claims.map((name) => ({
        metadata: { name },
        spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } },
      })),
      workerTemplate: { spec: { containers: [{ name: 'vllm', image }] } },
    },
  );
}

/** What is said of deleted claims, wherever it stands; without NEW the set is no longer there. */
function told(old: Set, next: Set | undefined, options?: ChangeOptions) {
  const { rollouts, findings: others } = expectValidPlan(planChange([set(old)], next ? [set(next)] : [], options));
  return [...rollouts.flatMap(({ findings }) => findings), ...others]
    .filter(({ code }) => code === 'lws/claims-deleted')
    .map(({ messageId, severity, path, data }) => ({ messageId, severity, path, data }));
}

const POLICY = 'spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy';
const DELETED = { whenDeleted: 'Delete', whenScaled: 'Retain' };
const SCALED = { whenDeleted: 'Retain', whenScaled: 'Delete' };
const BOTH = { whenDeleted: 'Delete', whenScaled: 'Delete' };

describe('claims of the workers of groups that are replaced', () => {
  test('are deleted with their StatefulSets where whenDeleted is Delete', () => {
    expect(told({ policy: DELETED }, { policy: DELETED, image: 'vllm:2' })).toEqual([
      {
        messageId: 'rolled',
        severity: 'warning',
        path: `${POLICY}.whenDeleted`,
        data: { name: 'llama', namespace: 'models', groups: 3, workers: 'llama-0', claims: 12, first: 'cache-llama-0-1' },
      },
    ]);
  });

  test('are those of OLD’s policy, by which the StatefulSets were made: a policy that keeps them comes too late, and replaces all groups itself', () => {
    expect(told({ policy: DELETED }, { policy: { ...DELETED, whenDeleted: 'Retain' } })).toMatchObject([
      { messageId: 'rolled', data: { groups: 3 } },
    ]);
    expect(told({}, { policy: DELETED })).toEqual([]);
  });

  test('of the groups above the partition alone', () => {
    expect(told({ policy: DELETED }, { policy: DELETED, image: 'vllm:2', partition: 2 })).toMatchObject([
      { data: { groups: 1, workers: 'llama-2', claims: 4, first: 'cache-llama-2-1' } },
    ]);
  });

  test.each<[string, Set, Set, ChangeOptions?]>([
    ['by whenScaled', { policy: SCALED }, { policy: SCALED, image: 'vllm:2' }, {}],
    ['without a policy', {}, { image: 'vllm:2' }, {}],
    ['without claims', { policy: DELETED, claims: [] }, { policy: DELETED, claims: [], image: 'vllm:2' }, {}],
    ['of groups of one pod', { policy: DELETED, size: 1 }, { policy: DELETED, size: 1, image: 'vllm:2' }, {}],
    ['where nothing is replaced', { policy: DELETED }, { policy: DELETED, replicas: 4 }, {}],
    ['before 0.8, which has no claims', { policy: DELETED }, { policy: DELETED, image: 'vllm:2' }, { versions: { lws: '0.7' } }],
  ])('are not, %s', (_, old, next, options) => {
    expect(told(old, next, options)).toEqual([]);
  });
});

describe('claims of groups that are taken away', () => {
  test.each<[string, object, object]>([
    [
      'the leaders’ by whenScaled',
      SCALED,
      { path: `${POLICY}.whenScaled`, data: { name: 'llama', before: 3, after: 1, of: 'leaders', claims: 4, first: 'cache-llama-1' } },
    ],
    [
      'the workers’ by whenDeleted',
      DELETED,
      { path: `${POLICY}.whenDeleted`, data: { name: 'llama', before: 3, after: 1, of: 'workers', claims: 8, first: 'cache-llama-1-1' } },
    ],
    [
      'all by both',
      BOTH,
      { path: `${POLICY}.whenScaled`, data: { name: 'llama', before: 3, after: 1, of: 'pods', claims: 12, first: 'cache-llama-1' } },
    ],
  ])('%s', (_, policy, said) => {
    expect(told({ policy }, { policy, replicas: 1 })).toEqual([{ messageId: 'scaled', severity: 'warning', ...said }]);
  });

  test('and of those that stay and are replaced by the same apply', () => {
    expect(told({ policy: BOTH }, { policy: BOTH, replicas: 2, image: 'vllm:2' })).toMatchObject([
      { messageId: 'scaled', data: { of: 'pods', claims: 6, first: 'cache-llama-2' } },
      { messageId: 'rolled', data: { groups: 2, claims: 8, first: 'cache-llama-0-1' } },
    ]);
  });
});

describe('claims of a set that is deleted', () => {
  test('go with it where whenDeleted is Delete: those of leaders and of workers', () => {
    expect(told({ policy: DELETED }, undefined, { prune: true })).toEqual([
      {
        messageId: 'deleted',
        severity: 'warning',
        path: '',
        data: { name: 'llama', namespace: 'models', claims: 18, first: 'cache-llama-0' },
      },
    ]);
  });

  test.each<[string, Set, ChangeOptions]>([
    ['without --prune', { policy: DELETED }, {}],
    ['by default', {}, { prune: true }],
    ['where they go with single groups alone', { policy: SCALED }, { prune: true }],
    ['before 0.8, which has no claims', { policy: DELETED }, { prune: true, versions: { lws: '0.7' } }],
  ])('stay: %s', (_, old, options) => {
    expect(told(old, undefined, options)).toEqual([]);
  });
});
