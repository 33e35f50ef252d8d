import type { PlayedCluster } from '../live/kubectl-player';
import { playCluster, PLAYED_TYPES } from '../live/played-cluster';
import { rolloutkit } from './command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { tier: front } }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: 'web:1' }] } }
`;
const SHOP = `---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { gate: 'on' } }
`;
const PODS = "{ apiGroups: [''], apiVersions: ['*'], operations: [CREATE], resources: [pods] }";

const rule = (group: string, resource: string, operation = "'*'", scope = "'*'") =>
  `{ apiGroups: ['${group}'], apiVersions: ['*'], operations: [${operation}], resources: ['${resource}'], scope: ${scope} }`;

const webhook = (fields: string, rules = PODS, kind = 'ValidatingWebhookConfiguration') => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}
metadata: { name: gate }
webhooks:
  - name: gate.example.com
    sideEffects: None
    admissionReviewVersions: [v1]
    clientConfig: { service: { name: gate, namespace: gate } }
    rules: [${rules}]
    ${fields}
`;

const policy = (fields: string, prefix = 'Validating', rules = PODS) => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ${prefix}AdmissionPolicy
metadata: { name: few }
spec: { matchConstraints: { resourceRules: [${rules}]${fields} }, validations: [{ expression: 'false' }] }
`;

const binding = (fields: string, prefix = 'Validating') => `---
apiVersion: admissionregistration.k8s.io/v1
kind: ${prefix}AdmissionPolicyBinding
metadata: { name: few }
spec: { policyName: few${prefix === 'Validating' ? ', validationActions: [Deny]' : ''}${fields} }
`;

/** Returns the kinds that are counted as not planned, and the exit code. */
async function count(old: string, next: string, options = '', more: Readonly<Record<string, string>> = {}) {
  const files = { 'old.yaml': old, 'new.yaml': next, ...more };
  const { exitCode, stdout } = await rolloutkit(`check --from old.yaml new.yaml --require-planned ${options}`, { files });
  const line = stdout.split('\n').find((each) => each.startsWith('not planned')) ?? 'all is planned';
  return `${exitCode}: ${line.replaceAll(' (admissionregistration.k8s.io)', '')}`;
}

const COUNTED = '1: not planned: 1 ValidatingWebhookConfiguration';
const PLANNED = '0: all is planned';

describe('a webhook that a change brings', () => {
  test.each([
    ['of its labels', 'namespaceSelector: { matchLabels: { gate: "on" } }'],
    ['of an expression', 'namespaceSelector: { matchExpressions: [{ key: skip, operator: DoesNotExist }] }'],
    ['of its name', 'namespaceSelector: { matchExpressions: [{ key: kubernetes.io/metadata.name, operator: In, values: [shop] }] }'],
    ['of an empty selector', 'namespaceSelector: {}'],
    ['of a selector that the API server refuses', 'namespaceSelector: { matchExpressions: [skip] }'],
  ])('counts if it selects the namespace because %s', async (_, fields) => {
    expect(await count(WEB + SHOP, WEB + SHOP + webhook(fields))).toBe(COUNTED);
  });

  test.each([
    ['of its labels', 'namespaceSelector: { matchLabels: { gate: "off" } }'],
    ['of an expression', 'namespaceSelector: { matchExpressions: [{ key: gate, operator: DoesNotExist }] }'],
    ['of its name', 'namespaceSelector: { matchExpressions: [{ key: kubernetes.io/metadata.name, operator: NotIn, values: [shop] }] }'],
  ])('does not count if it does not select the namespace because %s', async (_, fields) => {
    expect(await count(WEB + SHOP, WEB + SHOP + webhook(fields))).toBe(PLANNED);
  });

  test('knows only the name of a namespace that is not in view', async () => {
    const selects = (fields: string) => count(WEB, WEB + webhook(`namespaceSelector: { ${fields} }`));
    expect(await selects('matchLabels: { gate: "off" }')).toBe(COUNTED);
    expect(await selects('matchLabels: { kubernetes.io/metadata.name: gate }')).toBe(PLANNED);
    expect(await selects('matchLabels: { kubernetes.io/metadata.name: shop, gate: "off" }')).toBe(COUNTED);
  });

  test('knows nothing of the namespace of an object that names none', async () => {
    const anywhere = WEB.replace(', namespace: shop', '');
    const fields = 'namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: gate } }';
    expect(await count(anywhere, anywhere + webhook(fields))).toBe(COUNTED);
  });

  test('sees an object of OLD in the namespace that only NEW names', async () => {
    const old = WEB.replace(', namespace: shop', '');
    const next = WEB.replace('tier: front', 'tier: back');
    const selects = (namespace: string) => {
      const selectors = `objectSelector: { matchLabels: { tier: front } }, namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ${namespace} } }`;
      return count(old, next + webhook(selectors.replace(', namespaceSelector', '\n    namespaceSelector'), rule('apps', 'deployments')));
    };
    expect(await selects('shop')).toBe(COUNTED);
    expect(await selects('gate')).toBe(PLANNED);
  });

  test('names the resource of a kind as its definition does', async () => {
    const canary = `---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: { name: web, namespace: shop }
spec: { targetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, service: { port: 80 }, analysis: { interval: 1m, threshold: 1, maxWeight: 50, stepWeight: 10 } }
`;
    const counts = (resource: string) => count(WEB + canary, WEB + canary + webhook('', rule('flagger.app', resource)));
    expect(await counts('canaries')).toBe(COUNTED);
    expect(await counts('metrictemplates')).toBe(PLANNED);
  });

  test('may name any resource of a group whose kinds are not known, since only a definition has the name', async () => {
    const files = {
      'rolloutkit.yaml':
        'operatorResources:\n  - { group: redis.example.com, kind: Redis, rollsLike: statefulset, replicas: spec.replicas, image: spec.image }\n',
    };
    const redis = `---
apiVersion: redis.example.com/v1
kind: Redis
metadata: { name: cache, namespace: shop }
spec: { replicas: 2, image: 'redis:7' }
`;
    const counts = (group: string) => count(redis, redis + webhook('', rule(group, 'redis')), '--config rolloutkit.yaml', files);
    expect(await counts('redis.example.com')).toBe(COUNTED);
    expect(await counts('other.example.com')).toBe(PLANNED);
  });

  test('sees the labels of the namespace after the apply', async () => {
    const selecting = webhook('namespaceSelector: { matchLabels: { gate: "off" } }');
    expect(await count(WEB + SHOP, WEB + SHOP.replace("'on'", "'off'") + selecting)).toBe(COUNTED);
  });

  test.each([
    ['a label of the pods', 'matchLabels: { app: web }', PODS, COUNTED],
    ['a label that the pods lack', 'matchLabels: { app: db }', PODS, PLANNED],
    ['a label of the workload that the pods lack', 'matchLabels: { tier: front }', PODS, PLANNED],
    ['a label of the workload', 'matchLabels: { tier: front }', rule('apps', 'deployments'), COUNTED],
    ['another label than the workload has', 'matchLabels: { tier: back }', rule('apps', 'deployments'), PLANNED],
    ['a label that the controller adds', 'matchExpressions: [{ key: pod-template-hash, operator: Exists }]', PODS, COUNTED],
    ['the labels of a Scale', 'matchLabels: { tier: back }', rule('apps', 'deployments/scale'), COUNTED],
  ])('is matched with the labels of objects: %s', async (_, selector, rules, expected) => {
    expect(await count(WEB, WEB + webhook(`objectSelector: { ${selector} }`, rules))).toBe(expected);
  });

  test.each([
    ['deletes pods that run', rule('', 'pods', 'DELETE'), COUNTED],
    ['deletes workloads', rule('apps', 'deployments', 'DELETE'), PLANNED],
    ['connects to pods', rule('', 'pods/*', 'CONNECT'), PLANNED],
    ['debugs pods', rule('', 'pods/ephemeralcontainers'), PLANNED],
    ['creates a scale, which nothing does', rule('apps', 'deployments/scale', 'CREATE'), PLANNED],
    ['binds pods to nodes', rule('', 'pods/binding', 'CREATE'), COUNTED],
    ['reports the status of pods', rule('', 'pods/status', 'UPDATE'), COUNTED],
    ['is about objects without a namespace', rule('*', '*/*', "'*'", 'Cluster'), PLANNED],
    ['is about objects with a namespace', rule('*', '*/*', "'*'", 'Namespaced'), COUNTED],
  ])('counts if its operations and scope concern the pods: one that %s', async (_, rules, expected) => {
    expect(await count(WEB, WEB + webhook('', rules))).toBe(expected);
  });

  test('concerns no running pods of a workload that is new', async () => {
    expect(await count(SHOP, `${SHOP}---\n${WEB}${webhook('', rule('', 'pods', 'DELETE'))}`)).toBe(PLANNED);
  });

  test('counts for the deletion of a workload', async () => {
    const rules = rule('apps', 'deployments', 'DELETE');
    expect(await count(WEB + SHOP, SHOP + webhook('', rules), '--prune')).toBe(COUNTED);
    expect(await count(WEB + SHOP, SHOP + webhook('', rules))).toBe(PLANNED);
  });

  test('counts for what controllers create for custom resources', async () => {
    const service = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: { name: iris, namespace: shop }
spec: { predictor: { model: { modelFormat: { name: sklearn }, storageUri: 's3://models/iris' } } }
`;
    expect(await count(service, service + webhook('', rule('apps', 'deployments')))).toBe(COUNTED);
    expect(await count(service, service + webhook('objectSelector: { matchLabels: { app: db } }'))).toBe(COUNTED);
  });

  test('counts without any pods in view', async () => {
    expect(await count(SHOP, SHOP + webhook('namespaceSelector: { matchLabels: { gate: "off" } }'))).toBe(COUNTED);
  });

  test('counts whatever its conditions are', async () => {
    expect(await count(WEB, WEB + webhook("matchConditions: [{ name: a, expression: 'false' }]"))).toBe(COUNTED);
  });
});

describe('a policy that a change brings', () => {
  const BOTH = '1: not planned: 1 ValidatingAdmissionPolicy, 1 ValidatingAdmissionPolicyBinding';
  const other = '{ matchLabels: { kubernetes.io/metadata.name: gate } }';

  test('counts with its binding if both select the namespace', async () => {
    expect(await count(WEB, WEB + policy('') + binding(''))).toBe(BOTH);
    expect(await count(WEB, WEB + policy(`, namespaceSelector: ${other}`) + binding(''))).toBe(PLANNED);
    expect(await count(WEB, WEB + policy('') + binding(`, matchResources: { namespaceSelector: ${other} }`))).toBe(PLANNED);
    expect(await count(WEB, WEB + policy('') + binding(', matchResources: { objectSelector: { matchLabels: { app: db } } }'))).toBe(
      PLANNED,
    );
    expect(await count(WEB, WEB + policy('') + binding(`, matchResources: { resourceRules: [${rule('apps', 'deployments')}] }`))).toBe(
      PLANNED,
    );
  });

  test('counts for the objects that it names', async () => {
    const named = (name: string) =>
      `{ apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments], resourceNames: [${name}] }`;
    expect(await count(WEB, WEB + policy('', 'Validating', named('web')) + binding(''))).toBe(BOTH);
    expect(await count(WEB, WEB + policy('', 'Validating', named('db')) + binding(''))).toBe(PLANNED);
  });

  test('counts without a binding, since the cluster may have one', async () => {
    const files = { 'old.yaml': WEB, 'new.yaml': WEB + policy('') };
    const { exitCode, stdout } = await rolloutkit('check --from old.yaml new.yaml --require-planned --format json', { files });
    expect([exitCode, (JSON.parse(stdout) as { notPlanned: unknown }).notPlanned]).toMatchInlineSnapshot(`
[
  1,
  [
    {
      "apiVersion": "admissionregistration.k8s.io/v1",
      "count": 1,
      "kind": "ValidatingAdmissionPolicy",
      "reason": "the input has no binding of it, so whether it decides about pods and workloads in view is unknown",
    },
  ],
]
`);
    expect(await count(WEB, WEB + policy('', 'Validating', rule('', 'secrets')))).toBe(PLANNED);
  });

  test('does not count if the cluster shows that no binding exists', async () => {
    const group = 'admissionregistration.k8s.io';
    const types = [
      ...PLAYED_TYPES,
      { plural: 'validatingadmissionpolicies', group, version: 'v1', kind: 'ValidatingAdmissionPolicy', isNamespaced: false },
      { plural: 'validatingadmissionpolicybindings', group, version: 'v1', kind: 'ValidatingAdmissionPolicyBinding', isNamespaced: false },
    ];
    const live = {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'few', uid: 'uid-few', resourceVersion: '1' },
      spec: { matchConstraints: { resourceRules: [] }, validations: [{ expression: 'false' }] },
    };
    const bound = {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'few', uid: 'uid-binding', resourceVersion: '1' },
      spec: { policyName: 'few', validationActions: ['Deny'] },
    };
    const shop = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'uid-shop' } };
    const check = async ({ objects, ...cluster }: PlayedCluster) => {
      const played = { currentContext: 'prod', types, ...cluster, objects: [shop, ...(objects ?? [])] };
      const setting = playCluster(played, { files: { 'new.yaml': WEB + SHOP + policy('') } });
      const { exitCode, stdout } = await rolloutkit('check --from cluster new.yaml --require-planned', setting);
      return [exitCode, stdout.split('\n').find((line) => line.startsWith('not planned'))];
    };
    const counted = [1, `not planned: 1 ValidatingAdmissionPolicy (${group})`];
    expect(await check({ objects: [live] })).toEqual([0, undefined]);
    expect(await check({ objects: [live, bound] })).toEqual(counted);
    const forbidden = [{ resource: `validatingadmissionpolicybindings.${group}` }];
    expect(await check({ objects: [live], forbidden })).toEqual(counted);
  });
});

describe('what a change deletes', () => {
  const MUTATING = 'MutatingWebhookConfiguration';

  test('counts if it changed new pods, which then contain something else', async () => {
    expect(await count(WEB + webhook('', PODS, MUTATING), WEB, '--prune')).toBe(`1: not planned: 1 ${MUTATING}`);
    const bound = policy('', 'Mutating') + binding('', 'Mutating');
    expect(await count(WEB + bound, WEB, '--prune')).toBe('1: not planned: 1 MutatingAdmissionPolicy, 1 MutatingAdmissionPolicyBinding');
    expect(await count(WEB + bound, WEB + policy('', 'Mutating'), '--prune')).toBe('1: not planned: 1 MutatingAdmissionPolicyBinding');
  });

  test('counts if it changed new pods, and now does not match them', async () => {
    const [all, none] = [PODS, rule('', 'secrets')].map((rules) => webhook('', rules, MUTATING)) as [string, string];
    expect(await count(WEB + all, WEB + none)).toBe(`1: not planned: 1 ${MUTATING}`);
  });

  test('does not count if it changed no pods', async () => {
    const fields = 'objectSelector: { matchLabels: { app: db } }';
    expect(await count(WEB + webhook(fields, PODS, MUTATING), WEB, '--prune')).toBe(PLANNED);
    expect(await count(WEB + webhook('', PODS, MUTATING), WEB)).toBe(PLANNED);
  });

  test('does not count if it only validated, since more is permitted then', async () => {
    expect(await count(WEB + webhook(''), WEB, '--prune')).toBe(PLANNED);
    expect(await count(WEB + policy('') + binding(''), WEB, '--prune')).toBe(PLANNED);
  });
});

describe('an object with the parameters of a policy', () => {
  const LIMITS = (max: number, namespace = 'shop', labels = '') => `---
{ apiVersion: v1, kind: ConfigMap, metadata: { name: limits, namespace: ${namespace}${labels} }, data: { max: '${max}' } }
`;
  const READING = policy('').replace('spec: { ', 'spec: { paramKind: { apiVersion: v1, kind: ConfigMap }, ');
  const counted = '1: not planned: 1 ConfigMap';

  test.each([
    ['that its binding names', ', paramRef: { name: limits, namespace: shop, parameterNotFoundAction: Deny }'],
    ['of the namespace of the request', ', paramRef: { name: limits, parameterNotFoundAction: Deny }'],
    ['that its binding selects', ', paramRef: { selector: {}, parameterNotFoundAction: Deny }'],
  ])('counts, %s', async (_, paramRef) => {
    const around = WEB + READING + binding(paramRef);
    expect(await count(around + LIMITS(5), around + LIMITS(2))).toBe(counted);
    expect(await count(around, around + LIMITS(2))).toBe(counted);
    expect(await count(around + LIMITS(5), around, '--prune')).toBe(counted);
  });

  test('counts if no binding of the policy is in view', async () => {
    expect(await count(WEB + READING + LIMITS(5), WEB + READING + LIMITS(2))).toBe(counted);
  });

  test.each([
    ['its binding names another', READING + binding(', paramRef: { name: other, parameterNotFoundAction: Deny }')],
    ['its binding selects others', READING + binding(', paramRef: { selector: { matchLabels: { a: b } }, parameterNotFoundAction: Deny }')],
    ['its binding only audits', READING + binding('').replace('[Deny]', '[Audit], paramRef: { name: limits }')],
    ['the policy reads another kind', READING.replace('kind: ConfigMap', 'kind: Secret') + binding(', paramRef: { name: limits }')],
    ['the policy matches no pods', READING.replace('[pods]', '[nodes]') + binding(', paramRef: { name: limits }')],
  ])('does not count if %s', async (_, around) => {
    expect(await count(WEB + around + LIMITS(5), WEB + around + LIMITS(2))).toBe(PLANNED);
  });
});

describe('a deleted Service of a webhook', () => {
  const GATE = (namespace = 'gate') => `---
{ apiVersion: v1, kind: Service, metadata: { name: gate, namespace: ${namespace} }, spec: { ports: [{ port: 443 }] } }
`;

  test('counts, since the webhook then refuses what it matches', async () => {
    const around = WEB + webhook('failurePolicy: Fail');
    expect(await count(around + GATE(), around, '--prune')).toBe('1: not planned: 1 Service');
  });

  test.each([
    ['the failures of the webhook are ignored', webhook('failurePolicy: Ignore'), GATE()],
    ['the webhook matches no pods', webhook('', PODS.replace('pods', 'nodes')), GATE()],
    ['the webhook calls one of another namespace', webhook(''), GATE('other')],
  ])('does not count if %s', async (_, around, service) => {
    expect(await count(WEB + around + service, WEB + around, '--prune')).toBe(PLANNED);
  });

  test('does not count if the webhook is deleted too', async () => {
    expect(await count(WEB + webhook('') + GATE(), WEB, '--prune')).toBe(PLANNED);
  });
});

describe('a Namespace with other labels', () => {
  const namespace = (labels: string) => `---
{ apiVersion: v1, kind: Namespace, metadata: { name: shop, labels: { ${labels} } } }
`;
  const [OFF, ON] = [namespace('a: b'), namespace('a: b, gate: "on"')];
  const GATED = 'namespaceSelector: { matchLabels: { gate: "on" } }';
  const MUTATING = webhook(GATED, PODS, 'MutatingWebhookConfiguration');
  const POLICY = policy(`, ${GATED}`) + binding('');

  test.each([
    ['an unchanged webhook selects', webhook(GATED), OFF, ON],
    ['an unchanged policy selects', POLICY, OFF, ON],
    ['an unchanged webhook that mutates selects', MUTATING, OFF, ON],
    ['an unchanged webhook that mutates no longer selects', MUTATING, ON, OFF],
    ['it exists, since OLD has pods in it, only NEW shows its labels, and an unchanged webhook selects', webhook(GATED), '', ON],
  ])('counts if %s it', async (_, around, old, next) => {
    expect(await count(WEB + around + old, WEB + around + next)).toBe('1: not planned: 1 Namespace');
  });

  test.each([
    ['a webhook that validates no longer selects it', WEB, webhook(GATED), ON, OFF],
    ['other labels differ', WEB, webhook(GATED), ON, ON.replace('a: b', 'a: c')],
    ['the webhook matches no pods', WEB, webhook(GATED, PODS.replace('pods', 'nodes')), OFF, ON],
    ['no pods are in it', WEB.replace('namespace: shop', 'namespace: other'), webhook(GATED), OFF, ON],
    ['it is new, and no webhook selects it', WEB, webhook(GATED), '', OFF],
  ])('does not count if %s', async (_, web, around, old, next) => {
    expect(await count(web + around + old, web + around + next)).toBe(PLANNED);
  });
});

test('a Namespace that is new with the pods in it does not count', async () => {
  const gate = webhook('namespaceSelector: { matchLabels: { gate: "on" } }');
  expect(await count(gate, gate + SHOP + `---\n${WEB}`)).toBe(PLANNED);
});

describe('rules that a new policy excludes', () => {
  const excluding = (rule_: string) => policy(`, excludeResourceRules: [${rule_}]`, 'Validating', rule('', '*')) + binding('');
  const ALL_PODS = rule('', 'pods');

  test.each([
    ['pods', ALL_PODS],
    ['everything', rule('*', '*/*')],
    ['pods of the version that exists', ALL_PODS.replace("apiVersions: ['*']", 'apiVersions: [v1]')],
  ])('leave nothing that counts if they name %s', async (_, excluded) => {
    expect(await count(WEB, WEB + excluding(excluded))).toBe(PLANNED);
  });

  test.each([
    ['another resource', rule('', 'services')],
    ['another operation', rule('', 'pods', 'DELETE')],
    ['another version', ALL_PODS.replace("apiVersions: ['*']", 'apiVersions: [v2]')],
    ['some pods', ALL_PODS.replace('resources', 'resourceNames: [web-1], resources')],
    ['objects of the cluster', rule('', 'pods', "'*'", 'Cluster')],
  ])('do not hide the policy if they name %s', async (_, excluded) => {
    expect(await count(WEB, WEB + excluding(excluded))).toBe(
      '1: not planned: 1 ValidatingAdmissionPolicy, 1 ValidatingAdmissionPolicyBinding',
    );
  });

  test('are read of a binding, and of no webhook, which cannot have them', async () => {
    const excluded = `excludeResourceRules: [${ALL_PODS}]`;
    expect(await count(WEB + policy(''), WEB + policy('') + binding(`, matchResources: { ${excluded} }`))).toBe(PLANNED);
    expect(await count(WEB, WEB + webhook(excluded))).toBe(COUNTED);
  });
});
