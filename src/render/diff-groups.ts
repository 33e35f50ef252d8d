import type { Behaviour, PlanChange } from '../core/behaviour';
import type { ResourceRef } from '../core/rollout';
import { visibleValue } from '../core/visible';
import { countedOrNo } from '../core/words';

/** The changes of one rollout. */
export interface ChangeGroup {
  readonly resource: ResourceRef;
  readonly changes: readonly PlanChange[];
}

/** Characters of a value that are shown; the JSON holds it whole. */
const SHOWN_CHARACTERS = 60;

function areSame(one: ResourceRef, other: ResourceRef): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Neighbours of one rollout together: the changes of a rollout stand one after the other. */
export function groupsOf(changed: readonly PlanChange[]): ChangeGroup[] {
  const groups: { resource: ResourceRef; changes: PlanChange[] }[] = [];
  for (const change of changed) {
    const group = groups.at(-1);
    if (group && areSame(group.resource, change.resource)) group.changes.push(change);
    else groups.push({ resource: change.resource, changes: [change] });
  }
  return groups;
}

/** `1 rollout behaves otherwise: riskier`. */
export function diffSummary({ changed, riskier }: Behaviour): string {
  const rollouts = groupsOf(changed).length;
  if (rollouts === 0) return 'no rollout behaves otherwise than before';
  const judgement = riskier ? 'riskier' : changed.some(({ risk }) => risk === 'safer') ? 'safer' : 'neither riskier nor safer';
  return `${countedOrNo(rollouts, 'rollout')} ${rollouts === 1 ? 'behaves' : 'behave'} otherwise than before: ${judgement}`;
}

/** A value on one short line; a missing one is `none`. */
export function shortValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : visibleValue(value));
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS - 1).join('')}…` : text.join('');
}

/** What is to be said of a change besides its values: `riskier`, nothing. */
export function riskText({ risk }: PlanChange): string {
  return risk === 'neutral' ? '' : risk;
}
