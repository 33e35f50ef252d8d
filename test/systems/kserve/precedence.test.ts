import { resolveControllerStrategy, resolveDocumentedStrategy } from '../../../src/systems/kserve/precedence';
import type { Decision } from '../../../src/systems/kserve/precedence';
import type { PlatformConfig } from '../../../src/systems/kserve/types';

const STANDARD: PlatformConfig = { defaultDeploymentMode: 'Standard', defaultRollout: { mode: 'Availability', maxSurge: '40%' } };

/** Who decides each field, and why. */
function reasonsOf({ provenance }: Decision): string[] {
  return provenance.map(({ field, layer, reason }) => `${field}: ${layer}. ${reason}`);
}

describe('why a level decides in the controller', () => {
  test('of a component without a strategy', () => {
    expect(reasonsOf(resolveControllerStrategy({ platform: STANDARD }, 'component'))).toEqual([
      'type: kserve-default. No level above it decides.',
      'maxSurge: platform-config. The component has no deploymentStrategy, and the default deployment mode is Standard.',
      'maxUnavailable: kserve-default. No level above it decides.',
    ]);
  });

  test('of a component with half of one', () => {
    expect(reasonsOf(resolveControllerStrategy({ user: { rollingUpdate: { maxSurge: 1 } }, platform: STANDARD }, 'component'))).toEqual([
      'type: kubernetes-default. KServe copies the deploymentStrategy as a whole, and the API server fills in what it leaves out.',
      'maxSurge: user. The deploymentStrategy of the component replaces every lower level as a whole.',
      'maxUnavailable: kubernetes-default. KServe copies the deploymentStrategy as a whole, and the API server fills in what it leaves out.',
    ]);
  });

  test.each([null, '', undefined])('of a component whose limit is %p, which is as good as none', (maxSurge) => {
    const user = { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable: 1 } };
    expect(resolveControllerStrategy({ user, platform: STANDARD }, 'component').provenance.map(({ layer }) => layer)).toEqual([
      'user',
      'kubernetes-default',
      'user',
    ]);
  });

  test('of a worker', () => {
    expect(reasonsOf(resolveControllerStrategy({ platform: STANDARD }, 'worker'))).toEqual([
      'type: kserve-default. No level above it decides.',
      'maxSurge: multinode-override. KServe replaces the rolling update of a multinode worker.',
      'maxUnavailable: multinode-override. KServe replaces the rolling update of a multinode worker.',
    ]);
  });

  test('of a component that is recreated, which has no limits', () => {
    const user = { type: 'Recreate' };
    const decision = resolveControllerStrategy({ user, platform: STANDARD }, 'component');
    expect(decision.written).toBe(user);
    expect(reasonsOf(decision)).toEqual(['type: user. The deploymentStrategy of the component replaces every lower level as a whole.']);
  });
});

test('why a level decides in what is promised: the mode of the ConfigMap counts there', () => {
  const decision = resolveDocumentedStrategy({ platform: STANDARD }, false);
  expect(decision.written).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '40%', maxUnavailable: 0 } });
  const asDocumented =
    'The component leaves it open, and the default deployment mode is Standard; mode Availability is taken as documented.';
  expect(reasonsOf(decision)).toEqual([
    'type: kserve-default. No level above it decides.',
    `maxSurge: platform-config. ${asDocumented}`,
    `maxUnavailable: platform-config. ${asDocumented}`,
  ]);
});
