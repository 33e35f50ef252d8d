import type { PlanDocument } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { rolloutkit } from './command-line';
import { withoutProse } from './prose';

const MODEL = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: model
spec:
  replicas: 3
  selector:
    matchLabels:
      app: model
  template:
    metadata:
      labels:
        app: model
    spec:
      containers:
        - name: model
          image: model:2
          readinessProbe: { httpGet: { path: /ready, port: 8080 } }
          resources: { limits: { nvidia.com/gpu: 1 } }
`;

/** A Node with 2 GPUs, with only the fields that a capacity reads. */
function node(name: string) {
  return { kind: 'Node', metadata: { name }, status: { allocatable: { 'nvidia.com/gpu': '2' } } };
}

async function roomWith(capacity: string) {
  const { stdout, stderr, exitCode } = await rolloutkit('plan model.yaml --capacity capacity.yaml --format json', {
    files: { 'model.yaml': MODEL, 'capacity.yaml': capacity },
  });
  expect([stderr, exitCode]).toEqual(['', 0]);
  return expectValidPlan(JSON.parse(stdout) as PlanDocument).rollouts[0]!.capacity;
}

describe('--capacity shows whether a rollout fits', () => {
  test('by the free amounts, without the running pods', async () => {
    expect(await roomWith('free: { nvidia.com/gpu: 1 }')).toEqual({
      verdict: 'fits',
      peakPods: 4,
      podsThatFit: 4,
      message: 'Fits: there is capacity for its peak of 4 pods.',
    });
    expect(await roomWith('free: { nvidia.com/gpu: 0 }')).toMatchObject({ verdict: 'deadlocks', deadlockWave: 1 });
  });

  test('by the total amounts, as YAML or JSON', async () => {
    expect(await roomWith('{"total": {"nvidia.com/gpu": 3}}')).toMatchObject({
      verdict: 'deadlocks',
      message: 'Deadlocks at wave 1: it peaks at 4 nvidia.com/gpu and the given capacity has 3 left.',
    });
  });

  test('by node pool, with the missing nodes', async () => {
    expect(await roomWith('nodePools: [{ name: a100, count: 3, allocatable: { nvidia.com/gpu: 1 } }]')).toMatchObject({
      moreNodes: { pool: 'a100', nodes: 1 },
      message:
        'Fits only with 1 more node in pool "a100". Without it the rollout deadlocks at wave 1: a pod needs 1 nvidia.com/gpu, and no node has more than 0 left.',
    });
  });

  test('by the Nodes of a cluster, as kubectl lists them', async () => {
    expect(await roomWith(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [node('a'), node('b')] }))).toMatchObject({
      verdict: 'fits',
    });
  });

  test('as text', async () => {
    const { stdout } = await withoutProse('plan model.yaml --capacity capacity.yaml', {
      files: { 'model.yaml': MODEL, 'capacity.yaml': 'free: { nvidia.com/gpu: 0 }' },
    });
    expect(stdout).toMatchInlineSnapshot(`
"1 rollout on Kubernetes 1.36 (assumed): 1 never finishes, 1 error

error  kubernetes/surge-needs-headroom  Deployment model  model.yaml:5:1  spec.strategy.rollingUpdate.maxUnavailable
  <insufficientCapacity>
  fix: <insufficientCapacity: fix>

a wave is one step: the controller creates and deletes pods, then waits until the new ones are ready

Deployment model (kubernetes)
  RollingUpdate, maxSurge 25%, maxUnavailable 25% (kubernetes-default)
  Deadlocks at wave 1: it peaks at 4 nvidia.com/gpu and the given capacity has 3 left.
  3 replicas: deadlocks at wave 1: its pods do not fit

  wave  new  old  total  available
     1    1    3      4          3

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
  });

  test.each([
    ['0', 'is 0'],
    ['25%', 'rounds to 0'],
  ])('with maxUnavailable %s, which %s', async (maxUnavailable, text) => {
    const strategy = `  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: ${maxUnavailable}}}`;
    const { stdout } = await rolloutkit('check model.yaml --capacity capacity.yaml', {
      files: { 'model.yaml': MODEL.replace('\nspec:\n', `\nspec:\n${strategy}\n`), 'capacity.yaml': 'free: { nvidia.com/gpu: 0 }' },
    });
    expect(stdout).toContain(`maxUnavailable ${text} for 3 replicas, so no old pod is deleted before a new one is ready`);
  });

  test('and replaces the Nodes of the input, so that a forged Node adds none', async () => {
    const forged = 'apiVersion: v1\nkind: Node\nmetadata: { name: forged }\nstatus: { allocatable: { nvidia.com/gpu: "8" } }\n';
    const capacity = 'nodePools: [{ name: a100, count: 3, allocatable: { nvidia.com/gpu: 1 } }]';
    const files = { 'in/model.yaml': MODEL, 'in/node.yaml': forged, 'capacity.yaml': capacity };
    expect((await rolloutkit('check in', { files })).exitCode).toBe(0);
    expect((await rolloutkit('check in --capacity capacity.yaml', { files })).exitCode).toBe(1);
  });

  test('and a rollout that can never finish is an error of check', async () => {
    const files = { 'model.yaml': MODEL, 'full.yaml': 'free: { nvidia.com/gpu: 0 }', 'room.yaml': 'free: { nvidia.com/gpu: 1 }' };
    expect((await rolloutkit('check model.yaml --capacity full.yaml', { files })).exitCode).toBe(1);
    expect((await rolloutkit('check model.yaml --capacity room.yaml', { files })).exitCode).toBe(0);
  });
});

describe('an invalid capacity stops the command with a message that says what to write', () => {
  test.each([
    ['', 'capacity.yaml, given with --capacity, contains 0 documents; write one'],
    ['free: {}\n---\nfree: {}', 'capacity.yaml, given with --capacity, contains 2 documents; write one'],
    ['frei: { cpu: 1 }', 'capacity.yaml, given with --capacity: The capacity has no field "frei": write free'],
    [
      'free: { cpu: much }',
      'capacity.yaml, given with --capacity: free.cpu is "much": write a quantity of at least 0, such as 4, 500m or 64Gi',
    ],
    ['free: { cpu: -1 }', 'capacity.yaml, given with --capacity: free.cpu is -1: write a quantity of at least 0, such as 4, 500m or 64Gi'],
    ['total: 4', 'capacity.yaml, given with --capacity: total is 4: write a map of resources, such as { nvidia.com/gpu: 4 }'],
    ['nodePools: 4', 'capacity.yaml, given with --capacity: nodePools is 4: write a list'],
    ['nodePools: [gpu]', 'capacity.yaml, given with --capacity: nodePools[0] is "gpu": write a map with name, count and allocatable'],
    ['nodePools: [{ name: 1, count: 1 }]', 'capacity.yaml, given with --capacity: nodePools[0].name is 1: write a string'],
    [
      'nodePools: [{ name: gpu }]',
      'capacity.yaml, given with --capacity: nodePools[0].count is undefined: write a number of nodes of at least 0',
    ],
    [
      'nodePools: [{ count: 1, size: 4 }]',
      'capacity.yaml, given with --capacity: nodePools[0] has no field "size": write one of name, count, allocatable, labels, taints',
    ],
    [
      'nodePools: [{ count: 1, labels: { a: 1 } }]',
      'capacity.yaml, given with --capacity: nodePools[0].labels is not a map of strings: write the labels of the nodes, such as { gpu: a100 }',
    ],
    [
      'nodePools: [{ count: 1, taints: { gpu: x } }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints is a map: write a list of taints, such as [{ key: gpu, effect: NoSchedule }]',
    ],
    [
      'nodePools: [{ count: 1, taints: [gpu] }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints[0] is "gpu": write a map with key, value and effect',
    ],
    [
      'nodePools: [{ count: 1, taints: [{ effect: NoSchedule }] }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints[0].key is undefined: write the key of the taint',
    ],
    [
      'nodePools: [{ count: 1, taints: [{ key: gpu, value: true, effect: NoSchedule }] }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints[0].value is true: write a string',
    ],
    [
      'nodePools: [{ count: 1, taints: [{ key: gpu, effect: noSchedule }] }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints[0].effect is "noSchedule": write one of NoSchedule, NoExecute, PreferNoSchedule',
    ],
    [
      'nodePools: [{ count: 1, taints: [{ key: gpu, effekt: NoSchedule }] }]',
      'capacity.yaml, given with --capacity: nodePools[0].taints[0] has no field "effekt": write effect',
    ],
    ['free: [', 'capacity.yaml:1, given with --capacity: '],
  ])('%j', async (capacity, message) => {
    const { stdout, stderr, exitCode } = await rolloutkit('plan model.yaml --capacity capacity.yaml', {
      files: { 'model.yaml': MODEL, 'capacity.yaml': capacity },
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  test('a missing file', async () => {
    const { stderr, exitCode } = await rolloutkit('plan model.yaml --capacity none.yaml', { files: { 'model.yaml': MODEL } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('cannot read none.yaml, given with --capacity')]);
  });
});

describe('several units in one run', () => {
  const named = (name: string) => MODEL.replaceAll('model', name);
  const QUOTA = (gpus: number) => `apiVersion: v1
kind: ResourceQuota
metadata: { name: gpus }
spec: { hard: { requests.nvidia.com/gpu: ${gpus} } }
`;
  const KUSTOMIZATION = 'resources: [model.yaml]\n';
  const units = (other: string) => ({
    'apps/a/kustomization.yaml': KUSTOMIZATION,
    'apps/a/model.yaml': MODEL,
    'apps/b/kustomization.yaml': KUSTOMIZATION,
    'apps/b/model.yaml': named(other),
  });

  async function verdicts(args: string, files: Readonly<Record<string, string>>) {
    const { stdout, stderr } = await rolloutkit(`plan ${args} --format json`, { files });
    expect(stderr).toBe('');
    const { rollouts } = expectValidPlan(JSON.parse(stdout) as PlanDocument);
    return rollouts.map(({ capacity: room }) => ({ verdict: room?.verdict, because: room?.because }));
  }

  const FITS = { verdict: 'fits', because: undefined };
  const MAY_NOT = { verdict: 'may-not-fit', because: ['pods of other units'] };

  test.each([
    ['a total', 'total: { nvidia.com/gpu: 6 }', MAY_NOT],
    ['a total for all', 'total: { nvidia.com/gpu: 7 }', FITS],
    ['node pools', 'nodePools: [{ name: a, count: 3, allocatable: { nvidia.com/gpu: 2 } }]', MAY_NOT],
    ['node pools for all', 'nodePools: [{ name: a, count: 7, allocatable: { nvidia.com/gpu: 1 } }]', FITS],
  ])('do not certainly fit a capacity that each fits only without the pods of the others: %s', async (_, capacity, room) => {
    expect(await verdicts('apps --capacity capacity.yaml', { ...units('chat'), 'capacity.yaml': capacity })).toEqual([room, room]);
  });

  test.each([
    ['given by name', 'apps quota.yaml', 'quota.yaml'],
    ['above them', 'apps', 'apps/quota.yaml'],
  ])('do not certainly fit a quota %s', async (_, args, file) => {
    expect(await verdicts(args, { ...units('chat'), [file]: QUOTA(6) })).toEqual([MAY_NOT, MAY_NOT]);
    expect(await verdicts(args, { ...units('chat'), [file]: QUOTA(7) })).toEqual([FITS, FITS]);
  });

  test('a unit with objects of the same names is in another cluster', async () => {
    expect(await verdicts('apps --capacity capacity.yaml', { ...units('model'), 'capacity.yaml': 'total: { nvidia.com/gpu: 4 }' })).toEqual(
      [FITS, FITS],
    );
  });

  test('a unit that does not fit by itself is reported as without the others', async () => {
    expect(await verdicts('apps --capacity capacity.yaml', { ...units('chat'), 'capacity.yaml': 'total: { nvidia.com/gpu: 3 }' })).toEqual([
      { verdict: 'deadlocks', because: undefined },
      { verdict: 'deadlocks', because: undefined },
    ]);
  });
});
