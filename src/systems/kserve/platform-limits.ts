import { appendToPath, parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isDigitString, isIntOrPercent, isLiteralZero } from '../../core/values/int-or-percent';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import type { DocumentedMode, PlatformRollout } from './types';

/** The two limits of a rolling update, in the order in which they are reported. */
export const LIMITS = ['maxSurge', 'maxUnavailable'] as const;
export type Limit = (typeof LIMITS)[number];

/** The meaning of a documented mode: one limit is 0, the other is as configured. */
export interface ModeMeaning {
  readonly zero: Limit;
  readonly ratio: Limit;
}

/** Source: KServe rollout guide, "Rollout Strategy Modes". */
const DOCUMENTED_MODES: Readonly<Record<DocumentedMode, ModeMeaning>> = {
  Availability: { zero: 'maxUnavailable', ratio: 'maxSurge' },
  ResourceAware: { zero: 'maxSurge', ratio: 'maxUnavailable' },
};

/** Returns the documented meaning of a mode; undefined for any value that the guide does not document, such as `availability`. */
export function findModeMeaning(mode: unknown): ModeMeaning | undefined {
  return mode === 'Availability' || mode === 'ResourceAware' ? DOCUMENTED_MODES[mode] : undefined;
}

/** Returns the values that are set. null and "" count as unset, like in Go and in the API server. */
export function pickDefined<T extends object>(values: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const name of Object.keys(values) as (keyof T)[]) {
    const value: unknown = values[name];
    if (value !== undefined && value !== null && value !== '') defined[name] = values[name];
  }
  return defined;
}

/** The limits that are set. */
export type PlatformLimits = Partial<Record<Limit, number | string>>;

/** Returns the limits as the controller uses them: as written, ignoring `mode`. */
export function getConfiguredLimits({ maxSurge, maxUnavailable }: PlatformRollout = {}): PlatformLimits {
  return pickDefined({ maxSurge, maxUnavailable });
}

/** Returns the limits that are quoted numbers, which KServe copies and the API server refuses. */
export function pickQuotedLimits(limits: PlatformLimits): PlatformLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => isDigitString(value)));
}

/** The percentage to write in the ConfigMap instead of a number. */
export type Percentage = '0%' | '25%';

function isZero(value: unknown): boolean {
  const number = isDigitString(value) ? Number(value) : value;
  return isIntOrPercent(number) && isLiteralZero(number);
}

/**
 * Suggests a percentage for a number. 0% is equivalent to 0, but the API server refuses two limits of 0. For any other number the
 * percentage is unknown.
 */
export function suggestPercentage(limit: Limit, limits: Readonly<Partial<Record<Limit, unknown>>>): Percentage {
  return isZero(limits[limit]) && LIMITS.some((other) => !isZero(limits[other])) ? '0%' : '25%';
}

/** Returns the limits that are not quoted numbers. */
export function pickUnquotedLimits(limits: PlatformLimits): PlatformLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => !isDigitString(value)));
}

/**
 * Returns the limits as the guide documents them. Availability means maxUnavailable 0 and maxSurge as configured. ResourceAware means
 * maxSurge 0 and maxUnavailable as configured. A missing limit is 25%. Without a mode both are as configured. A quoted number counts as
 * that number.
 */
export function computeDocumentedLimits(rollout: PlatformRollout = {}): PlatformLimits {
  const limits: PlatformLimits = {};
  const configured = getConfiguredLimits(rollout);
  for (const limit of LIMITS) {
    const value = configured[limit];
    if (value !== undefined) limits[limit] = isDigitString(value) ? Number(value) : value;
  }
  const meaning = findModeMeaning(rollout.mode);
  return meaning ? { [meaning.ratio]: limits[meaning.ratio] ?? '25%', [meaning.zero]: 0 } : limits;
}

/** Returns the limit that a finding about a strategy concerns; undefined for any other field. */
export function findLimitAt({ path }: Pick<Finding, 'path'>): Limit | undefined {
  const field = parseFieldPath(path).at(-1);
  return LIMITS.find((limit) => limit === field);
}

/** Reports what the API server refuses in limits that are next to each other at `path`, not below `rollingUpdate`. */
export function checkPlatformLimits(limits: Readonly<Partial<Record<Limit, unknown>>>, path: FieldPath): Finding[] {
  return validateDeploymentStrategy({ rollingUpdate: limits }, { path }).map((finding) => {
    const limit = findLimitAt(finding);
    return limit === undefined ? finding : { ...finding, path: appendToPath(path, limit) };
  });
}
