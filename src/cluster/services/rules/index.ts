import type { AnyRule } from '../../../core/finding';
import { backendMissing } from './backend-missing';
import { serviceFrozen } from './service-frozen';
import { serviceWithoutEndpoints } from './service-without-endpoints';
import { targetPortAhead } from './target-port-ahead';

/** The rules about Services. */
export const SERVICE_RULES: readonly AnyRule[] = [backendMissing, serviceFrozen, serviceWithoutEndpoints, targetPortAhead];
