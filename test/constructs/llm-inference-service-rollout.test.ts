import { Testing } from 'cdk8s';
import { LLMInferenceServiceRollout } from 'rolloutkit';
import type { LLMInferenceServiceRolloutProps } from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import { synthError } from './synth-error';

const model = { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' };
const template = { containers: [{ name: 'main', image: 'vllm:1' }] };

function build(props: Partial<LLMInferenceServiceRolloutProps> = {}) {
  return new LLMInferenceServiceRollout(Testing.chart(), 'chat', { model, replicas: 4, template, ...props });
}

test('writes the service, with a strategy only for the next version', () => {
  expect(build().apiObject.toJson()).toEqual({
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'LLMInferenceService',
    metadata: { name: 'chat' },
    spec: { model, replicas: 4, template },
  });
  const next = build({ kserve: 'next', rollout: { maxSurge: 0, maxUnavailable: 1 }, prefill: { template, rollout: { maxSurge: 1 } } });
  expect(next.apiObject.toJson()).toMatchObject({
    spec: { rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 }, prefill: { template, rolloutStrategy: { maxSurge: 1 } } },
  });
});

test.each(['0.18', '0.19', '0.20', 'next'])('has the same rollouts as a plan of its YAML, for KServe %s', (kserve) => {
  const rollout = kserve === 'next' ? { rollout: { maxSurge: 1, maxUnavailable: 1 } } : {};
  const service = build({
    kserve,
    worker: template,
    parallelism: { pipeline: 2 },
    prefill: { replicas: 2, template },
    router: { scheduler: {} },
    ...rollout,
  });
  const versions = { kserve: kserve === 'next' ? '0.21' : kserve };
  expect(service.rollouts).toEqual(planManifests([service.apiObject.toJson() as object], { versions }).rollouts);
});

test.each([undefined, '0.18', '0.19', '0.20'])('refuses a rollout up to KServe 0.20: %p', (kserve) => {
  const props = { model, rollout: { maxSurge: 1 }, ...(kserve !== undefined && { kserve }) };
  expect(synthError((chart) => new LLMInferenceServiceRollout(chart, 'chat', props))).toContain(
    `[shop/chat] rollout is set, but KServe ${kserve ?? '0.17'} has no field for it: a Deployment rolls with maxSurge and maxUnavailable 25%`,
  );
});

test('refuses the rollout of a prefill in the same way', () => {
  const props = { model, prefill: { template, rollout: { maxSurge: 1 } } };
  expect(synthError((chart) => new LLMInferenceServiceRollout(chart, 'chat', props))).toContain(
    '[shop/chat] prefill.rollout is set, but KServe 0.17 has no field for it',
  );
});

test('refuses what the webhook of the next version refuses, and a type', () => {
  const refused = { model, kserve: 'next', replicas: 4, rollout: { maxSurge: 0, maxUnavailable: '50%' } } as const;
  expect(synthError((chart) => new LLMInferenceServiceRollout(chart, 'chat', refused))).toContain('kserve/llm-limits-at-one-replica');
  const recreate = { model, kserve: 'next', rollout: { type: 'Recreate' } as never };
  expect(synthError((chart) => new LLMInferenceServiceRollout(chart, 'chat', recreate))).toContain(
    '[shop/chat] rollout is a map: write only maxSurge and maxUnavailable',
  );
});
