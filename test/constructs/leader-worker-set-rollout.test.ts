import { Testing, Yaml } from 'cdk8s';
import { LeaderWorkerSetRollout, Rollout } from 'rolloutkit';
import type { LeaderWorkerSetRolloutProps } from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import { synthError } from './synth-error';

const leaderWorkerTemplate = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } } };

function build(props: Partial<LeaderWorkerSetRolloutProps> = {}) {
  return new LeaderWorkerSetRollout(Testing.chart(), 'llama', { replicas: 2, size: 4, leaderWorkerTemplate, ...props });
}

test('writes the set with both limits', () => {
  expect(Yaml.stringify(build({ rollout: Rollout.groups({ surge: 1 }) }).apiObject.toJson())).toMatchInlineSnapshot(`
"apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: llama
spec:
  leaderWorkerTemplate:
    size: 4
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

test.each([
  ['the defaults', undefined, { maxUnavailable: 1, maxSurge: 0 }],
  ['one half', { maxSurge: 1 }, { maxUnavailable: 1, maxSurge: 1 }],
  ['new groups first', Rollout.groups({ surge: '50%' }), { maxUnavailable: 0, maxSurge: '50%' }],
  ['old groups first', Rollout.groups({ unavailable: 2 }), { maxUnavailable: 2, maxSurge: 0 }],
  ['both', Rollout.groups({ surge: 1, unavailable: 1 }), { maxUnavailable: 1, maxSurge: 1 }],
] as const)('%s: %#', (_what, rollout, limits) => {
  const { apiObject } = build(rollout === undefined ? {} : { rollout });
  expect(apiObject.toJson()).toMatchObject({ spec: { rolloutStrategy: { rollingUpdateConfiguration: limits } } });
});

test('has the same rollouts as a plan of its YAML, in every version', () => {
  for (const lws of ['0.7', '0.8', '0.9', '0.10']) {
    for (const kubernetes of ['1.34', '1.35', '1.37']) {
      const versions = { lws, kubernetes };
      const set = build({ replicas: 5, rollout: { maxSurge: '20%', maxUnavailable: 2 }, partition: 1, versions });
      const { rollouts } = planManifests([set.apiObject.toJson() as object], { versions });
      expect(set.rollouts).toEqual(rollouts);
    }
  }
});

test.each([
  ['limits that are both zero', { rollout: { maxSurge: 0, maxUnavailable: 0 } }, 'lws/both-limits-zero'],
  [
    'a rollout that the version never finishes',
    { replicas: 1, rollout: Rollout.groups({ surge: 1 }), versions: { lws: '0.8' } },
    'lws/stuck',
  ],
  ['an empty group', { size: 0 }, 'lws/invalid-set'],
])('refuses %s', (_what, props: Partial<LeaderWorkerSetRolloutProps>, text) => {
  expect(
    synthError((chart) => new LeaderWorkerSetRollout(chart, 'llama', { replicas: 2, size: 4, leaderWorkerTemplate, ...props })),
  ).toContain(text);
});

test.each([
  [
    'limits of pods',
    { rollout: Rollout.availability('25%') },
    '[shop/llama] rollout is a map: write Rollout.groups({ surge: 1 }), or maxSurge and maxUnavailable in groups',
  ],
])('refuses %s', (_what, props: object, message) => {
  const all = { size: 4, leaderWorkerTemplate, ...props } as LeaderWorkerSetRolloutProps;
  expect(synthError((chart) => new LeaderWorkerSetRollout(chart, 'llama', all))).toContain(message);
});
