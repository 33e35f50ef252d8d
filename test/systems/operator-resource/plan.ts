import type { Manifest } from '../../../src/core/manifest/manifest';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { planManifests } from '../../../src/headless';

/** Returns an operator's CR with this spec. */
export function operatorResource(spec: unknown, apiVersion = 'icp4a.ibm.com/v1', kind = 'ICP4ACluster'): Manifest {
  return { apiVersion, kind, metadata: { name: 'baw' }, spec };
}

/** Returns the rollouts of a CR, with or without other objects; none if it is not recognised. */
export function plan(object: Manifest, ...others: readonly object[]): PlannedRollout[] {
  return planManifests([object, ...others]).rollouts.filter(({ system }) => system === 'baw');
}

/** Returns the only rollout of a CR with this spec. */
export function planOne(spec: unknown, ...others: readonly object[]): PlannedRollout {
  const rollouts = plan(operatorResource(spec), ...others);
  expect(rollouts).toHaveLength(1);
  return rollouts[0]!;
}
