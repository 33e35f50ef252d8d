import { listAffinityTerms } from '../../../src/cluster/capacity/nodes/pod-shape';
import type { PodShape } from '../../../src/cluster/capacity/nodes/pod-shape';
import { planChange } from '../../../src/headless';

const HASH = 'pod-template-hash';
const HOSTNAME = 'kubernetes.io/hostname';

function withTerm(term: object) {
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOSTNAME, ...term }] } } };
}

const shape = (labels: Record<string, string>, spec: object = {}): PodShape => ({ namespace: 'shop', labels, spec: { ...spec } });

/** Returns the selector of a term as it is stored, and whether it selects pods with some labels. */
function readTerm(term: object, others: readonly Record<string, string>[]) {
  const own = { app: 'web', tier: 'front', [HASH]: 'new' };
  const [stored] = listAffinityTerms(shape(own, withTerm(term)), 'podAntiAffinity');
  return { selector: stored!.selector, selects: others.map((labels) => stored!.matches(shape(labels))) };
}

const APP = { labelSelector: { matchLabels: { app: 'web' } } };
const [OLD, NEW, WITHOUT] = [{ app: 'web', [HASH]: 'old' }, { app: 'web', [HASH]: 'new' }, { app: 'web' }];

// Source: k/k pkg/registry/core/pod/strategy.go, `applyMatchLabelKeysAndMismatchLabelKeys`: the API server fills the selector at creation.
describe('the label keys of an anti-affinity term are part of its selector', () => {
  test.each([
    ['without keys, the selector is as written', APP, [], [true, true, true]],
    [
      'matchLabelKeys select pods with the value of the pod',
      { ...APP, matchLabelKeys: [HASH] },
      [{ key: HASH, operator: 'In', values: ['new'] }],
      [false, true, false],
    ],
    [
      'mismatchLabelKeys select pods with another value, or without the label',
      { ...APP, mismatchLabelKeys: [HASH] },
      [{ key: HASH, operator: 'NotIn', values: ['new'] }],
      [true, false, true],
    ],
    ['a key that the pod lacks is ignored', { ...APP, matchLabelKeys: ['absent'], mismatchLabelKeys: ['absent'] }, [], [true, true, true]],
    [
      'both kinds of keys hold together',
      { ...APP, matchLabelKeys: [HASH], mismatchLabelKeys: ['tier'] },
      [
        { key: HASH, operator: 'In', values: ['new'] },
        { key: 'tier', operator: 'NotIn', values: ['front'] },
      ],
      [false, true, false],
    ],
  ])('%s', (_, term, matchExpressions, selects) => {
    const selector = { ...APP.labelSelector, ...(matchExpressions.length > 0 && { matchExpressions }) };
    expect(readTerm(term, [OLD, NEW, WITHOUT])).toEqual({ selector, selects });
  });

  test('follow the written expressions, and make an empty selector one of a revision', () => {
    const written = { key: 'app', operator: 'Exists' };
    const own = { key: HASH, operator: 'In', values: ['new'] };
    expect([
      readTerm({ labelSelector: { matchExpressions: [written] }, matchLabelKeys: [HASH] }, [OLD, NEW]),
      readTerm({ labelSelector: {}, matchLabelKeys: [HASH] }, [OLD, NEW]),
    ]).toEqual([
      { selector: { matchExpressions: [written, own] }, selects: [false, true] },
      { selector: { matchExpressions: [own] }, selects: [false, true] },
    ]);
  });

  test('select nothing without a selector', () => {
    expect(readTerm({ matchLabelKeys: [HASH], mismatchLabelKeys: ['tier'] }, [OLD, NEW])).toEqual({
      selector: undefined,
      selects: [false, false],
    });
  });
});

describe('a Deployment of 2 pods with anti-affinity by node', () => {
  const NODES = ['a', 'b'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [HOSTNAME]: name } },
    status: { allocatable: { cpu: '16', pods: '110' }, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
  const deployment = (image: string, podSpec: object) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web', tier: 'front' } }, spec: { containers: [{ name: 'web', image }], ...podSpec } },
    },
  });
  const pod = (name: string, podSpec: object, labels: object) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${labels === OLD ? 'old' : 'other'}-${name}`,
      namespace: 'shop',
      labels,
      ...(labels === OLD && {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-old', uid: 'web-old', controller: true }],
      }),
    },
    spec: { containers: [{ name: 'web', image: 'web:1' }], ...podSpec, nodeName: name },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  });
  /** The term of an old pod, as the API server stores it. */
  const stored = (field: string, operator: string) => {
    const matchExpressions = [{ key: HASH, operator, values: ['old'] }];
    return withTerm({ labelSelector: { ...APP.labelSelector, matchExpressions }, [field]: [HASH] });
  };

  test.each([
    ['deadlocks if the term selects every revision', APP, withTerm(APP), 'deadlocks 0'],
    ['fits if each revision avoids itself only', { ...APP, matchLabelKeys: [HASH] }, stored('matchLabelKeys', 'In'), 'fits'],
    [
      'deadlocks if each revision avoids the others, from both sides',
      { ...APP, mismatchLabelKeys: [HASH] },
      stored('mismatchLabelKeys', 'NotIn'),
      'deadlocks 0',
    ],
    ['deadlocks if only the running pods avoid other revisions', undefined, stored('mismatchLabelKeys', 'NotIn'), 'deadlocks 0'],
    ['fits if only the running pods avoid their own revision', undefined, stored('matchLabelKeys', 'In'), 'fits'],
  ])('%s', (_, term, oldSpec, expected) => {
    const live = NODES.map(({ metadata: { name } }) => pod(name, oldSpec, OLD));
    const old = deployment('web:1', term ? withTerm(term) : oldSpec);
    const next = deployment('web:2', term ? withTerm(term) : {});
    const { capacity } = planChange([old, ...live, ...NODES], [next]).rollouts[0]!;
    expect([capacity!.verdict, capacity!.newPodsAtMost].filter((each) => each !== undefined).join(' ')).toBe(expected);
  });

  test.each([
    ['matchLabelKeys', 'front', 'deadlocks 0'],
    ['matchLabelKeys', 'back', 'fits'],
    ['mismatchLabelKeys', 'front', 'fits'],
    ['mismatchLabelKeys', 'back', 'deadlocks 0'],
  ])('avoids pods of others by %s with the label tier, which has the value %s there: %s', (field, tier, expected) => {
    const others = NODES.map(({ metadata: { name } }) => pod(name, {}, { app: 'db', tier }));
    const term = { labelSelector: { matchLabels: { app: 'db' } }, [field]: ['tier'] };
    const { capacity } = planChange([deployment('web:1', {}), ...others, ...NODES], [deployment('web:2', withTerm(term))]).rollouts[0]!;
    expect([capacity!.verdict, capacity!.newPodsAtMost].filter((each) => each !== undefined).join(' ')).toBe(expected);
  });
});
