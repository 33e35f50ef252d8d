import { isDeepEqual } from '../core/deep-equal';
import { getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';

/** The goal that values of a strategy follow from. */
export interface GoalOrigin {
  /** Component of the object whose strategy it is. @default - the object has only one */
  readonly component?: string;
  /** `goal: 6 available, within 15m` */
  readonly reason: string;
  /** Values that follow from the goal, by the field of the provenance. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The goal of an object in a plan of many. */
export interface ObjectGoalOrigin extends GoalOrigin {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Reads the limits of a strategy, as the provenance names them. */
export function readLimits(strategy: unknown): Readonly<Record<string, unknown>> {
  const limits = getValueAt(strategy, 'rollingUpdate') ?? getValueAt(strategy, 'rollingUpdateConfiguration');
  return {
    type: getValueAt(strategy, 'type'),
    maxSurge: getValueAt(limits, 'maxSurge'),
    maxUnavailable: getValueAt(limits, 'maxUnavailable'),
  };
}

/** Adds the object to the goals of its strategies. */
export function locateGoalOrigins({ kind, metadata }: Manifest, origins: readonly GoalOrigin[]): ObjectGoalOrigin[] {
  const { name = '', namespace } = metadata ?? {};
  return origins.map((origin) => ({ ...origin, kind, name, ...(namespace !== undefined && { namespace }) }));
}

function isOriginOf({ resource }: PlannedRollout, { kind, namespace, name, component }: ObjectGoalOrigin): boolean {
  return resource.kind === kind && resource.name === name && resource.namespace === namespace && resource.component === component;
}

/**
 * Gives each value that follows from a goal the goal as its reason. A value that a patch has changed keeps the reason of the plan.
 */
export function mergeGoalOrigins<Document extends PlanDocument>(plan: Document, origins: readonly ObjectGoalOrigin[]): Document {
  if (origins.length === 0) return plan;
  const rollouts = plan.rollouts.map((rollout) => {
    const origin = origins.find((each) => isOriginOf(rollout, each));
    if (!origin) return rollout;
    const provenance = rollout.provenance.map((entry) =>
      Object.hasOwn(origin.values, entry.field) && isDeepEqual(origin.values[entry.field], entry.value)
        ? { ...entry, reason: origin.reason }
        : entry,
    );
    return { ...rollout, provenance };
  });
  return { ...plan, rollouts };
}
