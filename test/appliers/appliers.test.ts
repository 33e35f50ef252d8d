import type { ApplyEffect } from '../../src/core/document/change';
import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { podTemplate, workload } from '../builders/workload';

function deployment(spec: object = {}, metadata: object = {}, image = 'web:1'): object {
  return workload(
    'Deployment',
    { replicas: 2, template: podTemplate({ name: 'web', image }), ...spec },
    { name: 'web', namespace: 'shop', ...metadata },
  );
}

function changeOf(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  return expectValidPlan(planChange(old, next, options)).change;
}

/** Fields of a Deployment that a manager owns, other than its replicas. */
const OTHER_FIELDS = { 'f:spec': { 'f:selector': {}, 'f:template': {} } };

/** A live Deployment that a tool applied server-side. An autoscaler scaled it to 5. */
function live(manager: string, metadata: object = {}, operation = 'Apply'): object {
  return deployment(
    { replicas: 5 },
    {
      uid: '1',
      managedFields: [
        { manager, operation, apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: OTHER_FIELDS },
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'apps/v1',
          subresource: 'scale',
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ],
      ...metadata,
    },
  );
}

describe('the tool that applies an object', () => {
  const LAST_APPLIED = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(deployment()) };

  test.each<[string, object, object | undefined]>([
    ['a manifest', deployment(), undefined],
    ['a live object with the last-applied annotation', deployment({}, { annotations: LAST_APPLIED }), undefined],
    ['a field manager of Helm 4', live('helm'), { tool: 'helm-4', because: 'field manager "helm"' }],
    ['a field manager of Helm 3', live('helm', {}, 'Update'), { tool: 'helm-3', because: 'field manager "helm"' }],
    [
      'a field manager of Argo CD',
      live('argocd-controller'),
      { tool: 'argo-cd-server-side', because: 'field manager "argocd-controller"' },
    ],
    ['a field manager of Pulumi', live('pulumi-kubernetes-1a2b'), { tool: 'pulumi', because: 'field manager "pulumi-kubernetes-1a2b"' }],
    [
      'a label of a Kustomization',
      live('kustomize-controller', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }),
      { tool: 'flux', because: 'label "kustomize.toolkit.fluxcd.io/name"' },
    ],
    [
      'a label of a HelmRelease',
      live('helm-controller', { labels: { 'helm.toolkit.fluxcd.io/name': 'web' } }),
      { tool: 'flux-helm', because: 'label "helm.toolkit.fluxcd.io/name"' },
    ],
    [
      'the tracking annotation of Argo CD',
      deployment({}, { annotations: { 'argocd.argoproj.io/tracking-id': 'web:apps/Deployment:shop/web', ...LAST_APPLIED } }),
      { tool: 'argo-cd', because: 'annotation "argocd.argoproj.io/tracking-id"' },
    ],
    [
      'the annotation of Fleet',
      live('fleetagent', { annotations: { 'objectset.rio.cattle.io/id': 'default-web' } }),
      { tool: 'fleet', because: 'annotation "objectset.rio.cattle.io/id"' },
    ],
    [
      'the annotation of a release',
      deployment({}, { uid: '1', annotations: { 'meta.helm.sh/release-name': 'web' } }),
      { tool: 'helm-3', because: 'annotation "meta.helm.sh/release-name"' },
    ],
  ])('is found by %s', (_what, old, applier) => {
    const [change] = changeOf([old], [deployment({ replicas: 3 })]).objects;
    expect(change!.applier).toEqual(applier);
  });

  test('is that of --apply, whatever the objects show', () => {
    const [change] = changeOf([live('helm')], [deployment()], { apply: 'flux' }).objects;
    expect(change).toMatchObject({ apply: 'flux' });
    expect(change!.applier).toBeUndefined();
  });
});

test.each<[ChangeOptions['apply'] & string, string, ApplyEffect]>([
  ['client', 'helm', 'scale'],
  ['server', 'helm', 'refused'],
  ['helm', 'helm', 'scale'],
  ['helm4', 'helm', 'refused'],
  ['fleet', 'fleetagent', 'refused'],
  ['pulumi', 'pulumi-kubernetes-1a2b', 'refused'],
  ['flux', 'kustomize-controller', 'scale'],
  ['replace', 'helm', 'scale'],
])('replicas in the manifest of a Deployment that an autoscaler scaled: %s applied by %s is %s', (apply, manager, effect) => {
  const { objects } = changeOf([live(manager)], [deployment({ replicas: 2 })], { apply });
  expect(objects[0]).toMatchObject({ effect, apply });
});

test('Flux removes what kubectl set by hand and the manifest does not name, and so replaces the pods again', () => {
  const restarted = { 'f:spec': { 'f:template': { 'f:metadata': { 'f:annotations': { 'f:kubectl.kubernetes.io/restartedAt': {} } } } } };
  const old = workload(
    'Deployment',
    {
      replicas: 2,
      template: {
        ...podTemplate({ name: 'web', image: 'web:1' }),
        metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'now' } },
      },
    },
    {
      name: 'web',
      namespace: 'shop',
      uid: '1',
      labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
      managedFields: [
        { manager: 'kustomize-controller', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: OTHER_FIELDS },
        { manager: 'kubectl-rollout', operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: restarted },
      ],
    },
  );
  const next = deployment({}, { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } });
  expect(changeOf([old], [next]).objects[0]).toMatchObject({ effect: 'roll', apply: 'flux' });
  expect(changeOf([old], [next], { apply: 'server' }).objects[0]).toMatchObject({ effect: 'none' });
});

describe('force deletes and recreates what the API server refuses', () => {
  const kustomization = (force: boolean) => ({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'web', namespace: 'flux-system' },
    spec: { path: './apps/web', prune: true, force, sourceRef: { kind: 'GitRepository', name: 'fleet' } },
  });
  const next = deployment({
    selector: { matchLabels: { app: 'web', tier: 'front' } },
    template: { metadata: { labels: { app: 'web', tier: 'front' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  });

  test('of the Kustomization in view', () => {
    const plan = planChange([deployment()], [kustomization(true), next]);
    expect(plan.change.objects[1]).toMatchObject({
      effect: 'replace',
      applier: { tool: 'flux', because: 'Kustomization flux-system/web is in view' },
    });
    expect(plan.findings.find(({ code }) => code === 'change/force-recreates')).toMatchObject({
      severity: 'error',
      messageId: 'recreated',
    });
  });

  test('and without it the object is refused', () => {
    expect(changeOf([deployment()], [kustomization(false), next]).objects[1]).toMatchObject({ effect: 'refused' });
  });

  test('so an object whose new form is invalid takes the endpoints of its Service and what pods need with it', () => {
    const forced = { annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' } };
    const service = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
    };
    const secret = (type: string, data: object) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'a', namespace: 'shop', ...forced },
      type,
      data,
    });
    const needy = workload(
      'Deployment',
      {
        replicas: 1,
        template: {
          metadata: { labels: { app: 'api' } },
          spec: { containers: [{ name: 'api', image: 'api:1', envFrom: [{ secretRef: { name: 'a' } }] }] },
        },
        selector: { matchLabels: { app: 'api' } },
      },
      { name: 'api', namespace: 'shop' },
    );
    const plan = planChange(
      [deployment(), service, secret('Opaque', {}), needy],
      [deployment({ replicas: -1 }, forced), service, secret('kubernetes.io/tls', {}), needy],
      { apply: 'flux' },
    );
    const messages = plan.findings.map(({ code, message }) => `${code}: ${message.split(':')[0]}`);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringContaining('change/service-without-endpoints: Service shop/web loses all 2 ready endpoints permanently'),
        'change/reference-removed: The apply deletes Secret shop/a, which Deployment shop/api still needs',
      ]),
    );
  });

  test('of the object, also if the new one is invalid, and then it is gone', () => {
    const forced = { annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' } };
    const plan = planChange([deployment()], [deployment({ replicas: -1 }, forced)], { apply: 'flux' });
    expect(plan.findings.find(({ code }) => code === 'change/force-recreates')).toMatchObject({ severity: 'error', messageId: 'lost' });
    expect(plan.change).toMatchObject({
      summary: { refused: 1, podsRemoved: 2 },
      objects: [{ effect: 'refused', pods: { before: 2, after: 0 } }],
    });
  });
});

describe('the advice fits the tool', () => {
  const set = (serviceName: string) =>
    workload(
      'StatefulSet',
      { replicas: 2, serviceName, template: podTemplate({ name: 'db', image: 'db:1' }) },
      { name: 'db', namespace: 'shop' },
    );

  test('for a StatefulSet that Pulumi replaces: it can keep the pods', () => {
    expect(
      planChange([set('a')], [set('b')], { apply: 'pulumi' }).findings.find(({ code }) => code === 'change/force-recreates')?.help,
    ).toBe(
      'Restore the field, or first set the annotation pulumi.com/deletionPropagationPolicy: orphan and run "pulumi up": the pods then stay for the new StatefulSet.',
    );
  });

  test('for OnDelete over the partition that the API server defaulted: one patch of both fields', () => {
    const owned = { 'f:spec': { 'f:replicas': {}, 'f:selector': {}, 'f:serviceName': {}, 'f:template': {} } };
    const managedFields = [{ manager: 'helm', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: owned }];
    const onDelete = (spec: object, metadata: object = {}) =>
      workload(
        'StatefulSet',
        { replicas: 2, serviceName: 'db', template: podTemplate({ name: 'db', image: 'db:1' }), ...spec },
        { name: 'db', namespace: 'shop', ...metadata },
      );
    const old = onDelete({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } }, { uid: '1', managedFields });
    const { rollouts } = planChange([old], [onDelete({ updateStrategy: { type: 'OnDelete' } })]);
    expect(rollouts[0]!.findings.find(({ code }) => code === 'change/refused')?.help).toBe(
      'Nothing has to be deleted: run "kubectl patch statefulset/db -n shop --type strategic -p ' +
        '\'{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}\'", which replaces no pod unless a rollout is under way, then upgrade; ' +
        'or upgrade once with --server-side=false.',
    );
  });

  test.each([
    ['client', 'Apply it once with "kubectl apply --server-side", which also compares the protocol, or with "kubectl replace".'],
    [
      'helm',
      'Upgrade with --server-side=true of Helm 4, which also compares the protocol, or once with --force, which replaces the object.',
    ],
    ['argocd', 'Set the sync option ServerSideApply=true, which also compares the protocol, or sync once with Replace=true.'],
  ] as const)('for a port that the merge of %s loses', (apply, help) => {
    const service = (...protocols: readonly string[]) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'dns', namespace: 'shop' },
      spec: { selector: { app: 'dns' }, ports: protocols.map((protocol) => ({ name: protocol.toLowerCase(), port: 53, protocol })) },
    });
    const { findings } = planChange([service('UDP')], [service('UDP', 'TCP')], { apply });
    expect(findings.find(({ code }) => code === 'change/dropped-by-merge')?.help).toBe(help);
  });

  test('for two sync options of Argo CD that exclude each other', () => {
    const both = { annotations: { 'argocd.argoproj.io/sync-options': 'Force=true,ServerSideApply=true' } };
    const { rollouts } = planChange([deployment()], [deployment({}, both, 'web:2')], { apply: 'argocd' });
    expect(rollouts[0]!.findings.find(({ code }) => code === 'change/refused')?.help).toBe(
      'Remove Force=true or ServerSideApply=true from the sync options of the object: Argo CD cannot use both.',
    );
  });
});

test('Pulumi replaces a StatefulSet for a field that the API server would change in place', () => {
  const set = (revisionHistoryLimit: number) =>
    workload(
      'StatefulSet',
      { replicas: 2, serviceName: 'db', revisionHistoryLimit, template: podTemplate({ name: 'db', image: 'db:1' }) },
      { name: 'db' },
    );
  expect(changeOf([set(10)], [set(2)], { apply: 'pulumi' }).objects[0]).toMatchObject({ effect: 'replace' });
  expect(changeOf([set(10)], [set(2)]).objects[0]).toMatchObject({ effect: 'settings' });
});

describe('Argo CD with ignoreDifferences', () => {
  const application = (syncOptions: readonly string[]) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: {
      source: { repoURL: 'https://git.example.com/x', path: 'apps/web' },
      destination: { namespace: 'shop' },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
      syncPolicy: { syncOptions },
    },
  });

  test('and RespectIgnoreDifferences=true writes the live number of replicas', () => {
    const { objects } = changeOf(
      [deployment({ replicas: 5 })],
      [deployment({ replicas: 2 }), application(['RespectIgnoreDifferences=true'])],
    );
    expect(objects[0]).toMatchObject({ effect: 'none', apply: 'argocd' });
  });

  test('alone still writes the number of the manifest', () => {
    const { objects } = changeOf([deployment({ replicas: 5 })], [deployment({ replicas: 2 }), application([])]);
    expect(objects[0]).toMatchObject({ effect: 'scale', pods: { before: 5, after: 2 } });
  });
});

test.each<[ChangeOptions['apply'] & string, object, string | undefined]>([
  ['helm', live('kubectl', {}, 'Update'), 'helm'],
  ['helm4', live('kubectl'), 'helm'],
  ['pulumi', live('kubectl'), 'pulumi'],
  ['helm', live('helm', {}, 'Update'), undefined],
  ['helm', live('kubectl', { annotations: { 'meta.helm.sh/release-name': 'web' } }), undefined],
  ['helm', deployment({}, { uid: '1' }), undefined],
  ['fleet', live('kubectl'), undefined],
  ['flux', live('kubectl'), undefined],
])('%s over a live object that it did not write: %#', (apply, old, messageId) => {
  const { findings } = planChange([old], [deployment({}, {}, 'web:2')], { apply });
  expect(findings.find(({ code }) => code === 'change/not-adopted')?.messageId).toBe(messageId);
});
