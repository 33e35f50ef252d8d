import { isFields } from '../../core/manifest';
import type { OverriddenLevel, Provenance } from '../../core/provenance';
import { BoundedTupleMemo } from '../../core/memoize';
import { computeDocumentedLimits, findModeMeaning, LIMITS, pickDefined, getConfiguredLimits } from './platform-limits';
import type { PlatformConfig, PlatformRollout } from './types';

/** The levels of configuration, highest first; `kubernetes-default` is what the API server fills in. */
export type ConfigLayer = 'multinode-override' | 'user' | 'kubernetes-default' | 'platform-config' | 'kserve-default';

type StrategyField = 'type' | 'maxSurge' | 'maxUnavailable';
type StrategyValues = Readonly<Partial<Record<StrategyField, unknown>>>;

/** What one level says. */
interface ConfigLevel {
  readonly layer: ConfigLayer;
  readonly values: StrategyValues;
  /** Why this level decides where it does, in one sentence. */
  readonly reason: string;
  /** Why lower levels do not decide where this one does, as a clause. */
  readonly overrideReason: string;
  /** Why it decides nothing, though it has values, as a clause. */
  readonly inactiveReason?: string;
}

/** The levels that differ from component to component and from cluster to cluster. */
export interface ComponentLevels {
  /** The deploymentStrategy as written; undefined or null where there is none. `{}` is one. */
  readonly user?: unknown;
  readonly platform: PlatformConfig;
}

/** A strategy, and who decided each field of it. */
export interface Decision {
  /** As it goes to the API server, which fills in what is missing and judges it. */
  readonly written: unknown;
  /** In the order type, maxSurge, maxUnavailable; Recreate has type alone. */
  readonly provenance: readonly Provenance[];
}

const DEFAULT_ROLLING_UPDATE = { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' } as const;

/** Keeps every node of a running Ray cluster until its successor is ready. */
const MULTINODE_LIMITS = { maxSurge: '100%', maxUnavailable: '0%' } as const;

/** What the guide promises of a multinode service. */
const MULTINODE_OVERRIDE: ConfigLevel = {
  layer: 'multinode-override',
  values: { type: 'RollingUpdate', ...MULTINODE_LIMITS },
  reason: 'A multinode service keeps all of its nodes until their successors are ready, whatever other levels say.',
  overrideReason: 'a multinode service keeps all of its nodes until their successors are ready',
};

/** The lowest level: it has none below to overrule. */
const KSERVE_DEFAULT: ConfigLevel = {
  layer: 'kserve-default',
  values: DEFAULT_ROLLING_UPDATE,
  reason: 'No level above it decides.',
  overrideReason: 'there is no level below',
};

const COPIED_AS_A_WHOLE = 'the component has a deploymentStrategy, which KServe takes as a whole';

const KUBERNETES_DEFAULT: ConfigLevel = {
  layer: 'kubernetes-default',
  values: DEFAULT_ROLLING_UPDATE,
  reason: 'KServe copies the deploymentStrategy as a whole, and the API server fills in what it leaves out.',
  overrideReason: COPIED_AS_A_WHOLE,
};

/** KServe tests a pointer: `{}` is a strategy, null is none. */
export function isNonNull(user: unknown): boolean {
  return user !== undefined && user !== null;
}

/** What a deploymentStrategy says of the fields that are decided. */
function readStrategyValues(user: unknown): StrategyValues {
  const { type, rollingUpdate } = isFields(user) ? user : {};
  const { maxSurge, maxUnavailable } = isFields(rollingUpdate) ? rollingUpdate : {};
  return { type, maxSurge, maxUnavailable };
}

function buildUserLevel(user: unknown, reason: string, overrules: string): ConfigLevel[] {
  return isNonNull(user) ? [{ layer: 'user', values: pickDefined(readStrategyValues(user)), reason, overrideReason: overrules }] : [];
}

function buildPlatformLevel({ defaultDeploymentMode }: PlatformConfig, values: StrategyValues, reason: string): ConfigLevel {
  const level: ConfigLevel = {
    layer: 'platform-config',
    values,
    reason,
    overrideReason: 'the ConfigMap has rollout defaults, which come first',
  };
  if (defaultDeploymentMode === 'Standard') return level;
  const mode = defaultDeploymentMode === '' ? 'not set' : defaultDeploymentMode;
  return {
    ...level,
    inactiveReason: `the default deployment mode is ${mode}, not Standard, so the rollout defaults of the ConfigMap do not apply`,
  };
}

/** A level that has a value and does not decide. What bars it holds whoever decides, so that is told first. */
function buildOverriddenLevel({ layer, values, inactiveReason }: ConfigLevel, field: StrategyField, winner: ConfigLevel): OverriddenLevel {
  return { layer, value: values[field], reason: inactiveReason ?? winner.overrideReason };
}

/** Who decides a field: the highest level in force that has a value for it. */
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
 * The strategy that KServe writes into a component's Deployment.
 *
 * A deploymentStrategy is copied whole, so its missing half comes from the API server. Without one the ConfigMap decides field by field
 * while its default mode is Standard, else 25%. `mode` in the ConfigMap is not looked at. The head of a multinode predictor is a component
 * as any other; its worker is overridden only where the type equals RollingUpdate before the API server has filled it in.
 *
 * Source: KServe 0.16 to 0.20, reconcilers/deployment/deployment_reconciler.go, `createRawDefaultDeployment`, `createRawWorkerDeployment`.
 */
export function resolveControllerStrategy({ user, platform }: ComponentLevels, role: 'component' | 'worker'): Decision {
  const isOverridden = role === 'worker' && (!isNonNull(user) || (isFields(user) && user.type === 'RollingUpdate'));
  const override: ConfigLevel = {
    layer: 'multinode-override',
    values: MULTINODE_LIMITS,
    reason: 'KServe replaces the rolling update of a multinode worker.',
    overrideReason: 'KServe replaces the rolling update of a multinode worker, whatever other levels say',
  };
  const fromPlatform = 'The component has no deploymentStrategy, and the default deployment mode is Standard.';
  const provenance = resolveFields([
    ...(isOverridden ? [override] : []),
    ...buildUserLevel(user, 'The deploymentStrategy of the component replaces every lower level as a whole.', COPIED_AS_A_WHOLE),
    ...(isNonNull(user) ? [KUBERNETES_DEFAULT] : []),
    buildPlatformLevel(platform, getConfiguredLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
  return { written: isNonNull(user) && !isOverridden ? user : buildStrategy(provenance), provenance };
}

/**
 * The strategy that the documented precedence promises, every field of it explicit.
 *
 * Highest first, field by field: multinode override (100%/0%, whatever the user says), user, ConfigMap while its default mode is Standard
 * and with the documented meaning of its `mode`, 25%. Where a user gives one half, the next level down that has the other half gives it.
 *
 * Source: KServe rollout guide, "Priority Order" and "Rollout Strategy Modes".
 */
export function resolveDocumentedStrategy(levels: ComponentLevels, multinode: boolean): Decision {
  const provenance = DOCUMENTED_PROVENANCE_CACHE.getOrCompute(buildCacheKey(levels, multinode), () =>
    resolveDocumentedProvenance(levels, multinode),
  );
  return { written: buildStrategy(provenance), provenance };
}

/** Of a thousand services most ask for one of a few strategies. */
const DOCUMENTED_PROVENANCE_CACHE = new BoundedTupleMemo<readonly Provenance[]>();

const NO_ROLLOUT: PlatformRollout = {};

/** All that a decision depends on. */
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
  const asDocumented = findModeMeaning(mode) ? `; mode ${mode} is taken as documented` : '';
  const fromPlatform = `The component leaves it open, and the default deployment mode is Standard${asDocumented}.`;
  return resolveFields([
    ...(multinode ? [MULTINODE_OVERRIDE] : []),
    ...buildUserLevel(user, 'The component asks for it.', 'the component has a value of its own'),
    buildPlatformLevel(platform, computeDocumentedLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
}
