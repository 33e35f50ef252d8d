import { byChoice, set } from '../../../core/advice';
import { childPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { fieldsAt, isFields } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { show } from '../../../core/seen';
import type { ComponentDeployment } from '../deployments';
import { LIMITS, present } from '../platform-limits';
import type { Limit } from '../platform-limits';
import type { PlatformConfig } from '../types';
import { ONE_AT_A_TIME, STANDARD, SURGE_ALONE, rolloutDefaults, service, together } from './examples';

interface HalfData {
  /** The limit that is not there. */
  readonly absent: Limit;
  /** What the ConfigMap has for it, where it has rollout defaults that apply. */
  readonly configured?: string | number;
}

/** One limit without the other. */
export const partialStrategy = rule({
  code: 'kserve/partial-strategy',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A deploymentStrategy gives one of maxSurge and maxUnavailable, not the other.',
  why: 'KServe takes a deploymentStrategy whole: the missing half is not filled in from the ConfigMap but becomes 25% in the API server.',
  fix: 'Write both.',
  example: together(
    rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
    service({ annotations: [STANDARD], predictor: SURGE_ALONE }),
  ),
  fixed: together(
    rolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
    service({ annotations: [STANDARD], predictor: ONE_AT_A_TIME }),
  ),
  messages: {
    half: message<HalfData>({
      text: ({ absent, configured }) => {
        const instead = configured === undefined ? '' : `, not the ${show(configured)} of the ConfigMap`;
        return `The deploymentStrategy has no ${absent}, which becomes 25%${instead}: KServe takes a deploymentStrategy as a whole.`;
      },
      help: ({ absent, configured }) => `Write ${absent}${configured === undefined ? '' : `: ${configured}`} beside the other limit.`,
      advice: ({ absent, configured = '25%' }, path) => byChoice(set(childPath(path, absent), configured)),
      sample: { absent: 'maxUnavailable', configured: '10%' },
      variants: [{ absent: 'maxSurge' }],
    }),
  },
});

/** One limit without the other. Recreate takes neither. */
export function partialStrategyFindings(
  { user, strategyPath }: Pick<ComponentDeployment, 'user' | 'strategyPath'>,
  { defaultDeploymentMode, defaultRollout }: PlatformConfig,
): Finding[] {
  if (!isFields(user) || user.type === 'Recreate') return [];
  const given: Fields = present(fieldsAt(user, 'rollingUpdate'));
  const missing = LIMITS.filter((limit) => given[limit] === undefined);
  const [absent] = missing;
  if (missing.length !== 1 || absent === undefined) return [];
  const configured = defaultDeploymentMode === 'Standard' ? defaultRollout?.[absent] : undefined;
  const data = { absent, ...(configured && { configured }) };
  return [partialStrategy.finding('half', { path: childPath(strategyPath, 'rollingUpdate'), data })];
}
