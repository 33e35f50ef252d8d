import type { Behaviour, PlanChange } from '../core/behaviour';
import type { ResourceRef } from '../core/rollout';
import { formatValueForTerminal } from '../core/escape-output';
import { pluralizeOrNo } from '../core/text-format';

/** The changes of one rollout. */
export interface ChangeGroup {
  readonly resource: ResourceRef;
  readonly changes: readonly PlanChange[];
}

/** Characters of a value that are shown; the JSON holds it whole. */
const MAX_VALUE_LENGTH = 60;

function isSameResource(one: ResourceRef, other: ResourceRef): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Neighbours of one rollout together: the changes of a rollout stand one after the other. */
export function groupChangesByRollout(changed: readonly PlanChange[]): ChangeGroup[] {
  const groups: { resource: ResourceRef; changes: PlanChange[] }[] = [];
  for (const change of changed) {
    const group = groups.at(-1);
    if (group && isSameResource(group.resource, change.resource)) group.changes.push(change);
    else groups.push({ resource: change.resource, changes: [change] });
  }
  return groups;
}

/** `1 rollout behaves otherwise: riskier`. */
export function formatDiffSummary({ changed, riskier }: Behaviour): string {
  const rollouts = groupChangesByRollout(changed).length;
  if (rollouts === 0) return 'no rollout behaves otherwise than before';
  const verdict = riskier ? 'riskier' : changed.some(({ risk }) => risk === 'safer') ? 'safer' : 'neither riskier nor safer';
  return `${pluralizeOrNo(rollouts, 'rollout')} ${rollouts === 1 ? 'behaves' : 'behave'} otherwise than before: ${verdict}`;
}

/** A value on one short line; a missing one is `none`. */
export function formatDiffValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : formatValueForTerminal(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : text.join('');
}

/** What is to be said of a change besides its values: `riskier`, nothing. */
export function formatRisk({ risk }: PlanChange): string {
  return risk === 'neutral' ? '' : risk;
}
