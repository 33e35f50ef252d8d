import { groupOf } from '../../core/manifest/manifest';
import type { Finding } from '../../core/findings/finding';
import type { UncomparedKind, UncomparedInput, PlanDiff } from '../../core/document/plan-diff';
import type { PlanDocument } from '../../core/document/plan-document';
import { pluralize } from '../../core/text/text-format';
import { formatFindingLocation } from './text-findings';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Returns the plural of a kind: `RayClusters`, `Canaries`, `Kafkas`. */
function pluralizeKind(kind: string): string {
  if (/[^aeiou]y$/i.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(kind) ? `${kind}es` : `${kind}s`;
}

/** Number of objects of one kind. `before` is the number in OLD. */
interface KindCount {
  readonly group: string;
  readonly kind: string;
  readonly count: number;
  readonly before: number;
}

/** Sums the counts per group and kind, across API versions. */
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

/** Renders `not planned: 9 RayClusters (ray.io), 3 Services (serving.knative.dev)`, or no line if everything is planned. */
export function renderNotPlannedLines({ notPlanned }: Pick<PlanDocument, 'notPlanned'>): string[] {
  return renderKindLines(
    groupByGroupAndKind(notPlanned.map(({ apiVersion, kind, count }) => ({ apiVersion, kind, old: count, new: count }))),
  );
}

/** Renders a line with the reason for each kind that is not planned: `  RayCluster (ray.io): rolloutkit does not support it`. */
export function renderNotPlannedReasons({ notPlanned }: Pick<PlanDocument, 'notPlanned'>): string[] {
  const lines = notPlanned.map(({ apiVersion, kind, reason }) => {
    const group = groupOf({ apiVersion });
    return escapeForTerminal(`  ${kind}${group === '' ? '' : ` (${group})`}: ${reason}`);
  });
  return [...new Set(lines)];
}

/** Renders the line for a comparison of two inputs: `not planned: 9 RayClusters (ray.io; 8 before)`. */
export function renderNotComparedLines({ notPlanned }: Pick<PlanDiff, 'notPlanned'>): string[] {
  return renderKindLines(groupByGroupAndKind(notPlanned));
}

/** Renders the line of one side: the first finding, with its help if it is an error, and the number of the others. */
function renderUncomparedLine(lead: string, findings: readonly Finding[]): string[] {
  const [first, ...others] = findings.filter(({ suppressed }) => !suppressed);
  if (first === undefined) return [];
  const place = formatFindingLocation(first);
  const isError = first.severity === 'error';
  const otherFindings = others.length === 0 ? '' : ` And ${pluralize(others.length, `similar ${isError ? 'error' : 'finding'}`)}.`;
  const text = isError && first.help !== undefined ? `${first.message} ${first.help}` : first.message;
  return [escapeForTerminal(`${lead}: ${place === '' ? '' : `${place}: `}${text}${otherFindings}`)];
}

/** Renders `not compared, because NEW could not be read completely: …` for each side, or no line if everything was read. */
export function renderUnreadLines({ old, new: next }: UncomparedInput = { old: [], new: [] }): string[] {
  const format = (side: string) => `not compared, because ${side} could not be read completely`;
  return [...renderUncomparedLine(format('OLD'), old), ...renderUncomparedLine(format('NEW'), next)];
}

/** Renders `not compared in NEW: …` for each side, or no line if nothing is set aside or left open. */
export function renderSetAsideLines({ old, new: next }: UncomparedInput = { old: [], new: [] }): string[] {
  return [...renderUncomparedLine('not compared in OLD', old), ...renderUncomparedLine('not compared in NEW', next)];
}
