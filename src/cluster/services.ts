import { matchesLabelSelector } from '../core/label-selector';
import { getFieldsAt, isFields, nameOf, namespaceOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { memoizePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { PodSet } from './workload';

function formatLabelKey(namespace: string | undefined, [name, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace ?? '', name, value]);
}

/** Services by the first label that they select pods by, so that pods look at those alone that name one of theirs. One without a selector has none. */
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

/** The name of a Service of their namespace that sends requests to pods; undefined where none in view does. */
export function serviceNameOf({ namespace, template }: PodSet, context: PlanContext): string | undefined {
  const labels = getValueAt(template, 'metadata', 'labels');
  if (!isFields(labels)) return undefined;
  const byLabel = getServicesByLabel(context);
  if (byLabel.size === 0) return undefined;
  const candidates = Object.entries(labels).flatMap((label) => byLabel.get(formatLabelKey(namespace, label)) ?? []);
  const service = candidates.find((candidate) => matchesLabelSelector({ matchLabels: getFieldsAt(candidate, 'spec', 'selector') }, labels));
  return service && nameOf(service);
}
