import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { appendToPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { DEPLOYMENT_MODE_ANNOTATION, resolveAdmittedAnnotation, isStrategyRefused } from '../mode';
import type { ModeSources } from '../mode';
import { isNonNull } from '../precedence';
import type { KserveService } from '../service';
import type { DeploymentMode } from '../types';
import {
  SURGE_ONE_STRATEGY,
  STANDARD_MODE_ANNOTATION,
  renderKserveConfigMap,
  renderInferenceService,
  joinExampleDocuments,
} from './examples';

interface ModeData {
  /** The annotation after the defaulting webhook; undefined if there is none. */
  readonly annotation?: string;
  /** The default mode in the ConfigMap; empty if it has none. */
  readonly defaultMode: DeploymentMode | '';
}

/** Reports a deploymentStrategy of a service that does not run in mode Standard. */
export const strategyOutsideStandard = defineRule({
  code: 'kserve/strategy-outside-standard',
  since: '0.1.0',
  severity: 'error',
  fires: 'A component has a deploymentStrategy, but neither the annotation of the service nor the default mode is Standard.',
  why:
    'The webhook refuses it: "customizing deploymentStrategy is only supported for raw deployment mode". It checks the annotation, ' +
    'which KServe adds if the default mode is Standard.',
  fix: 'Delete the deploymentStrategy. Or annotate the service with `serving.kserve.io/deploymentMode: Standard`, which is refused if the service already runs in another mode.',
  example: joinExampleDocuments(
    renderKserveConfigMap('{', '  "defaultDeploymentMode": "Knative"', '}'),
    renderInferenceService({ predictor: SURGE_ONE_STRATEGY }),
  ),
  fixedExample: joinExampleDocuments(
    renderKserveConfigMap('{', '  "defaultDeploymentMode": "Knative"', '}'),
    renderInferenceService({ annotations: [STANDARD_MODE_ANNOTATION], predictor: SURGE_ONE_STRATEGY }),
  ),
  messages: {
    refused: defineMessage<ModeData>({
      text: ({ annotation, defaultMode }) => {
        const annotated =
          annotation === undefined ? 'the service has no deploymentMode annotation' : `the service is annotated ${annotation}`;
        return (
          `The webhook refuses the deploymentStrategy, because ${annotated} and the default mode is ${defaultMode || 'not set'}: ` +
          'customizing deploymentStrategy is only supported for raw deployment mode.'
        );
      },
      help: () =>
        `Delete deploymentStrategy, or annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard if it is not in the cluster yet. ` +
        'The webhook refuses another mode for an existing service.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { defaultMode: 'Knative' },
      variants: [{ annotation: 'Knative', defaultMode: '' }],
    }),
  },
});

/** Reports strategies of components that the webhook refuses because of the service's mode. */
export function checkStrategyOutsideStandard({ components }: KserveService, sources: ModeSources): Finding[] {
  if (!isStrategyRefused(sources)) return [];
  const annotation = resolveAdmittedAnnotation(sources);
  const data = { ...(annotation !== undefined && { annotation }), defaultMode: sources.defaultMode };
  return components
    .filter(({ spec }) => isNonNull(spec.deploymentStrategy))
    .map(({ path }) => strategyOutsideStandard.createFinding('refused', { path: appendToPath(path, 'deploymentStrategy'), data }));
}
