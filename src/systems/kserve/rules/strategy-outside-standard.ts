import { byChoice, remove } from '../../../core/advice';
import { childPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { DEPLOYMENT_MODE_ANNOTATION, admittedAnnotation, refusesStrategy } from '../mode';
import type { ModeSources } from '../mode';
import { isGiven } from '../precedence';
import type { Service } from '../service';
import type { DeploymentMode } from '../types';
import { ONE_AT_A_TIME, STANDARD, configMap, service, together } from './examples';

interface ModeData {
  /** The annotation as the webhook leaves it; undefined where there is none. */
  readonly annotation?: string;
  /** Of the ConfigMap; empty where it has none. */
  readonly defaultMode: DeploymentMode | '';
}

/** A deploymentStrategy of a service that does not run in mode Standard. */
export const strategyOutsideStandard = rule({
  code: 'kserve/strategy-outside-standard',
  since: '0.1.0',
  severity: 'error',
  fires: 'A component has a deploymentStrategy, and the service is not annotated Standard, nor is Standard the default mode.',
  why:
    'The webhook refuses it: "customizing deploymentStrategy is only supported for raw deployment mode". It looks at the annotation, ' +
    'which KServe adds by itself where the default mode is Standard.',
  fix: 'Delete the deploymentStrategy; or annotate the service with `serving.kserve.io/deploymentMode: Standard`, which is refused of one that the cluster has in another mode.',
  example: together(configMap('{', '  "defaultDeploymentMode": "Knative"', '}'), service({ predictor: ONE_AT_A_TIME })),
  fixed: together(
    configMap('{', '  "defaultDeploymentMode": "Knative"', '}'),
    service({ annotations: [STANDARD], predictor: ONE_AT_A_TIME }),
  ),
  messages: {
    refused: message<ModeData>({
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
      advice: (_data, path) => byChoice(remove(path)),
      sample: { defaultMode: 'Knative' },
      variants: [{ annotation: 'Knative', defaultMode: '' }],
    }),
  },
});

/** Strategies of components that the webhook refuses because of the service's mode. */
export function strategyOutsideStandardFindings({ components }: Service, sources: ModeSources): Finding[] {
  if (!refusesStrategy(sources)) return [];
  const annotation = admittedAnnotation(sources);
  const data = { ...(annotation !== undefined && { annotation }), defaultMode: sources.defaultMode };
  return components
    .filter(({ spec }) => isGiven(spec.deploymentStrategy))
    .map(({ path }) => strategyOutsideStandard.finding('refused', { path: childPath(path, 'deploymentStrategy'), data }));
}
