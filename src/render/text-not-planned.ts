import { groupOf } from '../core/manifest';
import type { Finding } from '../core/finding';
import type { NotCompared, PlanDiff, Unread } from '../core/plan-diff';
import type { PlanDocument } from '../core/plan-document';
import { counted } from '../core/words';
import { placeText } from './text-findings';
import { visible } from '../core/visible';

/** `RayClusters`, `Canaries`, `Kafkas`. */
function pluralOf(kind: string): string {
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}

/** How many of one kind, where they are shown; `before` where two sides are. */
interface KindCount {
  readonly group: string;
  readonly kind: string;
  readonly count: number;
  readonly before: number;
}

/** Versions of one group count together. */
function byGroupAndKind(kinds: readonly Pick<NotCompared, 'apiVersion' | 'kind' | 'old' | 'new'>[]): readonly KindCount[] {
  const counts = new Map<string, KindCount>();
  for (const { apiVersion, kind, old, new: next } of kinds) {
    const group = groupOf({ apiVersion });
    const key = `${group}/${kind}`;
    const known = counts.get(key) ?? { group, kind, count: 0, before: 0 };
    counts.set(key, { group, kind, count: known.count + next, before: known.before + old });
  }
  return [...counts.values()];
}

function kindWords({ group, kind, count, before }: KindCount): string {
  const words = counted(count, kind, pluralOf(kind));
  const notes = [...(group === '' ? [] : [group]), ...(before === count ? [] : [`${before} before`])];
  return notes.length === 0 ? words : `${words} (${notes.join('; ')})`;
}

function linesOf(kinds: readonly KindCount[]): string[] {
  return kinds.length === 0 ? [] : [visible(`not planned: ${kinds.map(kindWords).join(', ')}`)];
}

/** `not planned: 9 RayClusters (ray.io), 3 Services (serving.knative.dev)`; no line where all is planned. */
export function notPlannedLines({ notPlanned }: Pick<PlanDocument, 'notPlanned'>): string[] {
  return linesOf(byGroupAndKind(notPlanned.map(({ apiVersion, kind, count }) => ({ apiVersion, kind, old: count, new: count }))));
}

/** The same of two sides: `not planned: 9 RayClusters (ray.io; 8 before)`. */
export function notComparedLines({ notPlanned }: Pick<PlanDiff, 'notPlanned'>): string[] {
  return linesOf(byGroupAndKind(notPlanned));
}

function unreadLine(side: string, unread: readonly Finding[]): string[] {
  const [first, ...others] = unread;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` And ${counted(others.length, 'more error')} like it.`;
  return [visible(`not compared, since ${side} was not read whole: ${placeText(first)}: ${first.message}${more}`)];
}

/** What could not be read of either side: `not compared, since NEW was not read whole: …`; no line where all was read. */
export function unreadLines(unread: Unread = { old: [], new: [] }): string[] {
  return [...unreadLine('OLD', unread.old), ...unreadLine('NEW', unread.new)];
}
