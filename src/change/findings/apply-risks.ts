import { addToGroup } from '../../core/group-by';
import type { PlanChange } from '../../core/behaviour';
import type { Finding } from '../../core/finding';
import type { PlanDiff } from '../../core/plan-diff';
import type { PlanDocument } from '../../core/plan-document';
import { getOwnValue } from '../../core/manifest';
import type { PlannedRollout, ResourceRef } from '../../core/rollout';
import { changeRefused } from '../rules/refused';
import { mapByRollout, rolloutKeyOf, rolloutObjectKeyOf } from '../result/rollout-key';
import { toSafeText } from '../../core/value-text';

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

/** Returns what `describeObject` returns for the object. */
function nameObject({ kind, namespace, name }: ResourceRef): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** Texts of a finding about a change that name an object, as `describeObject` does. */
const OBJECT_FIELDS = ['object', 'route', 'service'];

/** Returns the errors of the plan that belong to no rollout, such as a workload that becomes a hook, at the object that each names. */
function listErrorsOfObjects({ change, findings }: PlanDocument): PlanChange[] {
  const objects = change?.objects ?? [];
  const byName = new Map(objects.map(({ resource }) => [nameObject(resource), resource]));
  return findings.flatMap(({ code, severity, suppressed, data, message }): PlanChange[] => {
    if (severity !== 'error' || suppressed || !code.startsWith('change/') || code === changeRefused.code) return [];
    const named = OBJECT_FIELDS.map((field) => byName.get(toSafeText(getOwnValue(data, field)))).find((found) => found !== undefined);
    const resource = named ?? objects[0]?.resource;
    return resource ? [{ resource, field: `apply ${code}`, old: null, new: 'error', risk: 'riskier', reason: message }] : [];
  });
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
 * Adds the risks of the apply itself to a difference: objects that are refused, rollouts that get an error, such as a deadlock, and errors of
 * other objects, such as an owner that does not exist.
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
    ...listErrorsOfObjects(applied),
    ...[...mapByRollout(applied.rollouts)].flatMap(([key, rollout]) => (isRefused(rollout) ? [] : listErrors(rollout, old.get(key)))),
  ].filter((one) => !known.has(keyOf(one)));
  if (added.length === 0) return diff;
  return { ...diff, changed: groupByResource([...diff.changed, ...added]), riskier: true };
}
