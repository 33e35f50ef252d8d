import type { FieldPath } from '../../../core/field-path';
import type { Finding } from '../../../core/finding';
import { message, rule } from '../../../core/finding';
import { configMap, service, together } from './examples';

interface ConfigMapData {
  readonly configMap: string;
  readonly namespace: string;
}

/** Services without the platform level that they are settled with. */
export const noPlatformConfig = rule({
  code: 'kserve/no-platform-config',
  since: '0.1.0',
  severity: 'info',
  fires: 'The input has InferenceServices, but not the ConfigMap `inferenceservice-config`.',
  why:
    'The ConfigMap decides the deployment mode of services without an annotation and the rollout of services without a strategy. ' +
    'Without it the plan assumes default mode Standard and no rollout defaults, so 25%/25%; the cluster may say otherwise.',
  fix: 'Give it too, as a file or with `--kserve-config`: `kubectl get configmap inferenceservice-config -n kserve -o yaml` prints it.',
  example: service({}),
  fixed: together(configMap('{', '  "defaultDeploymentMode": "Standard"', '}'), service({})),
  messages: {
    assumed: message<ConfigMapData>({
      text: (data) =>
        `The ConfigMap ${data.configMap} is not in view: default mode Standard and no rollout defaults (25%/25%) are assumed.`,
      help: (data) =>
        `Give it too, as a file or with --kserve-config: kubectl get configmap ${data.configMap} -n ${data.namespace} -o yaml prints it.`,
      sample: { configMap: 'inferenceservice-config', namespace: 'kserve' },
    }),
  },
});

/** Says that the platform level is assumed, because no ConfigMap is in view. */
export function noPlatformConfigFinding(data: ConfigMapData, path: FieldPath): Finding {
  return noPlatformConfig.finding('assumed', { path, data });
}
