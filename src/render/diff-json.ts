import { orderedChange } from '../core/change-order';
import { orderedBehaviour } from '../core/behaviour-order';
import type { PlanDiff } from '../core/plan-diff';
import { jsonText } from './json';

/** What `diff --format json` prints: keys in the order of the contract, then `reason` where an entry has one. */
export function renderDiffJson({ formatVersion, change, ...behaviour }: PlanDiff): string {
  return jsonText({ formatVersion, change: change && orderedChange(change), ...orderedBehaviour(behaviour) });
}
