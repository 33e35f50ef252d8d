import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { deployment, node, running } from '../../builders/running-pods';

const WEB = { cpu: 1, nodes: ['a', 'a', 'a'] };
const API = { cpu: 1, nodes: ['b', 'b', 'b'] };
const OLD = [...running('web', WEB), ...running('api', API)];
const NEXT = [deployment('web', 'm:2', WEB), deployment('api', 'm:2', API)];

const planOn = (nodes: readonly object[], next: readonly object[] = NEXT) => expectValidPlan(planChange([...OLD, ...nodes], next));

describe('two rollouts of a cluster whose pods are in the input', () => {
  test('fit all at once if their surges fit next to all running pods, which are counted once', () => {
    expect(planOn([node('a', 4), node('b', 4)]).capacity).toMatchInlineSnapshot(`
{
  "concurrent": "fits",
  "limits": [
    {
      "available": "8",
      "concurrent": "8",
      "limit": "node pools",
      "resource": "cpu",
      "sequential": "7",
      "steady": "6",
    },
    {
      "available": "220",
      "concurrent": "8",
      "limit": "node pools",
      "resource": "pods",
      "sequential": "7",
      "steady": "6",
    },
  ],
  "message": "One after another: fits. All at once: fits.",
  "sequential": "fits",
}
`);
  });

  test('wait for each other if only one surge fits', () => {
    expect(planOn([node('a', 4), node('b', 3)]).capacity).toMatchInlineSnapshot(`
{
  "concurrent": "slower",
  "limits": [
    {
      "available": "7",
      "concurrent": "8",
      "limit": "node pools",
      "resource": "cpu",
      "sequential": "7",
      "steady": "6",
    },
    {
      "available": "220",
      "concurrent": "8",
      "limit": "node pools",
      "resource": "pods",
      "sequential": "7",
      "steady": "6",
    },
  ],
  "message": "One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 8 of 7 cpu (node pools); fits with 1 more node in pool "a".",
  "sequential": "fits",
}
`);
  });

  test('leave no capacity that a pod of an owner which is not planned uses', () => {
    const other = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'other',
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'x/v1', kind: 'X', name: 'x', uid: 'x', controller: true }],
      },
      spec: { nodeName: 'b', containers: [{ name: 'x', resources: { requests: { cpu: '1' } } }] },
      status: { phase: 'Running' },
    };
    expect(planOn([node('a', 4), node('b', 4), other]).capacity?.message).toMatchInlineSnapshot(
      `"One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 8 of 7 cpu (node pools); fits with 1 more node in pool "a"."`,
    );
  });
});

test('another node of a pool has the capacity of a whole node, not what the running pods leave of one', () => {
  const nodes = [node('a', 4), node('b', 4)];
  const { capacity } = planOn(nodes, [deployment('web', 'm:1', { ...WEB, replicas: 9 })]).rollouts[0]!;
  expect(capacity).toMatchInlineSnapshot(`
{
  "message": "Only 5 of 9 pods fit: a pod needs 1 cpu, and no node has more than 0 left. All of them fit with 1 more node in pool "a".",
  "moreNodes": {
    "nodes": 1,
    "pool": "a",
  },
  "peakPods": 9,
  "podsThatFit": 5,
  "shortage": {
    "available": "0",
    "excludesNodes": false,
    "kind": "one-node",
    "limit": "any one node",
    "needed": "1",
    "resource": "cpu",
  },
  "verdict": "deadlocks",
}
`);
});

test('a rollout that also removes most of its pods fits next to them, because they are on the nodes already', () => {
  const old = [...running('web', { cpu: 1, nodes: ['a', 'a', 'a', 'b', 'b'] }), node('a', 4), node('b', 4)];
  const next = (replicas: number) => deployment('web', 'm:2', { cpu: 1, nodes: [], replicas });
  const messages = [1, 2, 5].map((replicas) => planChange(old, [next(replicas)]).rollouts[0]!.capacity!.message);
  expect(messages).toMatchInlineSnapshot(`
[
  "Fits: there is capacity for its peak of 5 pods.",
  "Fits: there is capacity for its peak of 5 pods.",
  "Fits: there is capacity for its peak of 6 pods.",
]
`);
});

test('replacing pods in place is proposed only if the new pods then find a node', () => {
  const old = [...running('web', { cpu: 1, nodes: ['a', 'a'] }), node('a', 4)];
  const helpFor = (cpu: number) =>
    planChange(old, [deployment('web', 'm:2', { cpu, nodes: ['a', 'a'] })]).rollouts[0]!.findings.map(({ help }) => help);
  // Three CPUs are free once one old pod is gone: enough for a pod of three, and then for none of the other.
  expect([helpFor(2), helpFor(3), helpFor(5)]).toMatchInlineSnapshot(`
[
  [
    "Write maxSurge: 0 and maxUnavailable: 1 to replace pods in place, or add capacity until 3 pods fit.",
  ],
  [
    "Lower the requests of a pod until the peak fits, or add capacity until 3 pods fit.",
  ],
  [
    "Lower the requests of a pod until the peak fits, or add capacity until 3 pods fit.",
  ],
]
`);
});
