import { orderedChange } from '../core/change-order';
import { orderedBehaviour } from '../core/behaviour-order';
import type { NotCompared, PlanDiff } from '../core/plan-diff';
import { jsonText } from './json';

function orderedKind({ apiVersion, kind, old, new: next, reason }: NotCompared) {
  return { apiVersion, kind, old, new: next, reason };
}

/** What `diff --format json` prints: keys in the order of the contract, then `reason` where an entry has one. */
export function renderDiffJson({ formatVersion, change, notPlanned, unread, ...behaviour }: PlanDiff): string {
  return jsonText({
    formatVersion,
    change: change && orderedChange(change),
    ...orderedBehaviour(behaviour),
    notPlanned: notPlanned.map(orderedKind),
    unread: unread && { old: unread.old, new: unread.new },
  });
}
