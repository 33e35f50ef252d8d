import type { AnyRule } from '../core/findings/finding';
import { CHANGE_RULES } from '../change/rules';
import { RULES } from '../plan/rules';
import { UPGRADE_RULES } from './rules';

/** All rules: those of plans, then those about a change, then those about the upgrade of an operator. */
export const ALL_RULES: readonly AnyRule[] = [...RULES, ...CHANGE_RULES, ...UPGRADE_RULES];
