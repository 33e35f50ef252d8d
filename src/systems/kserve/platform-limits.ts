import { appendToPath, parseFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isDigitString, isIntOrPercent, isLiteralZero } from '../../core/int-or-percent';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import type { DocumentedMode, PlatformRollout } from './types';

/** The two limits of a rolling update, in the order in which they are told. */
export const LIMITS = ['maxSurge', 'maxUnavailable'] as const;
export type Limit = (typeof LIMITS)[number];

/** What a documented mode means: one limit is 0, the other as configured. */
export interface ModeMeaning {
  readonly zero: Limit;
  readonly ratio: Limit;
}

/** Source: KServe rollout guide, "Rollout Strategy Modes". */
const DOCUMENTED_MODES: Readonly<Record<DocumentedMode, ModeMeaning>> = {
  Availability: { zero: 'maxUnavailable', ratio: 'maxSurge' },
  ResourceAware: { zero: 'maxSurge', ratio: 'maxUnavailable' },
};

/** The documented meaning of a mode; undefined for any word that the guide does not have, `availability` too. */
export function findModeMeaning(mode: unknown): ModeMeaning | undefined {
  return mode === 'Availability' || mode === 'ResourceAware' ? DOCUMENTED_MODES[mode] : undefined;
}

/** The values that count: null and "" are left out, as in Go and in the API server. */
export function pickDefined<T extends object>(values: T): Partial<T> {
  const defined: Partial<T> = {};
  for (const name of Object.keys(values) as (keyof T)[]) {
    const value: unknown = values[name];
    if (value !== undefined && value !== null && value !== '') defined[name] = values[name];
  }
  return defined;
}

/** The limits that are given. */
export type PlatformLimits = Partial<Record<Limit, number | string>>;

/** The limits as the controller uses them: as written, without a look at `mode`. */
export function getConfiguredLimits({ maxSurge, maxUnavailable }: PlatformRollout = {}): PlatformLimits {
  return pickDefined({ maxSurge, maxUnavailable });
}

/** The limits that are numbers in quotes, which KServe copies and the API server refuses. */
export function pickQuotedLimits(limits: PlatformLimits): PlatformLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => isDigitString(value)));
}

/** What the ConfigMap can hold in the place of a number. */
export type Percentage = '0%' | '25%';

function isZero(value: unknown): boolean {
  const number = isDigitString(value) ? Number(value) : value;
  return isIntOrPercent(number) && isLiteralZero(number);
}

/** The percentage to write instead of a number: 0 % says what 0 says, but the API server refuses both limits at 0, and of no other number is the share known. */
export function suggestPercentage(limit: Limit, limits: Readonly<Partial<Record<Limit, unknown>>>): Percentage {
  return isZero(limits[limit]) && LIMITS.some((other) => !isZero(limits[other])) ? '0%' : '25%';
}

/** The limits that are not numbers in quotes. */
export function pickUnquotedLimits(limits: PlatformLimits): PlatformLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => !isDigitString(value)));
}

/**
 * The limits as the guide documents them: Availability is maxUnavailable 0 and maxSurge as configured,
 * ResourceAware maxSurge 0 and maxUnavailable as configured, 25% where that is missing. Without a mode both are as configured.
 * A number in quotes means that number.
 */
export function computeDocumentedLimits(rollout: PlatformRollout = {}): PlatformLimits {
  const limits: PlatformLimits = {};
  const written = getConfiguredLimits(rollout);
  for (const limit of LIMITS) {
    const value = written[limit];
    if (value !== undefined) limits[limit] = isDigitString(value) ? Number(value) : value;
  }
  const meaning = findModeMeaning(rollout.mode);
  return meaning ? { [meaning.ratio]: limits[meaning.ratio] ?? '25%', [meaning.zero]: 0 } : limits;
}

/** The limit that a finding about a strategy is about; undefined where it is about another field. */
export function findLimitAt({ path }: Pick<Finding, 'path'>): Limit | undefined {
  const field = parseFieldPath(path).at(-1);
  return LIMITS.find((limit) => limit === field);
}

/** What the API server refuses in limits that stand side by side at `path`, and not below `rollingUpdate`. */
export function checkPlatformLimits(limits: Readonly<Partial<Record<Limit, unknown>>>, path: FieldPath): Finding[] {
  return validateDeploymentStrategy({ rollingUpdate: limits }, { path }).map((finding) => {
    const limit = findLimitAt(finding);
    return limit === undefined ? finding : { ...finding, path: appendToPath(path, limit) };
  });
}
