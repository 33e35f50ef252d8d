import { autoscalerOf } from '../../cluster/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import { at } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { LWS_DEFAULTS, groupLimits, leaderLimit, storedStrategy } from '../../workloads/leader-worker-set/strategy';
import type { GroupMembers, LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';

const TEMPLATE_PATH = at`spec.leaderWorkerTemplate`;

/** Labels that the controller gives every pod of a set. Source: lws pkg/utils/pod and the leader's StatefulSet. */
function labelled(template: Fields, name: string): Fields {
  const metadata = fieldsAt(template, 'metadata');
  const labels = { ...fieldsAt(metadata, 'labels'), 'leaderworkerset.sigs.k8s.io/name': name };
  return { ...template, metadata: { ...metadata, labels } };
}

function membersOf(spec: Fields, name: string, size: number): GroupMembers[] {
  const { leaderTemplate, workerTemplate } = fieldsAt(spec, 'leaderWorkerTemplate');
  const workers = fieldsAt({ workerTemplate }, 'workerTemplate');
  const ownLeader = isFields(leaderTemplate) ? leaderTemplate : undefined;
  const leader = {
    template: labelled(ownLeader ?? workers, name),
    path: ownLeader ? at`${TEMPLATE_PATH}.leaderTemplate` : at`${TEMPLATE_PATH}.workerTemplate`,
    pods: 1,
  };
  if (size === 1) return [leader];
  return [leader, { template: labelled(workers, name), path: at`${TEMPLATE_PATH}.workerTemplate`, pods: size - 1 }];
}

function replicasOf({ replicas }: Fields, autoscaler: Autoscaler | undefined): number {
  return isInt32(replicas) ? replicas : (autoscaler?.initial ?? LWS_DEFAULTS.replicas);
}

/** Reads an object that is not refused. */
export function readLeaderWorkerSet(object: Manifest, context: PlanContext): LeaderWorkerSet {
  const spec = fieldsAt(object, 'spec');
  const name = nameOf(object);
  const namespace = namespaceOf(object);
  const autoscaler = autoscalerOf(object, context);
  const groups = replicasOf(spec, autoscaler);
  const { size = LWS_DEFAULTS.size } = fieldsAt(spec, 'leaderWorkerTemplate') as { readonly size?: number };
  const strategy = storedStrategy(spec);
  const behaviour = lwsBehaviour(context.versions.lws);
  const limits = groupLimits(strategy, groups);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    replicas: groups,
    size,
    members: membersOf(spec, name, size),
    leaderFirst: spec.startupPolicy === 'LeaderReady',
    strategy,
    strategyPath: at`spec.rolloutStrategy`,
    path: TEMPLATE_PATH,
    limits,
    leaderLimit: leaderLimit(strategy, limits, behaviour, context.versions.kubernetes),
    behaviour,
    ...(autoscaler && { autoscaler }),
  };
}
