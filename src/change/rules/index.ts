import type { AnyRule } from '../../core/finding';
import { blockedByPod } from './blocked-by-pod';
import { changeClaimsDeleted } from './claims-deleted';
import { revertsToDefault } from './reverts-to-default';
import { duplicateOldObject } from './duplicate-old-object';
import { noLastApplied } from './no-last-applied';
import { incompleteInformation } from './incomplete-information';
import { forceRecreates } from './force-recreates';
import { changeRefused } from './refused';
import { assumesSteadyState } from './assumes-steady-state';

/** The rules about a change: what is refused, what is not known, and what does harm. */
export const CHANGE_RULES: readonly AnyRule[] = [
  blockedByPod,
  changeClaimsDeleted,
  revertsToDefault,
  duplicateOldObject,
  noLastApplied,
  incompleteInformation,
  changeRefused,
  forceRecreates,
  assumesSteadyState,
];
