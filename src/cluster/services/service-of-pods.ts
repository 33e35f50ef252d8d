import { addToGroup } from '../../core/collections/group-by';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { getFieldsAt, isFields, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { memoizePerPlan } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import type { PodSet } from '../rollout/pod-set';

function formatLabelKey(namespace: string | undefined, [name, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace ?? '', name, value]);
}

/** Lists the labels that a Service selects, as keys of the index. */
function listSelectedLabels(service: Manifest): string[] {
  return Object.entries(getFieldsAt(service, 'spec', 'selector')).map((label) => formatLabelKey(namespaceOf(service), label));
}

/**
 * Services by the label of their selector that the fewest Services select, so that pods only check Services with one of their labels. Services without a selector are
 * left out.
 */
const getServicesByLabel = memoizePerPlan((context) => {
  const byLabel = new Map<string, Manifest[]>();
  const services = context.all(CONTEXT_KINDS.service).map((service) => ({ service, labels: listSelectedLabels(service) }));
  const uses = new Map<string, number>();
  for (const { labels } of services) for (const label of labels) uses.set(label, (uses.get(label) ?? 0) + 1);
  for (const { service, labels } of services) {
    const [first, ...others] = labels;
    if (first === undefined) continue;
    const key = others.reduce((rarest, label) => (uses.get(label)! < uses.get(rarest)! ? label : rarest), first);
    addToGroup(byLabel, key, service);
  }
  return byLabel;
});

/** Returns the name of a Service in the same namespace that sends requests to the pods. Returns undefined if there is none in the input. */
export function serviceNameOf({ namespace, template }: PodSet, context: PlanContext): string | undefined {
  const labels = getValueAt(template, 'metadata', 'labels');
  if (!isFields(labels)) return undefined;
  const byLabel = getServicesByLabel(context);
  if (byLabel.size === 0) return undefined;
  const candidates = Object.entries(labels).flatMap((label) => byLabel.get(formatLabelKey(namespace, label)) ?? []);
  const service = candidates.find((candidate) => matchesLabelSelector({ matchLabels: getFieldsAt(candidate, 'spec', 'selector') }, labels));
  return service && nameOf(service);
}
