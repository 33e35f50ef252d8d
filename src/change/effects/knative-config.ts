import { isDeepEqual } from '../../core/collections/deep-equal';
import { getFieldsAt, kindKeyOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/**
 * Keys of ConfigMaps of Knative with settings that its controllers apply to each Revision at once: those of the pods in its Deployment, and
 * all by which its autoscaler adds and removes pods.
 *
 * Source: Knative 1.21 pkg/reconciler/revision/resources/deploy.go, `makePodSpec` and `BuildPodSpec`, and queue.go, `makeQueueContainer`;
 * pkg/reconciler/revision/controller.go, `GlobalResync`; pkg/apis/config/features.go.
 */
const REVISION_KEYS: ReadonlyMap<string, RegExp> = new Map([
  ['config-autoscaler', /^(?!_example$)/],
  ['config-defaults', /^enable-service-links$/],
  ['config-deployment', /^(?:queue-?sidecar|runtime-class-name$|default-affinity-type$)/i],
  // Each Revision is reconciled again within hours, and then has the same Deployment as a new one.
  ['config-features', /^(?:autodetect-http2|multi-container-probing|queueproxy\.(?:mount-podinfo|resource-defaults))$/],
  ['config-logging', /^(?:zap-logger-config|loglevel\.queueproxy)$/],
  ['config-network', /^(?:system-internal-tls|dataplane-trust|internal-encryption)$/],
  ['config-observability', /^(?!_example$)/],
]);

/** Namespaces of the ConfigMaps of Knative. Without one, the command line decides. */
const KNATIVE_NAMESPACES: ReadonlySet<string | undefined> = new Set(['knative-serving', undefined]);

/**
 * Reports whether Knative replaces, adds or removes pods of the Revisions that run because a ConfigMap is new, differs or is deleted. Without the
 * ConfigMap, the settings in it have their defaults.
 */
export function mayChangeRevisions(old: Manifest | undefined, next: Manifest | undefined): boolean {
  const object = (next ?? old)!;
  const isOfKnative = kindKeyOf(object) === '/ConfigMap' && KNATIVE_NAMESPACES.has(namespaceOf(object));
  const keys = isOfKnative ? REVISION_KEYS.get(nameOf(object)) : undefined;
  if (keys === undefined) return false;
  const [before, after] = [getFieldsAt(old, 'data'), getFieldsAt(next, 'data')];
  return Object.keys({ ...before, ...after }).some((key) => keys.test(key) && !isDeepEqual(before[key], after[key]));
}
