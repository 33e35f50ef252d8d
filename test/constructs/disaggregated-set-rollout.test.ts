import { Testing, Yaml } from 'cdk8s';
import { DisaggregatedSetRollout, Rollout } from 'rolloutkit';
import type { DisaggregatedRoleProps, DisaggregatedSetRolloutProps } from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import { synthError } from './synth-error';

const leaderWorkerTemplate = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } } };

function role(name: string, replicas: number, props: Partial<DisaggregatedRoleProps> = {}): DisaggregatedRoleProps {
  return { name, replicas, leaderWorkerTemplate, ...props };
}

function build(roles: readonly DisaggregatedRoleProps[], versions?: DisaggregatedSetRolloutProps['versions']) {
  return new DisaggregatedSetRollout(Testing.chart(), 'chat', { roles, ...(versions && { versions }) });
}

test('writes each role with both of its limits', () => {
  const set = build([role('prefill', 4, { rollout: Rollout.groups({ surge: 2 }) }), role('decode', 2, { size: 2 })]);
  expect(Yaml.stringify(set.apiObject.toJson())).toMatchInlineSnapshot(`
"apiVersion: disaggregatedset.x-k8s.io/v1
kind: DisaggregatedSet
metadata:
  name: chat
spec:
  roles:
    - name: prefill
      spec:
        leaderWorkerTemplate:
          workerTemplate:
            spec:
              containers:
                - image: vllm:1
                  name: vllm
        replicas: 4
        rolloutStrategy:
          rollingUpdateConfiguration:
            maxSurge: 2
            maxUnavailable: 0
          type: RollingUpdate
    - name: decode
      spec:
        leaderWorkerTemplate:
          size: 2
          workerTemplate:
            spec:
              containers:
                - image: vllm:1
                  name: vllm
        replicas: 2
        rolloutStrategy:
          rollingUpdateConfiguration:
            maxSurge: 1
            maxUnavailable: 0
          type: RollingUpdate
"
`);
});

test('writes the labels and annotations for the objects of a role', () => {
  const set = build([role('prefill', 4, { metadata: { labels: { team: 'llm' } } }), role('decode', 2)]);
  const { roles } = (set.apiObject.toJson() as { spec: { roles: readonly object[] } }).spec;
  expect(roles[0]).toMatchObject({ name: 'prefill', metadata: { labels: { team: 'llm' } } });
  expect(roles[1]).not.toHaveProperty('metadata');
});

test.each([
  ['no limits', undefined, { maxSurge: 1, maxUnavailable: 0 }],
  ['one half', { maxSurge: 1 }, { maxSurge: 1, maxUnavailable: 1 }],
  ['new groups first', Rollout.groups({ surge: '50%' }), { maxSurge: '50%', maxUnavailable: 0 }],
  ['old groups first', Rollout.groups({ unavailable: 2 }), { maxSurge: 0, maxUnavailable: 2 }],
] as const)('a role with %s has what its controller would take', (_what, rollout, limits) => {
  const set = build([role('prefill', 4, rollout && { rollout }), role('decode', 2)]);
  expect(set.apiObject.toJson()).toMatchObject({
    spec: { roles: [{ spec: { rolloutStrategy: { rollingUpdateConfiguration: limits } } }, {}] },
  });
  const { provenance } = set.rollouts[0]!;
  expect(provenance.slice(0, 2)).toMatchObject([
    { field: 'prefill.maxSurge', value: limits.maxSurge, layer: 'user' },
    { field: 'prefill.maxUnavailable', value: limits.maxUnavailable, layer: 'user' },
  ]);
});

test('has the same rollouts as a plan of its YAML, in every version', () => {
  for (const lws of ['0.9', '0.10']) {
    const versions = { lws, kubernetes: '1.35' };
    const set = build([role('prefill', 5, { rollout: { maxSurge: '20%', maxUnavailable: 2 } }), role('decode', 3)], versions);
    const { rollouts } = planManifests([set.apiObject.toJson() as object], { versions });
    expect(set.rollouts).toEqual(rollouts);
    expect(rollouts[0]!.simulation).toMatchObject({ kind: 'disaggregatedset' });
  }
});

test.each<[string, readonly DisaggregatedRoleProps[], string]>([
  ['only one role', [role('prefill', 4)], 'lws/invalid-roles'],
  ['a role without groups next to one with groups', [role('prefill', 4), role('decode', 0)], 'lws/invalid-roles'],
  ['two roles with the same name', [role('prefill', 4), role('prefill', 2)], 'lws/invalid-roles'],
  [
    'an unknown prop',
    [Object.assign(role('prefill', 4), { replica: 2 }), role('decode', 2)],
    '[shop/chat] roles[0].replica is not a prop; write replicas, or leave it out',
  ],
])('refuses %s', (_what, roles, text) => {
  expect(synthError((chart) => new DisaggregatedSetRollout(chart, 'chat', { roles }))).toContain(text);
});

test.each([
  ['no roles', {}, '[shop/chat] roles is undefined; set it to a list of 2 to 10 roles'],
  [
    'limits of pods',
    { roles: [role('prefill', 4), { ...role('decode', 2), rollout: Rollout.availability('25%') }] },
    '[shop/chat] roles[1].rollout is a map: write Rollout.groups({ surge: 1 }), or maxSurge and maxUnavailable in groups',
  ],
])('refuses %s', (_what, props: object, message) => {
  expect(synthError((chart) => new DisaggregatedSetRollout(chart, 'chat', props as DisaggregatedSetRolloutProps))).toContain(message);
});
