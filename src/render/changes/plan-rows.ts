import type { ApplyEffect, FieldChange, ObjectChange } from '../../core/document/change';
import type { PlanDocument } from '../../core/document/plan-document';
import type { PlannedRollout, ResourceRef } from '../../core/document/rollout';
import type { ServicePlan } from '../../core/document/service-plan';
import { severityRankOf, findWorstSeverity } from '../../core/findings/severity';
import { formatEffect } from './object';
import { EFFECT_MARKS, sortByEffectUrgency } from './effects';
import { rolloutResourceKeyOf, groupRolloutsByObject, groupServicesByObject } from './object-plans';
import { describeRolloutOutcome } from '../rollout/outcome-text';
import { formatResourceLabel } from '../findings/text-findings';

/** A row of a page or a picture: one rollout, or one object of a change with its rollouts. */
export interface PlanRow {
  /** Mark in front of the row: `✗`, `!`, `~`. */
  readonly mark: string;
  readonly name: string;
  /** Outcome. Empty if the effect says everything. */
  readonly outcome: string;
  readonly resource: ResourceRef;
  /** Unset if no change is planned. */
  readonly effect?: ApplyEffect;
  /** Fields of a changed object that differ. The first ones decide the effect. */
  readonly because: readonly FieldChange[];
  /** Number of fields that `because` leaves out. */
  readonly omittedFieldCount: number;
  readonly rollouts: readonly PlannedRollout[];
  readonly codes: readonly string[];
  readonly severity: 'error' | 'warning' | 'info' | 'none';
}

function codesOf(rollouts: readonly PlannedRollout[]): string[] {
  return [...new Set(rollouts.flatMap(({ findings }) => findings.filter(({ suppressed }) => !suppressed).map(({ code }) => code)))];
}

function severityOf(rollouts: readonly PlannedRollout[]): PlanRow['severity'] {
  if (rollouts.some((rollout) => describeRolloutOutcome(rollout).isStuck)) return 'error';
  const counted = rollouts.flatMap(({ findings }) => findings).filter(({ suppressed }) => !suppressed);
  return findWorstSeverity(counted.map(({ severity }) => severity)) ?? 'none';
}

const SEVERITY_MARKS: Readonly<Record<PlanRow['severity'], string>> = { error: '✗', warning: '!', info: 'i', none: '' };

function buildRolloutRow(rollout: PlannedRollout): PlanRow {
  const severity = severityOf([rollout]);
  const unit = rollout.unit === undefined ? '' : ` (${rollout.unit})`;
  return {
    mark: SEVERITY_MARKS[severity],
    name: `${formatResourceLabel(rollout.resource)}${unit}`,
    outcome: describeRolloutOutcome(rollout).text,
    resource: rollout.resource,
    because: [],
    omittedFieldCount: 0,
    rollouts: [rollout],
    codes: codesOf([rollout]),
    severity,
  };
}

function buildObjectRow(change: ObjectChange, rollouts: readonly PlannedRollout[], services: readonly ServicePlan[] = []): PlanRow {
  const { resource, effect, because, elided = 0 } = change;
  const rolloutSeverity = severityOf(rollouts);
  const outcome = [
    ...formatEffect(change, rollouts, services),
    ...rollouts.filter((one) => describeRolloutOutcome(one).isStuck).map((one) => describeRolloutOutcome(one).text),
  ];
  return {
    mark: EFFECT_MARKS[effect],
    name: formatResourceLabel(resource),
    outcome: outcome.join('; '),
    resource,
    effect,
    because,
    omittedFieldCount: elided,
    rollouts,
    codes: codesOf(rollouts),
    severity: effect === 'refused' ? 'error' : rolloutSeverity,
  };
}

/** Builds the rows of a plan, worst first. A change has a row for each object that differs. */
export function buildPlanRows({ change, rollouts, services }: PlanDocument): PlanRow[] {
  if (change) {
    const byObject = groupRolloutsByObject(rollouts);
    const servicesByObject = groupServicesByObject(services);
    return sortByEffectUrgency(change.objects).map((one) => {
      const key = rolloutResourceKeyOf(one.resource);
      return buildObjectRow(one, byObject.get(key) ?? [], servicesByObject.get(key));
    });
  }
  return rollouts.map(buildRolloutRow).toSorted((a, b) => severityRankOf(a.severity) - severityRankOf(b.severity));
}

/** Formats a row in one line: `roll: 9 of 12 available at the worst moment`, or the outcome of a rollout. */
export function formatPlanRow({ effect, outcome }: PlanRow): string {
  return [effect ?? '', outcome].filter((part) => part !== '').join(': ');
}
