import { KUBERNETES_FIELD_NAMES, buildLimitEdits, getMaxUnavailablePath } from '../../src/cluster/rollout/strategy-field-names';
import { findUnknownKind } from '../../src/cluster/kinds/known-kinds';
import { toFieldPath } from '../../src/core/manifest/field-path';
import { findGuardedKind } from '../../src/guardrails/effective-limits';
import { isPatch } from '../../src/input/file-role';
import { planManifests } from '../../src/headless';
import { WORKLOAD_NAMES, getWorkloadKind, workloadKindOf } from '../../src/workloads/kinds';
import { sound } from '../sound-workload';

describe.each(WORKLOAD_NAMES)('a %s', (name) => {
  const kind = getWorkloadKind(name);
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: 'web' }, spec: {} };

  test('is planned only with its own group and version', () => {
    expect(workloadKindOf(object)).toBe(kind);
    expect(workloadKindOf({ ...object, apiVersion: 'example.com/v1' })).toBeUndefined();
  });

  function scaler(scaleTargetRef: object) {
    return {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'scaler' },
      spec: { scaleTargetRef: { kind: kind.kind, name: 'web', ...scaleTargetRef }, minReplicas: 3, maxReplicas: 9 },
    };
  }

  test('is scaled by an autoscaler only if it has a scale subresource', () => {
    const objects = [sound(object), scaler({ apiVersion: kind.apiVersion })];
    const { autoscaled } = planManifests(objects, { capacity: { nodePools: [{ name: 'a', count: 4 }] } }).rollouts[0]!;
    expect(autoscaled?.by).toBe(kind.hasScale ? 'HorizontalPodAutoscaler "scaler"' : undefined);
  });

  test('requires its group in the target of an autoscaler if it has a scale subresource', () => {
    const codes = planManifests([scaler({})]).findings.map(({ code }) => code);
    expect(codes).toEqual(kind.hasScale ? ['kubernetes/hpa-without-target'] : []);
  });

  test('without a selector and containers is a patch if a kustomization includes other resources', () => {
    const unit = { id: '', name: '', hasMarkerFile: false, isNamedInput: true };
    expect(isPatch(object, false, { unit, isPatch: false, mayPatch: true })).toBe(true);
  });

  test('is suggested for a misspelled kind', () => {
    expect(findUnknownKind({ ...object, kind: kind.kind.slice(0, -1) })).toEqual({ suggestion: kind.kind });
  });

  test('is checked by guardrails', () => {
    expect(findGuardedKind(object)).toBe(kind.kind);
  });

  test('is refused with an empty spec, but not as the sound workload that the tests use', () => {
    const errorsOf = (manifest: object) =>
      planManifests([manifest]).rollouts[0]!.findings.filter(({ severity }) => severity === 'error').length;
    expect(errorsOf(object)).toBeGreaterThan(0);
    expect(errorsOf(sound(object))).toBe(0);
  });
});

test('limits directly in the strategy are written there, without a type', () => {
  const names = { maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };
  const path = getMaxUnavailablePath({ strategyPath: toFieldPath`spec.updateStrategy`, names });
  expect(path).toBe('spec.updateStrategy.maxUnavailable');
  expect(buildLimitEdits(path, names, 1, 0).map((edit) => edit.path)).toEqual(['spec.updateStrategy.maxSurge', path]);
});

test('nested limits are written on their level, with the type on the level above', () => {
  const path = getMaxUnavailablePath({ strategyPath: toFieldPath`spec.strategy`, names: KUBERNETES_FIELD_NAMES });
  expect(path).toBe('spec.strategy.rollingUpdate.maxUnavailable');
  expect(buildLimitEdits(path, KUBERNETES_FIELD_NAMES, 0, 1)).toEqual([
    { op: 'set', path: 'spec.strategy.type', value: 'RollingUpdate' },
    { op: 'set', path: 'spec.strategy.rollingUpdate.maxSurge', value: 0 },
    { op: 'set', path, value: 1 },
  ]);
});
