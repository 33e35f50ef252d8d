import type { AnyRule } from '../../core/finding';
import { noLastApplied } from './no-last-applied';
import { refused } from './refused';

/** The rules about a change: what of it is refused, what is not known, what hurts. */
export const CHANGE_RULES: readonly AnyRule[] = [noLastApplied, refused];
