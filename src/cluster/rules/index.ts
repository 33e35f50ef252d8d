import type { AnyRule } from '../../core/finding';
import { hpaWithoutTarget } from './hpa-without-target';
import { invalidAutoscaler } from './invalid-autoscaler';
import { invalidBudget } from './invalid-budget';
import { invalidStrategy } from './invalid-strategy';
import { noRoom } from './no-room';
import { noRoomAtRaisedMaximum } from './no-room-at-raised-maximum';
import { noRoomForAdded } from './no-room-for-added';
import { noRoomForClusters } from './no-room-for-clusters';
import { noRoomForGroups } from './no-room-for-groups';
import { noRoomInLimitRange } from './no-room-in-limit-range';
import { noRoomInLoweredQuota } from './no-room-in-lowered-quota';
import { noRoomOnNodes } from './no-room-on-nodes';
import { pdbBlocksEviction } from './pdb-blocks-eviction';
import { pdbBrokenByRollout } from './pdb-broken-by-rollout';
import { pdbRefusesEviction } from './pdb-refuses-eviction';
import { quotedInteger } from './quoted-integer';
import { removedApi } from './removed-api';
import { rwoVolumeSurge } from './rwo-volume-surge';
import { surgeNeedsHeadroom } from './surge-needs-headroom';
import { unknownKind } from './unknown-kind';

/** The rules about workloads among the other objects of a cluster, and about what the API server refuses. */
export const CLUSTER_RULES: readonly AnyRule[] = [
  hpaWithoutTarget,
  invalidStrategy,
  invalidAutoscaler,
  invalidBudget,
  noRoom,
  noRoomOnNodes,
  noRoomForGroups,
  noRoomForClusters,
  noRoomForAdded,
  noRoomAtRaisedMaximum,
  noRoomInLoweredQuota,
  noRoomInLimitRange,
  pdbBlocksEviction,
  pdbBrokenByRollout,
  pdbRefusesEviction,
  quotedInteger,
  removedApi,
  rwoVolumeSurge,
  surgeNeedsHeadroom,
  unknownKind,
];
