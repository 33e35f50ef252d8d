import { suggestManualFix, removeField } from '../../../core/suggested-fix';
import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { LIMITS, getConfiguredLimits } from '../platform-limits';
import type { Limit } from '../platform-limits';
import type { DeploymentMode, PlatformConfig } from '../types';
import { STANDARD_MODE_ANNOTATION, renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface ModeData {
  /** The default deployment mode; empty where the ConfigMap has none. */
  readonly mode: DeploymentMode | '';
  readonly limits: readonly { readonly limit: Limit; readonly value: DisplayValue }[];
}

/** Rollout defaults that apply to no service. */
export const configNotStandard = defineRule({
  code: 'kserve/config-not-standard',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The ConfigMap has rollout defaults, but its default deployment mode is not Standard; or a construct annotates a service Standard on such a platform ' +
    '(a warning where nothing asks for a strategy).',
  why:
    'KServe applies the rollout defaults only while the default mode is Standard. The annotation of a service makes no difference: ' +
    'a service that is annotated Standard gets 25%/25%.',
  fix:
    'Give each service that is annotated Standard a deploymentStrategy; or write `"defaultDeploymentMode": "Standard"`, ' +
    'with which every new service without an annotation is Standard.',
  example: joinExampleDocuments(
    renderRolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}', 'Knative'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] }),
  ),
  fixedExample: joinExampleDocuments(
    renderRolloutDefaults('{"maxSurge": "50%", "maxUnavailable": "0%"}'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION] }),
  ),
  messages: {
    notStandard: defineMessage<ModeData>({
      text: ({ mode, limits }) => {
        const values = limits.map(({ limit, value }) => `${limit} ${formatDisplayValue(value)}`).join(', ');
        return `The rollout defaults (${values}) apply to no service: the default deployment mode is ${mode || 'not set'}, not Standard.`;
      },
      help: () =>
        'Give each service that is annotated Standard a deploymentStrategy of its own; services of other modes take none. ' +
        'With "defaultDeploymentMode": "Standard" the defaults apply, and every new service without an annotation is Standard. ' +
        'Deleting the defaults changes nothing.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { mode: 'Knative', limits: [{ limit: 'maxSurge', value: '50%' }] },
      variants: [
        {
          mode: 'ModelMesh',
          limits: [
            { limit: 'maxSurge', value: '50%' },
            { limit: 'maxUnavailable', value: '0%' },
          ],
        },
      ],
    }),
  },
});

/** Says that rollout defaults apply to no service. `path` is that of the defaults. */
export function checkConfigNotStandard({ defaultDeploymentMode, defaultRollout }: PlatformConfig, path: FieldPath): Finding[] {
  if (defaultDeploymentMode === 'Standard') return [];
  const given = getConfiguredLimits(defaultRollout);
  const limits = LIMITS.filter((limit) => given[limit] !== undefined).map((limit) => ({ limit, value: toDisplayValue(given[limit]) }));
  if (limits.length === 0) return [];
  return [configNotStandard.createFinding('notStandard', { path, data: { mode: defaultDeploymentMode, limits } })];
}
