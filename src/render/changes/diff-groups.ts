import type { Behaviour, PlanChange } from '../../core/document/behaviour';
import type { PlanDiff } from '../../core/document/plan-diff';
import type { ResourceRef } from '../../core/document/rollout';
import { formatValueForTerminal } from '../../core/text/escape-output';
import { pluralizeOrNo } from '../../core/text/text-format';
import { MAPPED_MARK } from '../rollout/outcome-text';
import { formatResourceLabel } from '../findings/text-findings';
import type { ChangeHeadlineInput } from './headline';

/** Changes of one rollout. */
export interface ChangeGroup {
  readonly resource: ResourceRef;
  readonly changes: readonly PlanChange[];
}

/** Largest number of characters of a value that are shown. The JSON has the full value. */
const MAX_VALUE_LENGTH = 60;

function isSameResource(one: ResourceRef, other: ResourceRef): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Groups consecutive changes of one rollout. The changes of a rollout are always consecutive. */
export function groupChangesByRollout(changed: readonly PlanChange[]): ChangeGroup[] {
  const groups: { resource: ResourceRef; changes: PlanChange[] }[] = [];
  for (const change of changed) {
    const group = groups.at(-1);
    if (group && isSameResource(group.resource, change.resource)) group.changes.push(change);
    else groups.push({ resource: change.resource, changes: [change] });
  }
  return groups;
}

/** Formats the name of a rollout, and marks a mapped one: `Cluster db/pg (mapped, not verified)`. */
export function formatGroupLabel({ resource, changes }: ChangeGroup): string {
  const mark = changes.some(({ mapped }) => mapped) ? ` (${MAPPED_MARK})` : '';
  return `${formatResourceLabel(resource)}${mark}`;
}

/** Formats a summary: `1 rollout behaves differently: riskier`. */
export function formatDiffSummary({ changed, riskier }: Behaviour): string {
  const rollouts = groupChangesByRollout(changed).length;
  if (rollouts === 0) return 'no rollout behaves differently';
  const verdict = riskier ? 'riskier' : changed.some(({ risk }) => risk === 'safer') ? 'safer' : 'neither riskier nor safer';
  return `${pluralizeOrNo(rollouts, 'rollout')} ${rollouts === 1 ? 'behaves' : 'behave'} differently: ${verdict}`;
}

/** Formats a value on one short line. A missing value is `none`. */
export function formatDiffValue(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = Array.from(value === '' ? '""' : formatValueForTerminal(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1).join('')}…` : text.join('');
}

/** Formats the risk of a change: `riskier`, `safer`, or nothing if it is neutral. */
export function formatRisk({ risk }: PlanChange): string {
  return risk === 'neutral' ? '' : risk;
}

/** Returns what the headline of a diff is made from: its change, and the input that is not compared. Undefined if it has no change. */
export function toHeadlineInput({ assumedVersions, change, unread, setAside, notPlanned }: PlanDiff): ChangeHeadlineInput | undefined {
  if (!change) return undefined;
  const findings = [unread, setAside].flatMap((input) => (input ? [...input.old, ...input.new] : []));
  return {
    ...(assumedVersions && { assumedVersions }),
    change,
    rollouts: [],
    findings,
    notPlanned: notPlanned.map(({ new: count, ...kind }) => ({ ...kind, count })),
  };
}
