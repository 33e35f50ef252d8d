import { planChange, planManifests } from '../../../src/headless';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { slicesNotPlanned } from '../../../src/systems/disaggregatedset/rules/slices-not-planned';
import { testRule } from '../../rule-tester';

const SET = `apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata: { name: chat, namespace: models }
spec:
  roles:
    - name: prefill
      spec: { replicas: 2, leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: vllm, image: "vllm:1" }] } } } }
    - name: decode
      spec: { replicas: 1, leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: vllm, image: "vllm:1" }] } } } }
`;

const V0_10 = ['--versions', 'lws=0.10'];

testRule(slicesNotPlanned, {
  valid: [
    { name: 'one slice', args: V0_10, yaml: `${SET}  slices: 1\n` },
    { name: 'a version that drops the field', args: ['--versions', 'lws=0.9'], yaml: `${SET}  slices: 2\n` },
    {
      name: 'a role with its own replicas',
      args: V0_10,
      yaml: SET.replace('name: decode', 'name: decode\n      scaling: { mode: Static }'),
    },
  ],
  invalid: [
    {
      name: 'two slices',
      args: V0_10,
      yaml: `${SET}  slices: 2\n`,
      findings: [{ messageId: 'slices', severity: 'warning', path: 'spec.slices', data: { slices: 2 } }],
    },
    {
      name: 'a role with a scaler',
      args: V0_10,
      yaml: SET.replace('name: decode', 'name: decode\n      scaling: { mode: External }'),
      findings: [{ messageId: 'scaling', severity: 'warning', path: 'spec.roles[1].scaling.mode', data: { role: 'decode' } }],
    },
  ],
});

const role = (name: string, replicas: number, image: string) => ({
  name,
  spec: { replicas, leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [{ name: 'vllm', image }] } } } },
});

const set = (spec: Fields, image = 'vllm:1'): Manifest => ({
  apiVersion: 'disaggregatedset.x-k8s.io/v1',
  kind: 'DisaggregatedSet',
  metadata: { name: 'chat', namespace: 'models' },
  spec: { roles: [role('prefill', 2, image), role('decode', 1, image)], ...spec },
});

const versions = { lws: '0.10' };

test('a set with slices rolls out in rows that are not known, and its capacity is not checked', () => {
  const { change, rollouts } = planChange([set({ slices: 2 })], [set({ slices: 2 }, 'vllm:2')], { versions });
  expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
  expect(rollouts.map(({ simulation, capacity }) => ({ simulation, capacity }))).toEqual([{ simulation: null, capacity: undefined }]);
});

test('another number of slices adds or removes pods that are not known', () => {
  const effectOf = (lws: string) =>
    planChange([set({ slices: 1 })], [set({ slices: 3 })], { versions: { lws } }).change.objects.map(({ effect }) => effect);
  expect(effectOf('0.10')).toEqual(['unknown']);
  expect(effectOf('0.9')).toEqual(['settings']);
});

test('a placement policy is not modelled, and versions that drop it place the pods anywhere', () => {
  const capacity = { nodePools: [{ name: 'h100', count: 4, allocatable: { pods: 20 } }] };
  const placed = set({ placementPolicy: { type: 'ExclusiveTopology', topology: 'rack' } });
  const messageOf = (lws: string) => planManifests([placed], { versions: { lws }, capacity }).rollouts[0]!.capacity?.message;
  expect(messageOf('0.10')).toBe('May not fit: there is capacity for its peak of 5 pods, but plans do not model placementPolicy.');
  expect(messageOf('0.9')).toBe('Fits: there is capacity for its peak of 5 pods.');
});
