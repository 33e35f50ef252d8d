import { rolloutkit } from '../../cli/command-line';

function node(spec: string, labels = 'disk: ssd'): string {
  return `apiVersion: v1\nkind: Node\nmetadata: { name: a, labels: { ${labels} } }\nspec: { ${spec} }\n`;
}

function pool(template: string, limits = '10'): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: spot }
spec: { limits: { cpu: ${limits} }, template: { spec: { nodeClassRef: { group: a, kind: B, name: c }, requirements: [], ${template} } } }
`;
}

const CONFIG = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c, namespace: shop }\n';

/** Plans a change, and returns its first line and the messages about pods that are evicted. */
async function planNodes(old: string, next: string, options = ''): Promise<string[]> {
  const { stdout } = await rolloutkit(`plan --from old.yaml new.yaml ${options}`, {
    files: { 'old.yaml': `${CONFIG}---\n${old}`, 'new.yaml': `${CONFIG}---\n${next}` },
  });
  const lines = stdout.split('\n');
  return [lines[0]!, ...lines.flatMap((line, index) => (line.includes('change/pods-evicted') ? [line, lines[index + 1]!.trim()] : []))];
}

test('a Node that gets a taint with the effect NoExecute loses pods', async () => {
  expect(await planNodes(node(''), node('taints: [{ key: gpu, value: "no", effect: NoExecute }]'))).toMatchInlineSnapshot(`
[
  "1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "warning  change/pods-evicted  new.yaml:5:1",
  "Node a gets the taint gpu=no with the effect NoExecute: pods on it that do not tolerate this are deleted at once, whatever PodDisruptionBudgets say.",
]
`);
});

test('a Node that is deleted loses all of its pods', async () => {
  expect(await planNodes(node(''), CONFIG.replace('name: c', 'name: d'), '--prune')).toMatchInlineSnapshot(`
[
  "2 of 3 objects differ: 1 is new, 1 is deleted; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "warning  change/pods-evicted",
  "The apply deletes Node a: the garbage collector of pods deletes all pods on it about a minute later, without a grace period and whatever PodDisruptionBudgets say.",
]
`);
});

describe('a Node that the cluster is deleting loses all of its pods', () => {
  const live = node('', 'disk: ssd, zone: a').replace('name: a,', 'name: a, uid: u, deletionTimestamp: "2026-01-01T00:00:00Z",');
  const finding = [
    'warning  change/pods-evicted',
    'The cluster is deleting Node a: the garbage collector of pods deletes all pods on it about a minute after its finalizers are removed, without a grace period and whatever PodDisruptionBudgets say. The plan puts no new pods on it, except those of DaemonSets.',
  ];

  test.each<readonly [what: string, next: string]>([
    ['is missing', CONFIG.replace('name: c', 'name: d')],
    ['is the same', live],
    ['is cordoned', node('unschedulable: true', 'disk: ssd, zone: a')],
  ])('and in NEW it %s', async (_, next) => {
    expect((await planNodes(live, next)).slice(1)).toEqual(finding);
  });

  test('and gives no capacity, also if NEW does not say that it is being deleted', async () => {
    const pods = (image: string) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: "web:${image}", resources: { requests: { cpu: 1 } } }] }
---
`;
    const status = 'status: { allocatable: { cpu: 4, pods: 10 } }\n';
    const planPods = async (next: string) => {
      const files = { 'old.yaml': pods('1') + live + status, 'new.yaml': pods('2') + next };
      const { stdout } = await rolloutkit('plan --from old.yaml new.yaml', { files });
      return stdout
        .split('\n')
        .find((line) => line.includes('deadlocks'))
        ?.trim();
    };
    const deadlock =
      'The only replica does not fit: every node with matching labels has a taint that the pod does not tolerate: node.kubernetes.io/unschedulable:NoSchedule. The rollout deadlocks at wave 1.';
    expect([await planPods(''), await planPods(live + status), await planPods(node('') + status)]).toEqual([deadlock, deadlock, deadlock]);
  });
});

test('a Node whose labels differ may lose the pods of DaemonSets', async () => {
  expect(await planNodes(node('', 'disk: ssd, os: linux'), node('', 'os: linux, zone: a'))).toMatchInlineSnapshot(`
[
  "1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "info  change/pods-evicted  new.yaml:5:1",
  "The labels of Node a differ (disk and zone): a DaemonSet that selects nodes by them loses or gets a pod there at once.",
]
`);
});

test('a NodePool replaces its nodes if its template differs, and loses them if it is deleted', async () => {
  expect(await planNodes(pool('taints: []'), pool('expireAfter: 1h'))).toMatchInlineSnapshot(`
[
  "1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "warning  change/pods-evicted  new.yaml:5:1",
  "The template of NodePool spot differs: Karpenter replaces its nodes that no longer match, and evicts the pods on them as spec.disruption.budgets allows.",
]
`);
  expect(await planNodes(pool('taints: []'), CONFIG.replace('name: c', 'name: d'), '--prune')).toMatchInlineSnapshot(`
[
  "2 of 3 objects differ: 1 is new, 1 is deleted; the number of affected pods is unknown; assumes Kubernetes 1.36",
  "warning  change/pods-evicted",
  "The apply deletes NodePool spot: Karpenter drains all of its nodes and deletes them.",
]
`);
});

test.each<readonly [what: string, old: string, next: string]>([
  ['is cordoned', node(''), node('unschedulable: true')],
  ['gets a taint with the effect NoSchedule', node(''), node('taints: [{ key: gpu, effect: NoSchedule }]')],
  ['is a NodePool with other limits', pool('taints: []'), pool('taints: []', '20')],
])('a Node keeps its pods if it %s', async (_, old, next) => {
  expect(await planNodes(old, next)).toEqual(['1 of 2 objects differs: 1 changes settings; no pods are affected; assumes Kubernetes 1.36']);
});

test('a Node that loses a taint may get pods of DaemonSets', async () => {
  expect(await planNodes(node('taints: [{ key: gpu, effect: NoExecute }]'), node(''))).toEqual([
    '1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36',
  ]);
});
