import type { Finding } from '../../core/finding';
import type { SharedRoom } from '../../core/plan-document';
import type { AutoscaledRollout, Rollout } from '../../core/rollout';
import type { PlanContext } from '../../core/system';
import type { PlannedRollout, Workload } from '../../core/workload';
import { capacityLimits } from './capacity';
import type { Capacity } from './capacity';
import { disruptionBudgetFindings } from './disruption-budget';
import { rolloutDuration } from './duration';
import { mergedPools } from './node-pools';
import { allQuotaLimits } from './quota';
import { limitedRollout, roomOfEach, steadyPlacement } from './rollout-room';
import type { Limits } from './rollout-room';
import { withOwnNodes, withRoomFindings } from './room-rules';
import { sharedRoom } from './shared-room';
import { volumeFindings } from './volumes';

function autoscaledRollout({ workload, simulation }: PlannedRollout): AutoscaledRollout | undefined {
  const range = workload?.replicaRange;
  if (!range || simulation === null) return undefined;
  return { by: range.by, minimum: workload.simulateAt(range.minimum), maximum: workload.simulateAt(range.maximum) };
}

function limitsOf(workloads: readonly Workload[], context: PlanContext, capacity: Capacity | undefined): Limits {
  const nodePools = mergedPools(capacity?.nodePools ?? [], workloads);
  return {
    resources: [
      ...allQuotaLimits(context.ofKind('', 'ResourceQuota'), workloads),
      ...(capacity ? capacityLimits(capacity, workloads) : []),
    ],
    nodePools,
    steady: steadyPlacement(workloads, nodePools),
  };
}

function byRollout(findings: readonly (readonly [PlannedRollout, Finding])[]): ReadonlyMap<PlannedRollout, readonly Finding[]> {
  const grouped = new Map<PlannedRollout, Finding[]>();
  for (const [rollout, finding] of findings) {
    const known = grouped.get(rollout);
    if (known) known.push(finding);
    else grouped.set(rollout, [finding]);
  }
  return grouped;
}

/** The rollouts of a plan among the other objects and within the capacity, and what they share. */
export interface Surroundings {
  /** In the order of the rollouts given. */
  readonly rollouts: readonly Rollout[];
  readonly room?: SharedRoom;
}

/**
 * Adds to rollouts all that depends on other objects and on each other: what disruption budgets, volumes, quotas and capacity mean for
 * them, both ends of their autoscalers, and how long they take.
 *
 * Rollouts whose system does not know their pods stay as they are.
 */
export function inSurroundings(planned: readonly PlannedRollout[], context: PlanContext, capacity?: Capacity): Surroundings {
  const limits = limitsOf(
    planned.flatMap(({ workload }) => workload ?? []),
    context,
    capacity,
  );
  const rooms = roomOfEach(planned, limits);
  const budgets = byRollout(disruptionBudgetFindings(planned, context));
  const rollouts = planned.map((rollout): Rollout => {
    const { workload, ...own } = rollout;
    if (!workload) return own;
    const limited = limitedRollout(rollout);
    const room = rooms.get(rollout);
    const autoscaled = autoscaledRollout(rollout);
    const duration = limited && rolloutDuration(limited, context.startupSeconds, room);
    const findings = withOwnNodes(limited && room ? withRoomFindings(own.findings, limited, room.verdict) : own.findings, workload);
    return {
      ...own,
      ...(autoscaled && { autoscaled }),
      ...(room && { room: room.verdict }),
      ...(duration && { duration }),
      findings: [...findings, ...(budgets.get(rollout) ?? []), ...volumeFindings(rollout, context)],
    };
  });
  const shared = sharedRoom(planned, rooms, limits);
  return { rollouts, ...(shared && { room: shared }) };
}
