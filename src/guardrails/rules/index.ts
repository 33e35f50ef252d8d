import type { AnyRule } from '../../core/finding';
import { refusedByGuardrails } from './refused';

/** The rules about a platform team's policy. */
export const GUARDRAIL_RULES: readonly AnyRule[] = [refusedByGuardrails];
