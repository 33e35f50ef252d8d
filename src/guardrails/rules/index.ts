import type { AnyRule } from '../../core/finding';
import { guardrailsRefused } from './refused';

/** The rules about a platform team's policy. */
export const GUARDRAIL_RULES: readonly AnyRule[] = [guardrailsRefused];
