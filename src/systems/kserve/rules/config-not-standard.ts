import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { LIMITS, getConfiguredLimits } from '../platform-limits';
import type { Limit } from '../platform-limits';
import type { DeploymentMode, PlatformConfig } from '../types';
import { STANDARD_MODE_ANNOTATION, renderRolloutDefaults, renderInferenceService, joinExampleDocuments } from './examples';

interface ModeData {
  /** The default deployment mode; empty if the ConfigMap has none. */
  readonly mode: DeploymentMode | '';
  readonly limits: readonly { readonly limit: Limit; readonly value: DisplayValue }[];
}

/** Reports rollout defaults that apply to no service. */
export const configNotStandard = defineRule({
  code: 'kserve/config-not-standard',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The ConfigMap has rollout defaults but its default deployment mode is not Standard, or a construct annotates a service as Standard on such a platform ' +
    '(a warning if the service requests no strategy).',
  why:
    'KServe applies the rollout defaults only if the default mode is Standard. The annotation of a service makes no difference: ' +
    'a service that is annotated Standard gets 25%/25%.',
  fix:
    'Give each service that is annotated Standard a deploymentStrategy. Or write `"defaultDeploymentMode": "Standard"`, ' +
    'which also makes every new service without an annotation Standard.',
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
        'Give each service that is annotated Standard its own deploymentStrategy; services in other modes do not support one. ' +
        'With "defaultDeploymentMode": "Standard" the defaults apply, but every new service without an annotation becomes Standard. ' +
        'Deleting the defaults has no effect.',
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

/** Reports rollout defaults that apply to no service. `path` is the path of the defaults. */
export function checkConfigNotStandard({ defaultDeploymentMode, defaultRollout }: PlatformConfig, path: FieldPath): Finding[] {
  if (defaultDeploymentMode === 'Standard') return [];
  const configured = getConfiguredLimits(defaultRollout);
  const limits = LIMITS.filter((limit) => configured[limit] !== undefined).map((limit) => ({
    limit,
    value: toDisplayValue(configured[limit]),
  }));
  if (limits.length === 0) return [];
  return [configNotStandard.createFinding('notStandard', { path, data: { mode: defaultDeploymentMode, limits } })];
}
