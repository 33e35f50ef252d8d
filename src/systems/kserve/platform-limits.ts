import { childPath, fieldPathParts } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isDigitString, isIntOrPercent, isLiteralZero } from '../../core/int-or-percent';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
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
export function documentedMode(mode: unknown): ModeMeaning | undefined {
  return mode === 'Availability' || mode === 'ResourceAware' ? DOCUMENTED_MODES[mode] : undefined;
}

/** The values that count: null and "" are left out, as in Go and in the API server. */
export function present<T extends object>(values: T): Partial<T> {
  const counting: Partial<T> = {};
  for (const name of Object.keys(values) as (keyof T)[]) {
    const value: unknown = values[name];
    if (value !== undefined && value !== null && value !== '') counting[name] = values[name];
  }
  return counting;
}

/** The limits that are given. */
export type Limits = Partial<Record<Limit, number | string>>;

/** The limits as the controller uses them: as written, without a look at `mode`. */
export function writtenLimits({ maxSurge, maxUnavailable }: PlatformRollout = {}): Limits {
  return present({ maxSurge, maxUnavailable });
}

/** The limits that are numbers in quotes, which KServe copies and the API server refuses. */
export function quotedLimits(limits: Limits): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => isDigitString(value)));
}

/** What the ConfigMap can hold in the place of a number. */
export type Percentage = '0%' | '25%';

function isZero(value: unknown): boolean {
  const number = isDigitString(value) ? Number(value) : value;
  return isIntOrPercent(number) && isLiteralZero(number);
}

/** The percentage to write instead of a number: 0 % says what 0 says, but the API server refuses both limits at 0, and of no other number is the share known. */
export function percentageFor(limit: Limit, limits: Readonly<Partial<Record<Limit, unknown>>>): Percentage {
  return isZero(limits[limit]) && LIMITS.some((other) => !isZero(limits[other])) ? '0%' : '25%';
}

/** The limits that are not numbers in quotes. */
export function unquotedLimits(limits: Limits): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => !isDigitString(value)));
}

/**
 * The limits as the guide documents them: Availability is maxUnavailable 0 and maxSurge as configured,
 * ResourceAware maxSurge 0 and maxUnavailable as configured, 25% where that is missing. Without a mode both are as configured.
 * A number in quotes means that number.
 */
export function documentedLimits(rollout: PlatformRollout = {}): Limits {
  const limits: Limits = {};
  const written = writtenLimits(rollout);
  for (const limit of LIMITS) {
    const value = written[limit];
    if (value !== undefined) limits[limit] = isDigitString(value) ? Number(value) : value;
  }
  const meaning = documentedMode(rollout.mode);
  return meaning ? { [meaning.ratio]: limits[meaning.ratio] ?? '25%', [meaning.zero]: 0 } : limits;
}

/** The limit that a finding about a strategy is about; undefined where it is about another field. */
export function limitAt({ path }: Pick<Finding, 'path'>): Limit | undefined {
  const field = fieldPathParts(path).at(-1);
  return LIMITS.find((limit) => limit === field);
}

/** What the API server refuses in limits that stand side by side at `path`, and not below `rollingUpdate`. */
export function limitFindings(limits: Readonly<Partial<Record<Limit, unknown>>>, path: FieldPath): Finding[] {
  return deploymentStrategyFindings({ rollingUpdate: limits }, { path }).map((finding) => {
    const limit = limitAt(finding);
    return limit === undefined ? finding : { ...finding, path: childPath(path, limit) };
  });
}
