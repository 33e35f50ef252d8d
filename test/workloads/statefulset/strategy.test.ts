import {
  supportsStatefulSetMaxUnavailable,
  resolveStatefulSetMaxUnavailable,
  defaultStatefulSetStrategy,
} from '../../../src/workloads/statefulset/strategy';

describe('the StatefulSet update strategy that the API server stores', () => {
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

  test('has a default rollingUpdate only if the type is not set either', () => {
    expect(defaultStatefulSetStrategy(undefined, '1.34')).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    expect(defaultStatefulSetStrategy({}, '1.34')).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } });
    expect(defaultStatefulSetStrategy({ type: 'RollingUpdate' }, '1.34')).toEqual({ type: 'RollingUpdate' });
    expect(defaultStatefulSetStrategy({ type: 'OnDelete' }, '1.34')).toEqual({ type: 'OnDelete' });
  });

  test('has a default maxUnavailable of 1 if the version supports it and rollingUpdate is set', () => {
    expect(defaultStatefulSetStrategy({ rollingUpdate: { partition: 2 } }, '1.37')).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 2, maxUnavailable: 1 },
    });
    expect(defaultStatefulSetStrategy({ type: 'RollingUpdate' }, '1.37')).toEqual({ type: 'RollingUpdate' });
  });

  test('rounds maxUnavailable down to at least 1, and allows more than the replicas', () => {
    expect(resolveStatefulSetMaxUnavailable('10%', 5)).toBe(1);
    expect(resolveStatefulSetMaxUnavailable('50%', 5)).toBe(2);
    expect(resolveStatefulSetMaxUnavailable(8, 5)).toBe(8);
    expect(resolveStatefulSetMaxUnavailable(undefined, 5)).toBe(1);
  });
});
