import { ordinalsMoved } from '../../../src/change/rules/ordinals-moved';
import { planChange } from '../../../src/headless';
import { podTemplate, workload } from '../../builders/workload';
import { testRule } from '../../rule-tester';

function set(start: number, replicas = 3): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db }
spec:
  replicas: ${replicas}
  serviceName: db
  ordinals: { start: ${start} }
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: db, image: db }] } }
`;
}

testRule(ordinalsMoved, {
  valid: [
    { name: 'the same start', old: set(5), yaml: set(5, 4) },
    { name: 'fewer pods from a later start, so that none gets another name', old: set(0, 5), yaml: set(2, 3) },
    { name: 'no pods', old: set(5, 0), yaml: set(0, 0) },
  ],
  invalid: [
    {
      name: 'all pods move down',
      old: set(5),
      yaml: set(0),
      findings: [
        {
          messageId: 'moved',
          path: 'spec.ordinals.start',
          data: {
            before: 5,
            after: 0,
            deleted: [['db-5', 'db-7']],
            created: [['db-0', 'db-2']],
            pods: 3,
            hasClaims: false,
            isParallel: false,
          },
        },
      ],
    },
    {
      name: 'all pods move, and more are created',
      old: set(0),
      yaml: set(3, 5),
      findings: [
        {
          messageId: 'moved',
          data: {
            before: 0,
            after: 3,
            deleted: [['db-0', 'db-2']],
            created: [['db-3', 'db-7']],
            pods: 5,
            hasClaims: false,
            isParallel: false,
          },
        },
      ],
    },
    {
      name: 'one pod moves up',
      old: set(0),
      yaml: set(1),
      findings: [
        {
          messageId: 'moved',
          data: {
            before: 0,
            after: 1,
            deleted: [['db-0', 'db-0']],
            created: [['db-3', 'db-3']],
            pods: 1,
            hasClaims: false,
            isParallel: false,
          },
        },
      ],
    },
  ],
});

test('moved pods are added and removed, and nothing is called untouched', () => {
  const object = (start: number) =>
    workload(
      'StatefulSet',
      { replicas: 3, serviceName: 'db', ordinals: { start }, template: podTemplate({ name: 'db', image: 'db' }) },
      { name: 'db' },
    );
  const { change } = planChange([object(5)], [object(0)]);
  expect(change.objects[0]!.effect).toBe('scale');
  expect(change.summary).toMatchObject({ podsAdded: 3, podsRemoved: 3, podsReplaced: 0, peakExtraPods: 3 });
});

/** Plans a move of 3 pods of a StatefulSet. */
function planMove(start: readonly [old: number, next: number], next: object = {}, spec: object = {}) {
  const object = (first: number, others: object) =>
    workload(
      'StatefulSet',
      {
        replicas: 3,
        serviceName: 'db',
        ordinals: { start: first },
        template: podTemplate({ name: 'db', image: 'db' }),
        ...spec,
        ...others,
      },
      { name: 'db' },
    );
  return planChange([object(start[0], {})], [object(start[1], next)]);
}

test('a later start with fewer pods only removes pods', () => {
  const { change, rollouts } = planMove([0, 2], { replicas: 1 });
  expect(change.summary).toMatchObject({ podsAdded: 0, podsRemoved: 2, podsReplaced: 0 });
  expect(rollouts[0]!.findings.map(({ code }) => code)).toEqual(['change/scaled-down', 'kubernetes/outage']);
});

test('no scale brings the old ordinals back', () => {
  expect(planMove([5, 0]).rollouts[0]!.rollback).toEqual({
    works: true,
    message: 'apply OLD again: the pods with the old ordinals are created again',
  });
});

test('a pod with a new ordinal is created with the new template, so nothing replaces it', () => {
  const template = podTemplate({ name: 'db', image: 'db:2' });
  expect(planMove([0, 1], { template }).change.summary).toMatchObject({ podsAdded: 1, podsRemoved: 1, podsReplaced: 2 });
  expect(planMove([5, 0], { template }).change.summary).toMatchObject({ podsAdded: 3, podsRemoved: 3, podsReplaced: 0 });
});

test('with Parallel, all old pods are down before the new ones are ready', () => {
  const lowest = (start: readonly [number, number], podManagementPolicy: string) =>
    planMove(start, {}, { podManagementPolicy }).change.summary.lowest;
  expect(lowest([5, 0], 'Parallel')).toMatchObject({ available: 0, replicas: 3 });
  expect(lowest([0, 1], 'Parallel')).toMatchObject({ available: 2, replicas: 3 });
  expect(lowest([5, 0], 'OrderedReady')).toBeUndefined();
});

test('whenScaled Delete deletes the claims of the pods that leave', () => {
  const spec = {
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' },
    volumeClaimTemplates: [
      { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } } },
    ],
  };
  const { rollouts } = planMove([5, 0], {}, spec);
  expect(rollouts[0]!.findings.map(({ message }) => message)).toMatchInlineSnapshot(`
[
  "whenScaled is Delete, and pods get other ordinals: 3 claims (data-db-5 and so on) are deleted with the pods that leave. The data is deleted too, unless the volumes have the reclaim policy Retain.",
  "ordinals.start moves from 5 to 0: db-5 to db-7 are deleted, and db-0 to db-2 are created, 3 pods with other names and other, empty claims.",
]
`);
  expect(rollouts[0]!.rollback).toMatchInlineSnapshot(`
{
  "message": "apply OLD again: the pods with the old ordinals are created again; whenScaled is Delete, so the claims of the removed pods are deleted, and the pods return with empty ones",
  "works": false,
}
`);
});
