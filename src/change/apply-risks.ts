import { addToGroup } from '../core/group-by';
import type { PlanChange } from '../core/behaviour';
import type { Finding } from '../core/finding';
import type { PlanDiff } from '../core/plan-diff';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { mapByRollout, rolloutKeyOf, rolloutObjectKeyOf } from './rollout-key';

function hasError(findings: readonly Finding[], { code, messageId }: Finding): boolean {
  return findings.some((one) => one.code === code && one.messageId === messageId && one.severity === 'error');
}

/**
 * Returns the errors of a rollout because of the apply. A rollout that replaces pods now has all of its errors, such as a deadlock, even if a
 * rollout of OLD would have them too. If the apply replaces no pods, errors that OLD has as well are no risk of it.
 */
function listErrors({ resource, simulation, findings }: PlannedRollout, before: PlannedRollout | undefined): PlanChange[] {
  return findings
    .filter((finding) => finding.severity === 'error' && !finding.suppressed)
    .filter((finding) => simulation !== null || !hasError(before?.findings ?? [], finding))
    .map(({ code, message }) => ({ resource, field: `apply ${code}`, old: null, new: 'error', risk: 'riskier', reason: message }));
}

function listRefusedObjects({ change }: PlanDocument): PlanChange[] {
  return (change?.objects ?? []).flatMap(({ resource, refusal }): PlanChange[] =>
    refusal
      ? [
          {
            resource,
            field: 'apply',
            old: null,
            new: 'refused',
            risk: 'riskier',
            reason: 'A refused object stays as it was, or does not exist.',
          },
        ]
      : [],
  );
}

/** Groups entries by resource, in the order in which each resource occurs first. */
function groupByResource(changed: readonly PlanChange[]): PlanChange[] {
  const groups = new Map<string, PlanChange[]>();
  for (const one of changed) {
    const key = rolloutKeyOf(one.resource);
    addToGroup(groups, key, one);
  }
  return [...groups.values()].flat();
}

/**
 * Adds the risks of the apply itself to a difference: objects that are refused, and rollouts that get an error, such as a deadlock.
 *
 * @param applied - the plan of the change
 * @param before - the plan of OLD
 */
export function addApplyRisks(diff: PlanDiff, applied: PlanDocument, before: PlanDocument): PlanDiff {
  const old = mapByRollout(before.rollouts);
  const keyOf = ({ resource, field }: PlanChange) => JSON.stringify([rolloutKeyOf(resource), field.replace(/^(?:finding|apply) /, '')]);
  const known = new Set(diff.changed.filter(({ risk }) => risk === 'riskier').map(keyOf));
  const refused = new Set(listRefusedObjects(applied).map(({ resource }) => rolloutObjectKeyOf(resource)));
  const isRefused = ({ resource }: PlannedRollout) => refused.has(rolloutObjectKeyOf(resource));
  const added = [
    ...listRefusedObjects(applied),
    ...[...mapByRollout(applied.rollouts)].flatMap(([key, rollout]) => (isRefused(rollout) ? [] : listErrors(rollout, old.get(key)))),
  ].filter((one) => !known.has(keyOf(one)));
  if (added.length === 0) return diff;
  return { ...diff, changed: groupByResource([...diff.changed, ...added]), riskier: true };
}
