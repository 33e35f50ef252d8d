import { isLiteralZero, scaleRoundedDown, scaleRoundedUp } from '../../core/values/int-or-percent';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import { toFieldPath } from '../../core/manifest/field-path';
import { getFieldName } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import { describeValue } from '../../core/text/display-value';
import { supportsStatefulSetMaxUnavailable, resolveStatefulSetMaxUnavailable } from '../statefulset/strategy';
import type { GroupLimits } from './reconcile';
import type { LwsBehaviour } from './versions';

/** The `spec.rolloutStrategy` that the API server stores. */
export interface LeaderWorkerSetStrategy {
  /** The only type that exists. */
  readonly type: 'RollingUpdate';
  /** The limits, in groups. */
  readonly rollingUpdateConfiguration: {
    /** The ordinal below which groups keep their version. @default 0 */
    readonly partition: number;
    /** Groups that may be unavailable. Rounded down. @default 1 */
    readonly maxUnavailable: IntOrPercent;
    /** Groups in addition to the replicas. Rounded up, at most the replicas. @default 0 */
    readonly maxSurge: IntOrPercent;
  };
}

/** The defaults of the CRD and the webhook. Source: lws api/leaderworkerset/v1/leaderworkerset_types.go. */
export const LWS_DEFAULTS = { replicas: 1, size: 1, partition: 0, maxUnavailable: 1, maxSurge: 0 } as const;

/** The path of the limits. */
export const LWS_CONFIGURATION_PATH = toFieldPath`spec.rolloutStrategy.rollingUpdateConfiguration`;

const LIMIT_FIELDS = ['maxSurge', 'maxUnavailable', 'partition'] as const;

/** Returns the strategy that is stored for a valid one. Each limit that is not set is filled in separately. */
export function defaultLwsStrategy(spec: Fields): LeaderWorkerSetStrategy {
  const specified = getFieldsAt(spec, 'rolloutStrategy', 'rollingUpdateConfiguration');
  const { partition, maxUnavailable, maxSurge } = LWS_DEFAULTS;
  const configuration = {
    partition: (specified.partition ?? partition) as number,
    maxUnavailable: (specified.maxUnavailable ?? maxUnavailable) as IntOrPercent,
    maxSurge: (specified.maxSurge ?? maxSurge) as IntOrPercent,
  };
  return { type: 'RollingUpdate', rollingUpdateConfiguration: configuration };
}

function buildLwsFieldProvenance(path: FieldPath, specified: unknown, value: unknown): Provenance {
  const isSpecified = specified !== undefined && specified !== null && specified !== '';
  return {
    field: getFieldName(path),
    value,
    layer: isSpecified ? 'user' : 'lws-default',
    reason: isSpecified ? `${path} is set.` : `${path} is not set; the CRD of LeaderWorkerSet fills in ${describeValue(value)}.`,
    overridden: [],
  };
}

/** Builds the provenance of each field: type, maxSurge, maxUnavailable, partition. */
export function buildLwsProvenance(spec: Fields, { type, rollingUpdateConfiguration }: LeaderWorkerSetStrategy): Provenance[] {
  const specified = getFieldsAt(spec, 'rolloutStrategy');
  const limits = getFieldsAt(specified, 'rollingUpdateConfiguration');
  return [
    buildLwsFieldProvenance(toFieldPath`spec.rolloutStrategy.type`, specified.type, type),
    ...LIMIT_FIELDS.map((field) =>
      buildLwsFieldProvenance(toFieldPath`${LWS_CONFIGURATION_PATH}.${field}`, limits[field], rollingUpdateConfiguration[field]),
    ),
  ];
}

/**
 * Resolves the limits to groups: surge is rounded up to at most the replicas, and unavailable is rounded down.
 *
 * maxSurge 10% and maxUnavailable 10% of 5 groups are 1 and 0.
 */
export function resolveGroupLimits({ rollingUpdateConfiguration }: LeaderWorkerSetStrategy, replicas: number): GroupLimits {
  const { partition, maxSurge, maxUnavailable } = rollingUpdateConfiguration;
  return {
    replicas,
    // Before 0.8 a partition below 0 is accepted, and has no effect.
    partition: Math.max(0, partition),
    surge: Math.min(replicas, scaleRoundedUp(maxSurge, replicas)),
    unavailable: scaleRoundedDown(maxUnavailable, replicas),
  };
}

/** How the API server treats the maxUnavailable that the controller writes into the StatefulSet of the leaders. */
export interface LeaderLimit {
  /** Whether the API server drops it, so that leaders are replaced one at a time. */
  readonly isDropped: boolean;
  /** Whether the API server refuses it. */
  readonly isRejected: boolean;
  /** The resolved limit by number of leaders, if it is kept. */
  readonly resolve: (leaders: number) => number;
}

/** Resolves the limit of the StatefulSet for the versions of LeaderWorkerSet and Kubernetes. */
export function resolveLeaderLimit(
  { rollingUpdateConfiguration: { maxUnavailable } }: LeaderWorkerSetStrategy,
  { surge, unavailable }: Pick<GroupLimits, 'surge' | 'unavailable'>,
  { leaderLimit: writes }: LwsBehaviour,
  kubernetesVersion: string,
): LeaderLimit {
  const isDropped = !supportsStatefulSetMaxUnavailable(kubernetesVersion);
  if (writes === 'both-limits') return { isDropped, isRejected: false, resolve: () => Math.max(1, surge + unavailable) };
  return {
    isDropped,
    isRejected: !isDropped && isLiteralZero(maxUnavailable),
    resolve: (leaders) => resolveStatefulSetMaxUnavailable(maxUnavailable, leaders),
  };
}
