import { sortChangeKeys } from '../../core/document/change-key-order';
import { sortBehaviourKeys } from '../../core/document/behaviour-key-order';
import type { UncomparedKind, PlanDiff } from '../../core/document/plan-diff';
import { stringifySafeJson } from './json';

function orderNotComparedKeys({ apiVersion, kind, old, new: next, reason }: UncomparedKind) {
  return { apiVersion, kind, old, new: next, reason };
}

/** Renders the output of `diff --format json`: keys in the order of the contract, then `reason` if an entry has one. */
export function renderDiffJson({ formatVersion, assumedVersions, change, notPlanned, unread, setAside, ...behaviour }: PlanDiff): string {
  return stringifySafeJson({
    formatVersion,
    assumedVersions,
    change: change && sortChangeKeys(change),
    ...sortBehaviourKeys(behaviour),
    notPlanned: notPlanned.map(orderNotComparedKeys),
    unread: unread && { old: unread.old, new: unread.new },
    setAside: setAside && { old: setAside.old, new: setAside.new },
  });
}
