import type { Finding } from '../../core/finding';
import { isDigitString } from '../../core/int-or-percent';
import { describeValue } from '../../core/shape';
import { deploymentStrategyFindings } from '../../workloads/validation';
import { kserveFinding } from './catalogue';
import type { DocumentedMode, PlatformConfig, PlatformRollout } from './types';

/** The two limits of a rolling update, in the order in which they are told. */
export const LIMITS = ['maxSurge', 'maxUnavailable'] as const;
export type Limit = (typeof LIMITS)[number];

/** What a documented mode means: one limit is 0, the other as configured. */
interface ModeMeaning {
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
  const entries = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return Object.fromEntries(entries) as Partial<T>;
}

type Limits = Partial<Record<Limit, number | string>>;

/** The limits as the controller uses them: as written, without a look at `mode`. */
export function writtenLimits({ maxSurge, maxUnavailable }: PlatformRollout = {}): Limits {
  return present({ maxSurge, maxUnavailable });
}

/**
 * The limits as the guide documents them: Availability is maxUnavailable 0 and maxSurge as configured, ResourceAware maxSurge 0 and
 * maxUnavailable as configured, 25% where that is missing. Without a mode both are as configured. A number in quotes means that number.
 */
export function documentedLimits(rollout: PlatformRollout = {}): Limits {
  const written = Object.entries(writtenLimits(rollout));
  const limits: Limits = Object.fromEntries(written.map(([limit, value]) => [limit, isDigitString(value) ? Number(value) : value]));
  const meaning = documentedMode(rollout.mode);
  return meaning ? { [meaning.ratio]: limits[meaning.ratio] ?? '25%', [meaning.zero]: 0 } : limits;
}

/** What the API server refuses in limits that stand side by side at `path`, and not below `rollingUpdate`. */
export function limitFindings(limits: Limits, path: string): Finding[] {
  const findings = deploymentStrategyFindings({ rollingUpdate: limits }, path);
  return findings.map((finding) => ({ ...finding, path: finding.path.replace(`${path}.rollingUpdate`, path) }));
}

/** What KServe takes in the rollout defaults without a word, and what becomes of it. `path` is that of `defaultRollout`. */
export function platformFindings({ defaultDeploymentMode, defaultRollout = {} }: PlatformConfig, path: string): Finding[] {
  const given = LIMITS.filter((limit) => defaultRollout[limit]);
  const mode = 'mode' in defaultRollout ? [modeIgnored(defaultRollout, path)] : [];
  if (defaultDeploymentMode === 'Standard') {
    const quoted = given.filter((limit) => isDigitString(defaultRollout[limit]));
    return [...mode, ...quoted.map((limit) => quotedInteger(limit, defaultRollout[limit], path))];
  }
  return given.length === 0 ? mode : [...mode, notStandard(defaultDeploymentMode, defaultRollout, given, path)];
}

function modeIgnored(rollout: PlatformRollout, path: string): Finding {
  const mode = `mode ${describeValue(rollout.mode)}`;
  const value = (limit: Limit) => describeValue(rollout[limit] || '25%');
  const effective = LIMITS.map((limit) => `${limit} ${value(limit)}`).join(', ');
  const meaning = documentedMode(rollout.mode);
  if (meaning === undefined) {
    return kserveFinding('kserve/mode-ignored', {
      path: `${path}.mode`,
      message:
        `${mode} is not even one of the documented words, Availability and ResourceAware, and no KServe reads the field: ` +
        `${effective} apply.`,
      help: 'Delete mode. What Availability means is "maxUnavailable": "0%", what ResourceAware means is "maxSurge": "0%".',
    });
  }
  const { zero, ratio } = meaning;
  return kserveFinding('kserve/mode-ignored', {
    path: `${path}.mode`,
    message: `${mode} is documented as ${zero} 0 and ${ratio} ${value(ratio)}, but no KServe reads the field: ${effective} apply.`,
    help: `Delete mode and write "${zero}": "0%".`,
  });
}

/** A number in quotes in the rollout defaults, which becomes a Deployment that the API server refuses. */
function quotedInteger(limit: Limit, value: unknown, path: string): Finding {
  const isZero = Number(value) === 0;
  return kserveFinding('kserve/config-quoted-integer', {
    path: `${path}.${limit}`,
    message:
      `${limit} is ${describeValue(value)}, a number in quotes: KServe copies it into the Deployment of every service without a ` +
      'strategy of its own, and the API server refuses those.',
    help: isZero
      ? 'Write "0%".'
      : `Write a percentage such as "25%", or ${limit}: ${Number(value)} in the deploymentStrategy of each service.`,
  });
}

function notStandard(mode: string, rollout: PlatformRollout, given: readonly Limit[], path: string): Finding {
  const values = given.map((limit) => `${limit} ${describeValue(rollout[limit])}`).join(', ');
  return kserveFinding('kserve/config-not-standard', {
    path,
    message: `The rollout defaults (${values}) apply to no service: the default deployment mode is ${mode}, not Standard.`,
    help: 'Write "defaultDeploymentMode": "Standard", or give each service a deploymentStrategy; annotating the services changes nothing.',
  });
}
