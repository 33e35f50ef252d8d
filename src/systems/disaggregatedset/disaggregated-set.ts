import type { PlanContext } from '../../cluster/context';
import type { RunningRevision, WrittenLimits } from '../../cluster/starting-point';
import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { isInt32, scaledDown, scaledUp } from '../../core/int-or-percent';
import type { IntOrPercent } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { DisaggregatedRole } from '../../core/simulations/disaggregatedset';
import type { GroupMembers } from '../../workloads/leader-worker-set/leader-worker-set';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';

/** One role of a set with its pods. */
export interface Role extends DisaggregatedRole {
  readonly path: FieldPath;
  readonly members: readonly GroupMembers[];
  /** What is stored of its limits; absent where it says nothing of them. */
  readonly limits?: WrittenLimits;
}

/** A DisaggregatedSet that nothing refuses. */
export interface DisaggregatedSet {
  readonly name: string;
  readonly namespace?: string;
  readonly roles: readonly Role[];
}

/** What a role has that says nothing: one group more, none fewer. Source: lws planner.go, `DefaultRollingUpdateConfig`. */
export const ROLE_DEFAULTS = { surge: 1, unavailable: 0 } as const;

/** The limits as the CRD completes them. */
export function storedLimits({ maxSurge, maxUnavailable }: Fields): WrittenLimits {
  return {
    maxSurge: (maxSurge ?? LWS_DEFAULTS.maxSurge) as IntOrPercent,
    maxUnavailable: (maxUnavailable ?? LWS_DEFAULTS.maxUnavailable) as IntOrPercent,
  };
}

/**
 * The limits of a role: both as they resolve where anything may be unavailable, else the surge alone where there is one, else the defaults.
 * Source: lws executor.go, `extractRollingUpdateConfig`.
 */
function limitsOf(limits: WrittenLimits | undefined, replicas: number): Pick<DisaggregatedRole, 'surge' | 'unavailable'> {
  if (!limits) return ROLE_DEFAULTS;
  const surge = scaledUp(limits.maxSurge, replicas);
  const unavailable = scaledDown(limits.maxUnavailable, replicas);
  if (unavailable > 0) return { surge, unavailable };
  return surge > 0 ? { surge, unavailable: 0 } : ROLE_DEFAULTS;
}

function templateOf(template: Fields, set: string, role: string): Fields {
  const metadata = fieldsAt(template, 'metadata');
  const labels = { ...fieldsAt(metadata, 'labels'), 'disaggregatedset.x-k8s.io/name': set, 'disaggregatedset.x-k8s.io/role': role };
  return { ...template, metadata: { ...metadata, labels } };
}

function membersOf(template: Fields, size: number, path: FieldPath, set: string, role: string): GroupMembers[] {
  const workers = templateOf(fieldsAt(template, 'workerTemplate'), set, role);
  const leader = isFields(template.leaderTemplate)
    ? { template: templateOf(template.leaderTemplate, set, role), path: at`${path}.leaderTemplate`, pods: 1 }
    : { template: workers, path: at`${path}.workerTemplate`, pods: 1 };
  return size === 1 ? [leader] : [leader, { template: workers, path: at`${path}.workerTemplate`, pods: size - 1 }];
}

function roleOf(role: unknown, index: number, set: string): Role {
  const spec = fieldsAt(role, 'spec');
  const template = fieldsAt(spec, 'leaderWorkerTemplate');
  const { rollingUpdateConfiguration } = fieldsAt(spec, 'rolloutStrategy');
  const replicas = isInt32(spec.replicas) ? spec.replicas : LWS_DEFAULTS.replicas;
  const size = isInt32(template.size) ? template.size : LWS_DEFAULTS.size;
  const { name: written } = fieldsAt({ role }, 'role');
  const name = typeof written === 'string' ? written : '';
  const path = at`spec.roles[${index}]`;
  const limits = isFields(rollingUpdateConfiguration) ? storedLimits(rollingUpdateConfiguration) : undefined;
  return {
    name,
    replicas,
    size,
    ...limitsOf(limits, replicas),
    path,
    members: membersOf(template, size, at`${path}.spec.leaderWorkerTemplate`, set, name),
    ...(limits && { limits }),
  };
}

/** Reads an object that is not refused. */
export function readDisaggregatedSet(object: Manifest): DisaggregatedSet {
  const name = nameOf(object);
  const namespace = namespaceOf(object);
  const roles = listAt(object, 'spec', 'roles').map((role, index) => roleOf(role, index, name));
  return { name, ...(namespace !== undefined && { namespace }), roles };
}

/** The versions before an apply, where one is planned. */
export function revisionsBefore(object: Manifest, { changedPods }: PlanContext): readonly RunningRevision[] | undefined {
  return changedPods?.(object)?.start?.byRevision;
}
