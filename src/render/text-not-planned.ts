import { groupOf } from '../core/manifest';
import type { NotPlanned, PlanDocument } from '../core/plan-document';
import { counted } from '../core/words';
import { visible } from './visible';

/** `RayClusters`, `Canaries`, `Kafkas`. */
function pluralOf(kind: string): string {
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}

/** Versions of one group count together. */
function byGroupAndKind(
  notPlanned: readonly NotPlanned[],
): readonly { readonly group: string; readonly kind: string; readonly count: number }[] {
  const kinds = new Map<string, { group: string; kind: string; count: number }>();
  for (const { apiVersion, kind, count } of notPlanned) {
    const group = groupOf({ apiVersion });
    const key = `${group}/${kind}`;
    kinds.set(key, { group, kind, count: (kinds.get(key)?.count ?? 0) + count });
  }
  return [...kinds.values()];
}

/** `not planned: 9 RayClusters (ray.io), 3 Services (serving.knative.dev)`; no line where all is planned. */
export function notPlannedLines({ notPlanned }: Pick<PlanDocument, 'notPlanned'>): string[] {
  if (notPlanned.length === 0) return [];
  const kinds = byGroupAndKind(notPlanned).map(({ group, kind, count }) => {
    const words = counted(count, kind, pluralOf(kind));
    return group === '' ? words : `${words} (${group})`;
  });
  return [visible(`not planned: ${kinds.join(', ')}`)];
}
