import { orderedChange } from '../core/change-order';
import { orderedResource } from '../core/key-order';
import type { PlanChange, PlanDiff } from '../core/plan-diff';
import { jsonText } from './json';

/** A value that one side has not is null, so that every entry has every key of the contract. */
function orderedEntry({ resource, field, old, new: next, risk, reason }: PlanChange) {
  return { resource: orderedResource(resource), field, old: old ?? null, new: next ?? null, risk, reason };
}

/** What `diff --format json` prints: keys in the order of the contract, then `reason` where an entry has one. */
export function renderDiffJson({ formatVersion, change, changed, riskier }: PlanDiff): string {
  return jsonText({ formatVersion, change: change && orderedChange(change), changed: changed.map(orderedEntry), riskier });
}
