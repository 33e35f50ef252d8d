import type { IntOrPercent } from '../../core/values/int-or-percent';
import { IntentError } from '../../core/errors/intent-error';
import { isFields } from '../../core/manifest/manifest';
import type { Fields, ObjectMeta } from '../../core/manifest/manifest';
import { describeValue } from '../../core/text/display-value';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Provenance } from '../../core/document/provenance';
import { drainTemplate } from '../drain';
import type { DrainIntent, DrainPlace } from '../drain';
import { LWS_DEFAULTS } from './strategy';

/** The limits for replacing the groups of a LeaderWorkerSet. Written by hand or created with `Rollout.groups`. */
export interface GroupsRollout {
  /**
   * Groups in addition to the replicas, as a number or a percentage of them. A percentage is rounded up. At most the replicas.
   *
   * @default 0
   */
  readonly maxSurge?: IntOrPercent;
  /**
   * Replicas that may be unavailable, as a number or a percentage of them. A percentage is rounded down.
   *
   * @default 1
   */
  readonly maxUnavailable?: IntOrPercent;
}

/** A pod template of a group. */
export interface GroupPodTemplate {
  /** Labels and annotations of the pods. @default - only those of the controller */
  readonly metadata?: ObjectMeta;
  /** The pod spec of Kubernetes. */
  readonly spec: Fields;
}

/** The pods of a group, with the fields of LeaderWorkerSet. The size of a group is a separate prop. */
export interface LeaderWorkerTemplateProps {
  /** The first pod of each group. @default - same as the workers */
  readonly leaderTemplate?: GroupPodTemplate;
  /** The other pods of each group. */
  readonly workerTemplate: GroupPodTemplate;
  /** Whether a pod restart recreates its group. @default RecreateGroupOnPodRestart */
  readonly restartPolicy?: 'RecreateGroupOnPodRestart' | 'RecreateGroupAfterStart' | 'None';
  /** Subgroups, for example one per rack. @default - none */
  readonly subGroupPolicy?: {
    /** Whether the leader is in a subgroup with the first workers. @default LeaderWorker */
    readonly subGroupPolicyType?: 'LeaderWorker' | 'LeaderExcluded';
    /** Pods of each subgroup. `size`, or `size` without the leader, must be a multiple of it. */
    readonly subGroupSize: number;
  };
  /** Claims of each pod. Requires 0.8. @default - none */
  readonly volumeClaimTemplates?: readonly Fields[];
  /** Whether the claims are deleted. Requires 0.8. @default - they are kept */
  readonly persistentVolumeClaimRetentionPolicy?: {
    /** The policy for when the set is deleted. @default Retain */
    readonly whenDeleted?: 'Retain' | 'Delete';
    /** The policy for when the set is scaled down. @default Retain */
    readonly whenScaled?: 'Retain' | 'Delete';
  };
}

/** The groups of a LeaderWorkerSet and their pods. */
export interface GroupsProps {
  /** Number of groups, at least 0. @default 1 */
  readonly replicas?: number;
  /** Pods of a group, including the leader, at least 1. @default 1 */
  readonly size?: number;
  /** The pods of a group. */
  readonly leaderWorkerTemplate: LeaderWorkerTemplateProps;
  /** Whether workers are created together with their leader, or once it is ready. @default LeaderCreated */
  readonly startupPolicy?: 'LeaderCreated' | 'LeaderReady';
  /** How long requests may run while their group is replaced. Workers with a template of their own run for as long as their leader. @default - not set */
  readonly drain?: DrainIntent;
  /** Whether all groups share one headless Service. @default - they do */
  readonly networkConfig?: {
    /** One Service for all groups, or one per group. */
    readonly subdomainPolicy: 'Shared' | 'UniquePerReplica';
  };
}

/** The versions that the groups target. */
export interface GroupVersionsProps {
  /** The target versions, such as `{ lws: '0.8', kubernetes: '1.36' }`. @default - lws 0.9, kubernetes 1.36 */
  readonly versions?: {
    /** The version of the controller. @default 0.9 */
    readonly lws?: string;
    /** The version of the API server. @default 1.36 */
    readonly kubernetes?: string;
  };
}

/** Returns the fields without undefined ones. */
function dropUndefinedFields(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Returns both limits. A limit that is not set has the default of the CRD.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`: its limits count pods
 */
export function resolveGroupsRollout(rollout: unknown, path: string): Required<GroupsRollout> {
  if (!isFields(rollout) || 'mode' in rollout || 'type' in rollout || 'goal' in rollout) {
    throw new IntentError(
      `${path} is ${describeValue(rollout)}: write Rollout.groups({ surge: 1 }), or maxSurge and maxUnavailable in groups`,
    );
  }
  const unknown = Object.keys(rollout).find((field) => !GROUPS_LIMITS.includes(field));
  if (unknown !== undefined) {
    const write = unknown === 'partition' ? 'write partition next to rollout, not in it' : 'write maxSurge and maxUnavailable';
    throw new IntentError(`${path}.${unknown} is not a limit in groups: ${write}`);
  }
  const { maxSurge = LWS_DEFAULTS.maxSurge, maxUnavailable = LWS_DEFAULTS.maxUnavailable } = rollout as GroupsRollout;
  return { maxUnavailable, maxSurge };
}

/** The pods of groups with a drain, and the level that decided each field. */
export interface DrainedGroups {
  readonly leaderWorkerTemplate: LeaderWorkerTemplateProps;
  readonly provenance: readonly Provenance[];
}

function drainPods(
  template: GroupPodTemplate,
  drain: DrainIntent,
  place: DrainPlace,
): { readonly template: GroupPodTemplate; readonly provenance: readonly Provenance[] } {
  const { metadata, spec, provenance } = drainTemplate(template, drain, place);
  return { template: { ...template, ...(metadata && { metadata }), spec }, provenance };
}

/**
 * Writes a drain into the pods of groups. The leader serves requests if it has a template of its own; otherwise all pods do.
 *
 * @param prefix of the props: `roles[0].`
 * @throws IntentError if the server cannot finish such a request
 */
export function drainGroups({ drain, leaderWorkerTemplate, size = 1 }: GroupsProps, prefix = ''): DrainedGroups {
  if (drain === undefined) return { leaderWorkerTemplate, provenance: [] };
  const { leaderTemplate, workerTemplate } = leaderWorkerTemplate;
  const placeOf = (field: string, outlives: boolean): DrainPlace => ({
    prop: `${prefix}drain`,
    podPath: `${prefix}leaderWorkerTemplate.${field}.spec` as FieldPath,
    outlives,
  });
  if (!leaderTemplate) {
    const { template, provenance } = drainPods(workerTemplate, drain, placeOf('workerTemplate', false));
    return { leaderWorkerTemplate: { ...leaderWorkerTemplate, workerTemplate: template }, provenance };
  }
  const leader = drainPods(leaderTemplate, drain, placeOf('leaderTemplate', false));
  if (size <= 1)
    return { leaderWorkerTemplate: { ...leaderWorkerTemplate, leaderTemplate: leader.template }, provenance: leader.provenance };
  const workers = drainPods(workerTemplate, drain, placeOf('workerTemplate', true));
  return {
    leaderWorkerTemplate: { ...leaderWorkerTemplate, leaderTemplate: leader.template, workerTemplate: workers.template },
    provenance: [...leader.provenance, ...workers.provenance],
  };
}

const GROUPS_LIMITS: readonly string[] = ['maxSurge', 'maxUnavailable'];

/** Builds the spec of a LeaderWorkerSet, or of a role that creates one, with explicit rollout limits. */
export function buildGroupsSpec(props: GroupsProps, limits: GroupsRollout & { readonly partition?: number }, prefix?: string): Fields {
  const { replicas, size, startupPolicy, networkConfig } = props;
  const { leaderWorkerTemplate } = drainGroups(props, prefix);
  return dropUndefinedFields({
    replicas,
    rolloutStrategy: { type: 'RollingUpdate', rollingUpdateConfiguration: dropUndefinedFields({ ...limits }) },
    leaderWorkerTemplate: dropUndefinedFields({ ...leaderWorkerTemplate, size }),
    startupPolicy,
    networkConfig,
  });
}
