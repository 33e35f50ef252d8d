import { OUTPUT_FORMATS } from '../../src/cli/options/formats';
import { rolloutkit } from '../cli/command-line';

/** Values that must be redacted: each is in one position, and shows which side it is from. */
function corpus(side: 'old' | 'new'): string {
  const hush = `${side}hush`;
  const number = side === 'old' ? '11' : '22';
  return `apiVersion: v1
kind: Secret
metadata:
  name: db
  namespace: shop
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"stringData":{"x":"${hush}"}}'
data: { password: ${hush}DATA }
stringData: { other: ${hush}-string }
immutable: true
---
apiVersion: v1
kind: Secret
metadata: { name: broken, namespace: shop }
type: kubernetes.io/tls
data: { tls.crt: "${hush} is not base64!", tls.key: ${number}777001 }
---
apiVersion: ${side === 'old' ? 'v1' : 'v2'}
kind: Secret
metadata: { name: unknown-version, namespace: shop }
data: { url: ${hush}U }
stringDatas: { url: ${hush}-field }
---
apiVersion: v1
kind: Secret
metadata: { name: annotated, namespace: shop, annotations: { kapp.k14s.io/original: '{"data":{"url":"${hush}U"}}' } }
data: { url: ${hush}U }
---
apiVersion: v1
kind: Secret
metadata: { name: map-in-place-of-text, namespace: shop }
stringData: { file: { ${hush}-key: { ${hush}-inner: .nan }, ${hush}-twice: a, ${hush}-twice: b } }
---
apiVersion: v1
kind: Secret
metadata: { name: large-number-in-place-of-text, namespace: shop }
stringData: { file: { ${hush}-key: 9007199254740993 } }
---
apiVersion: v1
kind: Secret
metadata: { name: object-in-place-of-text, namespace: shop }
stringData: { file: { ${hush}-key: { apiVersion: apps/v1, kind: Deployment, metadata: { name: x }, spec: {} } } }
---
apiVersion: v1
kind: Secret
metadata: { name: directive-in-place-of-text, namespace: shop }
stringData: { file: { $setElementOrder/${hush}-key: [] } }
---
apiVersion: v2
kind: Secret
metadata: { name: map-of-unknown-version, namespace: shop }
data: { file: { ${hush}-key: a, same: [{ ${hush}-key: a }] } }
---
apiVersion: core/v1
kind: Secret
metadata: { name: with-a-group, namespace: shop }
data: { url: ${hush}U }
---
apiVersion: v1
kind: Secret
metadata: { name: fraction-in-place-of-text, namespace: shop }
stringData: { pin: ${number}777001.5 }
---
apiVersion: v1
kind: Secret
metadata: { name: fraction-in-place-of-bytes, namespace: shop }
data: { pin: 0.${number}777001 }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      initContainers:
        - { name: init, image: web:1, env: [{ name: INIT_TOKEN, value: ${hush}-init }] }
      containers:
        - name: web
          image: web:1
          args: ["--password=${hush}-argument"]
          env:
            - { name: AUTH_TOKEN, value: ${hush}-token }
            - { name: API_KEY, value: ${hush}-key }
            - { name: DB_PASSWORD, value: ${hush}-password }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: mistyped, namespace: shop }
spec:
  replicas: "2"
  selector: { matchLabels: { app: mistyped } }
  template:
    metadata: { labels: { app: mistyped } }
    spec:
      containers:
        - name: web
          image: web:1
          env:
            - { name: NUMBER_PASSWORD, value: ${number}888002.5 }
            - { name: API_KEY, value: ${hush}-both, valueFrom: { secretKeyRef: { name: db, key: password } } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings, namespace: shop }
data: { db.password: ${hush}-configured, app.conf: "user = shop\\ntoken = ${hush}-line\\n" }
---
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop, annotations: { serving.kserve.io/deploymentMode: Standard } }
spec:
  predictor:
    containers: [{ name: kserve-container, image: "iris:1", env: [{ name: HF_TOKEN, value: ${hush}-hf }] }]
---
apiVersion: ray.io/v1
kind: RayService
metadata: { name: chat, namespace: shop }
spec:
  serveConfigV2: |
    applications:
      - { name: a, import_path: "a:b", runtime_env: { env_vars: { HF_TOKEN: "${hush}-serve" } } }
  rayClusterConfig:
    headGroupSpec:
      rayStartParams: {}
      template: { spec: { containers: [{ name: ray-head, image: "ray:2", env: [{ name: RAY_TOKEN, value: ${hush}-ray }] }] } }
---
apiVersion: fleet.cattle.io/v1alpha1
kind: Bundle
metadata: { name: shop, namespace: fleet }
spec:
  helm: { values: { db: { password: ${hush}-fleet } } }
  resources: [{ name: secret.yaml, content: "kind: Secret\\nstringData: { a: ${hush}-content }" }]
  targets: [{ clusterSelector: {} }]
`;
}

test.each(['Kustomization', 'Component'])('no value that a %s gives to a Secret is shown', async (kind) => {
  const kustomization = (side: string) => `kind: ${kind}
resources: [web.yaml]
secretGenerator: [{ name: a, literals: [url=${side}hush-literal] }]
SecretGenerator: [{ name: b, literals: [url=${side}hush-case] }]
patches:
  - { target: { kind: Secret }, patch: '[{"op": "add", "path": "/stringData/a", "value": "${side}hush-patch"}]' }
  - { target: { kind: Sec.* }, patch: '[{"op": "add", "path": "/stringData/a", "value": "${side}hush-pattern"}]' }
  - { target: { name: db }, patch: '[{"op": "add", "path": "/stringData/a", "value": "${side}hush-name"}]' }
`;
  const files = { 'old/kustomization.yaml': kustomization('old'), 'new/kustomization.yaml': kustomization('new') };
  const { stdout } = await rolloutkit('plan --from old new --format json', { files });
  expect(stdout).toContain('secretGenerator');
  expect([...stdout.matchAll(SHOWN)]).toEqual([]);
});

test.each([
  [
    'a rule that repeats the old value',
    'x-kubernetes-validations: [{ rule: "self.url == oldSelf.url", messageExpression: "\'was \' + oldSelf.url" }]',
  ],
  ['a limit', 'additionalProperties: { type: string, maxLength: 3 }'],
  ['a list of values', 'additionalProperties: { type: string, enum: [a] }'],
])('no refusal by a definition quotes a value of a Secret inside of another object: %s', async (_, constraint) => {
  const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: wraps.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: wraps, kind: Wrap }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            manifest:
              type: object
              x-kubernetes-preserve-unknown-fields: true
              properties:
                stringData:
                  type: object
                  ${constraint.startsWith('x-') ? 'properties: { url: { type: string } }' : ''}
                  ${constraint}
`;
  const wrap = (side: string) => `apiVersion: example.com/v1
kind: Wrap
metadata: { name: a, namespace: shop }
manifest: { apiVersion: v1, kind: Secret, metadata: { name: db }, stringData: { url: ${side}hush } }
`;
  const files = { 'old/a.yaml': wrap('old'), 'new/a.yaml': wrap('new'), 'crds/wraps.yaml': definition };
  const outputs: string[] = [];
  for (const command of ['plan --from old', 'check --from old', 'check'])
    outputs.push((await rolloutkit(`${command} new --crds crds --format json`, { files })).stdout);
  expect(outputs[0]).toContain('(secret)');
  expect([...outputs.join('\n').matchAll(SHOWN)]).toEqual([]);
});

const TEXTS: readonly string[] = [
  '{"kind":"Secret","stringData":{"url":"HUSH"}}',
  'kind : Secret\nstringData: {url: HUSH}',
  'kind: !!str Secret\nstringData: {url: HUSH}',
  'kind: &kind Secret\nstringData: {url: HUSH}',
  'kind:\n  Secret\nstringData: {url: HUSH}',
  'kind: "\\x53ecret"\nstringData: {url: HUSH}',
  'kind: *kind\nstringData: {url: HUSH}',
  'kind: SecretGenerator\nliterals: [url=HUSH]',
];
const OPERATION = '[{"op": "add", "path": "/stringData/a", "value": "HUSH"}]';
const SECRET_TARGET = { kind: 'Secret' };

test.each<readonly [object: Readonly<Record<string, unknown>>]>([
  ...TEXTS.flatMap((text) => [
    [{ kind: 'Kustomization', patches: [{ patch: text }] }] as const,
    [{ kind: 'Kustomization', generators: [text] }] as const,
  ]),
  [{ kind: 'Kustomization', Patches: [{ Patch: OPERATION, TARGET: SECRET_TARGET }] }],
  [{ kind: 'Kustomization', ſecretGenerator: [{ name: 'a', literals: ['url=HUSH'] }] }],
  [{ kind: 'Kustomization', replacements: [{ sourceValue: 'HUSH', targets: [{ select: SECRET_TARGET }] }] }],
  [{ kind: 'Secret', apiVersion: 'core/v1', metadata: { name: 'a' }, data: { url: 'HUSH' }, stringData: { url: 'HUSH' } }],
  [{ kind: 'Secret', apiVersion: 'v2', metadata: { name: 'a' }, data: { url: { HUSH: 1 } } }],
  [{ kind: 'Secret', apiVersion: 'v2', metadata: { name: 'a' }, data: { url: [{ a: { HUSH: 1 } }] } }],
  [{ kind: 'SecretGenerator', apiVersion: 'builtin', metadata: { name: 'a' }, literals: ['url=HUSH'] }],
  [{ kind: 'PatchTransformer', apiVersion: 'builtin', metadata: { name: 'a' }, target: SECRET_TARGET, patch: OPERATION }],
  [{ kind: 'PatchJson6902Transformer', apiVersion: 'builtin', metadata: { name: 'a' }, target: SECRET_TARGET, jsonOp: OPERATION }],
  [
    {
      kind: 'Template',
      apiVersion: 'template.openshift.io/v1',
      metadata: { name: 'a' },
      objects: [{ kind: 'Secret', stringData: { a: 'HUSH' } }],
    },
  ],
  ...['base64', 'base64+gz'].map(
    (encoding) =>
      [
        {
          kind: 'Bundle',
          apiVersion: 'fleet.cattle.io/v1alpha1',
          metadata: { name: 'a' },
          spec: { resources: [{ content: 'HUSH', encoding }] },
        },
      ] as const,
  ),
  ...['data', 'stringData'].map(
    (field) =>
      [
        {
          kind: 'SealedSecret',
          apiVersion: 'bitnami.com/v1alpha1',
          metadata: { name: 'a' },
          spec: { template: { [field]: { url: 'HUSH' } } },
        },
      ] as const,
  ),
  [
    {
      kind: 'ExternalSecret',
      apiVersion: 'external-secrets.io/v1',
      metadata: { name: 'a', annotations: { 'kapp.k14s.io/original': '{"spec":{"target":{"template":{"data":{"url":"HUSH"}}}}}' } },
      spec: { target: { template: { data: { url: 'HUSH' } } } },
    },
  ],
  [{ kind: 'Object', apiVersion: 'example.com/v1', metadata: { name: 'a' }, spec: { manifest: { kind: 'Secret', data: { a: 'HUSH' } } } }],
])('no value of a Secret in another object is shown: %j', async (object) => {
  const file = object.kind === 'Kustomization' ? 'kustomization.yaml' : 'object.yaml';
  const write = (side: string) => JSON.stringify(object).replaceAll('HUSH', `${side}hush`);
  const more = (side: string) => write(side).replace('"}]', '"},{}]');
  const { stdout } = await rolloutkit('plan --from old new --format json', {
    files: { [`old/${file}`]: write('old'), [`new/${file}`]: write('new') },
  });
  const { change } = JSON.parse(stdout) as { change: { objects: readonly { because: readonly { secret?: boolean }[] }[] } };
  expect(change.objects.map(({ because }) => because.some(({ secret }) => secret))).toEqual([true]);
  expect([...stdout.matchAll(SHOWN)]).toEqual([]);
  const grown = await rolloutkit('plan --from old new --format json', {
    files: { [`old/${file}`]: write('old'), [`new/${file}`]: more('new') },
  });
  expect([...grown.stdout.matchAll(SHOWN)]).toEqual([]);
});

const FILES = { 'old/all.yaml': corpus('old'), 'new/all.yaml': corpus('new') };
const SHOWN = /(?:old|new)hush|(?:11|22)(?:777001|888002)/g;

const COMMANDS = [
  ...OUTPUT_FORMATS.plan.flatMap((format) =>
    ['', '--apply client', '--apply server', '--apply helm', '--apply replace --prune'].map(
      (how) => `plan --from old new ${how} --format ${format}`,
    ),
  ),
  'plan --from old new --details all',
  ...OUTPUT_FORMATS.plan.map((format) => `plan new --format ${format}`),
  ...OUTPUT_FORMATS.diff.flatMap((format) => [`diff old new --format ${format}`, `diff old new --apply server --format ${format}`]),
  ...OUTPUT_FORMATS.check.flatMap((format) => [`check new --format ${format}`, `check new --require-planned --format ${format}`]),
  ...OUTPUT_FORMATS.fix.map((format) => `fix new --format ${format}`),
  'explain new --resource Deployment/mistyped',
];

describe('secret values are shown by no command and in no format', () => {
  test.each(COMMANDS)('%s', async (command) => {
    const { stdout, stderr, exitCode } = await rolloutkit(command, { files: FILES });
    expect(exitCode).toBeLessThan(2);
    expect([...stdout.matchAll(SHOWN), ...stderr.matchAll(SHOWN)].map(([value]) => value)).toEqual([]);
  });
});

test.each<[string, object]>([
  ['the annotations that a Certificate gives to its Secret', { secretName: 'db', secretTemplate: { annotations: { url: 'SIDEhush-a' } } }],
  ['a policy that patches Secrets', { rules: [{ mutate: { patchStrategicMerge: { stringData: { url: 'SIDEhush-b' } } } }, {}] }],
  ['a policy that patches Secrets by a list', { rules: [{ patchesJson6902: '[{op: add, path: /stringData/url, value: SIDEhush-c}]' }] }],
  ['an expression', { mutations: [{ applyConfiguration: { expression: 'Object{stringData: {"url": "SIDEhush-d"}}' } }] }],
])('no value is shown of %s', async (_, spec) => {
  const of = (side: string) =>
    JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Wrap', metadata: { name: 'a' }, spec }).replaceAll('SIDE', side);
  const files = { 'old.yaml': of('old'), 'new.yaml': of('new') };
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
  expect(stdout).toContain('"secret": true');
  expect([...stdout.matchAll(SHOWN)]).toEqual([]);
});

test.each([
  'kind: "Se\\\ncret"\ndata: { a: HUSH }',
  'x: &k kind\n*k : Secret\ndata: { a: HUSH }',
  'kind: # c\n  Secret\ndata: { a: HUSH }',
  'kind: !<tag:yaml.org,2002:str> Secret\ndata: { a: HUSH }',
  'apiVersion: v1\nkind: {{ "Sec" }}ret\ndata: { a: HUSH }',
  'kind: Secre${X:=t}\ndata: { a: HUSH }',
  'kind: PatchTransformer\ntarget: { name: s }\npatch: |-\n  [{"op": "add", "path": "/data/a", "value": "HUSH"}]',
  'kind: ValueAddTransformer\nvalue: HUSH\ntargets: [{ fieldPath: data/a }]',
  'kind: ValueAddTransformer\nvalue: HUSH\ntargets: [{ selector: { kind: Sec.* }, fieldPath: data/a }]',
  'kind: ReplacementTransformer\nreplacements: [{ sourceValue: HUSH, targets: [{ select: { name: s }, fieldPaths: [data.a] }] }]',
])('no value is shown of a text that makes or changes a Secret: %j', async (text) => {
  const write = (side: string) => {
    const written = text.replaceAll('HUSH', `${side}hush`);
    return [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data: { 'a.yaml': written } },
      { apiVersion: 'example.com/v1', kind: 'Wrap', metadata: { name: 'a', namespace: 'shop' }, spec: { texts: [written] } },
    ]
      .map((object) => JSON.stringify(object))
      .join('\n---\n');
  };
  const files = { 'old.yaml': write('old'), 'new.yaml': write('new') };
  const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
  expect(stdout.match(/"secret": true/g)).toHaveLength(2);
  expect([...stdout.matchAll(SHOWN)]).toEqual([]);
});

test.each(['*/5 * * * *', '0: off', 'http { server { listen: 80; } }\n@name: {{ .Values.name }}', '{{ if .x }}\na: 1\n{{ end }}'])(
  'a text that is no Secret is shown, also if it is no YAML: %j',
  async (text) => {
    const write = (side: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data: { a: text + side } });
    const files = { 'old.yaml': write(' # old'), 'new.yaml': write(' # new') };
    const { stdout } = await rolloutkit('plan --from old.yaml new.yaml --format json', { files });
    expect(stdout).not.toContain('(secret)');
  },
);

test('a change of a secret value is reported, with its field', async () => {
  const { stdout } = await rolloutkit('plan --from old new --format json', { files: FILES });
  const { change } = JSON.parse(stdout) as {
    change: { objects: readonly { resource: { name: string }; effect: string; because: readonly { path: string; secret?: boolean }[] }[] };
  };
  expect(
    change.objects.map(({ resource, effect, because }) => [
      resource.name,
      effect,
      ...because.map(({ path, secret }) => `${path} ${secret}`),
    ]),
  ).toEqual([
    ['db', 'refused'],
    ['broken', 'refused'],
    ['unknown-version', 'settings', 'data.url true', 'stringDatas.url true'],
    ['annotated', 'settings', 'data[url] true', 'metadata.annotations[kapp.k14s.io/original] true'],
    ['map-in-place-of-text', 'refused'],
    ['large-number-in-place-of-text', 'refused'],
    ['object-in-place-of-text', 'refused'],
    ['directive-in-place-of-text', 'refused'],
    ['map-of-unknown-version', 'settings', 'data.file true'],
    ['with-a-group', 'unknown', 'data.url true'],
    ['fraction-in-place-of-text', 'refused'],
    ['fraction-in-place-of-bytes', 'refused'],
    [
      'web',
      'roll',
      'spec.template.spec.initContainers[init].env[INIT_TOKEN].value true',
      'spec.template.spec.containers[web].args true',
      'spec.template.spec.containers[web].env[AUTH_TOKEN].value true',
      'spec.template.spec.containers[web].env[API_KEY].value true',
      'spec.template.spec.containers[web].env[DB_PASSWORD].value true',
    ],
    ['mistyped', 'refused'],
    ['settings', 'settings', 'data[db.password] true', 'data[app.conf] true'],
    ['iris', 'roll', 'spec.predictor.containers[0].env[0].value true'],
    ['chat', 'roll', 'spec.serveConfigV2 true', 'spec.rayClusterConfig.headGroupSpec.template.spec.containers[0].env[0].value true'],
    ['shop', 'roll', 'spec.helm.values.db.password true', 'spec.resources[0].content true'],
  ]);
});
