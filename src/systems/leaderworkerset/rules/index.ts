import type { AnyRule } from '../../../core/findings/finding';
import { bothLimitsZero } from './both-limits-zero';
import { claimsDeleted } from './claims-deleted';
import { pvcInUse } from './pvc-in-use';
import { maxUnavailableDropped } from './max-unavailable-dropped';
import { invalidSet } from '../../../workloads/leader-worker-set/rules/invalid-set';
import { lwsOutage } from '../../../workloads/leader-worker-set/rules/outage';
import { templateRefused } from '../../../workloads/leader-worker-set/rules/template-refused';
import { partitionHolds } from './partition-holds';
import { lwsStuck } from './stuck';
import { waitsForGroups } from './waits-for-groups';

/** Rules about LeaderWorkerSets. */
export const LWS_RULES: readonly AnyRule[] = [
  invalidSet,
  bothLimitsZero,
  lwsStuck,
  maxUnavailableDropped,
  lwsOutage,
  partitionHolds,
  waitsForGroups,
  templateRefused,
  pvcInUse,
  claimsDeleted,
];
