import type { PlanContext } from '../../cluster/context/context';
import type { RunningRevision, StoredLimits } from '../../cluster/rollout/initial-state';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { isInt32, scaleRoundedDown, scaleRoundedUp } from '../../core/values/int-or-percent';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { DisaggregatedRole } from '../../core/simulations/disaggregatedset';
import { addLeaderLabel } from '../../workloads/leader-worker-set/leader-label';
import { listPlacementConstraints } from '../../workloads/leader-worker-set/placement';
import type { GroupMembers } from '../../workloads/leader-worker-set/leader-worker-set';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';

/** One role of a set, with its pods. */
export interface ParsedRole extends DisaggregatedRole {
  readonly path: FieldPath;
  readonly members: readonly GroupMembers[];
  /** Names of the constraints on nodes that the controller adds to its pods. */
  readonly addedConstraints: readonly string[];
  /** Limits as stored; unset if the role has none. */
  readonly limits?: StoredLimits;
}

/** A parsed DisaggregatedSet that is not refused. */
export interface DisaggregatedSet {
  readonly name: string;
  readonly namespace?: string;
  readonly roles: readonly ParsedRole[];
}

/** Defaults of a role without limits: one extra group, and none unavailable. Source: lws planner.go, `DefaultRollingUpdateConfig`. */
export const ROLE_DEFAULTS = { surge: 1, unavailable: 0 } as const;

/** Returns the limits with the defaults of the CRD. */
export function applyRoleLimitDefaults({ maxSurge, maxUnavailable }: Fields): StoredLimits {
  return {
    maxSurge: (maxSurge ?? LWS_DEFAULTS.maxSurge) as IntOrPercent,
    maxUnavailable: (maxUnavailable ?? LWS_DEFAULTS.maxUnavailable) as IntOrPercent,
  };
}

/**
 * Resolves the limits of a role.
 *
 * If maxUnavailable resolves to more than 0, both limits apply. Otherwise only the surge applies. If both are 0, the defaults apply.
 * Source: lws executor.go, `extractRollingUpdateConfig`.
 */
function resolveLimits(limits: StoredLimits | undefined, replicas: number): Pick<DisaggregatedRole, 'surge' | 'unavailable'> {
  if (!limits) return ROLE_DEFAULTS;
  const surge = scaleRoundedUp(limits.maxSurge, replicas);
  const unavailable = scaleRoundedDown(limits.maxUnavailable, replicas);
  if (unavailable > 0) return { surge, unavailable };
  return surge > 0 ? { surge, unavailable: 0 } : ROLE_DEFAULTS;
}

function addRoleLabels(template: Fields, set: string, role: string): Fields {
  const metadata = getFieldsAt(template, 'metadata');
  const labels = { ...getFieldsAt(metadata, 'labels'), 'disaggregatedset.x-k8s.io/name': set, 'disaggregatedset.x-k8s.io/role': role };
  return { ...template, metadata: { ...metadata, labels } };
}

function buildMembers(template: Fields, size: number, path: FieldPath, set: string, role: string): GroupMembers[] {
  const workers = addRoleLabels(getFieldsAt(template, 'workerTemplate'), set, role);
  const leader = isFields(template.leaderTemplate)
    ? { template: addLeaderLabel(addRoleLabels(template.leaderTemplate, set, role)), path: toFieldPath`${path}.leaderTemplate`, pods: 1 }
    : { template: addLeaderLabel(workers), path: toFieldPath`${path}.workerTemplate`, pods: 1 };
  return size === 1 ? [leader] : [leader, { template: workers, path: toFieldPath`${path}.workerTemplate`, pods: size - 1 }];
}

/** Lists the constraints of the placement policy of a set. Source: lws 0.10.0 pkg/utils/disaggregatedset/affinity.go, `SetPlacementAffinities`. */
function listPolicyConstraints(object: Manifest): readonly string[] {
  const { type = 'None' } = getFieldsAt(object, 'spec', 'placementPolicy');
  return type === 'None' ? [] : ['placementPolicy'];
}

function parseRole(role: unknown, index: number, set: string, policy: readonly string[]): ParsedRole {
  const spec = getFieldsAt(role, 'spec');
  const template = getFieldsAt(spec, 'leaderWorkerTemplate');
  const { rollingUpdateConfiguration } = getFieldsAt(spec, 'rolloutStrategy');
  const replicas = isInt32(spec.replicas) ? spec.replicas : LWS_DEFAULTS.replicas;
  const size = isInt32(template.size) ? template.size : LWS_DEFAULTS.size;
  const { name: rawName } = getFieldsAt({ role }, 'role');
  const name = typeof rawName === 'string' ? rawName : '';
  const path = toFieldPath`spec.roles[${index}]`;
  const limits = isFields(rollingUpdateConfiguration) ? applyRoleLimitDefaults(rollingUpdateConfiguration) : undefined;
  return {
    name,
    replicas,
    size,
    ...resolveLimits(limits, replicas),
    path,
    addedConstraints: [...policy, ...listPlacementConstraints(getFieldsAt({ role }, 'role'), template)],
    members: buildMembers(template, size, toFieldPath`${path}.spec.leaderWorkerTemplate`, set, name),
    ...(limits && { limits }),
  };
}

/** Reads an object that is not refused. */
export function readDisaggregatedSet(object: Manifest): DisaggregatedSet {
  const name = nameOf(object);
  const namespace = namespaceOf(object);
  const policy = listPolicyConstraints(object);
  const roles = getListAt(object, 'spec', 'roles').map((role, index) => parseRole(role, index, name, policy));
  return { name, ...(namespace !== undefined && { namespace }), roles };
}

/** Returns the revisions before an apply; undefined if no apply is planned. */
export function previousRevisionsOf(object: Manifest, { changedPods }: PlanContext): readonly RunningRevision[] | undefined {
  return changedPods?.(object)?.start?.byRevision;
}
