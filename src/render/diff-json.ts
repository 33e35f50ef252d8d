import type { PlanChange, PlanDiff } from '../core/plan-diff';
import { orderedResource } from '../core/key-order';
import { jsonText } from './json';

/** A value that one side has not is null, so that every entry has every key of the contract. */
function orderedChange({ resource, field, old, new: next, effect, reason, triggers }: PlanChange) {
  return { resource: resource && orderedResource(resource), field, old: old ?? null, new: next ?? null, effect, reason, triggers };
}

/** What `diff --format json` prints: keys in the order of the contract, then `reason` and `triggers` where an entry has them. */
export function renderDiffJson({ formatVersion, added, removed, changed, riskier }: PlanDiff): string {
  return jsonText({
    formatVersion,
    added: added.map(orderedResource),
    removed: removed.map(orderedResource),
    changed: changed.map(orderedChange),
    riskier,
  });
}
