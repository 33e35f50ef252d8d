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
          data: { before: 5, after: 0, deleted: ['db-5', 'db-7'], created: ['db-0', 'db-2'], pods: 3, hasClaims: false },
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
          data: { before: 0, after: 1, deleted: ['db-0', 'db-0'], created: ['db-3', 'db-3'], pods: 1, hasClaims: false },
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
