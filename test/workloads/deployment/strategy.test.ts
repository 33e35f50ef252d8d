import * as fc from 'fast-check';
import { toFieldPath } from '../../../src/core/field-path';
import type { FieldPath } from '../../../src/core/field-path';
import type { NestedStrategyFieldNames } from '../../../src/cluster/strategy-field-names';
import { resolveIntent } from '../../../src/workloads/deployment/intent';
import { buildDeploymentProvenance } from '../../../src/workloads/deployment/provenance';
import { resolveFenceposts, defaultDeploymentStrategy } from '../../../src/workloads/deployment/strategy';
import { validateDeploymentStrategy } from '../../../src/workloads/deployment/validation';

const PLACE = { path: toFieldPath`spec.strategy` };

describe('what the API server stores of a Deployment strategy', () => {
  const quarter = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };

  test('nothing, an empty one, and a type alone become 25%/25%', () => {
    expect(defaultDeploymentStrategy(undefined)).toEqual(quarter);
    expect(defaultDeploymentStrategy(null)).toEqual(quarter);
    expect(defaultDeploymentStrategy({})).toEqual(quarter);
    expect(defaultDeploymentStrategy({ type: 'RollingUpdate', rollingUpdate: {} })).toEqual(quarter);
  });

  test('each half is filled in on its own: a 0 beside nothing is a 0 beside 25%', () => {
    expect(defaultDeploymentStrategy({ rollingUpdate: { maxSurge: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' },
    });
    expect(defaultDeploymentStrategy({ rollingUpdate: { maxUnavailable: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 },
    });
  });

  test('Recreate has no limits', () => {
    expect(defaultDeploymentStrategy({ type: 'Recreate' })).toEqual({ type: 'Recreate' });
  });

  test('what is stored is accepted, and stored again it stays the same', () => {
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
        fc.pre(validateDeploymentStrategy(written, PLACE).length === 0);
        const stored = defaultDeploymentStrategy(written);
        expect(validateDeploymentStrategy(stored, PLACE)).toEqual([]);
        expect(defaultDeploymentStrategy(stored)).toEqual(stored);
      }),
    );
  });
});

test('an intent of limits writes those that are given, and nothing of the others', () => {
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

describe('a strategy that stands elsewhere, by names of its own', () => {
  const names = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };
  const path = toFieldPath`spec.head.strategy`;
  const decided = (written: Parameters<typeof buildDeploymentProvenance>[0], ...place: readonly [FieldPath, NestedStrategyFieldNames?]) =>
    buildDeploymentProvenance(written, defaultDeploymentStrategy(written), ...place).map(({ field, value, layer, reason }) => [
      field,
      value,
      layer,
      reason,
    ]);

  test('says of each field who decided it, and where that is', () => {
    const left = (field: string, value: string) => `spec.head.strategy.${field} is not set; the API server fills in "${value}".`;
    for (const written of [undefined, null, {}]) {
      expect(decided(written, path, names)).toEqual([
        ['type', 'RollingUpdate', 'kubernetes-default', left('type', 'RollingUpdate')],
        ['maxSurge', '25%', 'kubernetes-default', left('rolling_update.max_surge', '25%')],
        ['maxUnavailable', '25%', 'kubernetes-default', left('rolling_update.max_unavailable', '25%')],
      ]);
    }
    expect(decided({ rollingUpdate: { maxSurge: 1 } }, path)).toEqual([
      ['type', 'RollingUpdate', 'kubernetes-default', left('type', 'RollingUpdate')],
      ['maxSurge', 1, 'user', 'spec.head.strategy.rollingUpdate.maxSurge is set.'],
      ['maxUnavailable', '25%', 'kubernetes-default', left('rollingUpdate.maxUnavailable', '25%')],
    ]);
    expect(decided({ type: 'Recreate' }, path, names)).toEqual([['type', 'Recreate', 'user', 'spec.head.strategy.type is set.']]);
  });

  test('has its names also where a Deployment has its strategy', () => {
    expect(decided({ rollingUpdate: { maxSurge: 1 } }, toFieldPath`spec.strategy`, names)[1]).toEqual([
      'maxSurge',
      1,
      'user',
      'spec.strategy.rolling_update.max_surge is set.',
    ]);
  });

  test('is refused by these names', () => {
    const refused = (strategy: object) =>
      validateDeploymentStrategy(strategy, { path, names }).map(({ code, messageId, path: where }) => `${code} ${messageId} ${where}`);
    expect(refused({ rolling_update: { max_surge: true } })).toEqual([
      'input/wrong-type field spec.head.strategy.rolling_update.max_surge',
    ]);
    expect(refused({ rolling_update: { maxSurge: 1 } })).toEqual([
      'input/unknown-field unknown spec.head.strategy.rolling_update.maxSurge',
    ]);
  });
});

describe('limits as numbers of pods', () => {
  test('surge is rounded up, unavailable down; a half that is missing is 0; two zeros become 0/1', () => {
    expect(resolveFenceposts({ maxSurge: '25%', maxUnavailable: '25%' }, 10)).toEqual({ surge: 3, unavailable: 2, fencepost: false });
    expect(resolveFenceposts({ maxSurge: '25%', maxUnavailable: '25%' }, 3)).toEqual({ surge: 1, unavailable: 0, fencepost: false });
    expect(resolveFenceposts({ maxUnavailable: '39%' }, 10)).toEqual({ surge: 0, unavailable: 3, fencepost: false });
    expect(resolveFenceposts({ maxSurge: 0, maxUnavailable: '1%' }, 2)).toEqual({ surge: 0, unavailable: 1, fencepost: true });
    expect(resolveFenceposts({}, 10)).toEqual({ surge: 0, unavailable: 1, fencepost: true });
  });

  test('a rollout can always move', () => {
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
