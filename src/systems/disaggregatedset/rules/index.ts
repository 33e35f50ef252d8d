import type { AnyRule } from '../../../core/findings/finding';
import { invalidRoles } from './invalid-roles';
import { manySteps } from './many-steps';
import { roleRefused } from './role-refused';
import { rolesOutage } from './roles-outage';
import { slicesNotPlanned } from './slices-not-planned';
import { versionsMix } from '../../../workloads/leader-worker-set/rules/versions-mix';

/** Rules about DisaggregatedSets. */
export const DISAGGREGATED_SET_RULES: readonly AnyRule[] = [
  invalidRoles,
  roleRefused,
  rolesOutage,
  manySteps,
  slicesNotPlanned,
  versionsMix,
];
