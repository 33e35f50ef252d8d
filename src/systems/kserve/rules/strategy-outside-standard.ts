import { suggestManualFix, removeField } from '../../../core/suggested-fix';
import { appendToPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
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
  /** The annotation as the webhook leaves it; undefined where there is none. */
  readonly annotation?: string;
  /** Of the ConfigMap; empty where it has none. */
  readonly defaultMode: DeploymentMode | '';
}

/** A deploymentStrategy of a service that does not run in mode Standard. */
export const strategyOutsideStandard = defineRule({
  code: 'kserve/strategy-outside-standard',
  since: '0.1.0',
  severity: 'error',
  fires: 'A component has a deploymentStrategy, and the service is not annotated Standard, nor is Standard the default mode.',
  why:
    'The webhook refuses it: "customizing deploymentStrategy is only supported for raw deployment mode". It looks at the annotation, ' +
    'which KServe adds by itself where the default mode is Standard.',
  fix: 'Delete the deploymentStrategy; or annotate the service with `serving.kserve.io/deploymentMode: Standard`, which is refused of one that the cluster has in another mode.',
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
        `Delete deploymentStrategy. A service that is not in the cluster yet may be annotated ${DEPLOYMENT_MODE_ANNOTATION}: Standard instead; of one that is, ` +
        'the webhook refuses another mode.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { defaultMode: 'Knative' },
      variants: [{ annotation: 'Knative', defaultMode: '' }],
    }),
  },
});

/** Strategies of components that the webhook refuses because of the service's mode. */
export function checkStrategyOutsideStandard({ components }: KserveService, sources: ModeSources): Finding[] {
  if (!isStrategyRefused(sources)) return [];
  const annotation = resolveAdmittedAnnotation(sources);
  const data = { ...(annotation !== undefined && { annotation }), defaultMode: sources.defaultMode };
  return components
    .filter(({ spec }) => isNonNull(spec.deploymentStrategy))
    .map(({ path }) => strategyOutsideStandard.createFinding('refused', { path: appendToPath(path, 'deploymentStrategy'), data }));
}
