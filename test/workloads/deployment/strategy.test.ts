import * as fc from 'fast-check';
import { toFieldPath } from '../../../src/core/manifest/field-path';
import type { FieldPath } from '../../../src/core/manifest/field-path';
import type { NestedStrategyFieldNames } from '../../../src/cluster/rollout/strategy-field-names';
import { resolveIntent } from '../../../src/workloads/deployment/intent';
import { buildDeploymentProvenance } from '../../../src/workloads/deployment/provenance';
import { resolveFenceposts, defaultDeploymentStrategy } from '../../../src/workloads/deployment/strategy';
import { validateDeploymentStrategy } from '../../../src/workloads/deployment/validation';

const LOCATION = { path: toFieldPath`spec.strategy` };

describe('the Deployment strategy that the API server stores', () => {
  const quarter = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };

  test('is 25%/25% for a missing strategy, an empty one, and only a type', () => {
    expect(defaultDeploymentStrategy(undefined)).toEqual(quarter);
    expect(defaultDeploymentStrategy(null)).toEqual(quarter);
    expect(defaultDeploymentStrategy({})).toEqual(quarter);
    expect(defaultDeploymentStrategy({ type: 'RollingUpdate', rollingUpdate: {} })).toEqual(quarter);
  });

  test('fills in each limit separately: only a 0 becomes 0 and 25%', () => {
    expect(defaultDeploymentStrategy({ rollingUpdate: { maxSurge: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' },
    });
    expect(defaultDeploymentStrategy({ rollingUpdate: { maxUnavailable: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 },
    });
  });

  test('has no limits for Recreate', () => {
    expect(defaultDeploymentStrategy({ type: 'Recreate' })).toEqual({ type: 'Recreate' });
  });

  test('is accepted, and does not change if it is stored again', () => {
    const limit = fc.option(
      fc.oneof(
        fc.nat(50),
        fc.nat(100).map((share) => `${share}%` as const),
      ),
      { nil: undefined },
    );
    fc.assert(
      fc.property(limit, limit, (maxSurge, maxUnavailable) => {
        const written = { rollingUpdate: { maxSurge, maxUnavailable } };
        fc.pre(validateDeploymentStrategy(written, LOCATION).length === 0);
        const stored = defaultDeploymentStrategy(written);
        expect(validateDeploymentStrategy(stored, LOCATION)).toEqual([]);
        expect(defaultDeploymentStrategy(stored)).toEqual(stored);
      }),
    );
  });
});

test('an intent with limits writes only the given ones', () => {
  expect(resolveIntent({ type: 'RollingUpdate' })).toEqual({ type: 'RollingUpdate' });
  expect(resolveIntent({ type: 'RollingUpdate', maxSurge: 1 })).toStrictEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } });
  expect(resolveIntent({ type: 'RollingUpdate', maxUnavailable: '10%' })).toStrictEqual({
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: '10%' },
  });
  expect(resolveIntent({ type: 'RollingUpdate', maxSurge: 2, maxUnavailable: 0 })).toStrictEqual({
    type: 'RollingUpdate',
    rollingUpdate: { maxSurge: 2, maxUnavailable: 0 },
  });
});

describe('a strategy at another path with other field names', () => {
  const names = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };
  const path = toFieldPath`spec.head.strategy`;
  const provenanceOf = (
    written: Parameters<typeof buildDeploymentProvenance>[0],
    ...location: readonly [FieldPath, NestedStrategyFieldNames?]
  ) =>
    buildDeploymentProvenance(written, defaultDeploymentStrategy(written), ...location).map(({ field, value, layer, reason }) => [
      field,
      value,
      layer,
      reason,
    ]);

  test('has provenance with the source and the path of each field', () => {
    const defaulted = (field: string, value: string) => `spec.head.strategy.${field} is not set; the API server fills in "${value}".`;
    for (const written of [undefined, null, {}]) {
      expect(provenanceOf(written, path, names)).toEqual([
        ['type', 'RollingUpdate', 'kubernetes-default', defaulted('type', 'RollingUpdate')],
        ['maxSurge', '25%', 'kubernetes-default', defaulted('rolling_update.max_surge', '25%')],
        ['maxUnavailable', '25%', 'kubernetes-default', defaulted('rolling_update.max_unavailable', '25%')],
      ]);
    }
    expect(provenanceOf({ rollingUpdate: { maxSurge: 1 } }, path)).toEqual([
      ['type', 'RollingUpdate', 'kubernetes-default', defaulted('type', 'RollingUpdate')],
      ['maxSurge', 1, 'user', 'spec.head.strategy.rollingUpdate.maxSurge is set.'],
      ['maxUnavailable', '25%', 'kubernetes-default', defaulted('rollingUpdate.maxUnavailable', '25%')],
    ]);
    expect(provenanceOf({ type: 'Recreate' }, path, names)).toEqual([['type', 'Recreate', 'user', 'spec.head.strategy.type is set.']]);
  });

  test('keeps its field names at the path of a Deployment strategy', () => {
    expect(provenanceOf({ rollingUpdate: { maxSurge: 1 } }, toFieldPath`spec.strategy`, names)[1]).toEqual([
      'maxSurge',
      1,
      'user',
      'spec.strategy.rolling_update.max_surge is set.',
    ]);
  });

  test('is refused with its field names', () => {
    const refused = (strategy: object) =>
      validateDeploymentStrategy(strategy, { path, names }).map(({ code, messageId, path: where }) => `${code} ${messageId} ${where}`);
    expect(refused({ rolling_update: { max_surge: true } })).toEqual([
      'input/wrong-type field spec.head.strategy.rolling_update.max_surge',
    ]);
    expect(refused({ rolling_update: { maxSurge: 1 } })).toEqual([
      'input/unknown-field unknown spec.head.strategy.rolling_update.maxSurge',
    ]);
  });

  test('is reported with its raw values if the reader converts them', () => {
    const zeros = { rolling_update: { max_surge: '0', max_unavailable: 0 } };
    const read = (value: unknown) => (value === '0' ? 0 : value);
    expect(validateDeploymentStrategy(zeros, { path, names, read })).toMatchObject([
      { messageId: 'bothZero', data: { maxSurge: '0', maxUnavailable: 0 } },
    ]);
  });
});

describe('limits as numbers of pods', () => {
  test('surge is rounded up, unavailable down; a missing limit is 0; two zeros become 0/1', () => {
    expect(resolveFenceposts({ maxSurge: '25%', maxUnavailable: '25%' }, 10)).toEqual({ surge: 3, unavailable: 2, fencepost: false });
    expect(resolveFenceposts({ maxSurge: '25%', maxUnavailable: '25%' }, 3)).toEqual({ surge: 1, unavailable: 0, fencepost: false });
    expect(resolveFenceposts({ maxUnavailable: '39%' }, 10)).toEqual({ surge: 0, unavailable: 3, fencepost: false });
    expect(resolveFenceposts({ maxSurge: 0, maxUnavailable: '1%' }, 2)).toEqual({ surge: 0, unavailable: 1, fencepost: true });
    expect(resolveFenceposts({}, 10)).toEqual({ surge: 0, unavailable: 1, fencepost: true });
  });

  test('a rollout can always make progress', () => {
    const limit = fc.oneof(
      fc.nat(20),
      fc.nat(200).map((share) => `${share}%` as const),
    );
    fc.assert(
      fc.property(limit, limit, fc.integer({ min: 1, max: 1_000 }), (maxSurge, maxUnavailable, replicas) => {
        const { surge, unavailable } = resolveFenceposts({ maxSurge, maxUnavailable }, replicas);
        expect(surge + unavailable).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});
