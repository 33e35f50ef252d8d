import { toFieldPath } from '../../core/manifest/field-path';
import { IntentError } from '../../core/errors/intent-error';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest/manifest';
import { describeValue } from '../../core/text/display-value';
import type { Provenance } from '../../core/document/provenance';
import { buildGroupsSpec, drainGroups, resolveGroupsRollout } from '../../workloads/leader-worker-set/props';
import type { GroupVersionsProps, GroupsProps, GroupsRollout } from '../../workloads/leader-worker-set/props';
import type { GoalIntent } from '../../workloads/deployment/intent';
import { ROLE_DEFAULTS } from './disaggregated-set';

/** The apiVersion and kind of DisaggregatedSets that are emitted. */
export const DISAGGREGATED_SET_TYPE_META = { apiVersion: 'disaggregatedset.x-k8s.io/v1', kind: 'DisaggregatedSet' } as const;

/** One role of a `DisaggregatedSetRollout`: groups of pods, which are replaced in step with the other roles. */
export interface DisaggregatedRoleProps extends GroupsProps {
  /** Unique name of the role, such as `prefill`: up to 63 lower-case letters, digits and dashes. */
  readonly name: string;
  /** Labels and annotations of the role's LeaderWorkerSets. @default - only those of the controller */
  readonly metadata?: ObjectMeta;
  /**
   * How groups are replaced.
   *
   * If only one limit is set, the other is maxUnavailable 1 or maxSurge 0. A goal counts the groups, pods and GPUs of this role, and the
   * time of the entire set.
   *
   * @default - maxSurge 1, maxUnavailable 0
   */
  readonly rollout?: GroupsRollout | GoalIntent;
}

/** Properties of a `DisaggregatedSetRollout`. */
export interface DisaggregatedSetRolloutProps extends GroupVersionsProps {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** 2 to 10 roles, such as prefill and decode: all with groups, or all with 0. */
  readonly roles: readonly DisaggregatedRoleProps[];
}

/** The controller's defaults for a role without limits, as object fields. */
const DEFAULT_ROLE_LIMITS: GroupsRollout = { maxSurge: ROLE_DEFAULTS.surge, maxUnavailable: ROLE_DEFAULTS.unavailable };

function buildRoleFields(props: DisaggregatedRoleProps, index: number): Fields {
  const { name, metadata, rollout = DEFAULT_ROLE_LIMITS } = props;
  const limits = resolveGroupsRollout(rollout, toFieldPath`roles[${index}].rollout`);
  return { name, ...(metadata && { metadata }), spec: buildGroupsSpec(props, limits, toFieldPath`roles[${index}]` + '.') };
}

/** Returns the level that decided each field that the drain of a role writes: `prefill.terminationGracePeriodSeconds`. */
export function listRoleDrain(role: DisaggregatedRoleProps, index: number): Provenance[] {
  const { provenance } = drainGroups(role, toFieldPath`roles[${index}]` + '.');
  return provenance.map((entry) => ({ ...entry, field: `${role.name}.${entry.field}` }));
}

/**
 * Builds the DisaggregatedSet with explicit limits for each role, so that it does not depend on defaults.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`, because its limits count pods; or if roles is not a
 * list
 */
export function buildDisaggregatedSet(name: string, { metadata, roles }: DisaggregatedSetRolloutProps): Manifest {
  if (!Array.isArray(roles)) throw new IntentError(`roles is ${describeValue(roles)}; set it to a list of 2 to 10 roles`);
  return {
    ...DISAGGREGATED_SET_TYPE_META,
    metadata: { name, ...metadata },
    spec: { roles: roles.map(buildRoleFields) },
  };
}
