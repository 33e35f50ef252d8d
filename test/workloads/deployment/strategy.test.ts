import * as fc from 'fast-check';
import { at } from '../../../src/core/field-path';
import { resolveFenceposts, storedDeploymentStrategy } from '../../../src/workloads/deployment/strategy';
import { deploymentStrategyFindings } from '../../../src/workloads/deployment/validation';

const PLACE = { path: at`spec.strategy` };

describe('what the API server stores of a Deployment strategy', () => {
  const quarter = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };

  test('nothing, an empty one, and a type alone become 25%/25%', () => {
    expect(storedDeploymentStrategy(undefined)).toEqual(quarter);
    expect(storedDeploymentStrategy(null)).toEqual(quarter);
    expect(storedDeploymentStrategy({})).toEqual(quarter);
    expect(storedDeploymentStrategy({ type: 'RollingUpdate', rollingUpdate: {} })).toEqual(quarter);
  });

  test('each half is filled in on its own: a 0 beside nothing is a 0 beside 25%', () => {
    expect(storedDeploymentStrategy({ rollingUpdate: { maxSurge: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' },
    });
    expect(storedDeploymentStrategy({ rollingUpdate: { maxUnavailable: 0 } })).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 },
    });
  });

  test('Recreate has no limits', () => {
    expect(storedDeploymentStrategy({ type: 'Recreate' })).toEqual({ type: 'Recreate' });
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
        fc.pre(deploymentStrategyFindings(written, PLACE).length === 0);
        const stored = storedDeploymentStrategy(written);
        expect(deploymentStrategyFindings(stored, PLACE)).toEqual([]);
        expect(storedDeploymentStrategy(stored)).toEqual(stored);
      }),
    );
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
