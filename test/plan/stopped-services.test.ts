import { planChange } from '../../src/change/plan-change';
import { expectValidPlan } from '../plan-schema';

const STOP = { 'serving.kserve.io/stop': 'true' };

function iris(annotations: object = {}) {
  const standard = { 'serving.kserve.io/deploymentMode': 'Standard', 'serving.kserve.io/autoscalerClass': 'none' };
  const predictor = { minReplicas: 3, model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/1' } };
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', annotations: { ...standard, ...annotations } },
    spec: { predictor },
  };
}

function chat(annotations: object = {}) {
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'LLMInferenceService',
    metadata: { name: 'chat', annotations },
    spec: { model: { uri: 'hf://m' }, replicas: 3, template: { containers: [{ name: 'main', image: 'vllm/vllm-openai:v0.19.0' }] } },
  };
}

function service(selector: object) {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' }, spec: { selector, ports: [{ port: 80, targetPort: 8080 }] } };
}

test.each([
  ['an InferenceService', iris, { app: 'isvc.iris-predictor' }],
  ['an LLMInferenceService', chat, { 'app.kubernetes.io/name': 'chat' }],
])('%s that is stopped leaves its Service without endpoints, and gets them back once it is started', (_name, build, selector) => {
  const change = (old: object, next: object) => {
    const plan = expectValidPlan(planChange([old, service(selector)], [next, service(selector)], { versions: { kserve: '0.20' } }));
    const codes = plan.findings.filter(({ code }) => code === 'change/service-without-endpoints').map(({ messageId }) => messageId);
    return [plan.change.objects[0]!.effect, plan.services![0]!.readyEndpoints, codes];
  };
  expect(change(build(), build(STOP))).toEqual(['scale', { before: 3, least: 0, after: 0 }, ['scaled']]);
  expect(change(build(STOP), build())).toEqual(['scale', { before: 0, least: 0, after: 3 }, []]);
});
