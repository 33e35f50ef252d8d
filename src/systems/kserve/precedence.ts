import { isFields } from '../../core/manifest/manifest';
import type { OverriddenLevel, Provenance } from '../../core/document/provenance';
import { BoundedTupleMemo } from '../../core/collections/memoize';
import { computeDocumentedLimits, findModeMeaning, LIMITS, pickDefined, getConfiguredLimits } from './platform-limits';
import type { PlatformConfig, PlatformRollout } from './types';

/** The levels of configuration, highest first. `kubernetes-default` contains what the API server fills in. */
export type ConfigLayer = 'multinode-override' | 'user' | 'kubernetes-default' | 'platform-config' | 'kserve-default';

type StrategyField = 'type' | 'maxSurge' | 'maxUnavailable';
type StrategyValues = Readonly<Partial<Record<StrategyField, unknown>>>;

/** The values of one level. */
interface ConfigLevel {
  readonly layer: ConfigLayer;
  readonly values: StrategyValues;
  /** Why this level decides, as one sentence. */
  readonly reason: string;
  /** Why lower levels do not decide, as a clause. */
  readonly overrideReason: string;
  /** Why the level decides nothing although it has values, as a clause. */
  readonly inactiveReason?: string;
}

/** The levels that differ between components and clusters. */
export interface ComponentLevels {
  /** The deploymentStrategy as written; undefined or null if there is none. `{}` is a strategy. */
  readonly user?: unknown;
  readonly platform: PlatformConfig;
}

/** A strategy, and the level that decided each field of it. */
export interface Decision {
  /** The strategy as sent to the API server, which fills in missing fields and validates it. */
  readonly written: unknown;
  /** The provenance in the order type, maxSurge, maxUnavailable. Recreate has only a type. */
  readonly provenance: readonly Provenance[];
}

const DEFAULT_ROLLING_UPDATE = { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' } as const;

/** Keeps every node of a running Ray cluster until its replacement is ready. */
const MULTINODE_LIMITS = { maxSurge: '100%', maxUnavailable: '0%' } as const;

/** The strategy that the guide promises for a multinode service. */
const MULTINODE_OVERRIDE: ConfigLevel = {
  layer: 'multinode-override',
  values: { type: 'RollingUpdate', ...MULTINODE_LIMITS },
  reason: 'A multinode service keeps all of its nodes until their replacements are ready, whatever other levels set.',
  overrideReason: 'a multinode service keeps all of its nodes until their replacements are ready',
};

/** The lowest level, which overrides none. */
const KSERVE_DEFAULT: ConfigLevel = {
  layer: 'kserve-default',
  values: DEFAULT_ROLLING_UPDATE,
  reason: 'No higher level decides.',
  overrideReason: 'there is no lower level',
};

const COPIED_ENTIRELY = 'the component has a deploymentStrategy, which KServe copies entirely';

const KUBERNETES_DEFAULT: ConfigLevel = {
  layer: 'kubernetes-default',
  values: DEFAULT_ROLLING_UPDATE,
  reason: 'KServe copies the entire deploymentStrategy, and the API server fills in missing fields.',
  overrideReason: COPIED_ENTIRELY,
};

/** Reports whether a strategy is set. KServe tests a pointer: `{}` is a strategy, null is none. */
export function isNonNull(user: unknown): boolean {
  return user !== undefined && user !== null;
}

/** Returns the decided fields of a deploymentStrategy. */
function readStrategyValues(user: unknown): StrategyValues {
  const { type, rollingUpdate } = isFields(user) ? user : {};
  const { maxSurge, maxUnavailable } = isFields(rollingUpdate) ? rollingUpdate : {};
  return { type, maxSurge, maxUnavailable };
}

function buildUserLevel(user: unknown, reason: string, overrideReason: string): ConfigLevel[] {
  return isNonNull(user) ? [{ layer: 'user', values: pickDefined(readStrategyValues(user)), reason, overrideReason }] : [];
}

function buildPlatformLevel({ defaultDeploymentMode }: PlatformConfig, values: StrategyValues, reason: string): ConfigLevel {
  const level: ConfigLevel = {
    layer: 'platform-config',
    values,
    reason,
    overrideReason: 'the ConfigMap has rollout defaults, which take precedence',
  };
  if (defaultDeploymentMode === 'Standard') return level;
  const mode = defaultDeploymentMode === '' ? 'not set' : defaultDeploymentMode;
  return {
    ...level,
    inactiveReason: `the default deployment mode is ${mode}, not Standard, so the rollout defaults of the ConfigMap do not apply`,
  };
}

/**
 * Builds the entry for a level that has a value but does not decide. The reason why a level is inactive applies whichever level wins, so it
 * is reported first.
 */
function buildOverriddenLevel({ layer, values, inactiveReason }: ConfigLevel, field: StrategyField, winner: ConfigLevel): OverriddenLevel {
  return { layer, value: values[field], reason: inactiveReason ?? winner.overrideReason };
}

/** Resolves a field: the highest active level that has a value for it decides. */
function resolveField(field: StrategyField, levels: readonly ConfigLevel[]): Provenance {
  const winner = levels.find(({ values, inactiveReason }) => field in values && inactiveReason === undefined) ?? KSERVE_DEFAULT;
  const overridden: OverriddenLevel[] = [];
  for (const level of levels) {
    const isLoser = field in level.values && level !== winner && level.layer !== 'kubernetes-default';
    if (isLoser) overridden.push(buildOverriddenLevel(level, field, winner));
  }
  return { field, value: winner.values[field], layer: winner.layer, reason: winner.reason, overridden };
}

function resolveFields(levels: readonly ConfigLevel[]): Provenance[] {
  const type = resolveField('type', levels);
  return type.value === 'Recreate' ? [type] : [type, ...LIMITS.map((field) => resolveField(field, levels))];
}

function buildStrategy([type, maxSurge, maxUnavailable]: readonly Provenance[]): unknown {
  if (!maxSurge || !maxUnavailable) return { type: type?.value };
  return { type: type?.value, rollingUpdate: { maxSurge: maxSurge.value, maxUnavailable: maxUnavailable.value } };
}

/**
 * Resolves the strategy that KServe writes into a component's Deployment.
 *
 * KServe copies a deploymentStrategy entirely, so a missing limit comes from the API server. Without one, the ConfigMap decides field by
 * field if its default mode is Standard; otherwise the limits are 25%. `mode` in the ConfigMap is not read. The head of a multinode
 * predictor is treated like any other component. Its worker is overridden only if the type equals RollingUpdate before the API server has
 * filled it in.
 *
 * Source: KServe 0.16 to 0.20, reconcilers/deployment/deployment_reconciler.go, `createRawDefaultDeployment`, `createRawWorkerDeployment`.
 */
export function resolveControllerStrategy({ user, platform }: ComponentLevels, role: 'component' | 'worker'): Decision {
  const isOverridden = role === 'worker' && (!isNonNull(user) || (isFields(user) && user.type === 'RollingUpdate'));
  const override: ConfigLevel = {
    layer: 'multinode-override',
    values: MULTINODE_LIMITS,
    reason: 'KServe replaces the rolling update of a multinode worker.',
    overrideReason: 'KServe replaces the rolling update of a multinode worker, whatever other levels set',
  };
  const fromPlatform = 'The component has no deploymentStrategy, and the default deployment mode is Standard.';
  const provenance = resolveFields([
    ...(isOverridden ? [override] : []),
    ...buildUserLevel(user, 'The deploymentStrategy of the component replaces every lower level entirely.', COPIED_ENTIRELY),
    ...(isNonNull(user) ? [KUBERNETES_DEFAULT] : []),
    buildPlatformLevel(platform, getConfiguredLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
  return { written: isNonNull(user) && !isOverridden ? user : buildStrategy(provenance), provenance };
}

/**
 * Resolves the strategy that the documented precedence promises, with every field explicit.
 *
 * Highest first, field by field: multinode override (100%/0%, whatever the user sets), user, ConfigMap if its default mode is Standard and
 * with the documented meaning of its `mode`, 25%. If the user sets only one limit, the next lower level that has the other limit decides
 * it.
 *
 * Source: KServe rollout guide, "Priority Order" and "Rollout Strategy Modes".
 */
export function resolveDocumentedStrategy(levels: ComponentLevels, multinode: boolean): Decision {
  const provenance = DOCUMENTED_PROVENANCE_CACHE.getOrCompute(buildCacheKey(levels, multinode), () =>
    resolveDocumentedProvenance(levels, multinode),
  );
  return { written: buildStrategy(provenance), provenance };
}

/** Most services use one of a few strategies. */
const DOCUMENTED_PROVENANCE_CACHE = new BoundedTupleMemo<readonly Provenance[]>();

const NO_ROLLOUT: PlatformRollout = {};

/** Returns everything that a decision depends on. */
function buildCacheKey(
  { user, platform: { defaultDeploymentMode, defaultRollout } }: ComponentLevels,
  multinode: boolean,
): readonly unknown[] {
  const { type, maxSurge, maxUnavailable } = readStrategyValues(user);
  const platformRollout = defaultRollout ?? NO_ROLLOUT;
  return [
    type,
    maxSurge,
    maxUnavailable,
    multinode,
    defaultDeploymentMode,
    platformRollout.mode,
    platformRollout.maxSurge,
    platformRollout.maxUnavailable,
  ];
}

function resolveDocumentedProvenance({ user, platform }: ComponentLevels, multinode: boolean): readonly Provenance[] {
  const { mode } = platform.defaultRollout ?? {};
  const documentedMode = findModeMeaning(mode) ? `; mode ${mode} is applied as documented` : '';
  const fromPlatform = `The component does not set it, and the default deployment mode is Standard${documentedMode}.`;
  return resolveFields([
    ...(multinode ? [MULTINODE_OVERRIDE] : []),
    ...buildUserLevel(user, 'The component sets it.', 'the component sets its own value'),
    buildPlatformLevel(platform, computeDocumentedLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
}
