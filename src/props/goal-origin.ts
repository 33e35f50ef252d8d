import { isDeepEqual } from '../core/collections/deep-equal';
import { getValueAt } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import type { Provenance } from '../core/document/provenance';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';

/** The goal that values of a strategy follow from. */
export interface GoalOrigin {
  /** Component of the object whose strategy it is. @default - the object has only one */
  readonly component?: string;
  /** `goal: 6 available, within 15m` */
  readonly reason: string;
  /** Values that follow from the goal, by the field of the provenance. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Fields outside of the strategy that a drain writes. @default - none */
  readonly drain?: readonly Provenance[];
}

/** Returns the origin of the fields that a drain writes; none without a drain. */
export function listDrainOrigins(drain: readonly Provenance[], component?: string): GoalOrigin[] {
  return drain.length === 0 ? [] : [{ reason: 'drain', values: {}, drain, ...(component !== undefined && { component }) }];
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
 * Gives each value that follows from a goal the goal as its reason, and adds the fields of a drain. A value that a patch has changed keeps the
 * reason of the plan.
 */
export function mergeGoalOrigins<Document extends PlanDocument>(plan: Document, origins: readonly ObjectGoalOrigin[]): Document {
  if (origins.length === 0) return plan;
  const rollouts = plan.rollouts.map((rollout) => {
    const own = origins.filter((each) => isOriginOf(rollout, each));
    if (own.length === 0) return rollout;
    const isDecidedBy = ({ field, value }: Provenance, { values }: GoalOrigin) =>
      Object.hasOwn(values, field) && isDeepEqual(values[field], value);
    const provenance = rollout.provenance.map((entry) => {
      const origin = own.find((each) => isDecidedBy(entry, each));
      return origin ? { ...entry, reason: origin.reason } : entry;
    });
    return { ...rollout, provenance: [...provenance, ...own.flatMap(({ drain = [] }) => drain)] };
  });
  return { ...plan, rollouts };
}
