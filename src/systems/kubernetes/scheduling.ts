import { selects } from '../../core/label-selector';
import { isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';

const HOSTNAME = 'kubernetes.io/hostname';

/** Does an anti-affinity term keep the pods of one template apart, old and new alike? */
function separatesOwnPods(term: unknown, labels: unknown): boolean {
  if (valueAt(term, 'topologyKey') !== HOSTNAME || listAt(term, 'namespaces').length > 0) return false;
  // With the hash of the template among the labels to match, only pods of one revision keep apart.
  if (listAt(term, 'matchLabelKeys').includes('pod-template-hash')) return false;
  return selects(valueAt(term, 'labelSelector'), labels);
}

function hostPorts(podSpec: unknown): boolean {
  return [...listAt(podSpec, 'containers'), ...listAt(podSpec, 'initContainers')].some((container) =>
    listAt(container, 'ports').some((port) => isFields(port) && Boolean(port.hostPort)),
  );
}

/**
 * Why no two pods of a template, old or new, fit on one node; undefined where they do.
 *
 * Required anti-affinity by node name that selects the template's own labels, or a port of the node.
 */
export function oneNodeEach(template: Fields): 'required anti-affinity' | 'a hostPort' | undefined {
  const podSpec = template.spec;
  const terms = listAt(podSpec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (terms.some((term) => separatesOwnPods(term, valueAt(template, 'metadata', 'labels')))) return 'required anti-affinity';
  return hostPorts(podSpec) ? 'a hostPort' : undefined;
}
