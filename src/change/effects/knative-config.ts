import { nameOf, namespaceOf } from '../../core/manifest';
import type { ObjectComparison } from '../compare/object-comparison';

/**
 * Keys of ConfigMaps of Knative with settings that its controllers apply to each Revision at once: those of the pods in its Deployment, and
 * all by which its autoscaler adds and removes pods.
 *
 * Source: Knative 1.21 pkg/reconciler/revision/resources/deploy.go, `makePodSpec` and `BuildPodSpec`, and queue.go, `makeQueueContainer`;
 * pkg/reconciler/revision/controller.go, `GlobalResync`; pkg/apis/config/features.go.
 */
const REVISION_KEYS: ReadonlyMap<string, RegExp> = new Map([
  ['config-autoscaler', /^data\[(?!_example\])/],
  ['config-defaults', /^data\[enable-service-links\]$/],
  ['config-deployment', /^data\[(?:queue-?sidecar|runtime-class-name\]|default-affinity-type\])/i],
  // Each Revision is reconciled again within hours, and then has the same Deployment as a new one.
  ['config-features', /^data\[(?:autodetect-http2|multi-container-probing|queueproxy\.(?:mount-podinfo|resource-defaults))\]$/],
  ['config-logging', /^data\[(?:zap-logger-config|loglevel\.queueproxy)\]$/],
  ['config-network', /^data\[(?:system-internal-tls|dataplane-trust|internal-encryption)\]$/],
  ['config-observability', /^data\[(?!_example\])/],
]);

/** Reports whether a change of a ConfigMap makes Knative replace, add or remove pods of the Revisions that run. */
export function isRevisionConfigChange({ next, differences }: ObjectComparison): boolean {
  const keys = next.kind === 'ConfigMap' && namespaceOf(next) === 'knative-serving' ? REVISION_KEYS.get(nameOf(next)) : undefined;
  return keys !== undefined && differences.some(({ path }) => keys.test(path));
}
