import { planChange, planManifests } from '../../../src/headless';
import { podTemplate, workload } from '../../builders/workload';
import { expectValidPlan } from '../../plan-schema';

function target(spec: object = {}, image = 'web:1'): object {
  const template = podTemplate({ name: 'web', image, readinessProbe: { httpGet: { path: '/', port: 80 } } });
  return workload('Deployment', { template, ...spec }, { name: 'web', namespace: 'shop' });
}

function canary(spec: object = {}): object {
  return {
    apiVersion: 'flagger.app/v1beta1',
    kind: 'Canary',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      analysis: { interval: '30s', maxWeight: 50, stepWeight: 10 },
      ...spec,
    },
  };
}

const HPA = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 4, maxReplicas: 9 },
};

test('a new template rolls the primary while the pods of the target run next to it', () => {
  const { change, rollouts } = expectValidPlan(
    planChange([target({ replicas: 4 }), canary()], [target({ replicas: 4 }, 'web:2'), canary()]),
  );
  expect(change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
  // 4 pods of the target, and the surge of the primary.
  expect(change.summary).toMatchObject({ podsReplaced: 4, peakExtraPods: 5, podsAdded: 0 });
  expect(rollouts.map(({ system, resource, simulation }) => [system, resource.component, simulation?.kind])).toEqual([
    ['flagger', 'primary', 'deployment'],
    ['flagger', 'canary', undefined],
  ]);
  expect(rollouts[0]!.creates).toMatchObject([{ name: 'web-primary', replicas: 4, selector: { app: 'web-primary' } }]);
  const explanation = rollouts[0]!.findings.find(({ code }) => code === 'flagger/primary-serves')!;
  expect(explanation.message).toBe(
    'Canary "web" of Flagger keeps Deployment "web" at 0 pods and serves from "web-primary". A new template starts 4 pods of "web", ' +
      'shifts requests to them in steps of 10% up to 50%, one every 30s, then replaces the pods of "web-primary" by its strategy, and scales "web" to 0.',
  );
});

test('with an autoscaler the primary keeps its number of pods, whatever the manifest says', () => {
  const withHpa = canary({ autoscalerRef: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'web' } });
  const { change, rollouts } = planChange([target(), withHpa, HPA], [target({}, 'web:2'), withHpa, HPA]);
  expect(change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
  expect(rollouts[0]!.autoscaled).toMatchObject({ maximum: { replicas: 9 } });
  expect(rollouts[0]!.findings.map(({ code }) => code)).toEqual(['flagger/primary-serves']);
});

test.each<[string, object, object, string]>([
  ['the number of pods alone waits for the next promotion', target({ replicas: 6 }), canary(), 'settings'],
  ['a suspended Canary holds a new template', target({ replicas: 4 }, 'web:2'), canary({ suspend: true }), 'held'],
])('%s', (_what, next, nextCanary, effect) => {
  const { change } = planChange([target({ replicas: 4 }), canary()], [next, nextCanary]);
  expect(change.objects[0]!.effect).toBe(effect);
});

test('a DaemonSet gets one line that says whose pods they are, and no waves', () => {
  const agent = workload('DaemonSet', { template: podTemplate() }, { name: 'web', namespace: 'shop' });
  const { rollouts } = planManifests([agent, canary({ targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } })]);
  expect(rollouts).toMatchObject([{ system: 'flagger', simulation: null, findings: [{ messageId: 'not-simulated' }] }]);
});

test('the pods of the target need capacity next to the primary', () => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: '8' } } };
  const verdictOf = (pods: string) =>
    planChange([target({ replicas: 4 }), canary()], [target({ replicas: 4 }, 'web:2'), canary(), { ...quota, spec: { hard: { pods } } }])
      .rollouts[0]!.capacity?.verdict;
  expect([verdictOf('9'), verdictOf('8')]).toEqual(['fits', 'slower']);
});

test('a Deployment that no Canary targets is planned as before', () => {
  const { rollouts } = planManifests([
    target({ replicas: 4 }),
    canary({ targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } }),
  ]);
  expect(rollouts.map(({ system }) => system)).toEqual(['kubernetes']);
});
