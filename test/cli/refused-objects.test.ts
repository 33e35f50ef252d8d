import type { PlanDocument } from '../../src/core/document/plan-document';
import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from './command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: other}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1"}]}
`;

const namespaced = (name: string) => `metadata: {name: ${name}, namespace: shop}`;

/** Checks one file, and returns the errors as `code path`. */
async function errorsOf(text: string, files: Readonly<Record<string, string>> = {}, args = 'check .'): Promise<string[]> {
  const { stdout } = await rolloutkit(`${args} --format json`, { files: { 'a.yaml': text, ...files } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return findings.filter(({ severity }) => severity === 'error').map(({ code, path }) => `${code} ${path}`);
}

/** Runs a command, and returns the findings about no rollout, with their position and advice. */
async function findingsOf(text: string, files: Readonly<Record<string, string>> = {}, args = 'check a.yaml'): Promise<string[]> {
  const { stdout } = await rolloutkit(`${args} --format json`, { files: { 'a.yaml': text, ...files } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  return findings.map(
    ({ severity, code, path, source, help }) => `${severity} ${code} ${path} at ${source?.file}:${source?.line}:${source?.column}: ${help}`,
  );
}

describe('a misspelled field of a built-in kind is a warning with the name that was meant, since only kubectl refuses it', () => {
  const BUDGET = `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${namespaced('web')}\nspec: {maxunavailable: 1, selector: {matchLabels: {a: b}}}\n`;

  test.each([
    ['a budget', BUDGET, 'spec.maxunavailable at a.yaml:4:8: Write maxUnavailable, or delete the field.'],
    [
      'an autoscaler',
      `apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n${namespaced('web')}\nspec: {minReplica: 2, maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n`,
      'spec.minReplica at a.yaml:4:8: Write minReplicas, or delete the field.',
    ],
    [
      'a port of a Service',
      `apiVersion: v1\nkind: Service\n${namespaced('web')}\nspec: {selector: {a: b}, ports: [{port: 80, targetport: 80}]}\n`,
      'spec.ports[0].targetport at a.yaml:4:45: Write targetPort, or delete the field.',
    ],
    [
      'a field that is too new',
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${namespaced('web')}\nspec: {maxUnavailable: 1, selector: {matchLabels: {a: b}}, unhealthyPodEvictionPolicy: AlwaysAllow}\n`,
      'spec.unhealthyPodEvictionPolicy at a.yaml:4:60: Delete the field, or plan for Kubernetes 1.26 or later: --versions kubernetes=1.26.',
    ],
  ])('%s', async (_, text, expected) => {
    const versions = text.includes('AlwaysAllow') ? ' --versions kubernetes=1.25' : '';
    expect(await findingsOf(text, {}, `check a.yaml${versions}`)).toEqual([`warning input/unknown-field ${expected}`]);
    expect(await findingsOf(text, {}, `plan a.yaml${versions}`)).toEqual([`warning input/unknown-field ${expected}`]);
  });

  test('it hides no other fault of the object', async () => {
    expect(await findingsOf(BUDGET.replace('{a: b}', '{a: "b c"}'))).toEqual([
      'warning input/unknown-field spec.maxunavailable at a.yaml:4:8: Write maxUnavailable, or delete the field.',
      'error kubernetes/refused-object spec.selector.matchLabels at a.yaml:4:38: Write what the API server requires.',
    ]);
  });

  test('each of several fields has its own fix in the text', async () => {
    const misspelled = `${BUDGET.replace('matchLabels', 'matchLabel')}---\n${WEB.replace('spec:\n', 'spec:\n  replica: 2\n')}`;
    const { stdout } = await rolloutkit('check a.yaml', { files: { 'a.yaml': misspelled } });
    expect(stdout).toContain(`
warning  input/unknown-field  3 times
  the first: spec has no field "maxunavailable": kubectl refuses the object by default, and so does a server-side apply; for any other client the API server drops the field, so it has no effect.
  fix: Write maxUnavailable, or delete the field.
  at: a.yaml:4:8  PodDisruptionBudget shop/web spec.maxunavailable
  at: a.yaml:4:38  PodDisruptionBudget shop/web spec.selector.matchLabel
    fix: Write matchLabels, or delete the field.
  at: Deployment other/web  a.yaml:10:3  spec.replica
    fix: Write replicas, or delete the field.
`);
  });

  const OLD = { 'old/a.yaml': BUDGET.replace('maxunavailable', 'maxUnavailable') };

  test.each([
    ['client', 'error'],
    ['server', 'error'],
    ['helm', 'warning'],
    ['flux', 'warning'],
  ])('in a change with --apply %s it is one %s', async (mode, severity) => {
    expect(await findingsOf(BUDGET, OLD, `plan --apply ${mode} --from old a.yaml`)).toEqual([
      `${severity} input/unknown-field spec.maxunavailable at a.yaml:4:8: Write maxUnavailable, or delete the field.`,
    ]);
  });

  test('in a change that does not touch it, with a tool that drops it, it is not reported again', async () => {
    expect(await findingsOf(BUDGET, { 'old/a.yaml': BUDGET }, 'plan --apply helm --from old a.yaml')).toEqual([]);
  });
});

describe('the finding about a value that cannot be decoded has its position and advice, which the message of the server lacks', () => {
  test.each([
    [
      'a quantity',
      `apiVersion: v1\nkind: ResourceQuota\n${namespaced('q')}\nspec: {hard: {pods: x}}\n`,
      'spec.hard[pods] at a.yaml:4:15: Write a quantity as spec.hard[pods], such as 2, 500m or 1Gi.',
    ],
    [
      'a number in a ConfigMap',
      `apiVersion: v1\nkind: ConfigMap\n${namespaced('c')}\ndata: {a: b, port: 1}\n`,
      'data[port] at a.yaml:4:14: Put the value of data[port] in quotes.',
    ],
    [
      'bytes that are not base64',
      `apiVersion: v1\nkind: Secret\n${namespaced('s')}\ndata: {a: "YQ==", b: "not base64!"}\n`,
      'data[b] at a.yaml:4:19: Encode data[b] in base64, or write it as text: in stringData of a Secret, in data of a ConfigMap.',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await findingsOf(text)).toEqual([`error kubernetes/refused-object ${expected}`]);
    const [change] = await findingsOf(text, { 'old/b.yaml': WEB }, 'plan --from old a.yaml');
    expect(change).toMatch(`error change/refused ${expected.split(': ')[0]!}`);
  });
});

test('the same field in a container is one error of a change, though the path of the server has the name of the container', async () => {
  const misspelled = WEB.replace('name: c,', 'name: c, readinessprobe: {},');
  const { stdout } = await rolloutkit('plan --apply server --from old a.yaml --format json', {
    files: { 'a.yaml': misspelled, 'old/a.yaml': WEB },
  });
  const { findings, rollouts } = JSON.parse(stdout) as Pick<PlanDocument, 'findings' | 'rollouts'>;
  expect(findings).toEqual([]);
  expect(rollouts[0]!.findings.filter(({ severity }) => severity !== 'info').map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    'error input/unknown-field',
  ]);
});

describe('check and plan report what a server refuses, as a change does', () => {
  const BUDGET = `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${namespaced('web')}\nspec: {maxUnavailable: 1, selector: {matchExpressions: [{operator: In, values: [a]}]}}\n`;

  test.each([
    ['a budget with a selector without a key', BUDGET, 'kubernetes/refused-object spec.selector.matchExpressions[0].key'],
    [
      'a budget whose number does not fit into 32 bits, once',
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${namespaced('web')}\nspec: {maxUnavailable: 2147483648, selector: {matchLabels: {a: b}}}\n`,
      'kubernetes/invalid-strategy spec.maxUnavailable',
    ],
    [
      'a Job with a selector of its own without a key',
      `apiVersion: batch/v1\nkind: Job\n${namespaced('j')}\nspec: {manualSelector: true, selector: {matchExpressions: [{operator: In, values: [a]}]}, template: {metadata: {labels: {a: b}}, spec: {restartPolicy: Never, containers: [{name: c, image: "x:1"}]}}}\n`,
      'kubernetes/refused-object spec.selector.matchExpressions[0].key',
    ],
    [
      'a NetworkPolicy with a selector of a peer that has no valid value',
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${namespaced('p')}\nspec: {podSelector: {}, egress: [{to: [{podSelector: {}}, {podSelector: {matchLabels: {a: "b c"}}}]}]}\n`,
      'kubernetes/refused-object spec.egress[0].to[1].podSelector.matchLabels',
    ],
    [
      'a NetworkPolicy with a block of addresses next to a selector',
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\n${namespaced('p')}\nspec: {podSelector: {}, ingress: [{from: [{podSelector: {}, ipBlock: {cidr: 10.0.0.0/8}}]}]}\n`,
      'kubernetes/refused-object spec.ingress[0].from[0]',
    ],
    [
      'a quota of x pods',
      `apiVersion: v1\nkind: ResourceQuota\n${namespaced('q')}\nspec: {hard: {pods: x}}\n`,
      'kubernetes/refused-object spec.hard[pods]',
    ],
    [
      'a quota of half a pod',
      `apiVersion: v1\nkind: ResourceQuota\n${namespaced('q')}\nspec: {hard: {pods: 1.5}}\n`,
      'kubernetes/refused-object spec.hard[pods]',
    ],
    [
      'a port that is too large',
      `apiVersion: v1\nkind: Service\n${namespaced('s')}\nspec: {ports: [{port: 99999}]}\n`,
      'kubernetes/refused-object spec.ports[0].port',
    ],
    [
      'a priority that only the system may have',
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: top}\nvalue: 1000000001\n',
      'kubernetes/refused-object value',
    ],
    [
      'a priority with a name that only the system may use',
      'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: system-top}\nvalue: 1\n',
      'kubernetes/refused-object metadata.name',
    ],
    [
      'a path of an Ingress without its type',
      `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${namespaced('i')}\nspec: {rules: [{http: {paths: [{path: /, backend: {service: {name: a, port: {number: 80}}}}]}}]}\n`,
      'kubernetes/refused-object spec.rules[0].http.paths[0].pathType',
    ],
    [
      'a path of an Ingress without a backend',
      `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${namespaced('i')}\nspec: {rules: [{http: {paths: [{path: /, pathType: Prefix}]}}]}\n`,
      'kubernetes/refused-object spec.rules[0].http.paths[0].backend',
    ],
    [
      'data that is not base64',
      `apiVersion: v1\nkind: Secret\n${namespaced('s')}\ndata: {a: "not base64!"}\n`,
      'kubernetes/refused-object data[a]',
    ],
  ])('%s, with or without a rollout', async (_, text, expected) => {
    expect(await errorsOf(text)).toEqual([expected]);
    expect(await errorsOf(`${text}---\n${WEB}`)).toEqual([expected]);
    expect(await errorsOf(text, {}, 'plan a.yaml')).toEqual([expected]);
    expect(await errorsOf(text, { 'old/a.yaml': WEB }, 'plan --from old a.yaml')).toHaveLength(1);
  });

  const NAMED = (kind: string, metadata: string, apiVersion = 'v1') => `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: ${metadata}\n`;
  const KINDS = {
    'a Namespace in upper case': NAMED('Namespace', '{name: Shop}'),
    'a ConfigMap with an underscore': NAMED('ConfigMap', '{name: A_b, namespace: shop}'),
    'a Service in upper case': `${NAMED('Service', '{name: Web}')}spec: {ports: [{port: 80}]}\n`,
    'a Secret with an empty part': NAMED('Secret', '{name: a..b}'),
    'an Ingress': NAMED('Ingress', '{name: a_b}', 'networking.k8s.io/v1'),
    'a Role with a slash': NAMED('Role', '{name: a/b}', 'rbac.authorization.k8s.io/v1'),
    'a custom resource': NAMED('HTTPRoute', '{name: A}', 'gateway.networking.k8s.io/v1'),
    'a webhook': NAMED('ValidatingWebhookConfiguration', '{name: A_b}', 'admissionregistration.k8s.io/v1'),
    'a CustomResourceDefinition': NAMED('CustomResourceDefinition', '{name: A.example.com}', 'apiextensions.k8s.io/v1'),
    'a Kustomization of Flux': NAMED('Kustomization', '{name: a_b}', 'kustomize.toolkit.fluxcd.io/v1'),
    'an object without a name': NAMED('ServiceAccount', '{}'),
  };

  test.each(Object.entries(KINDS))('the name of %s', async (_, text) => {
    expect(await errorsOf(text)).toEqual(['kubernetes/refused-object metadata.name']);
    expect(await errorsOf(text, { 'old/a.yaml': WEB }, 'plan --from old a.yaml')).toEqual(['change/refused metadata.name']);
  });

  test.each([
    ['its namespace', NAMED('ConfigMap', '{name: a, namespace: A_b}'), 'metadata.namespace'],
    ['a label', NAMED('ServiceAccount', '{name: a, labels: {"a b": c}}'), 'metadata.labels'],
    ['an annotation', NAMED('Namespace', '{name: a, annotations: {"a b": c}}'), 'metadata.annotations'],
  ])('other metadata: %s', async (_, text, path) => {
    expect(await errorsOf(text)).toEqual([`kubernetes/refused-object ${path}`]);
  });

  test('a name that the API server accepts', async () => {
    const accepted = [
      NAMED('ClusterRole', '{name: "system:a_B"}', 'rbac.authorization.k8s.io/v1'),
      `${NAMED('PodDisruptionBudget', '{name: A_b}', 'policy/v1')}spec: {minAvailable: 1, selector: {matchLabels: {app: a}}}\n`,
      NAMED('Simple', '{name: My_Cluster}', 'k3d.io/v1alpha5'),
      NAMED('ConfigMap', '{name: "${app}-config", namespace: "${env}"}'),
      `${NAMED('Service', '{name: 1web}')}spec: {ports: [{port: 80}]}\n`,
    ];
    expect(await errorsOf(accepted.join('---\n'))).toEqual([]);
    expect(await errorsOf(accepted[4]!, {}, 'check . --versions kubernetes=1.35')).toEqual(['kubernetes/refused-object metadata.name']);
  });

  test('priorities of users and of the system, and an Ingress that the API server accepts', async () => {
    const priority = (name: string, value: number) =>
      `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\nvalue: ${value}\n`;
    const backend = 'backend: {service: {name: a, port: {name: http}}}';
    const ingress = `apiVersion: networking.k8s.io/v1\nkind: Ingress\n${namespaced('i')}\nspec: {rules: [{http: {paths: [{pathType: ImplementationSpecific, ${backend}}, {path: /b, pathType: Exact, ${backend}}]}}, {host: a.example}]}\n`;
    expect(
      await errorsOf([priority('top', 1_000_000_000), priority('system-node-critical', 2_000_001_000), ingress].join('---\n')),
    ).toEqual([]);
  });

  test('a problem that a rule of its own reports is reported once', async () => {
    const both = `apiVersion: policy/v1\nkind: PodDisruptionBudget\n${namespaced('web')}\nspec: {minAvailable: 1, maxUnavailable: 1, selector: {matchLabels: {app: a}}}\n`;
    expect(await errorsOf(both)).toEqual(['kubernetes/invalid-strategy spec']);
  });

  test('a value that a program fills in later is not refused, and neither is one that a kustomization may add', async () => {
    expect(await errorsOf(`apiVersion: v1\nkind: ResourceQuota\n${namespaced('q')}\nspec: {hard: {pods: "\${PODS}"}}\n`)).toEqual([]);
    const binding =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata: {name: a}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: a}\n' +
      'subjects: [{kind: ServiceAccount, name: a}]\n';
    expect(await errorsOf(binding)).toEqual(['kubernetes/refused-object subjects[0].namespace']);
    expect(await errorsOf(binding, { 'kustomization.yaml': 'namespace: shop\nresources: [a.yaml]\n' })).toEqual([]);
  });
});

describe('a Secret that SOPS encrypts is not refused, since what decrypts it removes the field and writes the values', () => {
  const secret = (value: string, more = '') =>
    `apiVersion: v1\nkind: Secret\n${namespaced('s')}\n${more}data: {password: "ENC[AES256_GCM,data:${value},iv:a=,tag:b=,type:str]"}\nsops: {mac: "ENC[AES256_GCM,data:c,type:str]", version: 3.9.0}\n`;

  test('in a plan, but other fields are validated', async () => {
    expect(await findingsOf(secret('a'))).toEqual([]);
    expect(await findingsOf(secret('a', 'datas: {}\n'))).toEqual([expect.stringMatching('warning input/unknown-field datas')]);
    expect(await errorsOf(secret('a').replace('sops:', 'other:'))).toEqual(['kubernetes/refused-object data[password]']);
  });

  test('unless no value is encrypted, and other values are validated', async () => {
    const written = secret('a').replace(/"ENC[^"]*"\}/, 'b3BlbiBzZXNhbWU=}');
    expect(written).toContain('data: {password: b3BlbiBzZXNhbWU=}\nsops:');
    expect(await findingsOf(written)).toEqual([expect.stringMatching('warning input/unknown-field sops')]);
    expect(await errorsOf(secret('a').replace('{password', '{open: b3BlbiBzZXNhbWU=, password'))).toEqual([]);
    expect(await errorsOf(secret('a').replace('{password', '{open: "open sesame", password'))).toEqual([
      'kubernetes/refused-object data[open]',
    ]);
  });

  test.each(['client', 'server', 'helm', 'flux', 'argocd', 'replace'])('in a change with --apply %s', async (mode) => {
    const files = { 'old/a.yaml': secret('a'), 'new/a.yaml': secret('b') };
    expect(await errorsOf('', files, `check --apply ${mode} --from old new`)).toEqual([]);
  });
});

test('a misspelled field of an InferenceService is reported in each of its components', async () => {
  const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: m, annotations: {serving.kserve.io/deploymentMode: Standard}}
spec:
  predictor: {minReplica: 3, model: {modelFormat: {name: sklearn}, storageUri: "s3://m"}}
  transformer: {maxReplica: 3, containers: [{name: c, image: "x:1"}]}
`;
  const { stdout } = await rolloutkit('check a.yaml --format json', { files: { 'a.yaml': service } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  expect(
    findings.filter(({ code }) => code === 'input/unknown-field').map(({ path, severity, data }) => [severity, path, data.nearest]),
  ).toEqual([
    ['warning', 'spec.predictor.minReplica', 'minReplicas'],
    ['warning', 'spec.transformer.maxReplica', 'maxReplicas'],
  ]);
});

test('a misspelled field of an InferenceService is reported at every depth, a field of pods that is like no known one is not', async () => {
  const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: m, label: {a: b}, annotations: {serving.kserve.io/deploymentMode: Standard}}
spec:
  predicter: {}
  predictor:
    sklearn: {storageURI: "s3://m", resource: {}}
    autoScaling: {metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilisation: 50}}}]}
    workerSpec: {pipelineParallelSizes: 2}
  transformer: {containers: [{name: c, image: "x:1", readinessprobe: {}, q9: 1}], volumes: [{name: v, configmap: {name: a}}]}
`;
  const { stdout } = await rolloutkit('check a.yaml --format json', { files: { 'a.yaml': service } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  expect(findings.filter(({ code }) => code === 'input/unknown-field').map(({ path, data }) => [path, data.nearest])).toEqual([
    ['metadata.label', 'labels'],
    ['spec.predicter', 'predictor'],
    ['spec.predictor.sklearn.storageURI', 'storageUri'],
    ['spec.predictor.sklearn.resource', 'resources'],
    ['spec.predictor.autoScaling.metrics[0].resource.target.averageUtilisation', 'averageUtilization'],
    ['spec.predictor.workerSpec.pipelineParallelSizes', 'pipelineParallelSize'],
    ['spec.transformer.containers[0].readinessprobe', 'readinessProbe'],
    ['spec.transformer.volumes[0].configmap', 'configMap'],
  ]);
});

test('so is one of a container of a RayService and of an LLMInferenceService', async () => {
  const container = '{name: main, image: "x:1", readinessprobe: {}, q9: 1}';
  const objects = `apiVersion: ray.io/v1
kind: RayService
metadata: {name: r}
spec:
  rayClusterConfig:
    headGroupSpec: {template: {spec: {containers: [${container}]}}}
    workerGroupSpecs: [{groupName: w, template: {spec: {containers: [{name: w, image: "x:1"}], toleration: []}}}]
---
apiVersion: serving.kserve.io/v1alpha1
kind: LLMInferenceService
metadata: {name: m}
spec: {template: {containers: [${container}]}}
`;
  const { stdout } = await rolloutkit('check a.yaml --format json', { files: { 'a.yaml': objects } });
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] };
  expect(findings.filter(({ code }) => code === 'input/unknown-field').map(({ path, data }) => [path, data.nearest])).toEqual([
    ['spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].readinessprobe', 'readinessProbe'],
    ['spec.rayClusterConfig.workerGroupSpecs[0].template.spec.toleration', 'tolerations'],
    ['spec.template.containers[0].readinessprobe', 'readinessProbe'],
  ]);
});
