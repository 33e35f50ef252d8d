import {
  supportsStatefulSetMaxUnavailable,
  resolveStatefulSetMaxUnavailable,
  defaultStatefulSetStrategy,
} from '../../../src/workloads/statefulset/strategy';

describe('what the API server stores of a StatefulSet update strategy', () => {
  test.each([
    ['1.24', false],
    ['1.34', false],
    ['1.34.9', false],
    ['1.35', true],
    ['1.35.3', true],
    ['1.35.4', false],
    ['1.36', false],
    ['1.36.2', false],
    ['1.37', true],
    ['1.40', true],
  ])('Kubernetes %s keeps maxUnavailable: %s', (version, keeps) => {
    expect(supportsStatefulSetMaxUnavailable(version)).toBe(keeps);
    const stored = defaultStatefulSetStrategy({ rollingUpdate: { maxUnavailable: 2 } }, version);
    expect(stored).toEqual({ type: 'RollingUpdate', rollingUpdate: keeps ? { partition: 0, maxUnavailable: 2 } : { partition: 0 } });
  });

  test('rollingUpdate is made up only where the type is left out as well', () => {
    expect(defaultStatefulSetStrategy(undefined, '1.34')).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    expect(defaultStatefulSetStrategy({}, '1.34')).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    expect(defaultStatefulSetStrategy({ type: 'RollingUpdate' }, '1.34')).toEqual({ type: 'RollingUpdate' });
    expect(defaultStatefulSetStrategy({ type: 'OnDelete' }, '1.34')).toEqual({ type: 'OnDelete' });
  });

  test('maxUnavailable 1 is filled in where the version knows it and rollingUpdate is there', () => {
    expect(defaultStatefulSetStrategy({ rollingUpdate: { partition: 2 } }, '1.37')).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 2, maxUnavailable: 1 },
    });
    expect(defaultStatefulSetStrategy({ type: 'RollingUpdate' }, '1.37')).toEqual({ type: 'RollingUpdate' });
  });

  test('maxUnavailable is rounded down, at least 1, and not limited to the replicas', () => {
    expect(resolveStatefulSetMaxUnavailable('10%', 5)).toBe(1);
    expect(resolveStatefulSetMaxUnavailable('50%', 5)).toBe(2);
    expect(resolveStatefulSetMaxUnavailable(8, 5)).toBe(8);
    expect(resolveStatefulSetMaxUnavailable(undefined, 5)).toBe(1);
  });
});
