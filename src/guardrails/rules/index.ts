import type { AnyRule } from '../../core/findings/finding';
import { guardrailsRefused } from './refused';

/** Rules about the policy of a platform team. */
export const GUARDRAIL_RULES: readonly AnyRule[] = [guardrailsRefused];
