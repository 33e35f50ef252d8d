import type { AnyRule } from '../../../core/findings/finding';
import { invalidIntent } from './invalid-intent';
import { deploymentInvalidStrategy } from './invalid-strategy';
import { paused } from './paused';
import { progressDeadlineTooShort } from './progress-deadline-too-short';

/** The rules that apply only to Deployments. */
export const DEPLOYMENT_RULES: readonly AnyRule[] = [paused, progressDeadlineTooShort, deploymentInvalidStrategy, invalidIntent];
