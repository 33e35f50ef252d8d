import type { PlanContext, RolloutSystem } from '../../cluster/context';
import type { HasRoomFor, SystemRollout } from '../../cluster/workload';
import type { Finding } from '../../core/finding';
import { fieldsAt, groupOf, nameOf, namespaceOf } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { groupOutageFindings } from '../../workloads/leader-worker-set/rules/outage';
import { groupStartupFindings } from '../../workloads/leader-worker-set/startup-annotation';
import { appliedReplicas } from '../../workloads/replicas';
import { checked, notFor } from '../../workloads/checks';
import type { ChecksOf } from '../../workloads/checks';
import { foreignOwnerFindings } from '../../workloads/rules/foreign-owner';
import { autoscaledReplicasFindings } from '../../workloads/rules/hpa-owns-replicas';
import { leaderWorkerSetEffect } from './effects';
import { readLeaderWorkerSet } from './leader-worker-set';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { groupPodsOf, groupRollout, groupSize, hasRoomForOneMore, withoutPods } from '../../workloads/leader-worker-set/rollout';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { LWS_RULES } from './rules';
import { claimsOfDeletedSet } from './rules/claims-deleted';
import { droppedLimitFindings } from './rules/max-unavailable-dropped';
import { partitionFindings } from './rules/partition-holds';
import { standstillFindings } from './rules/stands-still';
import { waitingFindings, waitsOneByOne } from './rules/waits-for-groups';
import { simulateGroups } from '../../workloads/leader-worker-set/simulate';
import type { GroupRollout } from '../../workloads/leader-worker-set/simulate';
import { patchThatDropsMaxUnavailable } from '../../workloads/statefulset/strategy';
import { probeFindings, refusedPods, templateFindings } from '../../workloads/leader-worker-set/templates';
import { CONFIGURATION_PATH, strategyProvenance } from '../../workloads/leader-worker-set/strategy';
import { refusalsOf, templatesOf } from './validation';

/** Group of the API of LeaderWorkerSet. */
const LWS_GROUP = 'leaderworkerset.x-k8s.io';

function isLeaderWorkerSet(object: Manifest): boolean {
  return object.kind === 'LeaderWorkerSet' && groupOf(object) === LWS_GROUP;
}

function wavesOf({ waves, elided = 0 }: LeaderWorkerSetSimulation): number {
  return waves.length + elided;
}

/** What is said of the limit that the API server drops, or does from a later patch release on: nothing where the rollout is the same without it. */
function droppedFindings({ set, rollout, simulation: planned, context }: SetReview): Finding[] {
  const { leaderLimit, limits } = set;
  const { kubernetes } = context.versions;
  const step = leaderLimit.of(limits.replicas + limits.surge);
  const patch = patchThatDropsMaxUnavailable(kubernetes);
  if (step < 2 || (!leaderLimit.isDropped && patch === undefined)) return [];
  const other = simulateGroups({ ...rollout, leaderLimit: leaderLimit.isDropped ? leaderLimit.of : undefined });
  const [dropped, wanted] = leaderLimit.isDropped ? [planned, other] : [other, planned];
  const data = { kubernetes, ...(patch !== undefined && { patch }), step, waves: wavesOf(dropped), wavesWanted: wavesOf(wanted) };
  return droppedLimitFindings(data, waitsOneByOne(rollout));
}

/** A LeaderWorkerSet as its rules look at it. */
interface SetReview {
  readonly object: Manifest;
  readonly set: LeaderWorkerSet;
  readonly rollout: GroupRollout;
  readonly simulation: LeaderWorkerSetSimulation;
  readonly context: PlanContext;
  readonly hasRoomFor: HasRoomFor;
}

function scaledFindings({ set, object, context }: SetReview): Finding[] {
  const written = appliedReplicas(fieldsAt(object, 'spec'), context.changedPods?.(object));
  if (!set.autoscaler || !written) return [];
  return autoscaledReplicasFindings({
    autoscaler: set.autoscaler,
    writtenReplicas: written,
    workload: { kind: object.kind, name: set.name, ...(set.namespace !== undefined && { namespace: set.namespace }) },
  });
}

const CHECKS: ChecksOf<SetReview, 'stands-still' | 'max-unavailable-dropped' | 'partition-holds' | 'waits-for-groups'> = {
  'stands-still': ({ simulation, context }) => standstillFindings(simulation, context.versions),
  'max-unavailable-dropped': droppedFindings,
  'waits-for-groups': ({ rollout, simulation }) => (simulation.halted ? [] : waitingFindings(rollout)),
  outage: ({ set, simulation, hasRoomFor }) =>
    groupOutageFindings(simulation, { path: CONFIGURATION_PATH }, hasRoomForOneMore(set, hasRoomFor)),
  'partition-holds': ({ simulation }) => partitionFindings(simulation),
  'startup-annotation': ({ set }) => groupStartupFindings(set.members),
  'hpa-owns-replicas': scaledFindings,
  'foreign-owner': ({ object, set }) => foreignOwnerFindings(object, set.strategyPath),
  fencepost: notFor('the webhook refuses two limits of 0, which lws/both-limits-zero says'),
  'surge-needs-headroom': notFor('kubernetes/no-room says what its groups lack'),
  'no-readiness-probe': ({ set, simulation, context }) => probeFindings({ ...set, minAvailable: simulation.minAvailable }, context),
};

function planLeaderWorkerSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object));
  const refused = refusalsOf(object, context);
  if (refused.some(({ severity }) => severity === 'error')) {
    return { system: 'lws', resource, strategy: null, provenance: [], simulation: null, findings: refused };
  }
  const set = readLeaderWorkerSet(object, context);
  const templates = templatesOf(object, context);
  const broken = refusedPods(templates);
  const rollout = groupRollout(set, context.changedPods?.(object)?.start);
  const planned = {
    system: 'lws',
    resource,
    strategy: set.strategy,
    provenance: strategyProvenance(fieldsAt(object, 'spec'), set.strategy),
    findings: [...refused, ...templateFindings(templates)],
  } as const;
  if (broken) return { ...planned, simulation: simulateGroups(withoutPods(rollout, broken)) };
  const simulation = simulateGroups(rollout);
  return {
    ...planned,
    simulation,
    pods: {
      of: 'groups',
      groups: {
        ...groupPodsOf(set, rollout, simulation, context),
        review: (hasRoomFor) => checked(CHECKS, { object, set, rollout, simulation, context, hasRoomFor }),
      },
    },
    groups: groupSize(set, simulation),
    creates: [createdSet(set)],
  };
}

/** The StatefulSet of the leaders. Those of the workers, one a group, come and go with them. */
function createdSet({ name, namespace, replicas }: LeaderWorkerSet) {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', name, ...(namespace !== undefined && { namespace }), replicas };
}

/** LeaderWorkerSets, whose pods are replaced group by group. */
export const lwsSystem: RolloutSystem = {
  name: 'lws',
  rules: () => LWS_RULES,
  recognises: isLeaderWorkerSet,
  plan: (object, context) => [planLeaderWorkerSet(object, context)],
  effects: (old, next) => [leaderWorkerSetEffect(old, next)],
  deletedFindings: (object, context) =>
    lwsBehaviour(context.versions.lws).hasClaims ? claimsOfDeletedSet(object, readLeaderWorkerSet(object, context)) : [],
};
