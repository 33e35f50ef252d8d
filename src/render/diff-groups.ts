import type { PlanChange, PlanDiff, Trigger } from '../core/plan-diff';
import type { ResourceRef } from '../core/rollout';
import { visibleValue } from './visible';
import { countedOrNo, listed } from '../core/words';

/** The changes of one rollout, or those of none. */
export interface ChangeGroup {
  readonly resource: ResourceRef | null;
  readonly changes: readonly PlanChange[];
}

/** Characters of a value that are shown; the JSON holds it whole. */
const SHOWN_CHARACTERS = 60;

const TRIGGERED: Readonly<Record<Trigger, string>> = { 'new-cluster': 'new cluster', 'in-place': 'in place', none: 'nothing now' };

const TRIGGERED_BY_ALL: readonly (readonly [Trigger, string])[] = [
  ['new-cluster', 'applying it makes a new cluster'],
  ['in-place', 'applying it changes what runs, in place'],
  ['none', 'applying it changes nothing that runs'],
];

function areSame(one: ResourceRef | null, other: ResourceRef | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Neighbours of one rollout together: the changes of a rollout stand one after the other. */
export function groupsOf(changed: readonly PlanChange[]): ChangeGroup[] {
  const groups: { resource: ResourceRef | null; changes: PlanChange[] }[] = [];
  for (const change of changed) {
    const group = groups.at(-1);
    if (group && areSame(group.resource, change.resource)) group.changes.push(change);
    else groups.push({ resource: change.resource, changes: [change] });
  }
  return groups;
}

/** `1 rollout added, 2 changed; riskier`. */
export function diffSummary({ added, removed, changed, riskier }: PlanDiff): string {
  const apart = new Set([...added, ...removed].map((resource) => JSON.stringify(resource)));
  const both = groupsOf(changed).filter(({ resource }) => resource !== null && !apart.has(JSON.stringify(resource)));
  const about = changed.filter(({ resource }) => resource === null);
  const counts = [
    ...(added.length > 0 ? [`${countedOrNo(added.length, 'rollout')} added`] : []),
    ...(removed.length > 0 ? [`${countedOrNo(removed.length, 'rollout')} removed`] : []),
    ...(both.length > 0 ? [`${countedOrNo(both.length, 'rollout')} changed`] : []),
    ...(about.length > 0 ? [`${countedOrNo(about.length, 'change')} about no rollout`] : []),
  ];
  if (counts.length === 0) return 'no difference in any rollout';
  return `${listed(counts)}: ${riskier ? 'riskier' : 'not riskier'}`;
}

/** Of a RayService, what the strongest of its changed fields does; nothing where that isn't known. */
export function triggerSummary({ changes }: ChangeGroup): string | undefined {
  const triggers = new Set(changes.map((change) => change.triggers));
  return TRIGGERED_BY_ALL.find(([trigger]) => triggers.has(trigger))?.[1];
}

/** A value on one short line; a missing one is `none`. */
export function shortValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : visibleValue(value));
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : text.join('');
}

/** What is to be said of a change besides its values: `riskier`, `new cluster`, nothing. */
export function effectText({ effect, triggers }: PlanChange): string {
  const words = [...(effect === 'neutral' ? [] : [effect]), ...(triggers ? [TRIGGERED[triggers]] : [])];
  return words.join(', ');
}
