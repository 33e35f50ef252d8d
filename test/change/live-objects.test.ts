import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import type { ApplyMode } from '../../src/core/document/change';
import { collectFindings } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { autoscaler } from '../builders/autoscaler';
import { renderPlanText } from '../../src/render/text/plan';

const UID = '5b5b1a3e-0000-4000-8000-000000000001';

const template = (image: string, hash?: string) => ({
  metadata: { labels: { app: 'web', ...(hash !== undefined && { 'pod-template-hash': hash }) } },
  spec: { containers: [{ name: 'web', image }] },
});

function manifest(image: string, spec: object = {}): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 9, selector: { matchLabels: { app: 'web' } }, template: template(image), ...spec },
  };
}

function live(image: string, status: object, spec: object = {}): object {
  const object = manifest(image, spec) as { metadata: object };
  return {
    ...object,
    metadata: { ...object.metadata, uid: UID, resourceVersion: '7', generation: 2 },
    status: { observedGeneration: 2, ...status },
  };
}

function replicaSet(name: string, image: string, replicas: number, availableReplicas: number, created: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'shop',
      uid: `${UID}-${name}`,
      creationTimestamp: created,
      annotations: {
        'deployment.kubernetes.io/revision': name.slice(-1),
        'deployment.kubernetes.io/desired-replicas': '9',
        'deployment.kubernetes.io/max-replicas': '12',
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: UID, controller: true }],
    },
    spec: { replicas, template: template(image, name) },
    status: { replicas, availableReplicas },
  };
}

function changeOf(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  return expectValidPlan(planChange(old, next, options));
}

/** A rollout in which 5 of 9 pods are updated and none of those becomes ready. */
const STUCK = [
  live('web:2', {
    replicas: 12,
    updatedReplicas: 5,
    availableReplicas: 7,
    conditions: [{ type: 'Progressing', reason: 'ProgressDeadlineExceeded' }],
  }),
  replicaSet('web-1', 'web:1', 7, 7, '2026-01-01T00:00:00Z'),
  replicaSet('web-2', 'web:2', 5, 0, '2026-02-01T00:00:00Z'),
];

describe('a rollout that has not finished', () => {
  test('is reported first, and a new version overtakes it: pods that are not ready are deleted at once', () => {
    const { rollouts, change } = changeOf(STUCK, [manifest('web:3')]);
    expect(change.objects.map(({ effect }) => effect)).toEqual(['roll']);
    expect(rollouts[0]!.initialState).toEqual({
      replicas: 9,
      revisions: [
        { revision: '1', replicas: 7, available: 7 },
        { revision: '2', replicas: 5, available: 0 },
      ],
      underWay: true,
      health: 'deadline-exceeded',
    });
    expect(rollouts[0]!.simulation).toMatchObject({
      replicas: 9,
      waves: [
        { wave: 1, newReplicas: 5, oldReplicas: 7, total: 12, available: 7 },
        { wave: 2, newReplicas: 9, oldReplicas: 2, total: 11, available: 7 },
        { wave: 3, newReplicas: 9, oldReplicas: 0, total: 9, available: 9 },
      ],
      peakPods: 12,
      minAvailable: 7,
    });
  });

  test('is ended by a rollback: the running pods of the old version count', () => {
    const { rollouts } = changeOf(STUCK, [manifest('web:1')]);
    expect(rollouts[0]!.simulation).toMatchObject({
      waves: [{ wave: 1, newReplicas: 9, oldReplicas: 0, total: 9, available: 7 }],
      iterations: 1,
      minAvailable: 7,
    });
  });
});

test('an autoscaler may choose any of its numbers later, so that its rollouts start from a steady state', () => {
  const scaler = autoscaler({ minReplicas: 2, maxReplicas: 20 }, { namespace: 'shop' });
  const ends = (old: readonly object[]) => changeOf([...old, scaler], [manifest('web:3'), scaler]).rollouts[0]!.autoscaled;
  const autoscaled = ends(STUCK);
  expect(autoscaled).toMatchObject({
    minimum: { replicas: 2 },
    maximum: {
      replicas: 20,
      waves: [
        { newReplicas: 10, oldReplicas: 15, available: 15 },
        { newReplicas: 20, oldReplicas: 5, available: 15 },
        { newReplicas: 20, oldReplicas: 0, available: 20 },
      ],
    },
  });
  expect(autoscaled).toEqual(ends([manifest('web:2')]));
});

describe('in the middle of a rollout', () => {
  const GOING_ON = [
    live('web:2', { replicas: 12, updatedReplicas: 5, availableReplicas: 7, unavailableReplicas: 5 }),
    replicaSet('web-1', 'web:1', 7, 7, '2026-01-01T00:00:00Z'),
    replicaSet('web-2', 'web:2', 5, 0, '2026-01-02T00:00:00Z'),
  ];
  const PAUSED = [
    live('web:2', { replicas: 12, updatedReplicas: 5, availableReplicas: 7, unavailableReplicas: 5 }, { paused: true }),
    ...GOING_ON.slice(1),
  ];

  test.each<[string, readonly object[], object, string]>([
    ['a pause holds back the rest', GOING_ON, manifest('web:2', { paused: true }), 'held'],
    [
      'other replicas scale in proportion to the pods of each version, and the rest rolls',
      GOING_ON,
      manifest('web:2', { replicas: 12 }),
      'roll-and-scale',
    ],
    ['a deadline is a setting', GOING_ON, manifest('web:2', { progressDeadlineSeconds: 60 }), 'settings'],
    ['a paused Deployment that is resumed rolls', PAUSED, manifest('web:2', { paused: false }), 'roll'],
    [
      'a paused Deployment that is resumed with other replicas rolls and scales',
      PAUSED,
      manifest('web:2', { paused: false, replicas: 12 }),
      'roll-and-scale',
    ],
    ['a paused Deployment scales', PAUSED, manifest('web:2', { paused: true, replicas: 12 }), 'scale'],
    ['a paused Deployment stores another template and waits', PAUSED, manifest('web:3', { paused: true }), 'held'],
  ])('%s', (_what, old, next, effect) => {
    const { change, rollouts } = changeOf(old, [next]);
    expect(change.objects.map((object) => object.effect)).toEqual([effect]);
    expect(rollouts[0]!.initialState).toMatchObject({
      underWay: true,
      revisions: [
        { replicas: 7, available: 7 },
        { replicas: 5, available: 0 },
      ],
    });
  });

  test('a paused Deployment that is resumed starts where it stopped', () => {
    const { rollouts, change } = changeOf(PAUSED, [manifest('web:2', { paused: false })]);
    expect(rollouts[0]!.simulation).toMatchObject({
      waves: [
        { wave: 1, newReplicas: 9, oldReplicas: 2, available: 7 },
        { wave: 2, newReplicas: 9, oldReplicas: 0, available: 9 },
      ],
    });
    expect(change.summary).toMatchObject({ podsReplaced: 4 });
  });
});

test('the pods of the older template roll when a paused Deployment is resumed', () => {
  const paused = [
    live('web:2', { replicas: 9, updatedReplicas: 0, availableReplicas: 9 }, { paused: true }),
    replicaSet('web-1', 'web:1', 9, 9, '2026-01-01T00:00:00Z'),
  ];
  expect(changeOf(paused, [manifest('web:2', { paused: false })]).change.objects.map(({ effect }) => effect)).toEqual(['roll']);
});

test('a paused Deployment known only from a manifest does not show which pods run, so the effect of resuming it is unknown', () => {
  const { change, rollouts, findings } = changeOf([manifest('web:1', { paused: true })], [manifest('web:1')]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['unknown']);
  expect(rollouts[0]!.initialState).toEqual({ replicas: 9, revisions: [], underWay: false, health: 'paused' });
  expect(findings.filter(({ messageId }) => messageId === 'unknown-pod-template').map(({ code, data }) => [code, data])).toEqual([
    ['change/incomplete-information', { resources: ['Deployment shop/web'] }],
  ]);
  const rolled = changeOf([manifest('web:1', { paused: true })], [manifest('web:2')]);
  expect(rolled.change.objects.map(({ effect }) => effect)).toEqual(['roll']);
  expect(rolled.change.summary).toMatchObject({ podsReplaced: 9, peakExtraPods: 3 });
});

describe('the replicas of a live Deployment', () => {
  const annotated = (old: object) => ({
    ...old,
    metadata: {
      ...(old as { metadata: object }).metadata,
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(manifest('web:1'))}\n` },
    },
  });
  const running = annotated(live('web:1', { replicas: 9, updatedReplicas: 9, availableReplicas: 9 }));

  test('revert to 1 if the manifest no longer sets them, and the plan advises what to do first', () => {
    const plan = changeOf([running], [manifest('web:1', { replicas: undefined })]);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'scale', apply: 'client', pods: { before: 9, after: 1 } });
    expect(plan.rollouts[0]!.findings).toMatchObject([
      { code: 'change/reverts-to-default', messageId: 'replicas', severity: 'warning', path: 'spec.replicas', data: { replicas: 9 } },
    ]);
  });

  test('stay if the last applied configuration is not known, which is reported once', () => {
    const plan = changeOf(
      [live('web:1', { replicas: 9, updatedReplicas: 9, availableReplicas: 9 })],
      [manifest('web:1', { replicas: undefined })],
    );
    expect(plan.change.objects[0]!.effect).toBe('none');
    expect(collectFindings(plan)).toMatchObject([{ code: 'change/no-last-applied', messageId: 'nothing-deleted', data: { objects: 1 } }]);
  });

  test('stay under helm, since a live object does not show its last release, which is reported once', () => {
    const plan = changeOf([running], [manifest('web:1', { replicas: undefined })], { apply: 'helm' });
    expect(plan.change.objects[0]!.effect).toBe('none');
    expect(collectFindings(plan)).toMatchObject([{ code: 'change/no-last-applied', messageId: 'release-unknown', data: { objects: 1 } }]);
  });

  test('stay under a server-side apply if no field managers are shown, which is reported once', () => {
    const plan = changeOf([running], [manifest('web:1', { replicas: undefined })], { apply: 'server' });
    expect(plan.change.objects[0]!.effect).toBe('none');
    expect(collectFindings(plan)).toMatchObject([{ code: 'change/no-last-applied', messageId: 'managers-unknown', data: { objects: 1 } }]);
  });

  const AUTOSCALER = autoscaler({ minReplicas: 2, maxReplicas: 20 }, { namespace: 'shop' });

  test.each<[ApplyMode, string]>([
    ['client', 'kubectl apply edit-last-applied'],
    ['server', '--field-manager=handover'],
    ['helm', 'Helm deletes what a new release no longer sets'],
    ['replace', 'a PUT restores the default of every field that it does not set'],
  ])('are handed over to an autoscaler in another way under %s', (apply, advice) => {
    const next = manifest('web:1', { replicas: undefined });
    const { rollouts } = changeOf([manifest('web:1'), AUTOSCALER], [next, AUTOSCALER], { apply });
    const finding = rollouts[0]!.findings.find(({ code }) => code === 'change/reverts-to-default');
    expect(finding).toMatchObject({ messageId: 'replicas', data: { apply, autoscaler: 'HorizontalPodAutoscaler "web"' } });
    expect(finding!.help).toContain(advice);
  });

  test('have no finding if an autoscaler writes them and neither the last apply nor the manifest sets them', () => {
    const unnamed = manifest('web:1', { replicas: undefined });
    const last = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(unnamed) };
    const base = live('web:1', { replicas: 9, updatedReplicas: 9, availableReplicas: 9 });
    const scaled = { ...base, metadata: { ...(base as { metadata: object }).metadata, annotations: last } };
    const codesOf = (next: object) => changeOf([scaled, AUTOSCALER], [next, AUTOSCALER]).rollouts[0]!.findings.map(({ code }) => code);
    expect([codesOf(unnamed), codesOf(manifest('web:2', { replicas: undefined }))]).toEqual([[], []]);
    expect(codesOf(manifest('web:2'))).toEqual(['kubernetes/hpa-owns-replicas']);
  });

  test('revert to 1 under replace, which is a PUT', () => {
    const { change } = changeOf([running], [manifest('web:1', { replicas: undefined })], { apply: 'replace' });
    expect(change.objects[0]).toMatchObject({ effect: 'scale', apply: 'replace', pods: { before: 9, after: 1 } });
  });
});

test('an object that a controller created is not part of the change, and is not deleted with --prune', () => {
  const { change } = changeOf(STUCK, [manifest('web:2')], { prune: true });
  expect(change.objects.map(({ resource }) => resource.kind)).toEqual(['Deployment']);
});

describe('the rollback', () => {
  const rollbackOf = (next: object, old: object) => changeOf([old], [next]).rollouts[0]!.rollback;

  test('of a Deployment is the old ReplicaSet, unless none is kept', () => {
    expect(rollbackOf(manifest('web:2'), manifest('web:1'))).toMatchObject({
      works: true,
      command: 'kubectl rollout undo deployment/web -n shop',
    });
    expect(rollbackOf(manifest('web:2', { revisionHistoryLimit: 0 }), manifest('web:1'))).toMatchObject({ works: false });
  });

  test('of a StatefulSet in OrderedReady names the pod to delete', () => {
    const set = (image: string, spec: object = {}) => ({
      ...manifest(image, { serviceName: 'web', replicas: 3, ...spec }),
      kind: 'StatefulSet',
    });
    expect(rollbackOf(set('web:2'), set('web:1'))).toMatchObject({
      works: false,
      command: 'kubectl rollout undo statefulset/web -n shop && kubectl delete pod web-2 -n shop',
    });
    const parallel = { podManagementPolicy: 'Parallel' };
    expect(rollbackOf(set('web:2', parallel), set('web:1', parallel))).toMatchObject({ works: true });
  });
});

describe('a StatefulSet during a rollout', () => {
  const DB = '5b5b1a3e-0000-4000-8000-000000000002';
  const set = (image: string, spec: object = {}) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'shop' },
    spec: { replicas: 4, serviceName: 'db', selector: { matchLabels: { app: 'web' } }, template: template(image), ...spec },
  });
  const liveSet = (image: string, status: object, spec: object = {}) => ({
    ...set(image, spec),
    metadata: { name: 'db', namespace: 'shop', uid: DB, resourceVersion: '7' },
    status,
  });
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: DB, controller: true };
  const revision = (name: string, image: string, number: number) => ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name, namespace: 'shop', ownerReferences: [owner] },
    revision: number,
    data: { spec: { template: { ...template(image), $patch: 'replace' } } },
  });
  const pod = (ordinal: number, hash: string, ready: boolean) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `db-${ordinal}`,
      namespace: 'shop',
      labels: { app: 'web', 'controller-revision-hash': hash },
      ownerReferences: [owner],
    },
    spec: template('web').spec,
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  });
  const UNDER_WAY = {
    currentRevision: 'db-1',
    updateRevision: 'db-2',
    replicas: 4,
    updatedReplicas: 1,
    readyReplicas: 3,
    availableReplicas: 3,
  };
  const REVISIONS = [revision('db-1', 'web:1', 1), revision('db-2', 'web:2', 2)];

  test('rolls back only the pods that the status shows as replaced, and names the pod that may be broken', () => {
    const plan = changeOf([liveSet('web:2', UNDER_WAY), ...REVISIONS], [set('web:1')]);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
    expect(plan.rollouts[0]!.initialState).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'db-1', replicas: 3, available: 3 },
        { revision: 'db-2', replicas: 1, available: 0 },
      ],
      underWay: true,
      health: 'progressing',
    });
    expect(plan.rollouts[0]!.simulation).toMatchObject({ order: [3], batches: [[3]], untouched: [] });
    expect(plan.change.summary.podsReplaced).toBe(1);
    expect(plan.rollouts[0]!.findings).toMatchObject([
      {
        code: 'change/blocked-by-pod',
        messageId: 'maybe-not-ready',
        severity: 'warning',
        path: '',
        data: { pod: 'db-3', namespace: 'shop' },
      },
    ]);
  });

  test.each([
    ['a partition', { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 3 } } }],
    ['OnDelete', { updateStrategy: { type: 'OnDelete' } }],
  ])('has finished if %s holds the other pods on purpose', (_, held) => {
    const status = { ...UNDER_WAY, readyReplicas: 4, availableReplicas: 4 };
    const ready = changeOf([liveSet('web:2', status, held), ...REVISIONS], [set('web:3', held)]);
    const unready = changeOf([liveSet('web:2', UNDER_WAY, held), ...REVISIONS], [set('web:3', held)]);

    expect(ready.rollouts[0]!.initialState).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'db-1', replicas: 3, available: 3 },
        { revision: 'db-2', replicas: 1, available: 1 },
      ],
      underWay: false,
    });
    expect(renderPlanText(ready)).toContain('StatefulSet shop/db: before the apply: 1 of 4 updated\n');
    expect(renderPlanText(unready)).toContain('StatefulSet shop/db: the last rollout has not finished: 1 of 4 updated, in progress\n');
  });

  test('deadlocks at a pod that is known to be broken, and nothing is replaced', () => {
    const pods = [pod(0, 'db-1', true), pod(1, 'db-1', true), pod(2, 'db-1', true), pod(3, 'db-2', false)];
    const plan = changeOf([liveSet('web:2', UNDER_WAY), ...REVISIONS, ...pods], [set('web:1')]);
    expect(plan.rollouts[0]!.simulation).toMatchObject({ order: [], untouched: [3], blocked: { ordinal: 3, reason: 'unready' } });
    expect(plan.rollouts[0]!.findings).toMatchObject([
      { code: 'change/blocked-by-pod', messageId: 'not-ready', severity: 'error', path: '', data: { pod: 'db-3', namespace: 'shop' } },
    ]);
  });

  test('that continues with its current template waits for its pod, which may still become ready', () => {
    const pods = [pod(0, 'db-1', true), pod(1, 'db-1', true), pod(2, 'db-1', true), pod(3, 'db-2', false)];
    const from = (partition: number) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } });
    const plan = changeOf([liveSet('web:2', UNDER_WAY, from(3)), ...REVISIONS, ...pods], [set('web:2', from(0))]);
    expect(plan.change.objects[0]!.effect).toBe('roll');
    expect(plan.rollouts[0]!.simulation).toMatchObject({ order: [2, 1, 0], minAvailable: 3 });
    expect(plan.rollouts[0]!.findings).toEqual([]);
  });

  test.each<readonly [what: string, ready: number, replicas: number, policy: string, found: readonly string[]]>([
    [
      'is scaled up with a pod that is not ready',
      3,
      6,
      'OrderedReady',
      ['warning: 1 pod is not ready, and in OrderedReady the controller waits for it before it adds 2 pods.'],
    ],
    [
      'is scaled down with more pods that are not ready than it deletes',
      2,
      3,
      'OrderedReady',
      ['warning: 2 pods are not ready, and in OrderedReady the controller waits for them before it deletes 1 pod.'],
    ],
    ['is scaled down with one that it may delete', 3, 3, 'OrderedReady', []],
    ['is scaled up with all ready', 4, 6, 'OrderedReady', []],
    ['is scaled up in Parallel', 3, 6, 'Parallel', []],
  ])('waits for its pods if it %s', (_, ready, replicas, podManagementPolicy, found) => {
    const status = { currentRevision: 'db-1', updateRevision: 'db-1', replicas: 4, readyReplicas: ready, availableReplicas: ready };
    const plan = changeOf([liveSet('web:1', status, { podManagementPolicy })], [set('web:1', { podManagementPolicy, replicas })]);
    expect(plan.change.objects[0]!.effect).toBe('scale');
    const findings = plan.rollouts[0]!.findings.filter(({ code }) => code === 'change/blocked-by-pod');
    expect(findings.map(({ severity, message }) => `${severity}: ${message}`)).toEqual(found);
  });

  test('in Parallel replaces a broken pod, and with the gate of 1.37 counts it against maxUnavailable', () => {
    const parallel = { podManagementPolicy: 'Parallel' };
    const pods = [pod(0, 'db-1', false), pod(1, 'db-1', true), pod(2, 'db-1', true), pod(3, 'db-1', true)];
    const old = [liveSet('web:1', { currentRevision: 'db-1', updateRevision: 'db-1', replicas: 4 }, parallel), REVISIONS[0]!, ...pods];
    const next = [set('web:2', parallel)];
    expect(changeOf(old, next, { versions: { kubernetes: '1.34' } }).rollouts[0]!.simulation).toMatchObject({ order: [3, 2, 1, 0] });
    const gated = changeOf(old, next, { versions: { kubernetes: '1.37' } }).rollouts[0]!;
    expect(gated.simulation).toMatchObject({ order: [], untouched: [0, 1, 2, 3], blocked: { ordinal: 0 } });
    expect(gated.findings).toMatchObject([{ code: 'change/blocked-by-pod', messageId: 'uses-up-limit', data: { pod: 'db-0' } }]);
  });

  test('does not count the pods of a set with its name in another group', () => {
    const atRest = { currentRevision: 'db-1', updateRevision: 'db-1', replicas: 4, readyReplicas: 4, availableReplicas: 4 };
    const written = (api: string) => ({
      ...pod(2, 'db-1', false),
      metadata: { ...pod(2, 'db-1', false).metadata, ownerReferences: [{ ...owner, apiVersion: api, uid: undefined }] },
    });
    const findingsBeside = (api: string) =>
      changeOf([liveSet('web:1', atRest), written(api)], [set('web:2')]).rollouts[0]!.findings.map(({ code }) => code);
    expect(findingsBeside('apps/v1')).toContain('change/blocked-by-pod');
    expect(findingsBeside('apps.kruise.io/v1beta1')).not.toContain('change/blocked-by-pod');
  });

  test('with more pods than are listed starts from its status', () => {
    const status = { currentRevision: 'db-1', updateRevision: 'db-2', updatedReplicas: 2_000_000_000, readyReplicas: 2_147_483_647 };
    const old = [liveSet('web:2', status, { replicas: 2_147_483_647 }), ...REVISIONS];
    const plan = changeOf(old, [set('web:3', { replicas: 2_147_483_647 })]);
    expect(plan.rollouts[0]!.simulation).toMatchObject({ replicas: 2_147_483_647, elided: 2_147_483_547 });
  });
});

describe('a DaemonSet during a rollout', () => {
  const AGENT = '5b5b1a3e-0000-4000-8000-000000000003';
  const agent = (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'shop' },
    spec: { selector: { matchLabels: { app: 'web' } }, template: template(image) },
  });
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: AGENT, controller: true };
  const status = { desiredNumberScheduled: 5, updatedNumberScheduled: 2, numberAvailable: 4 };
  const liveAgent = (image: string) => ({
    ...agent(image),
    metadata: { name: 'agent', namespace: 'shop', uid: AGENT, resourceVersion: '7' },
    status,
  });
  const revision = (name: string, image: string, number: number) => ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: `agent-${name}`, namespace: 'shop', labels: { 'controller-revision-hash': name }, ownerReferences: [owner] },
    revision: number,
    data: { spec: { template: { ...template(image), $patch: 'replace' } } },
  });
  const REVISIONS = [revision('a', 'web:1', 1), revision('b', 'web:2', 2)];
  const pod = (node: number, hash: string, ready: boolean) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `agent-${node}`,
      namespace: 'shop',
      labels: { app: 'web', 'controller-revision-hash': hash },
      ownerReferences: [owner],
    },
    spec: { ...template('web').spec, nodeName: `node-${node}` },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  });

  test('is overtaken: pods that are not available are deleted first', () => {
    const plan = changeOf([liveAgent('web:2'), ...REVISIONS], [agent('web:3')]);
    expect(plan.change.objects[0]).toMatchObject({ effect: 'roll' });
    expect(plan.rollouts[0]!.simulation).toMatchObject({
      nodes: 5,
      waves: [
        { wave: 1, newPods: 1, oldPods: 4, available: 4 },
        { wave: 2, newPods: 2, oldPods: 3, available: 4 },
        { wave: 3, newPods: 3, oldPods: 2, available: 4 },
        { wave: 4, newPods: 4, oldPods: 1, available: 4 },
        { wave: 5, newPods: 5, oldPods: 0, available: 4 },
      ],
    });
    expect(plan.change.summary.podsReplaced).toBe(5);
  });

  test('is rolled back only on the nodes that had the new version', () => {
    const pods = [pod(1, 'a', true), pod(2, 'a', true), pod(3, 'a', true), pod(4, 'b', true), pod(5, 'b', false)];
    const plan = changeOf([liveAgent('web:2'), ...REVISIONS, ...pods], [agent('web:1')]);
    expect(plan.rollouts[0]!.simulation).toMatchObject({
      waves: [
        { wave: 1, newPods: 4, oldPods: 1, available: 4 },
        { wave: 2, newPods: 5, oldPods: 0, available: 4 },
      ],
    });
    expect(plan.change.summary.podsReplaced).toBe(2);
  });
});

describe('the peak number of extra pods', () => {
  const extra = (old: readonly object[], next: readonly object[]) => changeOf(old, next).change.summary.peakExtraPods;

  test('is counted from the pods that run before, including a surge in progress', () => {
    expect(extra(STUCK, [manifest('web:3')])).toBe(0);
    expect(extra([manifest('web:1')], [manifest('web:2')])).toBe(3);
  });

  test('is higher if the workload also grows, and zero if old pods are deleted first', () => {
    expect(extra([manifest('web:1', { replicas: 4 })], [manifest('web:2', { replicas: 8 })])).toBe(6);
    expect(extra([manifest('web:1', { replicas: 8 })], [manifest('web:2', { replicas: 4 })])).toBe(0);
    expect(extra([manifest('web:1', { replicas: 4 })], [manifest('web:1', { replicas: 8 })])).toBe(4);
  });
});

describe('a field that reverts to its default', () => {
  const fallsBack = (kind: string, spec: object, pod: object = {}) => {
    const of = (own: object, podSpec: object) => ({
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { ...template('web:1'), spec: { ...template('web:1').spec, ...podSpec } },
        ...(kind === 'StatefulSet' && { serviceName: 'web', replicas: 4 }),
        ...own,
      },
    });
    const { rollouts } = changeOf([of(spec, pod)], [of({}, {})]);
    return rollouts[0]!.findings.filter(({ code }) => code === 'change/reverts-to-default').map(({ path, data }) => [path, data]);
  };

  test('is a finding if the default does harm', () => {
    expect(
      fallsBack('Deployment', { strategy: { type: 'Recreate' }, minReadySeconds: 30 }, { terminationGracePeriodSeconds: 120 }),
    ).toEqual([
      ['spec.strategy.type', { field: 'type', before: 'Recreate', after: 'RollingUpdate', harm: 'two-versions' }],
      ['spec.minReadySeconds', { field: 'minReadySeconds', before: 30, after: 0, harm: 'unwatched' }],
      [
        'spec.template.spec.terminationGracePeriodSeconds',
        { field: 'terminationGracePeriodSeconds', before: 120, after: 30, harm: 'killed-sooner' },
      ],
    ]);
    expect(fallsBack('StatefulSet', { updateStrategy: { rollingUpdate: { partition: 3 } } })).toEqual([
      ['spec.updateStrategy.rollingUpdate.partition', { field: 'partition', before: 3, after: 0, harm: 'released' }],
    ]);
    expect(fallsBack('DaemonSet', { updateStrategy: { type: 'OnDelete' } })).toEqual([
      ['spec.updateStrategy.type', { field: 'type', before: 'OnDelete', after: 'RollingUpdate', harm: 'released' }],
    ]);
  });

  test('is no finding about released pods if the live object shows that none is on an old template', () => {
    const spec = { replicas: 4, serviceName: 'db', selector: { matchLabels: { app: 'web' } }, template: template('web:1') };
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'shop' } };
    const codesOf = (updatedReplicas: number) => {
      const status = {
        currentRevision: 'db-1',
        updateRevision: updatedReplicas === 4 ? 'db-1' : 'db-2',
        replicas: 4,
        updatedReplicas,
        readyReplicas: 4,
      };
      const running = { ...set, metadata: { ...set.metadata, uid: 'u' }, spec: { ...spec, updateStrategy: { type: 'OnDelete' } }, status };
      const { change, rollouts } = changeOf([running], [{ ...set, spec: { ...spec, updateStrategy: null } }]);
      return [change.objects[0]!.effect, ...rollouts[0]!.findings.map(({ code }) => code)];
    };
    expect(codesOf(4)).toEqual(['settings']);
    expect(codesOf(1)).toEqual(['roll', 'change/reverts-to-default']);
  });

  test('is no finding if the default is harmless', () => {
    expect(fallsBack('Deployment', { progressDeadlineSeconds: 60, revisionHistoryLimit: 2 }, { terminationGracePeriodSeconds: 5 })).toEqual(
      [],
    );
  });
});

describe('a live object without an available pod is not said to lose one', () => {
  const TEMPLATE = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } });
  const codesOf = (kind: string, apiVersion: string, spec: (image: string) => object, status: object) => {
    const object = (image: string, metadata: object = {}) => ({
      apiVersion,
      kind,
      metadata: { name: 'web', namespace: 'shop', ...metadata },
      spec: spec(image),
    });
    const old = { ...object('web:1', { uid: UID, resourceVersion: '7', generation: 1 }), status: { observedGeneration: 1, ...status } };
    const { rollouts } = planChange([old], [object('web:2')]);
    return rollouts.flatMap(({ findings }) => findings.map(({ code, messageId }) => `${code} ${messageId}`));
  };
  const selector = { matchLabels: { app: 'web' } };

  test('a StatefulSet, whose controller waits for its first pod', () => {
    const spec = (image: string) => ({ replicas: 1, serviceName: 'web', selector, template: TEMPLATE(image) });
    const status = { replicas: 1, currentRevision: 'web-1', updateRevision: 'web-1', updatedReplicas: 1, currentReplicas: 1 };
    expect(codesOf('StatefulSet', 'apps/v1', spec, { ...status, availableReplicas: 0 })).toEqual(['change/blocked-by-pod none-ready']);
    expect(codesOf('StatefulSet', 'apps/v1', spec, { ...status, availableReplicas: 1 })).toEqual(['kubernetes/outage onlyPod']);
  });

  test('a StatefulSet, whose controller waits for any pod that is not ready, unless it is Parallel', () => {
    const status = { replicas: 3, currentRevision: 'web-1', updateRevision: 'web-1', updatedReplicas: 3, currentReplicas: 3 };
    const codesAt = (availableReplicas: number, podManagementPolicy: string) => {
      const spec = (image: string) => ({ replicas: 3, podManagementPolicy, serviceName: 'web', selector, template: TEMPLATE(image) });
      return codesOf('StatefulSet', 'apps/v1', spec, { ...status, availableReplicas });
    };
    expect(codesAt(2, 'OrderedReady')).toEqual(['change/blocked-by-pod some-not-ready']);
    expect(codesAt(3, 'OrderedReady')).toEqual([]);
    expect(codesAt(2, 'Parallel')).toEqual([]);
  });

  test('a DaemonSet, whose status omits the number of available pods if it is 0', () => {
    const spec = (image: string) => ({ updateStrategy: { rollingUpdate: { maxUnavailable: 1 } }, selector, template: TEMPLATE(image) });
    const status = { desiredNumberScheduled: 1, currentNumberScheduled: 1, updatedNumberScheduled: 1, numberMisscheduled: 0 };
    expect(codesOf('DaemonSet', 'apps/v1', spec, { ...status, numberReady: 0, numberUnavailable: 1 })).toEqual([]);
    expect(codesOf('DaemonSet', 'apps/v1', spec, { ...status, numberReady: 1, numberAvailable: 1 })).toEqual([
      'kubernetes/outage unavailable',
    ]);
  });

  test('a LeaderWorkerSet, whose status omits the number of ready groups if it is 0', () => {
    const spec = (image: string) => ({
      replicas: 1,
      rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: { maxUnavailable: 1, maxSurge: 0 } },
      leaderWorkerTemplate: { size: 2, workerTemplate: TEMPLATE(image) },
    });
    const api = 'leaderworkerset.x-k8s.io/v1';
    expect(codesOf('LeaderWorkerSet', api, spec, { replicas: 1, updatedReplicas: 1 })).toEqual([]);
    expect(codesOf('LeaderWorkerSet', api, spec, { replicas: 1, updatedReplicas: 1, readyReplicas: 1 })).toEqual(['lws/outage outage']);
  });
});
