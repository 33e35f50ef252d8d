import type { AnyRule } from '../../../core/findings/finding';
import { backendMissing } from './backend-missing';
import { localPolicyDrops } from './local-policy-drops';
import { publishesNotReady } from './publishes-not-ready';
import { serviceFrozen } from './service-frozen';
import { servicePortUnresolved } from './service-port-unresolved';
import { serviceSelectsJob } from './service-selects-job';
import { serviceSelectsNothing } from './service-selects-nothing';
import { serviceWithoutEndpoints } from './service-without-endpoints';
import { targetPortAhead } from './target-port-ahead';

/** The rules about Services. */
export const SERVICE_RULES: readonly AnyRule[] = [
  backendMissing,
  localPolicyDrops,
  publishesNotReady,
  serviceFrozen,
  servicePortUnresolved,
  serviceSelectsJob,
  serviceSelectsNothing,
  serviceWithoutEndpoints,
  targetPortAhead,
];
