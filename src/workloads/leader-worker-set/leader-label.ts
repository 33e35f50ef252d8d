import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';

/** Index of a pod in its group. The leader has 0. */
export const WORKER_INDEX_LABEL = 'leaderworkerset.sigs.k8s.io/worker-index';

/**
 * Adds the label of a leader to its template, because Services select leaders by it. The labels of the workers differ by pod.
 *
 * Source: lws v0.9.0, pkg/webhooks/pod_webhook.go, `Default`.
 */
export function addLeaderLabel(template: Fields): Fields {
  const metadata = getFieldsAt(template, 'metadata');
  return { ...template, metadata: { ...metadata, labels: { ...getFieldsAt(metadata, 'labels'), [WORKER_INDEX_LABEL]: '0' } } };
}
