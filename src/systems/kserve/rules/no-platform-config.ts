import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import type { DeploymentMode } from '../types';
import { renderKserveConfigMap, renderInferenceService, joinExampleDocuments } from './examples';

interface ConfigMapData {
  readonly configMap: string;
  readonly namespace: string;
  /** The default mode that is assumed. */
  readonly mode: DeploymentMode;
  /** The number of services whose mode depends on the assumed default. */
  readonly services: number;
}

function formatHelp({ configMap: name, namespace }: ConfigMapData): string {
  return `Add it to the input or pass it with --kserve-config: kubectl get configmap ${name} -n ${namespace} -o yaml prints it.`;
}

const SAMPLE: ConfigMapData = { configMap: 'inferenceservice-config', namespace: 'kserve', mode: 'Knative', services: 1 };

/** Reports services whose platform level is assumed. */
export const noPlatformConfig = defineRule({
  code: 'kserve/no-platform-config',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires:
    'The input has InferenceServices, but not the ConfigMap `inferenceservice-config` (a warning if the ConfigMap decides the mode of one of them).',
  why:
    'The ConfigMap decides the deployment mode of services without an annotation, and the rollout of services without a strategy. ' +
    'Without it the plan assumes the values that KServe ships: default mode Knative, in which a new Revision is started next to the old one, ' +
    'and no rollout defaults. A service does not depend on the ConfigMap for its mode if it is annotated, ' +
    'or if it has a deploymentStrategy, which only mode Standard supports.',
  fix: 'Add it to the input or pass it with `--kserve-config`: `kubectl get configmap inferenceservice-config -n kserve -o yaml` prints it.',
  example: renderInferenceService({}),
  fixedExample: joinExampleDocuments(renderKserveConfigMap('{', '  "defaultDeploymentMode": "Standard"', '}'), renderInferenceService({})),
  messages: {
    assumed: defineMessage<ConfigMapData>({
      text: (data) =>
        `The ConfigMap ${data.configMap} is not in the input: the plan assumes that it has no rollout defaults, so limits that are not set are 25%.`,
      help: formatHelp,
      sample: { ...SAMPLE, services: 0 },
    }),
    assumedMode: defineMessage<ConfigMapData>({
      text: (data) =>
        `The ConfigMap ${data.configMap} is not in the input: the plan assumes default mode ${data.mode}, which KServe ships. It decides how ` +
        `${pluralize(data.services, 'InferenceService')} ${data.services === 1 ? 'rolls' : 'roll'} out.`,
      help: formatHelp,
      sample: SAMPLE,
      variants: [{ ...SAMPLE, services: 2 }],
    }),
  },
});

/** Reports that the platform level is assumed because the ConfigMap is not in the input, and whether any service depends on it. */
export function checkNoPlatformConfig(services: number, data: ConfigMapData, path: FieldPath): Finding[] {
  if (services === 0) return [];
  return [
    noPlatformConfig.createFinding(data.services > 0 ? 'assumedMode' : 'assumed', {
      path,
      severity: data.services > 0 ? 'warning' : 'info',
      data,
    }),
  ];
}
