import type { IntOrPercent } from '../../core/int-or-percent';
import { IntentError } from '../../core/intent-error';
import { isFields } from '../../core/manifest';
import type { Fields, ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import { LWS_DEFAULTS } from './strategy';

/** How the groups of a LeaderWorkerSet may be replaced; made by hand, or by `Rollout.groups`. */
export interface GroupsRollout {
  /**
   * Groups beyond the replicas, as a number or a percentage of them, which is rounded up; no more than the replicas.
   *
   * @default 0
   */
  readonly maxSurge?: IntOrPercent;
  /**
   * Groups of the replicas that may be unavailable, as a number or a percentage of them, which is rounded down.
   *
   * @default 1
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** A pod template of a group. */
export interface GroupPodTemplate {
  /** Labels and annotations of the pods. @default - none but the controller's own */
  readonly metadata?: ObjectMeta;
  /** The pod, as Kubernetes has it. */
  readonly spec: Fields;
}

/** The pods of a group; its size is a prop of its own. Fields as LeaderWorkerSet has them. */
export interface LeaderWorkerTemplateProps {
  /** The first pod of each group. @default - as the workers */
  readonly leaderTemplate?: GroupPodTemplate;
  /** The other pods of each group. */
  readonly workerTemplate: GroupPodTemplate;
  /** What a restarted pod means for its group. @default RecreateGroupOnPodRestart */
  readonly restartPolicy?: 'RecreateGroupOnPodRestart' | 'RecreateGroupAfterStart' | 'None';
  /** Subgroups, as those of one rack. @default - none */
  readonly subGroupPolicy?: {
    /** Whether the leader is in a subgroup with the first workers. @default LeaderWorker */
    readonly subGroupPolicyType?: 'LeaderWorker' | 'LeaderExcluded';
    /** Pods of each subgroup; `size`, or `size` less the leader, is a multiple of it. */
    readonly subGroupSize: number;
  };
  /** Claims of each pod, from 0.8 on. @default - none */
  readonly volumeClaimTemplates?: readonly Fields[];
  /** What becomes of the claims, from 0.8 on. @default - they are kept */
  readonly persistentVolumeClaimRetentionPolicy?: {
    /** When the set is deleted. @default Retain */
    readonly whenDeleted?: 'Retain' | 'Delete';
    /** When there are fewer groups. @default Retain */
    readonly whenScaled?: 'Retain' | 'Delete';
  };
}

/** Groups of pods, and how they may be replaced. */
export interface GroupsProps {
  /** Groups, from 0 up. @default 1 */
  readonly replicas?: number;
  /** Pods of a group, the leader among them, from 1 up. @default 1 */
  readonly size?: number;
  /** The pods of a group. */
  readonly leaderWorkerTemplate: LeaderWorkerTemplateProps;
  /** Whether workers are made together with their leader, or once it is ready. @default LeaderCreated */
  readonly startupPolicy?: 'LeaderCreated' | 'LeaderReady';
  /** Whether all groups share one headless Service. @default - they do */
  readonly networkConfig?: {
    /** One Service for all groups, or one each. */
    readonly subdomainPolicy: 'Shared' | 'UniquePerReplica';
  };
}

/** The versions that groups are for. */
export interface GroupVersionsProps {
  /** The versions that it is for, such as `{ lws: '0.8', kubernetes: '1.36' }`. @default - lws 0.9, kubernetes 1.34 */
  readonly versions?: {
    /** Of the controller. @default 0.9 */
    readonly lws?: string;
    /** Of the API server. @default 1.34 */
    readonly kubernetes?: string;
  };
}

/** Fields without those that are left out. */
function dropUndefinedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Both limits, the one that is left out as the CRD fills it in.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`: its limits count pods
 */
export function resolveGroupsRollout(rollout: unknown, path: string): Required<GroupsRollout> {
  if (!isFields(rollout) || 'mode' in rollout || 'type' in rollout) {
    throw new IntentError(
      `${path} is ${describeValue(rollout)}: write Rollout.groups({ surge: 1 }), or maxSurge and maxUnavailable in groups`,
    );
  }
  const { maxSurge = LWS_DEFAULTS.maxSurge, maxUnavailable = LWS_DEFAULTS.maxUnavailable } = rollout as GroupsRollout;
  return { maxUnavailable, maxSurge };
}

/** The spec of a LeaderWorkerSet, or of a role that makes one, with the limits of its rollout written out. */
export function buildGroupsSpec(props: GroupsProps, limits: GroupsRollout & { readonly partition?: number }): Fields {
  const { replicas, size, leaderWorkerTemplate, startupPolicy, networkConfig } = props;
  return dropUndefinedFields({
    replicas,
    rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: dropUndefinedFields({ ...limits }) },
    leaderWorkerTemplate: dropUndefinedFields({ ...leaderWorkerTemplate, size }),
    startupPolicy,
    networkConfig,
  });
}
