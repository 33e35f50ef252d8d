import { groupOf } from '../core/manifest';
import type { Finding } from '../core/finding';
import type { UncomparedKind, PlanDiff, UnreadableInput } from '../core/plan-diff';
import type { PlanDocument } from '../core/plan-document';
import { pluralize } from '../core/text-format';
import { formatFindingLocation } from './text-findings';
import { escapeForTerminal } from '../core/escape-output';

/** `RayClusters`, `Canaries`, `Kafkas`. */
function pluralizeKind(kind: string): string {
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
function groupByGroupAndKind(kinds: readonly Pick<UncomparedKind, 'apiVersion' | 'kind' | 'old' | 'new'>[]): readonly KindCount[] {
  const counts = new Map<string, KindCount>();
  for (const { apiVersion, kind, old, new: next } of kinds) {
    const group = groupOf({ apiVersion });
    const key = `${group}/${kind}`;
    const existing = counts.get(key) ?? { group, kind, count: 0, before: 0 };
    counts.set(key, { group, kind, count: existing.count + next, before: existing.before + old });
  }
  return [...counts.values()];
}

function formatKindCount({ group, kind, count, before }: KindCount): string {
  const text = pluralize(count, kind, pluralizeKind(kind));
  const notes = [...(group === '' ? [] : [group]), ...(before === count ? [] : [`${before} before`])];
  return notes.length === 0 ? text : `${text} (${notes.join('; ')})`;
}

function renderKindLines(kinds: readonly KindCount[]): string[] {
  return kinds.length === 0 ? [] : [escapeForTerminal(`not planned: ${kinds.map(formatKindCount).join(', ')}`)];
}

/** `not planned: 9 RayClusters (ray.io), 3 Services (serving.knative.dev)`; no line where all is planned. */
export function renderNotPlannedLines({ notPlanned }: Pick<PlanDocument, 'notPlanned'>): string[] {
  return renderKindLines(
    groupByGroupAndKind(notPlanned.map(({ apiVersion, kind, count }) => ({ apiVersion, kind, old: count, new: count }))),
  );
}

/** The same of two sides: `not planned: 9 RayClusters (ray.io; 8 before)`. */
export function renderNotComparedLines({ notPlanned }: Pick<PlanDiff, 'notPlanned'>): string[] {
  return renderKindLines(groupByGroupAndKind(notPlanned));
}

function renderUnreadLine(side: string, unread: readonly Finding[]): string[] {
  const [first, ...others] = unread;
  if (first === undefined) return [];
  const otherErrors = others.length === 0 ? '' : ` And ${pluralize(others.length, 'more error')} like it.`;
  return [
    escapeForTerminal(`not compared, since ${side} was not read whole: ${formatFindingLocation(first)}: ${first.message}${otherErrors}`),
  ];
}

/** What could not be read of either side: `not compared, since NEW was not read whole: …`; no line where all was read. */
export function renderUnreadLines(unread: UnreadableInput = { old: [], new: [] }): string[] {
  return [...renderUnreadLine('OLD', unread.old), ...renderUnreadLine('NEW', unread.new)];
}
