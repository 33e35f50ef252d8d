import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../../cluster/context/context';
import { toFieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { addLeaderLabel } from '../../workloads/leader-worker-set/leader-label';
import { listPlacementConstraints } from '../../workloads/leader-worker-set/placement';
import { LWS_DEFAULTS, resolveGroupLimits, resolveLeaderLimit, defaultLwsStrategy } from '../../workloads/leader-worker-set/strategy';
import type { GroupMembers, LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';

const TEMPLATE_PATH = toFieldPath`spec.leaderWorkerTemplate`;

/** Adds the label that the controller sets on every pod of a set. Source: lws pkg/utils/pod and the leader's StatefulSet. */
function addSetLabel(template: Fields, name: string): Fields {
  const metadata = getFieldsAt(template, 'metadata');
  const labels = { ...getFieldsAt(metadata, 'labels'), 'leaderworkerset.sigs.k8s.io/name': name };
  return { ...template, metadata: { ...metadata, labels } };
}

function buildMembers(spec: Fields, name: string, size: number): GroupMembers[] {
  const { leaderTemplate, workerTemplate } = getFieldsAt(spec, 'leaderWorkerTemplate');
  const workers = getFieldsAt({ workerTemplate }, 'workerTemplate');
  const ownLeader = isFields(leaderTemplate) ? leaderTemplate : undefined;
  const leader = {
    template: addLeaderLabel(addSetLabel(ownLeader ?? workers, name)),
    path: ownLeader ? toFieldPath`${TEMPLATE_PATH}.leaderTemplate` : toFieldPath`${TEMPLATE_PATH}.workerTemplate`,
    pods: 1,
  };
  if (size === 1) return [leader];
  return [leader, { template: addSetLabel(workers, name), path: toFieldPath`${TEMPLATE_PATH}.workerTemplate`, pods: size - 1 }];
}

function resolveReplicas({ replicas }: Fields, autoscaler: Autoscaler | undefined): number {
  return isInt32(replicas) ? replicas : (autoscaler?.initial ?? LWS_DEFAULTS.replicas);
}

/** Reads an object that is not refused. */
export function readLeaderWorkerSet(object: Manifest, context: PlanContext): LeaderWorkerSet {
  const spec = getFieldsAt(object, 'spec');
  const name = nameOf(object);
  const namespace = namespaceOf(object);
  const autoscaler = autoscalerOf(object, context);
  const groups = resolveReplicas(spec, autoscaler);
  const { size = LWS_DEFAULTS.size } = getFieldsAt(spec, 'leaderWorkerTemplate') as { readonly size?: number };
  const strategy = defaultLwsStrategy(spec);
  const behaviour = getLwsBehaviour(context.versions.lws);
  const limits = resolveGroupLimits(strategy, groups);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    replicas: groups,
    size,
    members: buildMembers(spec, name, size),
    addedConstraints: listPlacementConstraints(object, getFieldsAt(spec, 'leaderWorkerTemplate')),
    leaderFirst: spec.startupPolicy === 'LeaderReady',
    strategy,
    strategyPath: toFieldPath`spec.rolloutStrategy`,
    path: TEMPLATE_PATH,
    limits,
    leaderLimit: resolveLeaderLimit(strategy, limits, behaviour, context.versions.kubernetes),
    behaviour,
    ...(autoscaler && { autoscaler }),
  };
}
