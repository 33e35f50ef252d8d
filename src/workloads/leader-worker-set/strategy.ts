import { isLiteralZero, scaledDown, scaledUp } from '../../core/int-or-percent';
import type { IntOrPercent } from '../../core/int-or-percent';
import { at } from '../../core/field-path';
import { fieldName } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { fieldsAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { describeValue } from '../../core/seen';
import { keepsStatefulSetMaxUnavailable, statefulSetMaxUnavailable } from '../statefulset/strategy';
import type { GroupLimits } from './turn';
import type { LwsBehaviour } from './versions';

/** `spec.rolloutStrategy` as the API server stores it. */
export interface LeaderWorkerSetStrategy {
  /** The only type that there is. */
  readonly type: 'RollingUpdate';
  /** The limits, in groups. */
  readonly rollingUpdateConfiguration: {
    /** Groups below it keep their version. @default 0 */
    readonly partition: number;
    /** Groups that may be unavailable: rounded down. @default 1 */
    readonly maxUnavailable: IntOrPercent;
    /** Groups beyond the replicas: rounded up, no more than the replicas. @default 0 */
    readonly maxSurge: IntOrPercent;
  };
}

/** What the CRD and the webhook fill in. Source: lws api/leaderworkerset/v1/leaderworkerset_types.go. */
export const LWS_DEFAULTS = { replicas: 1, size: 1, partition: 0, maxUnavailable: 1, maxSurge: 0 } as const;

/** Where the limits stand. */
export const CONFIGURATION_PATH = at`spec.rolloutStrategy.rollingUpdateConfiguration`;

const LIMIT_FIELDS = ['maxSurge', 'maxUnavailable', 'partition'] as const;

/** What is stored of a strategy whose values are sound; each limit that is left out is filled in by itself. */
export function storedStrategy(spec: Fields): LeaderWorkerSetStrategy {
  const written = fieldsAt(spec, 'rolloutStrategy', 'rollingUpdateConfiguration');
  const { partition, maxUnavailable, maxSurge } = LWS_DEFAULTS;
  const configuration = {
    partition: (written.partition ?? partition) as number,
    maxUnavailable: (written.maxUnavailable ?? maxUnavailable) as IntOrPercent,
    maxSurge: (written.maxSurge ?? maxSurge) as IntOrPercent,
  };
  return { type: 'RollingUpdate', rollingUpdateConfiguration: configuration };
}

function provenanceOf(path: FieldPath, written: unknown, value: unknown): Provenance {
  const isWritten = written !== undefined && written !== null && written !== '';
  return {
    field: fieldName(path),
    value,
    layer: isWritten ? 'user' : 'lws-default',
    reason: isWritten ? `${path} is set.` : `${path} is not set; the CRD of LeaderWorkerSet fills in ${describeValue(value)}.`,
    overridden: [],
  };
}

/** Who decided each field: type, maxSurge, maxUnavailable, partition. */
export function strategyProvenance(spec: Fields, { type, rollingUpdateConfiguration }: LeaderWorkerSetStrategy): Provenance[] {
  const written = fieldsAt(spec, 'rolloutStrategy');
  const limits = fieldsAt(written, 'rollingUpdateConfiguration');
  return [
    provenanceOf(at`spec.rolloutStrategy.type`, written.type, type),
    ...LIMIT_FIELDS.map((field) => provenanceOf(at`${CONFIGURATION_PATH}.${field}`, limits[field], rollingUpdateConfiguration[field])),
  ];
}

/**
 * The limits in groups: surge rounded up and no more than the replicas, unavailable rounded down.
 *
 * maxSurge 10% and maxUnavailable 10% of 5 groups are 1 and 0.
 */
export function groupLimits({ rollingUpdateConfiguration }: LeaderWorkerSetStrategy, replicas: number): GroupLimits {
  const { partition, maxSurge, maxUnavailable } = rollingUpdateConfiguration;
  return {
    replicas,
    // Before 0.8 nobody refuses one below 0, which holds nothing.
    partition: Math.max(0, partition),
    surge: Math.min(replicas, scaledUp(maxSurge, replicas)),
    unavailable: scaledDown(maxUnavailable, replicas),
  };
}

/** What becomes of the maxUnavailable that the controller writes into the StatefulSet of the leaders. */
export interface LeaderLimit {
  /** Does the API server drop it, so that leaders go one at a time? */
  readonly isDropped: boolean;
  /** Does it refuse it? */
  readonly isRefused: boolean;
  /** What it comes to with so many leaders, where it is kept. */
  readonly of: (leaders: number) => number;
}

/** The limit of the StatefulSet, by the versions of LeaderWorkerSet and Kubernetes. */
export function leaderLimit(
  { rollingUpdateConfiguration: { maxUnavailable } }: LeaderWorkerSetStrategy,
  { surge, unavailable }: Pick<GroupLimits, 'surge' | 'unavailable'>,
  { leaderLimit: writes }: LwsBehaviour,
  kubernetesVersion: string,
): LeaderLimit {
  const isDropped = !keepsStatefulSetMaxUnavailable(kubernetesVersion);
  if (writes === 'both-limits') return { isDropped, isRefused: false, of: () => Math.max(1, surge + unavailable) };
  return {
    isDropped,
    isRefused: !isDropped && isLiteralZero(maxUnavailable),
    of: (leaders) => statefulSetMaxUnavailable(maxUnavailable, leaders),
  };
}
