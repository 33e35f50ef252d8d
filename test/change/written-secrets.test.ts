/** A change of an object of which a controller writes a Secret, or that an object without a plan reads. */
import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          { name: 'web', image: 'web:1', envFrom: [{ secretRef: { name: 'db' } }], readinessProbe: { tcpSocket: { port: 80 } } },
        ],
      },
    },
  },
};

function object(apiVersion: string, kind: string, name: string, spec: object) {
  return { apiVersion, kind, metadata: { name, namespace: 'shop' }, spec };
}

function sealedSecret(password: string) {
  return object('bitnami.com/v1alpha1', 'SealedSecret', 'db', { encryptedData: { password } });
}

function externalSecret(key: string, target: object = { name: 'db' }) {
  return object('external-secrets.io/v1', 'ExternalSecret', 'database', { target, data: [{ secretKey: 'password', remoteRef: { key } }] });
}

function certificate(host: string) {
  return object('cert-manager.io/v1', 'Certificate', 'web', { secretName: 'db', dnsNames: [host] });
}

const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db', namespace: 'shop' }, stringData: { a: 'b' } };

test.each([
  ['SealedSecret', sealedSecret('a'), sealedSecret('b')],
  ['ExternalSecret', externalSecret('a'), externalSecret('b')],
  ['Certificate', certificate('a.example.com'), certificate('b.example.com')],
])('pods that read the Secret of a %s keep the old values', (_kind, old, next) => {
  const plan = expectValidPlan(planChange([old, WEB], [next, WEB]));
  expect(plan.change.objects[0]).toMatchObject({
    effect: 'restart-needed',
    restarts: [{ kind: 'Deployment', name: 'web', reads: ['envFrom'] }],
  });
});

const READER = {
  ...WEB,
  spec: {
    ...WEB.spec,
    template: {
      metadata: WEB.spec.template.metadata,
      spec: { containers: [{ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name: 'settings' } }] }] },
    },
  },
};

test('an ExternalSecret that writes a ConfigMap concerns the pods that read it', () => {
  const writer = (key: string, name = 'settings', kind = 'ConfigMap') =>
    externalSecret(key, { name, manifest: { apiVersion: 'v1', kind } });
  const describe = (next: readonly object[], old = writer('a')) => {
    const { change, findings } = expectValidPlan(planChange([old, READER], [...next, READER], { prune: true }));
    const removed = findings.filter(({ code }) => code === 'change/reference-removed').map(({ message }) => message);
    return [change.objects.map(({ effect }) => effect), ...removed];
  };
  expect(describe([writer('b')])).toEqual([['restart-needed', 'none']]);
  expect(describe([writer('b', 'settings', 'Secret')], writer('a', 'settings', 'Secret'))).toEqual([['settings', 'none']]);
  expect(describe([])).toEqual([
    ['none', 'delete'],
    'The apply deletes ExternalSecret shop/database with ConfigMap shop/settings, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.',
  ]);
  expect(describe([writer('a', 'other')])).toEqual([
    ['settings', 'none'],
    'The apply changes ExternalSecret shop/database so that its controller deletes ConfigMap shop/settings, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.',
  ]);
  expect(describe([writer('a', 'settings', 'Widget')])).toEqual([
    ['unknown', 'none'],
    'The apply changes ExternalSecret shop/database so that its controller deletes ConfigMap shop/settings, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.',
  ]);
  expect(describe([writer('a', 'settings', 'Secret')])).toEqual([
    ['settings', 'none'],
    'The apply changes ExternalSecret shop/database so that its controller deletes ConfigMap shop/settings, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.',
  ]);
});

test('a SealedSecret that no pod in view reads only changes settings', () => {
  const plan = expectValidPlan(planChange([sealedSecret('a')], [sealedSecret('b')]));
  expect(plan.change.objects.map(({ effect }) => effect)).toEqual(['settings']);
});

/** Returns what is said about an object that pods lose. */
function removedFor(old: readonly object[], next: readonly object[]): string[] {
  const plan = expectValidPlan(planChange([...old, WEB], [...next, WEB], { prune: true }));
  return plan.findings.filter(({ code }) => code === 'change/reference-removed').map(({ severity, message }) => `${severity}: ${message}`);
}

test.each([
  ['SealedSecret shop/db', sealedSecret('a')],
  ['ExternalSecret shop/database', externalSecret('a')],
])('a deleted %s takes the Secret that it owns with it', (name, deleted) => {
  expect(removedFor([deleted], [])).toEqual([
    `warning: The apply deletes ${name} with Secret shop/db, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.`,
  ]);
});

test('an ExternalSecret that writes another Secret deletes the one that it owns', () => {
  expect(removedFor([externalSecret('a')], [externalSecret('a', { name: 'other' })])).toEqual([
    'warning: The apply changes ExternalSecret shop/database so that its controller deletes Secret shop/db, which Deployment shop/web still needs: new pods do not start. The running pods stay until they are replaced.',
  ]);
  expect(removedFor([externalSecret('a', { name: 'db', creationPolicy: 'Orphan' })], [externalSecret('a', { name: 'other' })])).toEqual([]);
  expect(removedFor([certificate('a')], [object('cert-manager.io/v1', 'Certificate', 'web', { secretName: 'other' })])).toEqual([]);
});

/** Returns what is said if pods name the key `password` of the Secret. */
function removedKeyFor(old: object, next: object, prune = false): string[] {
  const [container] = WEB.spec.template.spec.containers;
  const env = [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } }];
  const web = { ...WEB, spec: { ...WEB.spec, template: { ...WEB.spec.template, spec: { containers: [{ ...container, env }] } } } };
  const plan = expectValidPlan(planChange([old, web], [next, web], { prune }));
  return plan.findings.filter(({ code }) => code === 'change/reference-removed').map(({ severity, message }) => `${severity}: ${message}`);
}

const OTHER_KEY = [{ secretKey: 'user', remoteRef: { key: 'a' } }];

test.each([
  ['SealedSecret shop/db', sealedSecret('a'), object('bitnami.com/v1alpha1', 'SealedSecret', 'db', { encryptedData: { user: 'a' } })],
  [
    'ExternalSecret shop/database',
    externalSecret('a'),
    object('external-secrets.io/v1', 'ExternalSecret', 'database', { target: { name: 'db' }, data: OTHER_KEY }),
  ],
  [
    'ExternalSecret shop/database',
    externalSecret('a'),
    externalSecret('a', { name: 'db', template: { data: { url: '{{ .password }}' } } }),
  ],
])('a %s no longer gives its Secret a key', (name, old, next) => {
  expect(removedKeyFor(old, next)).toEqual([
    `warning: ${name} loses the key password, which Deployment shop/web still names: new pods do not start. The running pods stay until they are replaced.`,
  ]);
});

const DB_SECRET = { ...SECRET, stringData: { password: 'a' } };

test.each([
  ['Secret by a SealedSecret', DB_SECRET, object('bitnami.com/v1alpha1', 'SealedSecret', 'db', { encryptedData: { user: 'a' } })],
  [
    'Secret by an ExternalSecret',
    DB_SECRET,
    object('external-secrets.io/v1', 'ExternalSecret', 'database', { target: { name: 'db' }, data: OTHER_KEY }),
  ],
  ['SealedSecret by a Secret', sealedSecret('a'), SECRET],
  [
    'ExternalSecret by another one',
    externalSecret('a'),
    object('external-secrets.io/v1', 'ExternalSecret', 'other', { target: { name: 'db' }, data: OTHER_KEY }),
  ],
])('what replaces a %s does not give the Secret a key', (_what, old, next) => {
  expect(removedKeyFor(old, next, true)).toEqual([
    'warning: Secret shop/db loses the key password, which Deployment shop/web still names: new pods do not start. The running pods stay until they are replaced.',
  ]);
});

test.each([
  ['a SealedSecret', DB_SECRET, sealedSecret('a')],
  ['an ExternalSecret', DB_SECRET, externalSecret('a')],
  ['a Certificate, whose keys are not known', DB_SECRET, certificate('a.example.com')],
  ['a Secret', sealedSecret('a'), DB_SECRET],
])('no key is missing if %s replaces the Secret with its keys', (_what, old, next) => {
  expect(removedKeyFor(old, next, true)).toEqual([]);
});

test.each([
  [
    'another key is dropped',
    object('bitnami.com/v1alpha1', 'SealedSecret', 'db', { encryptedData: { password: 'a', user: 'b' } }),
    sealedSecret('a'),
  ],
  [
    'a store may have it',
    externalSecret('a'),
    object('external-secrets.io/v1', 'ExternalSecret', 'database', {
      target: { name: 'db' },
      data: OTHER_KEY,
      dataFrom: [{ extract: { key: 'a' } }],
    }),
  ],
  [
    'a template of a ConfigMap adds keys to it',
    externalSecret('a'),
    object('external-secrets.io/v1', 'ExternalSecret', 'database', {
      target: { name: 'db', template: { templateFrom: [{ configMap: { name: 'a', items: [{ key: 'b' }] } }] } },
      data: OTHER_KEY,
    }),
  ],
  [
    'a template is merged with it',
    externalSecret('a'),
    externalSecret('a', { name: 'db', template: { mergePolicy: 'Merge', data: { url: '{{ .password }}' } } }),
  ],
])('no key is missing if %s', (_why, old, next) => {
  expect(removedKeyFor(old, next)).toEqual([]);
});

test.each<[string, readonly object[], readonly object[]]>([
  ['it owns no Secret', [certificate('a.example.com')], []],
  ['its Secret has no owner', [externalSecret('a', { name: 'db', creationPolicy: 'Orphan' })], []],
  ['another object writes the Secret', [sealedSecret('a')], [externalSecret('a')]],
  ['NEW has the Secret itself', [sealedSecret('a')], [SECRET]],
])('pods lose nothing with a deleted object if %s', (_why, old, next) => {
  expect(removedFor(old, next)).toEqual([]);
});

const SETTINGS = (value: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { 'values.yaml': value },
});

const RELEASE = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'web', { valuesFrom: [{ kind: 'ConfigMap', name: 'settings' }] });
const KAFKA = object('kafka.strimzi.io/v1beta2', 'Kafka', 'events', {
  kafka: { metricsConfig: { valueFrom: { configMapKeyRef: { name: 'settings', key: 'values.yaml' } } } },
});
const MONITOR = object('monitoring.coreos.com/v1', 'ServiceMonitor', 'web', { jobLabel: 'settings' });
const CLONE_SET = object('apps.kruise.io/v1alpha1', 'CloneSet', 'web', {
  template: { spec: { containers: [{ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name: 'settings' } }] }] } },
});

/** Returns the effect on the ConfigMap next to another object, and what the headline says of pods. */
function changeNextTo(...others: readonly object[]): string {
  const plan = expectValidPlan(planChange([SETTINGS('a: 1'), ...others], [SETTINGS('a: 2'), ...others]));
  return `${plan.change.objects[0]!.effect}: ${/no pods are affected|affected pods is unknown/.exec(renderPlanText(plan))?.[0]}`;
}

test('what a changed ConfigMap does is unknown if an object without a plan names it', () => {
  expect(changeNextTo(RELEASE)).toBe('unknown: affected pods is unknown');
  expect(changeNextTo(KAFKA)).toBe('unknown: affected pods is unknown');
  expect(changeNextTo({ ...KAFKA, metadata: { name: 'events' } })).toBe('unknown: affected pods is unknown');
});

test.each([
  ['outside of a spec', { ...KAFKA, spec: undefined, configRef: { name: 'settings' } }],
  [
    'with its namespace',
    { ...KAFKA, metadata: { name: 'a', namespace: 'b' }, spec: { configRef: { namespace: 'shop', name: 'settings' } } },
  ],
  ['as one text with its namespace', { ...KAFKA, metadata: { name: 'a', namespace: 'b' }, spec: { configRef: 'shop/settings' } }],
])('such an object may name it %s', (_where, reader) => {
  expect(changeNextTo(reader)).toBe('unknown: affected pods is unknown');
});

test('a new or deleted ConfigMap that such an object names is counted as not planned', () => {
  for (const [old, next] of [
    [[RELEASE], [SETTINGS('a: 1'), RELEASE]],
    [[SETTINGS('a: 1'), RELEASE], [RELEASE]],
  ] as const) {
    const { notPlanned } = expectValidPlan(planChange(old, next, { prune: true }));
    expect(notPlanned.map(({ kind }) => kind)).toEqual(['HelmRelease', 'ConfigMap']);
  }
});

test('it is known otherwise', () => {
  expect(changeNextTo({ ...KAFKA, metadata: { name: 'events', namespace: 'other' } })).toBe('settings: no pods are affected');
  expect(changeNextTo({ ...KAFKA, metadata: { name: 'settings', namespace: 'shop' }, spec: {}, status: { configMap: 'settings' } })).toBe(
    'settings: no pods are affected',
  );
  expect(changeNextTo(MONITOR)).toBe('settings: no pods are affected');
  expect(changeNextTo(CLONE_SET)).toBe('restart-needed: no pods are affected');
});

test('an object of which a controller writes a Secret counts as one', () => {
  const release = object('helm.toolkit.fluxcd.io/v2', 'HelmRelease', 'web', { valuesFrom: [{ kind: 'Secret', name: 'db' }] });
  const plan = expectValidPlan(planChange([sealedSecret('a'), release], [sealedSecret('b'), release]));
  expect(plan.change.objects.map(({ effect }) => effect)).toEqual(['unknown', 'none']);
});

test('pods that read a recreated ConfigMap or Secret keep the old values, as after an update', () => {
  const annotations = { 'argocd.argoproj.io/sync-options': 'Force=true,Replace=true' };
  const secret = (a: string) => ({ ...SECRET, metadata: { ...SECRET.metadata, annotations }, stringData: { a } });
  const writer = (key: string) => ({ ...externalSecret(key), metadata: { name: 'database', namespace: 'shop', annotations } });
  const effectsOf = (old: object, next: object) => planChange([old, WEB], [next, WEB]).change.objects.map(({ effect }) => effect);
  expect(effectsOf(secret('b'), secret('c'))).toEqual(['restart-needed', 'none']);
  expect(effectsOf(writer('b'), writer('c'))).toEqual(['restart-needed', 'none']);
});
