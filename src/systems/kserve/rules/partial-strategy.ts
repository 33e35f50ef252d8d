import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { getFieldsAt, isFields } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { formatDisplayValue } from '../../../core/text/display-value';
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
  /** The missing limit. */
  readonly absent: Limit;
  /** The value in the ConfigMap, if it has rollout defaults that apply. */
  readonly configured?: string | number;
}

/** Reports a strategy with only one of the two limits. */
export const partialStrategy = defineRule({
  code: 'kserve/partial-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A deploymentStrategy sets only one of maxSurge and maxUnavailable.',
  why: 'KServe copies the entire deploymentStrategy: a missing limit is not filled in from the ConfigMap, but defaults to 25% in the API server.',
  fix: 'Write both limits.',
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
        return `The deploymentStrategy has no ${absent}, which defaults to 25%${instead}: KServe copies the entire deploymentStrategy.`;
      },
      help: ({ absent, configured }) => `Also write ${absent}${configured === undefined ? '' : `: ${configured}`}.`,
      suggestedFix: ({ absent, configured = '25%' }, path) => suggestManualFix(setField(appendToPath(path, absent), configured)),
      sample: { absent: 'maxUnavailable', configured: '10%' },
      variants: [{ absent: 'maxSurge' }],
    }),
  },
});

/** Reports a missing limit. Recreate has no limits. */
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
