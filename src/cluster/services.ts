import { selects } from '../core/label-selector';
import { fieldsAt, isFields, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { oncePerPlan } from './context';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import type { PodSet } from './workload';

function labelKey(namespace: string | undefined, [name, value]: readonly [string, unknown]): string {
  return JSON.stringify([namespace ?? '', name, value]);
}

/** Services by the first label that they select pods by, so that pods look at those alone that name one of theirs. One without a selector has none. */
const servicesByLabel = oncePerPlan((context) => {
  const byLabel = new Map<string, Manifest[]>();
  for (const service of context.all(CONTEXT_KINDS.service)) {
    const [label] = Object.entries(fieldsAt(service, 'spec', 'selector'));
    if (!label) continue;
    const key = labelKey(namespaceOf(service), label);
    byLabel.set(key, [...(byLabel.get(key) ?? []), service]);
  }
  return byLabel;
});

/** The name of a Service of their namespace that sends requests to pods; undefined where none in view does. */
export function serviceOf({ namespace, template }: PodSet, context: PlanContext): string | undefined {
  const labels = valueAt(template, 'metadata', 'labels');
  if (!isFields(labels)) return undefined;
  const byLabel = servicesByLabel(context);
  if (byLabel.size === 0) return undefined;
  const candidates = Object.entries(labels).flatMap((label) => byLabel.get(labelKey(namespace, label)) ?? []);
  const service = candidates.find((candidate) => selects({ matchLabels: fieldsAt(candidate, 'spec', 'selector') }, labels));
  return service && nameOf(service);
}
