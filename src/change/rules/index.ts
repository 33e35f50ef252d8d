import type { AnyRule } from '../../core/finding';
import { blockedByPod } from './blocked-by-pod';
import { claimsDeleted } from './claims-deleted';
import { fallsBack } from './falls-back';
import { givenTwice } from './given-twice';
import { noLastApplied } from './no-last-applied';
import { notKnown } from './not-known';
import { refused } from './refused';
import { rowsFromRest } from './rows-from-rest';

/** The rules about a change: what of it is refused, what is not known, what hurts. */
export const CHANGE_RULES: readonly AnyRule[] = [
  blockedByPod,
  claimsDeleted,
  fallsBack,
  givenTwice,
  noLastApplied,
  notKnown,
  refused,
  rowsFromRest,
];
