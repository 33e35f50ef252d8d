import type { Manifest } from '../../../src/core/manifest';
import type { Rollout } from '../../../src/core/rollout';
import type { PlanContext } from '../../../src/core/system';
import { DEFAULT_VERSIONS } from '../../../src/core/versions';
import { bawSystem } from '../../../src/systems/baw/system';

const CONTEXT: PlanContext = { versions: DEFAULT_VERSIONS, objects: [], ofKind: () => [], startupSeconds: 0, locate: () => undefined };

/** An operator's CR with the spec given. */
export function operatorResource(spec: unknown, apiVersion = 'icp4a.ibm.com/v1', kind = 'ICP4ACluster'): Manifest {
  return { apiVersion, kind, metadata: { name: 'baw' }, spec };
}

/** The rollouts of a CR; none where it is not recognised. */
export function plan(object: Manifest): Rollout[] {
  return bawSystem.recognises(object) ? bawSystem.plan(object, CONTEXT) : [];
}

/** The only rollout of a CR with this spec. */
export function planOne(spec: unknown): Rollout {
  const rollouts = plan(operatorResource(spec));
  expect(rollouts).toHaveLength(1);
  return rollouts[0]!;
}
