import { autoscalerOf } from '../../cluster/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { LWS_DEFAULTS, groupLimits, leaderLimit, storedStrategy } from './strategy';
import type { LeaderLimit, LeaderWorkerSetStrategy } from './strategy';
import type { GroupLimits } from './turn';
import { lwsBehaviour } from './versions';
import type { LwsBehaviour } from './versions';

/** Pods of one kind in each group. */
export interface GroupMembers {
  readonly template: Fields;
  readonly path: FieldPath;
  /** In each group. */
  readonly pods: number;
}

/** A LeaderWorkerSet that the API server and the webhook take. */
export interface LeaderWorkerSet {
  readonly object: Manifest;
  readonly name: string;
  readonly namespace?: string;
  /** Groups. */
  readonly replicas: number;
  /** Pods of a group. */
  readonly size: number;
  /** The leader, and the workers where there are any. */
  readonly members: readonly GroupMembers[];
  /** Are workers made once their leader is ready, and not together with it? */
  readonly leaderFirst: boolean;
  readonly strategy: LeaderWorkerSetStrategy;
  readonly limits: GroupLimits;
  readonly leaderLimit: LeaderLimit;
  readonly behaviour: LwsBehaviour;
  readonly autoscaler?: Autoscaler;
}

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
  const autoscaler = autoscalerOf({ namespace, kind: object.kind, name }, context);
  const groups = replicasOf(spec, autoscaler);
  const { size = LWS_DEFAULTS.size } = fieldsAt(spec, 'leaderWorkerTemplate') as { readonly size?: number };
  const strategy = storedStrategy(spec);
  const behaviour = lwsBehaviour(context.versions.lws);
  const limits = groupLimits(strategy, groups);
  return {
    object,
    name,
    ...(namespace !== undefined && { namespace }),
    replicas: groups,
    size,
    members: membersOf(spec, name, size),
    leaderFirst: spec.startupPolicy === 'LeaderReady',
    strategy,
    limits,
    leaderLimit: leaderLimit(strategy, limits, behaviour, context.versions.kubernetes),
    behaviour,
    ...(autoscaler && { autoscaler }),
  };
}
