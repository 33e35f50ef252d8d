import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { FitsRow } from '../../cluster/rollout/pod-groups';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import type { Finding } from '../../core/findings/finding';
import { getFieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { checkLwsOutage } from '../../workloads/leader-worker-set/rules/outage';
import { getDeclaredReplicas } from '../../workloads/replicas';
import { runChecks, createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import { checkForeignOwner } from '../../workloads/rules/foreign-owner';
import { checkHpaOwnsReplicas } from '../../workloads/rules/hpa-owns-replicas';
import { computeLeaderWorkerSetEffect } from './effects';
import { readLeaderWorkerSet } from './leader-worker-set';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import {
  buildGroupPods,
  buildGroupRollout,
  summarizeGroups,
  canFitExtraGroup,
  withRejectedPods,
} from '../../workloads/leader-worker-set/rollout';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { LWS_RULES } from './rules';
import { checkDeletedSetClaims } from './rules/claims-deleted';
import { checkMaxUnavailableDropped } from './rules/max-unavailable-dropped';
import { checkPartitionHolds } from './rules/partition-holds';
import { checkLwsStuck } from './rules/stuck';
import { checkWaitsForGroups, mustWaitOneByOne } from './rules/waits-for-groups';
import { simulateGroups } from '../../workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../workloads/leader-worker-set/simulate';
import { findPatchDroppingMaxUnavailable } from '../../workloads/statefulset/strategy';
import { findRejectedPods, collectTemplateFindings, locateGroupTemplates } from '../../workloads/leader-worker-set/templates';
import { LWS_CONFIGURATION_PATH, buildLwsProvenance } from '../../workloads/leader-worker-set/strategy';
import { checkSetFields, validateLeaderWorkerSet, validateSetTemplates } from './validation';

/** API group of LeaderWorkerSet. */
const LWS_GROUP = 'leaderworkerset.x-k8s.io';

function isLeaderWorkerSet(object: Manifest): boolean {
  return object.kind === 'LeaderWorkerSet' && groupOf(object) === LWS_GROUP;
}

function countWaves({ waves, elided = 0 }: LeaderWorkerSetSimulation): number {
  return waves.length + elided;
}

/**
 * Reports the limit if the API server, or a later patch release of it, drops it.
 *
 * Nothing is reported if the rollout is the same without it.
 */
function checkDroppedLimit({ set, rollout, simulation: planned, context }: SetReview): Finding[] {
  const { leaderLimit, limits } = set;
  const { kubernetes } = context.versions;
  const step = leaderLimit.resolve(limits.replicas + limits.surge);
  const patch = findPatchDroppingMaxUnavailable(kubernetes);
  if (step < 2 || (!leaderLimit.isDropped && patch === undefined)) return [];
  const other = simulateGroups({ ...rollout, leaderLimit: leaderLimit.isDropped ? leaderLimit.resolve : undefined });
  const [dropped, honored] = leaderLimit.isDropped ? [planned, other] : [other, planned];
  const data = { kubernetes, ...(patch !== undefined && { patch }), step, waves: countWaves(dropped), wavesWithLimit: countWaves(honored) };
  return checkMaxUnavailableDropped(data, mustWaitOneByOne(rollout));
}

/** The inputs of the rules about a LeaderWorkerSet. */
interface SetReview {
  readonly object: Manifest;
  readonly set: LeaderWorkerSet;
  readonly rollout: GroupRollout;
  readonly simulation: LeaderWorkerSetSimulation;
  readonly context: PlanContext;
  readonly hasCapacityFor: FitsRow;
}

function checkSetReplicas({ set, object, context }: SetReview): Finding[] {
  if (!set.autoscaler) return [];
  const configured = getDeclaredReplicas(object, set.autoscaler, context);
  if (!configured) return [];
  return checkHpaOwnsReplicas({
    autoscaler: set.autoscaler,
    declaredReplicas: configured,
    workload: { kind: object.kind, name: set.name, ...(set.namespace !== undefined && { namespace: set.namespace }) },
  });
}

/** Reports whether no group is ready before the rollout, so that the rollout takes none down. */
function areAllGroupsDown({ initialGroups = [] }: GroupRollout): boolean {
  return initialGroups.length > 0 && initialGroups.every(({ ready }) => !ready);
}

const CHECKS: RuleTable<SetReview, 'stuck' | 'max-unavailable-dropped' | 'partition-holds' | 'waits-for-groups'> = {
  stuck: ({ simulation, context }) => checkLwsStuck(simulation, context.versions),
  'max-unavailable-dropped': checkDroppedLimit,
  'waits-for-groups': ({ rollout, simulation }) => (simulation.halted ? [] : checkWaitsForGroups(rollout)),
  outage: ({ set, rollout, simulation, hasCapacityFor, context }) =>
    areAllGroupsDown(rollout)
      ? []
      : checkLwsOutage(simulation, { path: LWS_CONFIGURATION_PATH }, canFitExtraGroup(set, hasCapacityFor), context.versions.lws),
  'partition-holds': ({ simulation }) => checkPartitionHolds(simulation),
  'hpa-owns-replicas': checkSetReplicas,
  'foreign-owner': ({ object, set }) => checkForeignOwner(object, set.strategyPath),
  fencepost: createNotApplicable('the webhook refuses two limits of 0, which lws/both-limits-zero reports'),
  'surge-needs-headroom': createNotApplicable('kubernetes/insufficient-capacity reports the capacity that its groups lack'),
};

function planLeaderWorkerSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const validation = validateLeaderWorkerSet(object, context);
  if (validation.some(({ severity }) => severity === 'error')) {
    return { system: 'lws', resource, strategy: null, provenance: [], simulation: null, findings: validation };
  }
  const set = readLeaderWorkerSet(object, context);
  const templates = validateSetTemplates(object, context);
  const broken = findRejectedPods(templates);
  const rollout = buildGroupRollout(set, context.changedPods?.(object)?.start);
  const planned = {
    system: 'lws',
    resource,
    strategy: set.strategy,
    provenance: buildLwsProvenance(getFieldsAt(object, 'spec'), set.strategy),
    findings: [...validation, ...collectTemplateFindings(templates)],
  } as const;
  if (broken) return { ...planned, simulation: simulateGroups(withRejectedPods(rollout, broken)) };
  const simulation = simulateGroups(rollout);
  return {
    ...planned,
    simulation,
    pods: {
      kind: 'groups',
      groups: {
        ...buildGroupPods(set, rollout, simulation, context),
        podTemplates: () => locateGroupTemplates({ ...set, minAvailable: simulation.minAvailable }, context),
        review: (hasCapacityFor, replacesPods) =>
          runChecks(CHECKS, { object, set, rollout, simulation, context, hasCapacityFor }, replacesPods),
      },
    },
    groups: summarizeGroups(set, simulation),
    creates: [buildCreatedSet(set)],
  };
}

/** Builds the StatefulSet of the leaders. The StatefulSets of the workers, one per group, are created and deleted with the leaders. */
function buildCreatedSet({ name, namespace, replicas }: LeaderWorkerSet) {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', name, ...(namespace !== undefined && { namespace }), replicas };
}

/** Plans LeaderWorkerSets, which replace their pods group by group. */
export const lwsSystem: RolloutSystem = {
  name: 'lws',
  rules: () => LWS_RULES,
  recognises: isLeaderWorkerSet,
  droppedFields: checkSetFields,
  plan: (object, context) => [planLeaderWorkerSet(object, context)],
  hasScale: true,
  effects: (old, next) => [computeLeaderWorkerSetEffect(old, next)],
  deletedFindings: (object, context) =>
    getLwsBehaviour(context.versions.lws).hasClaims ? checkDeletedSetClaims(object, readLeaderWorkerSet(object, context)) : [],
};
