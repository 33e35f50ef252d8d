import type { AnyRule } from '../../../core/findings/finding';
import { llmLimitsAtOneReplica } from './llm-limits-at-one-replica';
import { llmNoStrategy } from './llm-no-strategy';
import { llmRouteGroup } from './llm-route-group';
import { llmSchedulerRestarts } from './llm-scheduler-restarts';
import { llmStopped } from './llm-stopped';
import { llmTemplateRefused } from './llm-template-refused';

/** The rules about LLMInferenceServices. */
export const LLM_RULES: readonly AnyRule[] = [
  llmNoStrategy,
  llmLimitsAtOneReplica,
  llmTemplateRefused,
  llmStopped,
  llmSchedulerRestarts,
  llmRouteGroup,
];
