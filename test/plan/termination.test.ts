import type { PlannedRollout } from '../../src/core/document/rollout';
import { planManifests } from '../../src/headless';

const llm = (template: object, spec: object = {}) => ({
  apiVersion: 'serving.kserve.io/v1alpha1',
  kind: 'LLMInferenceService',
  metadata: { name: 'chat' },
  spec: { model: { uri: 'hf://m' }, replicas: 2, template, ...spec },
});

const inference = (predictor: object, mode: string) => ({
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { name: 'iris', annotations: { 'serving.kserve.io/deploymentMode': mode } },
  spec: { predictor: { minReplicas: 2, ...predictor } },
});

/** Returns `requestSeconds = preStopSeconds + drainSeconds` of the first rollout. */
function terminationOf(objects: readonly object[], kserve = '0.20'): string | undefined {
  const [first] = planManifests(objects, { versions: { kserve } }).rollouts;
  const { termination } = first!;
  return termination && `${termination.requestSeconds} = ${termination.preStopSeconds} + ${termination.drainSeconds}`;
}

const main = (fields: object) => ({ containers: [{ name: 'main', image: 'vllm/vllm-openai:v0.19.0', ...fields }] });

test.each([
  ['as shipped', llm({}), '55 = 15 + 40'],
  ['with an image of its own', llm(main({})), '55 = 15 + 40'],
  ['with an image before the flag, which aborts', llm(main({ image: 'vllm/vllm-openai:v0.17.1' })), '15 = 15 + 0'],
  ['with an image that does not show its version', llm(main({ image: 'registry.example.com/vllm:1' })), undefined],
  ['with a longer grace period', llm({ terminationGracePeriodSeconds: 620 }), '615 = 15 + 600'],
  ['with a shorter grace period: 30 - 15 - 5', llm({ terminationGracePeriodSeconds: 30 }), '25 = 15 + 10'],
  ['with a grace period that leaves nothing', llm({ terminationGracePeriodSeconds: 20 }), '15 = 15 + 0'],
  [
    'with a command, which keeps the hook of the preset',
    llm(main({ command: ['vllm', 'serve', 'm', '--shutdown-timeout', '30'] })),
    '45 = 15 + 30',
  ],
  ['with arguments, which replace those of the preset', llm(main({ args: ['serve', 'm'] })), undefined],
  ['with a hook, which the preset merges', llm(main({ lifecycle: { preStop: { exec: { command: ['sleep', '5'] } } } })), undefined],
  ['with a flag in a variable', llm(main({ env: [{ name: 'VLLM_ADDITIONAL_ARGS', value: '--shutdown-timeout 5' }] })), undefined],
  ['with another configuration', llm({}, { baseRefs: [{ name: 'own' }] }), undefined],
  ['with workers', llm({}, { worker: main({}) }), undefined],
])('the presets of an LLMInferenceService end a request: %s', (_name, object, expected) => {
  expect(terminationOf([object])).toBe(expected);
});

test.each([
  [
    'a grace period that leaves nothing',
    llm({ terminationGracePeriodSeconds: 20 }),
    'spec.template.terminationGracePeriodSeconds',
    'A grace period of 20 s leaves vLLM no time after the 15 s of the preStop hook and the reserve of the preset: ' +
      'KServe sets --shutdown-timeout to 0, so each replaced pod aborts its running requests.',
  ],
  [
    'an image before the flag',
    llm(main({ image: 'vllm/vllm-openai:v0.17.1' })),
    'spec.template.containers[0].image',
    'vLLM aborts running requests at SIGTERM: each replaced pod cuts the requests that Service "chat-kserve-workload-svc" sent to it.',
  ],
  [
    'a command without the flag',
    llm(main({ command: ['vllm', 'serve', 'm'] })),
    'spec.template.containers[0].args',
    'vLLM aborts running requests at SIGTERM: each replaced pod cuts the requests that Service "chat-kserve-workload-svc" sent to it.',
  ],
])('an LLMInferenceService aborts requests with %s', (_name, object, path, message) => {
  const [{ findings }] = planManifests([object], { versions: { kserve: '0.20' } }).rollouts as [PlannedRollout];
  expect(findings.filter(({ code }) => code === 'kubernetes/requests-aborted')).toMatchObject([{ severity: 'warning', path, message }]);
});

test('before KServe 0.19, the presets show no end of a request', () => {
  expect([terminationOf([llm({})], '0.18'), terminationOf([llm(main({}))], '0.17')]).toEqual([undefined, undefined]);
});

test('in mode Knative, a request ends with the timeout of the component, or that of the ConfigMap', () => {
  const vllm = { containers: [{ name: 'kserve-container', image: 'vllm/vllm-openai:v0.19.0' }] };
  const defaults = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'config-defaults', namespace: 'knative-serving' },
    data: { 'revision-timeout-seconds': '500' },
  };
  expect([
    terminationOf([inference({ ...vllm, timeout: 120 }, 'Knative')]),
    terminationOf([inference(vllm, 'Knative'), defaults]),
    terminationOf([inference(vllm, 'Knative'), { ...defaults, data: {} }]),
    terminationOf([inference(vllm, 'Knative')]),
  ]).toEqual(['120 = 0 + 120', '500 = 0 + 500', '300 = 0 + 300', undefined]);
});

test('a shipped model server of KServe ends requests after 30 s', () => {
  const runtime = {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ClusterServingRuntime',
    metadata: { name: 'kserve-sklearnserver' },
    spec: {
      supportedModelFormats: [{ name: 'sklearn', version: '1', autoSelect: true }],
      containers: [{ name: 'kserve-container', image: 'kserve/sklearnserver:v0.17.0', args: ['--model_name={{.Name}}'] }],
    },
  };
  const model = { modelFormat: { name: 'sklearn' }, runtime: 'kserve-sklearnserver', storageUri: 's3://m' };
  expect(terminationOf([inference({ model }, 'Standard'), runtime])).toBe('30 = 0 + 30');
});

test('the endpoint picker decides which version of an LLMInferenceService gets a request, not the number of pods', () => {
  const router = { route: {}, gateway: {}, scheduler: {} };
  const { rollouts } = planManifests([llm({}, { router, prefill: { replicas: 1 } })], { versions: { kserve: '0.20' } });
  expect(rollouts.map(({ resource, requestsPickedBy }) => [resource.component, requestsPickedBy])).toEqual([
    ['decode', 'endpoint-picker'],
    ['prefill', 'endpoint-picker'],
    ['scheduler', undefined],
  ]);
  const [withoutPicker] = planManifests([llm({}, { router: { route: {} } })]).rollouts;
  expect(withoutPicker).not.toHaveProperty('requestsPickedBy');
});
