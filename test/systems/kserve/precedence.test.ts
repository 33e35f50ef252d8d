import { resolveControllerStrategy, resolveDocumentedStrategy } from '../../../src/systems/kserve/precedence';
import type { Decision } from '../../../src/systems/kserve/precedence';
import type { PlatformConfig } from '../../../src/systems/kserve/types';

const STANDARD: PlatformConfig = { defaultDeploymentMode: 'Standard', defaultRollout: { mode: 'Availability', maxSurge: '40%' } };

/** The level that decides each field, and the reason. */
function reasonsOf({ provenance }: Decision): string[] {
  return provenance.map(({ field, layer, reason }) => `${field}: ${layer}. ${reason}`);
}

describe('the reason why a level decides in the controller', () => {
  test('for a component without a strategy', () => {
    expect(reasonsOf(resolveControllerStrategy({ platform: STANDARD }, 'component'))).toEqual([
      'type: kserve-default. No higher level decides.',
      'maxSurge: platform-config. The component has no deploymentStrategy, and the default deployment mode is Standard.',
      'maxUnavailable: kserve-default. No higher level decides.',
    ]);
  });

  test('for a component with one limit', () => {
    expect(reasonsOf(resolveControllerStrategy({ user: { rollingUpdate: { maxSurge: 1 } }, platform: STANDARD }, 'component'))).toEqual([
      'type: kubernetes-default. KServe copies the entire deploymentStrategy, and the API server fills in missing fields.',
      'maxSurge: user. The deploymentStrategy of the component replaces every lower level entirely.',
      'maxUnavailable: kubernetes-default. KServe copies the entire deploymentStrategy, and the API server fills in missing fields.',
    ]);
  });

  test.each([null, '', undefined])('for a component whose limit is %p, which counts as unset', (maxSurge) => {
    const user = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 1 } };
    expect(resolveControllerStrategy({ user, platform: STANDARD }, 'component').provenance.map(({ layer }) => layer)).toEqual([
      'user',
      'kubernetes-default',
      'user',
    ]);
  });

  test('for a worker', () => {
    expect(reasonsOf(resolveControllerStrategy({ platform: STANDARD }, 'worker'))).toEqual([
      'type: kserve-default. No higher level decides.',
      'maxSurge: multinode-override. KServe replaces the rolling update of a multinode worker.',
      'maxUnavailable: multinode-override. KServe replaces the rolling update of a multinode worker.',
    ]);
  });

  test('for a component with Recreate, which has no limits', () => {
    const user = { type: 'Recreate' };
    const decision = resolveControllerStrategy({ user, platform: STANDARD }, 'component');
    expect(decision.written).toBe(user);
    expect(reasonsOf(decision)).toEqual(['type: user. The deploymentStrategy of the component replaces every lower level entirely.']);
  });
});

test('the reason why a level decides in the documented precedence: the mode of the ConfigMap counts', () => {
  const decision = resolveDocumentedStrategy({ platform: STANDARD }, false);
  expect(decision.written).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '40%', maxUnavailable: 0 } });
  const documentedReason =
    'The component does not set it, and the default deployment mode is Standard; mode Availability is applied as documented.';
  expect(reasonsOf(decision)).toEqual([
    'type: kserve-default. No higher level decides.',
    `maxSurge: platform-config. ${documentedReason}`,
    `maxUnavailable: platform-config. ${documentedReason}`,
  ]);
});
