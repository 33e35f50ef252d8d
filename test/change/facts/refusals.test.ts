import { container, describeEffect, describeEffects, workload } from './effects';
import { planChange } from '../../../src/headless';
import { disruptionBudget } from '../../builders/disruption-budget';

/* Table c: what the server refuses on an update, with its messages. */

const IMAGE = container({ image: 'web:2' });
const labelled = (labels: object, selector: object | undefined) => ({
  selector,
  template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
});
const OTHER = labelled({ app: 'web', tier: 'a' }, { matchLabels: { app: 'web', tier: 'a' } });
const UNMATCHED = labelled({ app: 'web', tier: 'a' }, { matchLabels: { app: 'other' } });
const OTHER_SELECTOR = '{"matchLabels":{"app":"web","tier":"a"}}';
const UNMATCHED_WORDS =
  'spec.template.metadata.labels: Invalid value: {"app":"web","tier":"a"}: `selector` does not match template `labels`';
const SET_ONLY =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const claims = (metadata: object, storage: string) => ({
  volumeClaimTemplates: [
    { metadata: { name: 'data', ...metadata }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } },
  ],
});

describe('a workload', () => {
  test.each<[string, string, object, object, string]>([
    ['the selector of a Deployment', 'Deployment', {}, OTHER, `spec.selector: Invalid value: ${OTHER_SELECTOR}: field is immutable`],
    ['the selector of a DaemonSet', 'DaemonSet', {}, OTHER, `spec.selector: Invalid value: ${OTHER_SELECTOR}: field is immutable`],
    ['the selector of a StatefulSet', 'StatefulSet', {}, OTHER, SET_ONLY],
    ['a selector that matches no label of a Deployment, which is reported first', 'Deployment', {}, UNMATCHED, UNMATCHED_WORDS],
    ['such a selector of a StatefulSet', 'StatefulSet', {}, UNMATCHED, UNMATCHED_WORDS],
    [
      'such a selector of a DaemonSet, which is reported as immutable first',
      'DaemonSet',
      {},
      UNMATCHED,
      'spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable',
    ],
    ['a Deployment without a selector', 'Deployment', {}, { selector: undefined }, 'spec.selector: Required value'],
    ['a DaemonSet without a selector', 'DaemonSet', {}, { selector: undefined }, 'spec.selector: Invalid value: null: field is immutable'],
    ['serviceName', 'StatefulSet', {}, { serviceName: 'other' }, SET_ONLY],
    ['podManagementPolicy', 'StatefulSet', {}, { podManagementPolicy: 'Parallel' }, SET_ONLY],
    ['a claim template', 'StatefulSet', claims({}, '1Gi'), claims({}, '2Gi'), SET_ONLY],
    ['a label of a claim template', 'StatefulSet', claims({}, '1Gi'), claims({ labels: { a: 'b' } }, '1Gi'), SET_ONLY],
  ])('%s', (_what, kind, old, next, message) => {
    expect(describeEffect(workload(kind, {}, old), workload(kind, {}, next), { apply: 'replace' })).toBe(`refused | ${message}`);
  });

  test('accepts the same claim with another spelling, and revisionHistoryLimit of a StatefulSet', () => {
    const set = (spec: object) => workload('StatefulSet', {}, spec);
    expect(describeEffect(set(claims({}, '1Gi')), set(claims({}, '1024Mi')), { apply: 'replace' })).toBe('none');
    expect(describeEffect(set({}), set({ revisionHistoryLimit: 3 }), { apply: 'replace' })).toBe('settings | spec.revisionHistoryLimit');
  });
});

describe('a Job', () => {
  const job = (spec: object, pod: object = {}) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'job', namespace: 'shop' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }], ...pod } }, ...spec },
  });
  const indexed = { completionMode: 'Indexed', completions: 2 };

  test.each<[string, object, object, string]>([
    ['its template', job({}), job({}, { containers: [{ name: 'a', image: 'a:2' }] }), 'spec.template: Invalid value: '],
    // The server reports more than one error; this is the first.
    [
      'its selector',
      job({}),
      job({ selector: { matchLabels: { a: 'b' } } }),
      'spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` not auto-generated',
    ],
    [
      'its completionMode',
      job({}),
      job({ completionMode: 'Indexed', completions: 1 }),
      'spec.completionMode: Invalid value: "Indexed": field is immutable',
    ],
    // The replacement policy was filled in without the failure policy, and stays.
    [
      'its podFailurePolicy',
      job({}),
      job({ podFailurePolicy: { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }] } }),
      'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed"',
    ],
    [
      'its backoffLimitPerIndex',
      job(indexed),
      job({ ...indexed, backoffLimitPerIndex: 1 }),
      'spec.backoffLimitPerIndex: Invalid value: 1: field is immutable',
    ],
    ['its managedBy', job({}), job({ managedBy: 'example.com/a' }), 'spec.managedBy: Invalid value: "example.com/a": field is immutable'],
    [
      'its successPolicy',
      job(indexed),
      job({ ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } }),
      'spec.successPolicy: Invalid value: ',
    ],
    ['completions without parallelism', job(indexed), job({ ...indexed, completions: 3 }), 'spec.completions: Invalid value: 3: '],
  ])('%s', (_what, old, next, message) => {
    expect(describeEffect(old, next).slice(0, `refused | ${message}`.length)).toBe(`refused | ${message}`);
  });

  test.each<[string, object, object, string]>([
    ['its parallelism', job({}), job({ parallelism: 2 }), 'unknown'],
    ['its suspension', job({}), job({ suspend: true }), 'unknown'],
    ['its backoffLimit', job({}), job({ backoffLimit: 1 }), 'unknown'],
    ['its deadline', job({}), job({ activeDeadlineSeconds: 60 }), 'unknown'],
    ['a later deadline', job({ activeDeadlineSeconds: 60 }), job({ activeDeadlineSeconds: 90 }), 'settings'],
    ['how long it is kept', job({}), job({ ttlSecondsAfterFinished: 60 }), 'settings'],
    ['where it may run, while it is suspended', job({ suspend: true }), job({ suspend: true }, { nodeSelector: { a: 'b' } }), 'settings'],
    ['completions with parallelism', job({ ...indexed, parallelism: 2 }), job({ ...indexed, completions: 3, parallelism: 3 }), 'unknown'],
  ])('accepts %s', (_what, old, next, effect) => {
    expect(describeEffect(old, next).split(' ')[0]).toBe(effect);
  });

  test('of a CronJob is mutable: running Jobs keep their template', () => {
    const cron = (image: string) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '0 3 * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image }] } } } },
      },
    });
    expect(describeEffect(cron('a:1'), cron('a:2'))).toBe('settings | spec.jobTemplate.spec.template.spec.containers[a].image');
  });

  test('applied by PUT lacks what the server generated for it', () => {
    const live = {
      ...job({ selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } } }),
      metadata: { name: 'job', namespace: 'shop', uid: 'u', resourceVersion: '7' },
    };
    expect(describeEffect(live, job({}), { apply: 'replace' })).toMatch(
      /^refused \| spec\.selector: (Required value|Invalid value: null: field is immutable)/,
    );
  });
});

describe('a Service', () => {
  const service = (spec: object, metadata: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const live = (spec: object) => service(spec, { uid: 'a', resourceVersion: '7' });
  const HEADLESS = { clusterIP: 'None', clusterIPs: ['None'] };
  const ADDRESS = { clusterIP: '10.0.0.5', clusterIPs: ['10.0.0.5'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' };
  const BALANCED = {
    ...ADDRESS,
    type: 'LoadBalancer',
    loadBalancerClass: 'example.com/a',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 31000,
  };

  test.each<[string, object, object, string]>([
    ['another address', ADDRESS, { clusterIP: '10.0.0.9' }, 'spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set'],
    ['no address instead of one', ADDRESS, { clusterIP: 'None' }, 'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set'],
    // The address is validated first.
    [
      'another family',
      ADDRESS,
      { ipFamilies: ['IPv6'] },
      'spec.clusterIPs[0]: Invalid value: "10.0.0.5": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ],
    [
      'another load balancer class',
      BALANCED,
      { type: 'LoadBalancer', loadBalancerClass: 'example.com/b', externalTrafficPolicy: 'Local' },
      'spec.loadBalancerClass: Invalid value: "example.com/b": may not change once set',
    ],
    [
      'another health check port',
      BALANCED,
      { type: 'LoadBalancer', loadBalancerClass: 'example.com/a', externalTrafficPolicy: 'Local', healthCheckNodePort: 32000 },
      'spec.healthCheckNodePort: Forbidden: field is immutable',
    ],
  ])('%s', (_what, old, next, message) => {
    expect(describeEffect(live(old), service(next))).toBe(`refused | ${message}`);
  });

  test.each<[string, object, object]>([
    ['an omitted address', ADDRESS, {}],
    ['an omitted clusterIP None, which stays', HEADLESS, {}],
  ])('accepts %s by PUT, and nothing changes', (_what, old, next) => {
    expect(describeEffect(live(old), service(next), { apply: 'replace' })).toBe('none');
  });

  test('releases its address for an external name', () => {
    expect(
      describeEffect(live(ADDRESS), service({ type: 'ExternalName', externalName: 'a.example.com', ports: undefined }), {
        apply: 'replace',
      }),
    ).toMatch(/^settings/);
  });
});

describe('a PersistentVolumeClaim', () => {
  const claim = (storage: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop' },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage } }, ...more },
  });

  test('is immutable except for its size, which only grows', () => {
    expect(describeEffect(claim('1Gi'), claim('1Gi', { storageClassName: 'slow' }))).toMatch(
      /^refused \| spec: Forbidden: spec is immutable after creation except resources\.requests and volumeAttributesClassName for bound claims/,
    );
    expect(describeEffect(claim('2Gi'), claim('1Gi'))).toBe(
      'refused | spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
    expect(describeEffect(claim('2Gi'), claim('1Gi'), { versions: { kubernetes: '1.31' } })).toBe(
      'refused | spec.resources.requests.storage: Forbidden: field can not be less than previous value',
    );
    expect(describeEffect(claim('1Gi'), claim('2Gi'))).toBe('settings | spec.resources.requests[storage]');
  });

  const live = (storage: string, more: object, status: object) => ({
    ...claim(storage, { volumeMode: 'Filesystem', ...more }),
    metadata: { name: 'data', namespace: 'shop', uid: 'u', resourceVersion: '1' },
    status,
  });
  const BOUND = { volumeName: 'pv-1' };

  test('that is not bound yet cannot change, not even its size', () => {
    const pending = live('1Gi', {}, { phase: 'Pending' });
    const message =
      'refused | spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
    expect(describeEffect(pending, claim('2Gi'))).toBe(message);
    expect(describeEffect(pending, claim('1Gi', { volumeAttributesClassName: 'fast' }))).toBe(message);
    expect(describeEffect(pending, claim('1024Mi'))).toMatch(/^(none|settings)/);
    expect(describeEffect(live('1Gi', BOUND, { phase: 'Bound', capacity: { storage: '1Gi' } }), claim('2Gi'))).toBe(
      'settings | spec.resources.requests[storage]',
    );
  });

  test('that has not reached its requested size may request less, but not less than it has', () => {
    const growing = live('5Gi', BOUND, { phase: 'Bound', capacity: { storage: '2Gi' } });
    expect(describeEffect(growing, claim('3Gi'))).toBe('settings | spec.resources.requests[storage]');
    expect(describeEffect(growing, claim('1Gi'))).toBe(
      'refused | spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    );
  });
});

describe('an immutable ConfigMap or Secret', () => {
  const config = (fields: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: '1' }, ...fields });
  const secret = (fields: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { a: 'YQ==' }, ...fields });
  const SET = 'Forbidden: field is immutable when `immutable` is set';

  test.each<[string, object, object, string]>([
    ['data', config({ immutable: true }), config({ immutable: true, data: { a: '2' } }), `data: ${SET}`],
    ['binaryData', config({ immutable: true }), config({ immutable: true, binaryData: { b: 'AA==' } }), `binaryData: ${SET}`],
    ['the field itself', config({ immutable: true }), config({ immutable: false }), `immutable: ${SET}`],
    ['data of a Secret', secret({ immutable: true }), secret({ immutable: true, data: { a: 'Yg==' } }), `data: ${SET}`],
    [
      'the type of a Secret',
      secret({ type: 'Opaque' }),
      secret({ type: 'example.com/a' }),
      'type: Invalid value: "example.com/a": field is immutable',
    ],
  ])('%s', (_what, old, next, message) => {
    expect(describeEffect(old, next)).toBe(`refused | ${message}`);
  });
});

describe('a status', () => {
  const object = (apiVersion: string, kind: string, fields: object) => ({ apiVersion, kind, metadata: { name: 'a' }, ...fields });
  const status = { phase: 'Ready' };

  test.each([
    ['v1', 'ConfigMap', { data: { a: '1' } }],
    ['v1', 'Secret', { stringData: { a: '1' } }],
    ['v1', 'LimitRange', { spec: { limits: [] } }],
    ['rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' } }],
  ])('is refused in an object of %s %s, which has none', (apiVersion, kind, fields) => {
    const [old, next] = [object(apiVersion, kind, fields), object(apiVersion, kind, { ...fields, status })];
    const refused = 'refused | : strict decoding error: unknown field "status"';
    expect([describeEffect(old, next), ...describeEffects([], [next])]).toEqual([refused, refused]);
  });

  test.each([
    ['v1', 'Service', { spec: { ports: [{ port: 80 }] } }],
    ['v1', 'ResourceQuota', { spec: { hard: { pods: '3' } } }],
  ])('is accepted and not stored in an object of %s %s, which has one', (apiVersion, kind, fields) => {
    const [old, next] = [object(apiVersion, kind, fields), object(apiVersion, kind, { ...fields, status })];
    expect([describeEffect(old, next), ...describeEffects([], [next])]).toEqual(['none', 'create']);
  });
});

describe('other objects', () => {
  test('a RoleBinding keeps its role', () => {
    const binding = (name: string) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a', namespace: 'shop' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    });
    expect(describeEffect(binding('view'), binding('edit'))).toBe(
      'refused | roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"edit"}: cannot change roleRef',
    );
  });

  test.each<[string, string, object, object, string]>([
    ['scheduling.k8s.io/v1', 'PriorityClass', { value: 1 }, { value: 2 }, 'value: Forbidden: may not be changed in an update.'],
    [
      'scheduling.k8s.io/v1',
      'PriorityClass',
      { value: 1 },
      { value: 1, preemptionPolicy: 'Never' },
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ],
    ['node.k8s.io/v1', 'RuntimeClass', { handler: 'runc' }, { handler: 'gvisor' }, 'handler: Invalid value: "gvisor": field is immutable'],
    [
      'storage.k8s.io/v1',
      'StorageClass',
      { provisioner: 'a' },
      { provisioner: 'b' },
      'provisioner: Forbidden: updates to provisioner are forbidden.',
    ],
    [
      'storage.k8s.io/v1',
      'StorageClass',
      { provisioner: 'a' },
      { provisioner: 'a', parameters: { type: 'fast' } },
      'parameters: Forbidden: updates to parameters are forbidden.',
    ],
    [
      'networking.k8s.io/v1',
      'IngressClass',
      { spec: { controller: 'a' } },
      { spec: { controller: 'b' } },
      'spec.controller: Invalid value: "b": field is immutable',
    ],
  ])('of %s: %s keeps %j', (apiVersion, kind, old, next, message) => {
    const object = (fields: object) => ({ apiVersion, kind, metadata: { name: 'a' }, ...fields });
    expect(describeEffect(object(old), object(next))).toBe(`refused | ${message}`);
  });

  const definition = (fields: object = {}, name = 'widgets.example.com') => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }];
    const spec = { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions, ...fields };
    return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name }, spec };
  };
  const NAME = 'metadata.name: Invalid value: "widgets.example.com": must be spec.names.plural+"."+spec.group';
  const VERSION = { name: 'v2', served: true, storage: true };

  test.each<[what: string, fields: object, message: string]>([
    ['scope', { scope: 'Cluster' }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
    ['kind', { names: { kind: 'Gadget', plural: 'widgets' } }, 'spec.names.kind: Invalid value: "Gadget": field is immutable'],
    ['name, whatever its plural is', { names: { kind: 'Widget', plural: 'gadgets' } }, NAME],
    ['name, whatever its group is', { group: 'example.org' }, NAME],
    [
      'one stored version',
      { versions: [...definition().spec.versions, VERSION] },
      'spec.versions: Invalid value: …: must have exactly one version marked as storage version',
    ],
    [
      'fields that its schemas list only',
      { preserveUnknownFields: true },
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
  ])('a CustomResourceDefinition keeps its %s', (_what, fields, message) => {
    expect(describeEffect(definition(), definition(fields))).toBe(`refused | ${message}`);
  });

  test('a CustomResourceDefinition of OLD may have kept unknown fields, and may write the default', () => {
    const old = definition({ preserveUnknownFields: true });
    expect(describeEffect(old, definition({ preserveUnknownFields: true }))).toMatch(/^none/);
    expect(describeEffect(old, definition({ preserveUnknownFields: false }))).not.toMatch(/^refused/);
    expect(describeEffect(definition(), definition({ preserveUnknownFields: false }))).not.toMatch(/^refused/);
  });

  test('a new CustomResourceDefinition keeps no fields that its schemas do not list', () => {
    const refusalOf = (fields: object) => planChange([], [definition(fields)]).change.objects[0]!.refusal;
    expect(refusalOf({ preserveUnknownFields: false })).toBeUndefined();
    expect(refusalOf({ preserveUnknownFields: true })).toEqual({
      path: 'spec.preserveUnknownFields',
      message:
        'Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    });
  });

  test('a new CustomResourceDefinition has the name of its plural and group', () => {
    const plan = planChange([], [definition({}, 'widget.example.com')]);
    expect(plan.change.objects.map(({ effect }) => effect)).toEqual(['refused']);
  });

  test('a StorageClass may be written with the defaults of the server, and may allow volumes to grow', () => {
    const storage = (fields: object) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner: 'p',
      ...fields,
    });
    const next = storage({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', allowVolumeExpansion: true });
    expect(describeEffect(storage({}), next)).toMatch(/^settings/);
  });

  test('a Pod keeps its spec, except for a few fields', () => {
    const pod = (command: readonly string[]) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ name: 'a', image: 'a:1', command }] },
    });
    expect(describeEffect(pod(['a']), pod(['b']))).toMatch(
      /^refused \| spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`/,
    );
  });

  test('a PodDisruptionBudget accepts any change, also by kubectl replace, which reads its resourceVersion first', () => {
    const [old, next] = [disruptionBudget({ minAvailable: 1 }), disruptionBudget({ minAvailable: 2 })];
    expect(describeEffect(old, next)).toMatch(/^settings/);
    expect(describeEffect(old, next, { apply: 'replace' })).toMatch(/^settings/);
  });

  test('under another name are other objects: one is created, the other stays until it is pruned', () => {
    const named = (name: string) => workload('Deployment', IMAGE, {}, { name });
    expect(describeEffect(named('a'), named('b'))).toBe('create');
  });
});
