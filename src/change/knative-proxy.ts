import { nameOf, namespaceOf } from '../core/manifest';
import type { ObjectComparison } from './object-comparison';

/**
 * Keys of ConfigMaps of Knative with settings of the queue-proxy, which its controller writes into the Deployment of each Revision at once.
 * Source: Knative 1.21 pkg/reconciler/revision/resources/queue.go, `makeQueueContainer`; pkg/reconciler/revision/controller.go, `GlobalResync`.
 */
const PROXY_KEYS: ReadonlyMap<string, RegExp> = new Map([
  ['config-deployment', /^data\[queue-?sidecar/i],
  ['config-logging', /^data\[(?:zap-logger-config|loglevel\.queueproxy)\]$/],
  ['config-observability', /^data\[(?!_example\])/],
]);

/** Reports whether a change of a ConfigMap makes Knative replace the pods of the Revisions that run. */
export function isQueueProxyChange({ next, differences }: ObjectComparison): boolean {
  const keys = next.kind === 'ConfigMap' && namespaceOf(next) === 'knative-serving' ? PROXY_KEYS.get(nameOf(next)) : undefined;
  return keys !== undefined && differences.some(({ path }) => keys.test(path));
}
