import { PlanCache } from '../../../src/core/collections/plan-cache';
import type { NodePool } from '../../../src/cluster/context/capacity';
import { computeInitialDaemonSetState } from '../../../src/workloads/daemonset/nodes';
import { simulateDaemonSet } from '../../../src/workloads/daemonset/simulate';

test('before the first wave all pods on any node are counted, and the ready ones are available', () => {
  // Only 4 of the 20 nodes have a ready old pod: 1 is down, 3 are unready, 4 have no pod, 1 fails, 2 are done, 3 have a starting new pod,
  // 2 have both.
  const start = { replicas: 20, down: 1, otherNodesDown: 2, unready: 3, missing: 4, failing: 1, upToDate: 2, starting: 3, surging: 2 };
  expect(simulateDaemonSet({ type: 'OnDelete' }, start, true)).toEqual({
    kind: 'daemonset',
    nodes: 20,
    otherNodesDown: 2,
    surge: 0,
    unavailable: 0,
    waves: [],
    peakPods: 4 + 1 + 2 + 3 + 1 + 2 + 3 + 2 * 2,
    minAvailable: 4 + 2 + 2,
  });
});

const AGENT = { metadata: { labels: { app: 'agent' } } };
const NODE: NodePool = { name: 'a', nodeName: 'a', count: 1, labels: {}, allocatable: new Map() };
const CONDITION = 'node.kubernetes.io/not-ready';
const TAKES_NONE: Partial<NodePool> = { taints: [{ key: CONDITION, effect: 'NoSchedule' }] };

function startOf(spec: object, pools: readonly NodePool[]) {
  return computeInitialDaemonSetState({ replicas: 0, template: { ...AGENT, spec } }, pools, new PlanCache());
}

test.each([
  ['no node', {}, 3],
  ['an empty name', { nodeName: '' }, 3],
  ['one of them', { nodeName: 'b' }, 1],
  ['another node', { nodeName: 'd' }, 0],
  ['a value that is not a name', { nodeName: 3 }, 3],
])('a template with %s as its nodeName', (_what, spec, replicas) => {
  const pools = ['a', 'b', 'c'].map((name) => ({ ...NODE, name, nodeName: name }));
  expect(startOf(spec, pools)).toEqual({ replicas, down: 0, otherNodesDown: 0 });
});

test('a node that is down counts if it may run the pod, and counts separately if it only keeps the pod', () => {
  const down = { ...NODE, isDown: true };
  expect(startOf({}, [NODE, down, { ...down, count: 2, ...TAKES_NONE }, { ...NODE, ...TAKES_NONE }])).toEqual({
    replicas: 2,
    down: 1,
    otherNodesDown: 2,
  });
});

test('a node that evicts the pod has none, even if it is down', () => {
  const evicting: NodePool = { ...NODE, isDown: true, taints: [{ key: CONDITION, effect: 'NoExecute' }] };
  expect(startOf({}, [NODE, evicting])).toEqual({ replicas: 1, down: 0, otherNodesDown: 0 });
});
