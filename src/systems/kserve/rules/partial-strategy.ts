import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { appendToPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { getFieldsAt, isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { formatDisplayValue } from '../../../core/display-value';
import type { ComponentDeployment } from '../deployments';
import { LIMITS, pickDefined } from '../platform-limits';
import type { Limit } from '../platform-limits';
import type { PlatformConfig } from '../types';
import {
  SURGE_ONE_STRATEGY,
  STANDARD_MODE_ANNOTATION,
  SURGE_ONLY_STRATEGY,
  renderRolloutDefaults,
  renderInferenceService,
  joinExampleDocuments,
} from './examples';

interface MissingLimitData {
  /** The limit that is not there. */
  readonly absent: Limit;
  /** What the ConfigMap has for it, where it has rollout defaults that apply. */
  readonly configured?: string | number;
}

/** One limit without the other. */
export const partialStrategy = defineRule({
  code: 'kserve/partial-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A deploymentStrategy gives one of maxSurge and maxUnavailable, not the other.',
  why: 'KServe takes a deploymentStrategy whole: the missing half is not filled in from the ConfigMap but becomes 25% in the API server.',
  fix: 'Write both.',
  example: joinExampleDocuments(
    renderRolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], predictor: SURGE_ONLY_STRATEGY }),
  ),
  fixedExample: joinExampleDocuments(
    renderRolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], predictor: SURGE_ONE_STRATEGY }),
  ),
  messages: {
    missingLimit: defineMessage<MissingLimitData>({
      text: ({ absent, configured }) => {
        const instead = configured === undefined ? '' : `, not the ${formatDisplayValue(configured)} of the ConfigMap`;
        return `The deploymentStrategy has no ${absent}, which becomes 25%${instead}: KServe takes a deploymentStrategy as a whole.`;
      },
      help: ({ absent, configured }) => `Write ${absent}${configured === undefined ? '' : `: ${configured}`} beside the other limit.`,
      suggestedFix: ({ absent, configured = '25%' }, path) => suggestManualFix(setField(appendToPath(path, absent), configured)),
      sample: { absent: 'maxUnavailable', configured: '10%' },
      variants: [{ absent: 'maxSurge' }],
    }),
  },
});

/** One limit without the other. Recreate takes neither. */
export function checkPartialStrategy(
  { userStrategy, strategyPath }: Pick<ComponentDeployment, 'userStrategy' | 'strategyPath'>,
  { defaultDeploymentMode, defaultRollout }: PlatformConfig,
): Finding[] {
  if (!isFields(userStrategy) || userStrategy.type === 'Recreate') return [];
  const definedLimits: Fields = pickDefined(getFieldsAt(userStrategy, 'rollingUpdate'));
  const missing = LIMITS.filter((limit) => definedLimits[limit] === undefined);
  const [absent] = missing;
  if (missing.length !== 1 || absent === undefined) return [];
  const configured = defaultDeploymentMode === 'Standard' ? defaultRollout?.[absent] : undefined;
  const data = { absent, ...(configured && { configured }) };
  return [partialStrategy.createFinding('missingLimit', { path: appendToPath(strategyPath, 'rollingUpdate'), data })];
}
