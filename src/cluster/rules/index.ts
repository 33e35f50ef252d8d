import type { AnyRule } from '../../core/findings/finding';
import { autoscalerBlind } from './autoscaler-blind';
import { autoscalersConflict } from './autoscalers-conflict';
import { awaitsOtherComponent } from './awaits-other-component';
import { beingDeleted } from './being-deleted';
import { betterStrategy } from './better-strategy';
import { generateName } from './generate-name';
import { hpaWithoutTarget } from './hpa-without-target';
import { invalidAutoscaler } from './invalid-autoscaler';
import { invalidBudget } from './invalid-budget';
import { invalidStrategy } from './invalid-strategy';
import { insufficientCapacity } from './insufficient-capacity';
import { insufficientCapacityAtRaisedMaximum } from './insufficient-capacity-at-raised-maximum';
import { insufficientCapacityForAddedPods } from './insufficient-capacity-for-added-pods';
import { insufficientCapacityForSecondCluster } from './insufficient-capacity-for-second-cluster';
import { insufficientCapacityForGroups } from './insufficient-capacity-for-groups';
import { insufficientCapacityIfUndecided } from './insufficient-capacity-if-undecided';
import { insufficientCapacityInLimitRange } from './insufficient-capacity-in-limit-range';
import { insufficientCapacityInLoweredQuota } from './insufficient-capacity-in-lowered-quota';
import { insufficientCapacityOnNodes } from './insufficient-capacity-on-nodes';
import { otherOwner } from './other-owner';
import { pdbBlocksEviction } from './pdb-blocks-eviction';
import { pdbBrokenByRollout } from './pdb-broken-by-rollout';
import { pdbRefusesEviction } from './pdb-refuses-eviction';
import { podSecurity } from './pod-security';
import { quotedInteger } from './quoted-integer';
import { refusedObject } from './refused-object';
import { removedApi } from './removed-api';
import { rwoVolumeSurge } from './rwo-volume-surge';
import { scaledObjectRefused } from './scaled-object-refused';
import { schedulingGated } from './scheduling-gated';
import { spreadSkewedAfterRollout } from './spread-skewed-after-rollout';
import { surgeNeedsHeadroom } from './surge-needs-headroom';
import { unknownKind } from './unknown-kind';

/** The rules that compare workloads with other objects of the cluster, and those for what the API server refuses. */
export const CLUSTER_RULES: readonly AnyRule[] = [
  autoscalerBlind,
  autoscalersConflict,
  awaitsOtherComponent,
  beingDeleted,
  betterStrategy,
  generateName,
  hpaWithoutTarget,
  invalidStrategy,
  invalidAutoscaler,
  invalidBudget,
  insufficientCapacity,
  insufficientCapacityOnNodes,
  insufficientCapacityForGroups,
  insufficientCapacityForSecondCluster,
  insufficientCapacityForAddedPods,
  insufficientCapacityAtRaisedMaximum,
  insufficientCapacityInLoweredQuota,
  insufficientCapacityInLimitRange,
  insufficientCapacityIfUndecided,
  otherOwner,
  pdbBlocksEviction,
  pdbBrokenByRollout,
  pdbRefusesEviction,
  podSecurity,
  quotedInteger,
  refusedObject,
  removedApi,
  rwoVolumeSurge,
  scaledObjectRefused,
  schedulingGated,
  spreadSkewedAfterRollout,
  surgeNeedsHeadroom,
  unknownKind,
];
