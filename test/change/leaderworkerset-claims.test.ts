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

/** Returns a set of three groups of three pods, whose pods have two claims each. */
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

/** Returns the findings about deleted claims; without NEW the set is deleted. */
function findingsFor(old: Set, next: Set | undefined, options?: ChangeOptions) {
  const { rollouts, findings: others } = expectValidPlan(planChange([set(old)], next ? [set(next)] : [], options));
  return [...rollouts.flatMap(({ findings }) => findings), ...others]
    .filter(({ code }) => code === 'lws/claims-deleted')
    .map(({ messageId, severity, path, data }) => ({ messageId, severity, path, data }));
}

const POLICY = 'spec.leaderWorkerTemplate.persistentVolumeClaimRetentionPolicy';
const DELETED = { whenDeleted: 'Delete', whenScaled: 'Retain' };
const SCALED = { whenDeleted: 'Retain', whenScaled: 'Delete' };
const BOTH = { whenDeleted: 'Delete', whenScaled: 'Delete' };

describe('claims of the workers of replaced groups', () => {
  test('are deleted with their StatefulSets if whenDeleted is Delete', () => {
    expect(findingsFor({ policy: DELETED }, { policy: DELETED, image: 'vllm:2' })).toEqual([
      {
        messageId: 'rolled',
        severity: 'warning',
        path: `${POLICY}.whenDeleted`,
        data: { name: 'llama', namespace: 'models', groups: 3, workers: 'llama-0', claims: 12, first: 'cache-llama-0-1' },
      },
    ]);
  });

  test('depend on OLD’s policy, with which the StatefulSets were created: a policy that retains them comes too late, and replaces all groups itself', () => {
    expect(findingsFor({ policy: DELETED }, { policy: { ...DELETED, whenDeleted: 'Retain' } })).toMatchObject([
      { messageId: 'rolled', data: { groups: 3 } },
    ]);
    expect(findingsFor({}, { policy: DELETED })).toEqual([]);
  });

  test('are those of the groups above the partition only', () => {
    expect(findingsFor({ policy: DELETED }, { policy: DELETED, image: 'vllm:2', partition: 2 })).toMatchObject([
      { data: { groups: 1, workers: 'llama-2', claims: 4, first: 'cache-llama-2-1' } },
    ]);
  });

  test.each<[string, Set, Set, ChangeOptions?]>([
    ['with whenScaled', { policy: SCALED }, { policy: SCALED, image: 'vllm:2' }, {}],
    ['without a policy', {}, { image: 'vllm:2' }, {}],
    ['without claims', { policy: DELETED, claims: [] }, { policy: DELETED, claims: [], image: 'vllm:2' }, {}],
    ['with groups of one pod', { policy: DELETED, size: 1 }, { policy: DELETED, size: 1, image: 'vllm:2' }, {}],
    ['if nothing is replaced', { policy: DELETED }, { policy: DELETED, replicas: 4 }, {}],
    ['before 0.8, which has no claims', { policy: DELETED }, { policy: DELETED, image: 'vllm:2' }, { versions: { lws: '0.7' } }],
  ])('are not deleted %s', (_, old, next, options) => {
    expect(findingsFor(old, next, options)).toEqual([]);
  });
});

describe('claims of removed groups', () => {
  test.each<[string, object, object]>([
    [
      'are those of the leaders with whenScaled',
      SCALED,
      { path: `${POLICY}.whenScaled`, data: { name: 'llama', before: 3, after: 1, of: 'leaders', claims: 4, first: 'cache-llama-1' } },
    ],
    [
      'are those of the workers with whenDeleted',
      DELETED,
      { path: `${POLICY}.whenDeleted`, data: { name: 'llama', before: 3, after: 1, of: 'workers', claims: 8, first: 'cache-llama-1-1' } },
    ],
    [
      'are all of them with both',
      BOTH,
      { path: `${POLICY}.whenScaled`, data: { name: 'llama', before: 3, after: 1, of: 'pods', claims: 12, first: 'cache-llama-1' } },
    ],
  ])('%s', (_, policy, expected) => {
    expect(findingsFor({ policy }, { policy, replicas: 1 })).toEqual([{ messageId: 'scaled', severity: 'warning', ...expected }]);
  });

  test('are deleted in addition to those of groups that the same apply replaces', () => {
    expect(findingsFor({ policy: BOTH }, { policy: BOTH, replicas: 2, image: 'vllm:2' })).toMatchObject([
      { messageId: 'scaled', data: { of: 'pods', claims: 6, first: 'cache-llama-2' } },
      { messageId: 'rolled', data: { groups: 2, claims: 8, first: 'cache-llama-0-1' } },
    ]);
  });
});

describe('claims of a deleted set', () => {
  test('are deleted with it if whenDeleted is Delete: those of leaders and of workers', () => {
    expect(findingsFor({ policy: DELETED }, undefined, { prune: true })).toEqual([
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
    ['with the default policy', {}, { prune: true }],
    ['if they are deleted only with single groups', { policy: SCALED }, { prune: true }],
    ['before 0.8, which has no claims', { policy: DELETED }, { prune: true, versions: { lws: '0.7' } }],
  ])('stay: %s', (_, old, options) => {
    expect(findingsFor(old, undefined, options)).toEqual([]);
  });
});

test('claims are also deleted if their set is recreated', () => {
  const next = set({ policy: DELETED, image: 'vllm:2' });
  const annotations = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' };
  const plan = expectValidPlan(planChange([set({ policy: DELETED })], [{ ...next, metadata: { ...next.metadata, annotations } }]));
  expect(plan.findings.map(({ code, messageId }) => `${code} ${messageId}`)).toEqual([
    'change/force-recreates replaced',
    'lws/claims-deleted deleted',
  ]);
});
