import { toFieldPath } from '../../core/field-path';
import { IntentError } from '../../core/intent-error';
import type { Fields, Manifest, ObjectMeta } from '../../core/manifest';
import { describeValue } from '../../core/display-value';
import { buildGroupsSpec, resolveGroupsRollout } from '../../workloads/leader-worker-set/props';
import type { GroupVersionsProps, GroupsProps, GroupsRollout } from '../../workloads/leader-worker-set/props';
import { ROLE_DEFAULTS } from './disaggregated-set';

/** What is written. */
export const DISAGGREGATED_SET_TYPE_META = { apiVersion: 'disaggregatedset.x-k8s.io/v1', kind: 'DisaggregatedSet' } as const;

/** One role of a `DisaggregatedSetRollout`: groups of pods, which are replaced in step with those of the others. */
export interface DisaggregatedRoleProps extends GroupsProps {
  /** What no other role is called, such as `prefill`: up to 63 small letters, digits and dashes. */
  readonly name: string;
  /** Labels and annotations of the LeaderWorkerSets that are made of it. @default - none but the controller's own */
  readonly metadata?: ObjectMeta;
  /** How groups may be replaced; where it says one limit alone, the other is maxUnavailable 1 or maxSurge 0. @default - one more, and none fewer */
  readonly rollout?: GroupsRollout;
}

/** Properties of a `DisaggregatedSetRollout`. */
export interface DisaggregatedSetRolloutProps extends GroupVersionsProps {
  /** Name, namespace, labels, annotations. @default - the adapter's id or name as name */
  readonly metadata?: ObjectMeta;
  /** 2 to 10 roles, such as prefill and decode: all with groups, or all with 0. */
  readonly roles: readonly DisaggregatedRoleProps[];
}

/** What the controller takes of a role without limits, in the words of the object. */
const DEFAULT_ROLE_LIMITS: GroupsRollout = { maxSurge: ROLE_DEFAULTS.surge, maxUnavailable: ROLE_DEFAULTS.unavailable };

function buildRoleFields(props: DisaggregatedRoleProps, index: number): Fields {
  const { name, metadata, rollout = DEFAULT_ROLE_LIMITS } = props;
  const limits = resolveGroupsRollout(rollout, toFieldPath`roles[${index}].rollout`);
  return { name, ...(metadata && { metadata }), spec: buildGroupsSpec(props, limits) };
}

/**
 * The DisaggregatedSet with the limits of each role written out, so that no default decides.
 *
 * @throws IntentError for a rollout of a Deployment, such as `Rollout.availability`, whose limits count pods; without roles
 */
export function buildDisaggregatedSet(name: string, { metadata, roles }: DisaggregatedSetRolloutProps): Manifest {
  if (!Array.isArray(roles)) throw new IntentError(`roles is ${describeValue(roles)}: write a list of 2 to 10 roles`);
  return {
    ...DISAGGREGATED_SET_TYPE_META,
    metadata: { name, ...metadata },
    spec: { roles: roles.map(buildRoleFields) },
  };
}
