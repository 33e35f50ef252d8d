import type { AnyRule } from '../../../core/findings/finding';
import { invalidScale } from './invalid-scale';
import { invalidTraffic } from './invalid-traffic';
import { pinnedTraffic } from './pinned-traffic';

/** The rules about Services of Knative. */
export const KNATIVE_SERVICE_RULES: readonly AnyRule[] = [invalidScale, invalidTraffic, pinnedTraffic];
