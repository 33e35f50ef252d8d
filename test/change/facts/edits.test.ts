import { container, describeEffect, workload } from './effects';

/* Table a.2: which edits replace pods. */

const IMAGE = 'spec.template.spec.containers[web].image';
const NEW_IMAGE = container({ image: 'web:2' });
const RESTARTED = {
  template: {
    metadata: { labels: { app: 'web' }, annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-01-01T00:00:00Z' } },
    spec: { containers: [{ name: 'web', image: 'web:1' }] },
  },
};
const RESTART = 'roll | spec.template.metadata.annotations';
const LABELLED = {
  template: { metadata: { labels: { app: 'web', tier: 'a' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
};
const OTHER_SELECTOR = { selector: { matchLabels: { app: 'web', tier: 'a' } }, ...LABELLED };
const IMMUTABLE = 'spec.selector: Invalid value: {"matchLabels":{"app":"web","tier":"a"}}: field is immutable';
const ONLY =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
const ON_DELETE = { updateStrategy: { type: 'OnDelete' } };
const from = (partition: number) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } });

/** [what, kind, OLD's own spec, NEW's own spec, NEW's metadata, NEW's pods, the effect] */
type Row = readonly [string, string, object, object, object, object, string];

const ROWS: readonly Row[] = [
  ...['Deployment', 'StatefulSet', 'DaemonSet'].flatMap((kind): Row[] => [
    ['another template', kind, {}, {}, {}, NEW_IMAGE, `roll | ${IMAGE}`],
    ['kubectl rollout restart', kind, {}, RESTARTED, {}, {}, RESTART],
    ['a label of the template', kind, {}, LABELLED, {}, {}, 'roll | spec.template.metadata.labels[tier]'],
    ['metadata.labels', kind, {}, {}, { labels: { team: 'a' } }, {}, 'metadata | metadata.labels'],
    ['metadata.annotations', kind, {}, {}, { annotations: { team: 'a' } }, {}, 'metadata | metadata.annotations'],
    ['minReadySeconds', kind, {}, { minReadySeconds: 5 }, {}, {}, 'settings | spec.minReadySeconds'],
    ['revisionHistoryLimit', kind, {}, { revisionHistoryLimit: 2 }, {}, {}, 'settings | spec.revisionHistoryLimit'],
    ['selector', kind, {}, OTHER_SELECTOR, {}, {}, `refused | ${kind === 'StatefulSet' ? ONLY : IMMUTABLE}`],
  ]),
  ...['StatefulSet', 'DaemonSet'].flatMap((kind): Row[] => [
    ['another template under OnDelete', kind, ON_DELETE, ON_DELETE, {}, NEW_IMAGE, `held | ${IMAGE}`],
  ]),
  ['replicas', 'Deployment', {}, { replicas: 5 }, {}, {}, 'scale | spec.replicas'],
  ['replicas', 'StatefulSet', {}, { replicas: 5 }, {}, {}, 'scale | spec.replicas'],
  ['strategy', 'Deployment', {}, { strategy: { type: 'Recreate' } }, {}, {}, 'settings | spec.strategy.type | spec.strategy.rollingUpdate'],
  ['progressDeadlineSeconds', 'Deployment', {}, { progressDeadlineSeconds: 60 }, {}, {}, 'settings | spec.progressDeadlineSeconds'],
  ['paused and a new template', 'Deployment', {}, { paused: true }, {}, NEW_IMAGE, `held | ${IMAGE} | spec.paused`],
  ['paused and other replicas', 'Deployment', {}, { paused: true, replicas: 5 }, {}, {}, 'scale | spec.replicas | spec.paused'],
  ['a partition above every ordinal', 'StatefulSet', from(3), from(3), {}, NEW_IMAGE, `held | ${IMAGE}`],
  ['a partition above some', 'StatefulSet', from(2), from(2), {}, NEW_IMAGE, `roll | ${IMAGE}`],
  ['a partition raised', 'StatefulSet', {}, from(2), {}, {}, 'settings | spec.updateStrategy.rollingUpdate.partition'],
];

test.each(ROWS)('%s of a %s', (_what, kind, old, spec, metadata, pods, expected) => {
  expect(describeEffect(workload(kind, {}, old), workload(kind, pods, spec, metadata))).toBe(expected);
});

describe('with existing pods of an older template', () => {
  const live = (kind: string, spec: object, status: object) => ({
    ...workload(kind, NEW_IMAGE, spec, { uid: '5b5b1a3e-0000-4000-8000-000000000001', resourceVersion: '7', generation: 2 }),
    status: { observedGeneration: 2, ...status },
  });
  const SET = {
    replicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    updatedReplicas: 1,
    currentRevision: 'web-1',
    updateRevision: 'web-2',
  };
  const DAEMONS = { desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3, numberReady: 3, currentNumberScheduled: 3 };
  const ROLLING = { updateStrategy: { type: 'RollingUpdate' } };

  test.each<[string, string, object, object, object, string]>([
    [
      'a lowered partition releases its ordinals',
      'StatefulSet',
      SET,
      from(2),
      from(0),
      'roll | spec.updateStrategy.rollingUpdate.partition',
    ],
    ['a strategy other than OnDelete rolls them', 'StatefulSet', SET, ON_DELETE, ROLLING, 'roll | spec.updateStrategy.type'],
    [
      'a strategy other than OnDelete rolls them',
      'DaemonSet',
      DAEMONS,
      ON_DELETE,
      ROLLING,
      'roll | spec.updateStrategy.type | spec.updateStrategy.rollingUpdate',
    ],
  ])('%s (%s)', (_what, kind, status, old, next, expected) => {
    expect(describeEffect(live(kind, old, status), workload(kind, NEW_IMAGE, next), { apply: 'replace' })).toBe(expected);
  });
});

test('a manifest with another layout changes nothing, although its last-applied annotation does', () => {
  const written = workload('Deployment');
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `${JSON.stringify(written)}\n` };
  const live = workload('Deployment', {}, {}, { uid: 'a', resourceVersion: '7', generation: 1, annotations });
  expect(describeEffect(live, JSON.parse(JSON.stringify(written, undefined, 2)) as object)).toBe('none');
});

test('a PUT drops the annotation deployment.kubernetes.io/revision, which the controller restores: no pods roll', () => {
  const live = workload(
    'Deployment',
    {},
    {},
    { uid: 'a', resourceVersion: '7', annotations: { 'deployment.kubernetes.io/revision': '3' } },
  );
  expect(describeEffect(live, workload('Deployment'), { apply: 'replace' })).toMatch(/^(none|metadata)/);
});
