import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseGoDuration } from '../../core/values/go-duration';
import type { RolloutsBehaviour } from './versions';

/** The defaults. Source: Argo Rollouts v1.9.1, utils/defaults/defaults.go. */
export const ROLLOUT_DEFAULTS = {
  replicas: 1,
  maxSurge: '25%',
  maxUnavailable: '25%',
  progressDeadlineSeconds: 600,
  revisionHistoryLimit: 10,
  scaleDownDelaySeconds: 30,
  abortScaleDownDelaySeconds: 30,
} as const;

/** A step of a canary. Immediate actions such as a header route have no effect on pods. */
export type CanaryStep =
  | { readonly does: 'setWeight'; readonly weight: number }
  /** Without `seconds` it lasts until a user promotes. */
  | { readonly does: 'pause'; readonly seconds?: number }
  | { readonly does: 'setCanaryScale'; readonly replicas?: number; readonly weight?: number; readonly matchesWeight: boolean }
  | { readonly does: 'gate'; readonly gate: 'analysis' | 'experiment' | 'plugin' }
  | { readonly does: 'nothing' };

/** How long old pods stay after a rollout: a number of seconds, or never scaled down. */
export type Delay = number | 'never';

/** A canary strategy as the controller reads it. */
export interface CanaryStrategy {
  readonly type: 'canary';
  /** The limits, to be read with the old percentage parser. */
  readonly maxSurge: number | string;
  readonly maxUnavailable: number | string;
  readonly isRouted: boolean;
  /** Whether trafficRouting has no router. The controller accepts it since 1.7, and counts pods as with one. @default false */
  readonly lacksRouter?: true;
  readonly maxWeight: number;
  readonly steps: readonly CanaryStep[];
  readonly dynamicStableScale: boolean;
  /** The minimum number of pods of a version that has any, if a router splits the requests. */
  readonly minPods: number;
  /** The number or percentage of ready pods at which a step continues, instead of all. */
  readonly threshold?: { readonly isPercent: boolean; readonly value: number };
  readonly scaleDownDelay: Delay;
  /** The delay after an abort. `seconds` is undefined if the canary is then never scaled down. */
  readonly abortDelay: { readonly seconds: number | undefined; readonly isWritten: boolean };
}

/** A blue-green strategy as the controller reads it. */
export interface BlueGreenStrategy {
  readonly type: 'blueGreen';
  /** The limit for restarts only, to be read with the old percentage parser. */
  readonly maxUnavailable: number | string;
  readonly previewReplicas?: number;
  readonly promotion: 'immediate' | 'manual' | number;
  readonly hasPreAnalysis: boolean;
  readonly hasPostAnalysis: boolean;
  readonly scaleDownDelay: Delay;
  readonly abortDelay: { readonly seconds: number | undefined; readonly isWritten: boolean };
}

export type ArgoRolloutStrategy = CanaryStrategy | BlueGreenStrategy;

/**
 * Parses a limit with the old parser: every string is a percentage, with or without its sign, so `"5"` is 5%.
 *
 * Source: apimachinery, `intstr.GetValueFromIntOrPercent`, which Argo Rollouts still calls (utils/replicaset/replicaset.go,
 * `resolveFenceposts`). Undefined for a string that Go cannot parse as a number; the controller then uses 0 for both limits.
 */
export function parseLimitNumber(limit: number | string): { readonly value: number; readonly isPercent: boolean } | undefined {
  if (typeof limit === 'number') return { value: limit, isPercent: false };
  const text = limit.replaceAll('%', '');
  return /^[+-]?[0-9]{1,18}$/.test(text) ? { value: Number(text), isPercent: true } : undefined;
}

function scaleLimit(limit: number | string, replicas: number, round: (value: number) => number): number | undefined {
  const parsed = parseLimitNumber(limit);
  return parsed && (parsed.isPercent ? round((parsed.value * replicas) / 100) : parsed.value);
}

/**
 * Returns how many pods a canary may have beyond its replicas, and how many may be unavailable.
 *
 * Surge is rounded up, unavailable down; if both are 0, unavailable is 1. `"5"` of 10 replicas: surge 1, unavailable 0.
 */
export function resolveCanaryLimits(
  { maxSurge, maxUnavailable }: CanaryStrategy,
  replicas: number,
): { readonly surge: number; readonly unavailable: number } {
  const surge = scaleLimit(maxSurge, replicas, Math.ceil);
  const unavailable = scaleLimit(maxUnavailable, replicas, Math.floor);
  if (surge === undefined || unavailable === undefined) return { surge: 0, unavailable: 0 };
  const raised = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: replicas === 0 ? 0 : Math.min(raised, replicas) };
}

/** Returns how many pods of a blue-green rollout a restart may take down at once. Percentages are rounded down: 25% of 3 is 0. */
export function resolveBlueGreenUnavailable({ maxUnavailable }: BlueGreenStrategy, replicas: number): number {
  return Math.min(scaleLimit(maxUnavailable, replicas, Math.floor) ?? 0, replicas);
}

/**
 * Parses the seconds of a pause: a number, a numeric string or a Go duration (`90`, `"90"`, `"1m30s"`). Returns -1 for any other value,
 * which is refused.
 *
 * Source: pkg/apis/rollouts/v1alpha1/types.go, `DurationSeconds`.
 */
export function parsePauseSeconds(duration: unknown): number {
  if (typeof duration === 'number') return duration;
  if (typeof duration !== 'string') return -1;
  if (/^[+-]?[0-9]{1,10}$/.test(duration)) return Number(duration);
  const nanos = parseGoDuration(duration);
  return nanos === undefined ? -1 : Number(nanos / 1_000_000_000n);
}

function readNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return isInt32(value) ? value : undefined;
}

function parseStep(step: unknown): CanaryStep {
  const fields = getFieldsAt(step);
  const weight = readNumber(fields, 'setWeight');
  // The order is the order in which the controller checks the fields.
  if (isFields(fields.pause)) {
    const { duration } = fields.pause;
    return duration === undefined || duration === null ? { does: 'pause' } : { does: 'pause', seconds: parsePauseSeconds(duration) };
  }
  if (isFields(fields.setCanaryScale)) {
    const scale = fields.setCanaryScale;
    const [replicas, share] = [readNumber(scale, 'replicas'), readNumber(scale, 'weight')];
    return {
      does: 'setCanaryScale',
      ...(replicas !== undefined && { replicas }),
      ...(share !== undefined && { weight: share }),
      matchesWeight: scale.matchTrafficWeight === true,
    };
  }
  if (weight !== undefined) return { does: 'setWeight', weight };
  if (isFields(fields.experiment)) return { does: 'gate', gate: 'experiment' };
  if (isFields(fields.analysis)) return { does: 'gate', gate: 'analysis' };
  if (isFields(fields.plugin)) return { does: 'gate', gate: 'plugin' };
  return { does: 'nothing' };
}

/** Returns the router of a canary; undefined if pods share the requests. */
function getRouting(canary: Fields): Fields | undefined {
  return isFields(canary.trafficRouting) ? canary.trafficRouting : undefined;
}

/** The routers that the controller supports. trafficRouting without any of them never moves a request. */
const ROUTERS = ['istio', 'nginx', 'alb', 'smi', 'ambassador', 'appMesh', 'traefik', 'apisix', 'plugins'] as const;

/** Reports whether trafficRouting has one of some routers. An empty map of plugins has none. */
export function hasRouter(routing: Fields | undefined, ...routers: readonly string[]): boolean {
  return routers.some((name) => {
    const router = routing?.[name];
    return name === 'plugins' ? Object.keys(getFieldsAt(router)).length > 0 : router !== undefined && router !== null;
  });
}

/**
 * Returns how long old pods stay once they get no requests. 0 seconds does not mean no delay: the controller then never writes the
 * scale-down deadline, and the pods are never scaled down. With a limit of 0 revisions no old pods are kept.
 *
 * Source: rollout/replicaset.go, `scaleDownDelayHelper` and `addScaleDownDelay`.
 */
function readScaleDownDelay(fields: Fields): Delay {
  if (readNumber(fields, 'scaleDownDelayRevisionLimit') === 0) return 0;
  const seconds = readNumber(fields, 'scaleDownDelaySeconds') ?? ROLLOUT_DEFAULTS.scaleDownDelaySeconds;
  return seconds === 0 ? 'never' : seconds;
}

function readAbortDelay(fields: Fields): CanaryStrategy['abortDelay'] {
  const written = readNumber(fields, 'abortScaleDownDelaySeconds');
  const seconds = written ?? ROLLOUT_DEFAULTS.abortScaleDownDelaySeconds;
  return { seconds: seconds === 0 ? undefined : seconds, isWritten: written !== undefined };
}

function readThreshold(canary: Fields, { knowsThreshold }: RolloutsBehaviour): CanaryStrategy['threshold'] {
  const threshold = getFieldsAt(canary, 'replicaProgressThreshold');
  const value = readNumber(threshold, 'value');
  if (!knowsThreshold || value === undefined || value < 0) return undefined;
  return { isPercent: threshold.type === 'Percent', value };
}

function readLimit(fields: Fields, name: 'maxSurge' | 'maxUnavailable'): number | string {
  const value = fields[name];
  return typeof value === 'number' || typeof value === 'string' ? value : ROLLOUT_DEFAULTS[name];
}

function parseCanary(canary: Fields, behaviour: RolloutsBehaviour): CanaryStrategy {
  const routing = getRouting(canary);
  const threshold = readThreshold(canary, behaviour);
  return {
    type: 'canary',
    maxSurge: readLimit(canary, 'maxSurge'),
    maxUnavailable: readLimit(canary, 'maxUnavailable'),
    isRouted: routing !== undefined,
    ...(routing && !hasRouter(routing, ...ROUTERS) && { lacksRouter: true }),
    maxWeight: (routing && readNumber(routing, 'maxTrafficWeight')) ?? 100,
    steps: getListAt(canary, 'steps').map(parseStep),
    dynamicStableScale: canary.dynamicStableScale === true,
    minPods: routing ? (readNumber(canary, 'minPodsPerReplicaSet') ?? 0) : 0,
    ...(threshold && { threshold }),
    scaleDownDelay: readScaleDownDelay(canary),
    abortDelay: readAbortDelay(canary),
  };
}

function parsePromotion(blueGreen: Fields): BlueGreenStrategy['promotion'] {
  if (blueGreen.autoPromotionEnabled === false) return 'manual';
  const seconds = readNumber(blueGreen, 'autoPromotionSeconds') ?? 0;
  return seconds > 0 ? seconds : 'immediate';
}

function parseBlueGreen(blueGreen: Fields): BlueGreenStrategy {
  const previewReplicas = readNumber(blueGreen, 'previewReplicaCount');
  return {
    type: 'blueGreen',
    maxUnavailable: readLimit(blueGreen, 'maxUnavailable'),
    ...(previewReplicas !== undefined && { previewReplicas }),
    promotion: parsePromotion(blueGreen),
    hasPreAnalysis: isFields(blueGreen.prePromotionAnalysis),
    hasPostAnalysis: isFields(blueGreen.postPromotionAnalysis),
    scaleDownDelay: readScaleDownDelay(blueGreen),
    abortDelay: readAbortDelay(blueGreen),
  };
}

/** Parses the strategy of a Rollout; undefined if it has none or both. */
export function parseArgoStrategy(rollout: unknown, behaviour: RolloutsBehaviour): ArgoRolloutStrategy | undefined {
  const [canary, blueGreen] = ['canary', 'blueGreen'].map((name) => getValueAt(rollout, 'spec', 'strategy', name));
  if (isFields(canary) === isFields(blueGreen)) return undefined;
  return isFields(canary) ? parseCanary(canary, behaviour) : parseBlueGreen(getFieldsAt(blueGreen));
}
