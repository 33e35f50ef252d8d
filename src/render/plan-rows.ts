import type { Effect, FieldChange, ObjectChange } from '../core/change';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout, ResourceRef } from '../core/rollout';
import { rankOf, worstOf } from '../core/severity';
import { happensText, MARKS, resourceKey, rolloutsByObject, worstFirst } from './change-words';
import { outcomeOf } from './outcome-words';
import { resourceText } from './text-findings';

/** A row of a page or a picture: one rollout, or one object of a change with what rolls of it. */
export interface PlanRow {
  /** `✗`, `!`, `~`. */
  readonly mark: string;
  readonly name: string;
  /** What becomes of it; empty where the effect says it all. */
  readonly happens: string;
  readonly resource: ResourceRef;
  /** Absent where no change is planned. */
  readonly effect?: Effect;
  /** The fields that differ, of an object of a change; the first ones decide. */
  readonly because: readonly FieldChange[];
  /** Fields that `because` leaves out. */
  readonly moreFields: number;
  readonly rollouts: readonly PlannedRollout[];
  readonly codes: readonly string[];
  readonly severity: 'error' | 'warning' | 'info' | 'none';
}

function codesOf(rollouts: readonly PlannedRollout[]): string[] {
  return [...new Set(rollouts.flatMap(({ findings }) => findings.filter(({ suppressed }) => !suppressed).map(({ code }) => code)))];
}

function severityOf(rollouts: readonly PlannedRollout[]): PlanRow['severity'] {
  if (rollouts.some((rollout) => outcomeOf(rollout).isStuck)) return 'error';
  const counting = rollouts.flatMap(({ findings }) => findings).filter(({ suppressed }) => !suppressed);
  return worstOf(counting.map(({ severity }) => severity)) ?? 'none';
}

const SEVERITY_MARKS: Readonly<Record<PlanRow['severity'], string>> = { error: '✗', warning: '!', info: 'i', none: '' };

function rolloutRow(rollout: PlannedRollout): PlanRow {
  const severity = severityOf([rollout]);
  const unit = rollout.unit === undefined ? '' : ` (${rollout.unit})`;
  return {
    mark: SEVERITY_MARKS[severity],
    name: `${resourceText(rollout.resource)}${unit}`,
    happens: outcomeOf(rollout).text,
    resource: rollout.resource,
    because: [],
    moreFields: 0,
    rollouts: [rollout],
    codes: codesOf([rollout]),
    severity,
  };
}

function objectRow(change: ObjectChange, rollouts: readonly PlannedRollout[]): PlanRow {
  const { resource, effect, because, elided = 0 } = change;
  const ofRollouts = severityOf(rollouts);
  const happens = [...happensText(change, rollouts), ...rollouts.filter((one) => outcomeOf(one).isStuck).map((one) => outcomeOf(one).text)];
  return {
    mark: MARKS[effect],
    name: resourceText(resource),
    happens: happens.join('; '),
    resource,
    effect,
    because,
    moreFields: elided,
    rollouts,
    codes: codesOf(rollouts),
    severity: effect === 'refused' ? 'error' : ofRollouts,
  };
}

/** The rows of a plan, worst first; of a change those of the objects that differ. */
export function planRows({ change, rollouts }: PlanDocument): PlanRow[] {
  if (change) {
    const byObject = rolloutsByObject(rollouts);
    return worstFirst(change.objects).map((one) => objectRow(one, byObject.get(resourceKey(one.resource)) ?? []));
  }
  return rollouts.map(rolloutRow).toSorted((a, b) => rankOf(a.severity) - rankOf(b.severity));
}

/** A row in one line: `roll: 9 of 12 available at the worst moment`, or what becomes of a rollout. */
export function rowText({ effect, happens }: PlanRow): string {
  return [effect ?? '', happens].filter((part) => part !== '').join(': ');
}
