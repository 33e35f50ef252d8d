import type { AnyRule } from '../../../core/finding';
import { bothLimitsZero } from './both-limits-zero';
import { claimsDeleted } from './claims-deleted';
import { claimsHeld } from './claims-held';
import { maxUnavailableDropped } from './max-unavailable-dropped';
import { invalidSet } from '../../../workloads/leader-worker-set/rules/invalid-set';
import { groupOutage } from '../../../workloads/leader-worker-set/rules/outage';
import { templateRefused } from '../../../workloads/leader-worker-set/rules/template-refused';
import { partitionHolds } from './partition-holds';
import { standsStill } from './stands-still';
import { waitsForGroups } from './waits-for-groups';

/** The rules about LeaderWorkerSets. */
export const LWS_RULES: readonly AnyRule[] = [
  invalidSet,
  bothLimitsZero,
  standsStill,
  maxUnavailableDropped,
  groupOutage,
  partitionHolds,
  waitsForGroups,
  templateRefused,
  claimsHeld,
  claimsDeleted,
];
