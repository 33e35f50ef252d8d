import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';
import { deployment, podTemplate } from '../builders/workload';

function web(image: string, metadata: object = {}) {
  return deployment({ replicas: 4, template: podTemplate({ image }) }, { name: 'web', namespace: 'shop', ...metadata });
}

function changed(old: readonly object[], next: readonly object[], options: ChangeOptions = {}) {
  const { change, findings } = expectValidPlan(planChange(old, next, options));
  const duplicates = factsOf(findings.filter(({ code }) => code === 'change/duplicate-old-object')).map(({ messageId, data, severity }) => [
    messageId,
    data,
    severity,
  ]);
  return {
    effects: change.objects.map(({ effect }) => effect),
    replaced: change.summary.podsReplaced,
    kept: change.summary.kept,
    duplicates,
  };
}

const ONCE = [['objects', { objects: 1, first: 'Deployment shop/web' }, 'info']];

describe('an object that OLD contains twice', () => {
  test('counts once, with its last copy, which is reported once', () => {
    const next = [web('web:2')];
    expect(changed([web('web:1'), web('web:1')], next)).toEqual({
      effects: ['roll'],
      replaced: 4,
      kept: 0,
      duplicates: ONCE,
    });
    expect(changed([web('web:1'), web('web:2')], next)).toEqual({
      effects: ['none'],
      replaced: 0,
      kept: 0,
      duplicates: ONCE,
    });
  });

  test('is not deleted next to its change', () => {
    expect(changed([web('web:1'), web('web:1')], [web('web:2')], { prune: true }).effects).toEqual(['roll']);
    expect(changed([web('web:1'), web('web:1')], [], { prune: true })).toMatchObject({
      effects: ['delete'],
      duplicates: ONCE,
    });
  });

  test('from a cluster is identified by its uid', () => {
    const live = web('web:1', { uid: '1' });
    expect(changed([live, live], [web('web:2')])).toMatchObject({ effects: ['roll'], duplicates: ONCE });
  });

  test('is matched copy by copy if NEW contains it twice too', () => {
    const old = [web('web:1'), web('web:2')];
    expect(changed(old, [web('web:1'), web('web:3')])).toEqual({
      effects: ['none', 'roll'],
      replaced: 4,
      kept: 0,
      duplicates: [],
    });
  });
});

test('ReplicaSets in two dumps count once, without a finding', () => {
  const live = {
    ...web('web:1', { uid: '1', resourceVersion: '7' }),
    status: { observedGeneration: 1, replicas: 4, availableReplicas: 4 },
  };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: '2',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: '1', controller: true }],
    },
    spec: { replicas: 4, selector: {}, template: live.spec.template },
    status: { replicas: 4, availableReplicas: 4 },
  };
  const { rollouts, findings } = planChange([live, set, set], [web('web:2')]);
  expect(rollouts[0]!.initialState).toEqual({ replicas: 4, revisions: [{ replicas: 4, available: 4 }], underWay: false });
  expect(findings.map(({ code }) => code)).not.toContain('change/duplicate-old-object');
});
