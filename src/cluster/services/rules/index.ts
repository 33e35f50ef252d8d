import type { AnyRule } from '../../../core/finding';
import { serviceWithoutEndpoints } from './service-without-endpoints';

/** The rules about Services. */
export const SERVICE_RULES: readonly AnyRule[] = [serviceWithoutEndpoints];
