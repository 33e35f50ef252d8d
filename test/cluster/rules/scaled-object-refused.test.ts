import { planChange, planManifests } from '../../../src/headless';
import { podTemplate, workload } from '../../builders/workload';

const WEB = workload('Deployment', { template: podTemplate() }, { name: 'web', namespace: 'shop' });

function scaledObject(spec: object, triggers: readonly string[] = ['kafka'], metadata: object = {}): object {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: { scaleTargetRef: { name: 'web' }, triggers: triggers.map((type) => ({ type, metadata: {} })), ...spec },
  };
}

const FALLBACK = { failureThreshold: 3, replicas: 6 };

test.each<[what: string, spec: object, triggers: readonly string[], message: string]>([
  [
    'a negative fallback',
    { fallback: { failureThreshold: -1, replicas: 6 } },
    ['kafka'],
    'FailureThreshold=-1 & Replicas=6 must both be greater than or equal to 0',
  ],
  [
    'a fallback of a cpu trigger',
    { minReplicaCount: 1, fallback: FALLBACK },
    ['cpu', 'memory'],
    'at least one trigger (that is not cpu or memory) has to have the `AverageValue` type for the fallback to be enabled',
  ],
  [
    'a fallback to a formula that is missing',
    { fallback: { ...FALLBACK, behavior: 'scalingModifiers' } },
    ['kafka'],
    'scalingModifiers fallback behavior requires scalingModifiers.formula to be defined',
  ],
  [
    'a minimum above the maximum',
    { minReplicaCount: 5, maxReplicaCount: 3 },
    ['kafka'],
    'MinReplicaCount=5 must be less than MaxReplicaCount=3',
  ],
  ['idle replicas without a minimum', { idleReplicaCount: 0 }, ['kafka'], 'IdleReplicaCount=0 must be less than MinReplicaCount=0'],
  [
    'a minimum of 0 of a cpu trigger',
    {},
    ['cpu'],
    "scaledobject has only cpu/memory triggers AND minReplica is 0 (scale to zero doesn't work in this case)",
  ],
])('KEDA refuses %s', (_what, spec, triggers, message) => {
  const { findings } = planManifests([WEB, scaledObject(spec, triggers)]);
  expect(findings.filter(({ code }) => code !== 'kubernetes/autoscaler-blind')).toMatchObject([
    { code: 'kubernetes/scaled-object-refused', severity: 'error', message: `KEDA refuses ScaledObject "web": ${message}.` },
  ]);
});

test.each<[what: string, spec: object, triggers: readonly string[]]>([
  ['a fallback of one trigger that is not cpu', { minReplicaCount: 1, fallback: FALLBACK }, ['cpu', 'kafka']],
  [
    'a fallback of a cpu trigger in a formula',
    { minReplicaCount: 1, fallback: FALLBACK, advanced: { scalingModifiers: { formula: 'a' } } },
    ['cpu'],
  ],
  ['idle replicas below the minimum', { minReplicaCount: 2, idleReplicaCount: 0 }, ['kafka']],
  [
    'a minimum of 0 of another kind, at which KEDA does not look',
    { scaleTargetRef: { kind: 'Rollout', apiVersion: 'argoproj.io/v1alpha1', name: 'web' } },
    ['cpu'],
  ],
  ['neither minimum nor maximum', {}, ['kafka']],
])('KEDA accepts %s', (_what, spec, triggers) => {
  const { findings } = planManifests([WEB, scaledObject(spec, triggers)]);
  expect(findings.map(({ code }) => code)).not.toContain('kubernetes/scaled-object-refused');
});

test('a change of a ScaledObject that KEDA refuses is refused, and one that stays as it is is not asked about', () => {
  const old = scaledObject({ minReplicaCount: 1, fallback: FALLBACK }, ['cpu']);
  const effectOf = (next: object) => planChange([WEB, old], [WEB, next]).change.objects[1];
  expect(effectOf(scaledObject({ minReplicaCount: 2, fallback: FALLBACK }, ['cpu']))).toMatchObject({
    effect: 'refused',
    refusal: { path: 'spec.fallback' },
  });
  expect(effectOf(old)).toMatchObject({ effect: 'none' });
});
