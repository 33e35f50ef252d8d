/** Pod fields in custom resources: the API server refuses the entire object for a value of another type. */
import { planManifests } from '../../../src/headless';

/** Fields of another type than in a pod, in a container and next to it. */
const MISTYPED = { nodeSelector: { disk: 1 }, containers: [{ name: 'kserve-container', image: true, env: [{ name: 'A', value: 5 }] }] };

/** A container with a fraction as a number. */
const FRACTION = { containers: [{ name: 'kserve-container', image: 'a:1', resources: { limits: { cpu: 1.5, memory: 1_000_000 } } }] };

const KINDS: Readonly<Record<string, (pod: object) => object>> = {
  InferenceService: (pod) => ({ apiVersion: 'serving.kserve.io/v1beta1', spec: { predictor: pod } }),
  LLMInferenceService: (template) => ({ apiVersion: 'serving.kserve.io/v1alpha1', spec: { model: { uri: 'hf://a/b' }, template } }),
  LeaderWorkerSet: (spec) => ({ apiVersion: 'leaderworkerset.x-k8s.io/v1', spec: { leaderWorkerTemplate: { workerTemplate: { spec } } } }),
  DisaggregatedSet: (spec) => ({
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    spec: { roles: ['prefill', 'decode'].map((name) => ({ name, spec: { leaderWorkerTemplate: { workerTemplate: { spec } } } })) },
  }),
  RayService: (spec) => ({
    apiVersion: 'ray.io/v1',
    spec: {
      serveConfigV2: '',
      rayClusterConfig: { headGroupSpec: { template: { spec } }, workerGroupSpecs: [{ groupName: 'a', template: { spec } }] },
    },
  }),
};

function errorsOf(kind: string, pod: object): string[] {
  const { findings, rollouts } = planManifests([{ kind, metadata: { name: 'it' }, ...KINDS[kind]!(pod) }]);
  const all = [...findings, ...rollouts.flatMap((rollout) => rollout.findings)].filter(({ severity }) => severity === 'error');
  return [...new Set(all.map(({ path, message }) => `${path}: ${message}`))];
}

test('a value of another type is reported in every kind, wherever its pods are', () => {
  expect(Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, errorsOf(kind, MISTYPED)]))).toMatchInlineSnapshot(`
{
  "DisaggregatedSet": [
    "spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
    "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
  ],
  "InferenceService": [
    "spec.predictor.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.predictor.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.predictor.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
  ],
  "LLMInferenceService": [
    "spec.template.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.template.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.template.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
  ],
  "LeaderWorkerSet": [
    "spec.leaderWorkerTemplate.workerTemplate.spec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
  ],
  "RayService": [
    "spec.rayClusterConfig.headGroupSpec.template.spec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
    "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.nodeSelector[disk]: nodeSelector[disk] is 1, but the API requires a string here and refuses the entire object.",
    "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].image: image is true, but the API requires a string here and refuses the entire object.",
    "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].env[0].value: value is 5, but the API requires a string here and refuses the entire object.",
  ],
}
`);
});

test('a fraction as a number is refused in the kinds that no webhook rewrites first', () => {
  expect(Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, errorsOf(kind, FRACTION)]))).toMatchInlineSnapshot(`
{
  "DisaggregatedSet": [
    "spec.roles[0].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].resources.limits[cpu]: limits[cpu] is 1.5, but the API requires a whole number or a quantity in quotes such as "1500m" here and refuses the entire object.",
    "spec.roles[1].spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].resources.limits[cpu]: limits[cpu] is 1.5, but the API requires a whole number or a quantity in quotes such as "1500m" here and refuses the entire object.",
  ],
  "InferenceService": [],
  "LLMInferenceService": [],
  "LeaderWorkerSet": [],
  "RayService": [
    "spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].resources.limits[cpu]: limits[cpu] is 1.5, but the API requires a whole number or a quantity in quotes such as "1500m" here and refuses the entire object.",
    "spec.rayClusterConfig.workerGroupSpecs[0].template.spec.containers[0].resources.limits[cpu]: limits[cpu] is 1.5, but the API requires a whole number or a quantity in quotes such as "1500m" here and refuses the entire object.",
  ],
}
`);
});

test('a fraction in quotes is an amount in every kind', () => {
  const quoted = { containers: [{ name: 'kserve-container', image: 'a:1', resources: { limits: { cpu: '1.5' } } }] };
  expect(Object.keys(KINDS).flatMap((kind) => errorsOf(kind, quoted))).toEqual([]);
});

test('a field that only some versions of Kubernetes have is not checked, because the definition may lack it', () => {
  const newer = { hostUsers: 'no', fieldOfNextYear: 5, containers: [{ name: 'kserve-container', image: 'a:1', restartPolicy: 5 }] };
  expect(['InferenceService', 'RayService'].flatMap((kind) => errorsOf(kind, newer))).toEqual([]);
});
