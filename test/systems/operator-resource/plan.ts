import type { Manifest } from '../../../src/core/manifest';
import type { PlannedRollout } from '../../../src/core/rollout';
import { planManifests } from '../../../src/headless';

/** An operator's CR with the spec given. */
export function operatorResource(spec: unknown, apiVersion = 'icp4a.ibm.com/v1', kind = 'ICP4ACluster'): Manifest {
  return { apiVersion, kind, metadata: { name: 'baw' }, spec };
}

/** The rollouts of a CR, among other objects or alone; none where it is not recognised. */
export function plan(object: Manifest, ...others: readonly object[]): PlannedRollout[] {
  return planManifests([object, ...others]).rollouts.filter(({ system }) => system === 'baw');
}

/** The only rollout of a CR with this spec. */
export function planOne(spec: unknown, ...others: readonly object[]): PlannedRollout {
  const rollouts = plan(operatorResource(spec), ...others);
  expect(rollouts).toHaveLength(1);
  return rollouts[0]!;
}
