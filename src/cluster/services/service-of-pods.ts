import { matchesLabelSelector } from '../../core/label-selector';
import { getFieldsAt, isFields, nameOf, namespaceOf, getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { memoizePerPlan } from '../context';
import type { PlanContext } from '../context';
import { CONTEXT_KINDS } from '../context-kinds';
import type { PodSet } from '../workload';

function formatLabelKey(namespace: string | undefined, [name, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace ?? '', name, value]);
}

/**
 * Services by the first label of their selector, so that pods only check Services with one of their labels. Services without a selector are
 * left out.
 */
const getServicesByLabel = memoizePerPlan((context) => {
  const byLabel = new Map<string, Manifest[]>();
  for (const service of context.all(CONTEXT_KINDS.service)) {
    const [label] = Object.entries(getFieldsAt(service, 'spec', 'selector'));
    if (!label) continue;
    const key = formatLabelKey(namespaceOf(service), label);
    byLabel.set(key, [...(byLabel.get(key) ?? []), service]);
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
