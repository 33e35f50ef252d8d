import type { AnyRule } from '../../core/findings/finding';
import { blockedByPod } from './blocked-by-pod';
import { changeClaimsDeleted } from './claims-deleted';
import { revertsToDefault } from './reverts-to-default';
import { droppedByMerge } from './dropped-by-merge';
import { duplicateOldObject } from './duplicate-old-object';
import { noLastApplied } from './no-last-applied';
import { incompleteInformation } from './incomplete-information';
import { forceRecreates } from './force-recreates';
import { garbageCollected } from './garbage-collected';
import { hookPods } from './hook-pods';
import { notApplied } from './not-applied';
import { notAdopted } from './not-adopted';
import { nodesLeft } from './nodes-left';
import { podsEvicted } from './pods-evicted';
import { ordinalsMoved } from './ordinals-moved';
import { recreateBlocked } from './recreate-blocked';
import { referenceRemoved } from './reference-removed';
import { changeRefused } from './refused';
import { scaledDown } from './scaled-down';
import { assumesSteadyState } from './assumes-steady-state';

/** The rules about a change: what is refused, what is not known, and what does harm. */
export const CHANGE_RULES: readonly AnyRule[] = [
  blockedByPod,
  recreateBlocked,
  changeClaimsDeleted,
  revertsToDefault,
  droppedByMerge,
  duplicateOldObject,
  noLastApplied,
  incompleteInformation,
  ordinalsMoved,
  nodesLeft,
  podsEvicted,
  changeRefused,
  scaledDown,
  forceRecreates,
  notAdopted,
  hookPods,
  notApplied,
  garbageCollected,
  referenceRemoved,
  assumesSteadyState,
];
