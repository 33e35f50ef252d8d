import type { AnyRule } from '../core/finding';
import { RULES } from '../plan/rules';
import { CHANGE_RULES } from './rules';

/** All rules: those of plans, then those about a change. */
export const ALL_RULES: readonly AnyRule[] = [...RULES, ...CHANGE_RULES];
