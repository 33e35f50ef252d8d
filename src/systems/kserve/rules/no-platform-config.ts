import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { defineMessage, defineRule } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import type { DeploymentMode } from '../types';
import { renderKserveConfigMap, renderInferenceService, joinExampleDocuments } from './examples';

interface ConfigMapData {
  readonly configMap: string;
  readonly namespace: string;
  /** The default mode that is assumed. */
  readonly mode: DeploymentMode;
  /** Services whose mode nothing else decides. */
  readonly services: number;
}

function formatHelp({ configMap: name, namespace }: ConfigMapData): string {
  return `Give it too, as a file or with --kserve-config: kubectl get configmap ${name} -n ${namespace} -o yaml prints it.`;
}

const SAMPLE: ConfigMapData = { configMap: 'inferenceservice-config', namespace: 'kserve', mode: 'Knative', services: 1 };

/** Services without the platform level that they are settled with. */
export const noPlatformConfig = defineRule({
  code: 'kserve/no-platform-config',
  since: '0.1.0',
  severity: ['info', 'warning'],
  fires: 'The input has InferenceServices, but not the ConfigMap `inferenceservice-config`. A warning where that decides the mode of one.',
  why:
    'The ConfigMap decides the deployment mode of services without an annotation and the rollout of services without a strategy. ' +
    'Without it the plan assumes what KServe ships: default mode Knative, in which a new Revision is brought up beside the old one, ' +
    'and no rollout defaults. A service that is annotated, or that has a deploymentStrategy, which only mode Standard takes, ' +
    'decides for itself.',
  fix: 'Give it too, as a file or with `--kserve-config`: `kubectl get configmap inferenceservice-config -n kserve -o yaml` prints it.',
  example: renderInferenceService({}),
  fixedExample: joinExampleDocuments(renderKserveConfigMap('{', '  "defaultDeploymentMode": "Standard"', '}'), renderInferenceService({})),
  messages: {
    assumed: defineMessage<ConfigMapData>({
      text: (data) =>
        `The ConfigMap ${data.configMap} is not in view: it is assumed to hold no rollout defaults, so that what nobody decides is 25%.`,
      help: formatHelp,
      sample: { ...SAMPLE, services: 0 },
    }),
    assumedMode: defineMessage<ConfigMapData>({
      text: (data) =>
        `The ConfigMap ${data.configMap} is not in view: default mode ${data.mode}, which KServe ships, is assumed and decides how ` +
        `${pluralize(data.services, 'InferenceService')} ${data.services === 1 ? 'rolls' : 'roll'} out.`,
      help: formatHelp,
      sample: SAMPLE,
      variants: [{ ...SAMPLE, services: 2 }],
    }),
  },
});

/** Says that the platform level is assumed, because no ConfigMap is in view, and whether that decides anything. */
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
