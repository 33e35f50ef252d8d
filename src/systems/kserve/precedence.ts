import { isFields } from '../../core/manifest';
import type { OverriddenLevel, Provenance } from '../../core/provenance';
import { RememberedByValues } from '../../core/remembered';
import { documentedLimits, documentedMode, LIMITS, present, writtenLimits } from './platform-limits';
import type { PlatformConfig, PlatformRollout } from './types';

/** The levels of configuration, highest first; `kubernetes-default` is what the API server fills in. */
export type Layer = 'multinode-override' | 'user' | 'kubernetes-default' | 'platform-config' | 'kserve-default';

type StrategyField = 'type' | 'maxSurge' | 'maxUnavailable';
type Values = Readonly<Partial<Record<StrategyField, unknown>>>;

/** What one level says. */
interface Level {
  readonly layer: Layer;
  readonly values: Values;
  /** Why this level decides where it does, in one sentence. */
  readonly reason: string;
  /** Why lower levels do not decide where this one does, as a clause. */
  readonly overrules: string;
  /** Why it decides nothing, though it has values, as a clause. */
  readonly barred?: string;
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

const QUARTER = { type: 'RollingUpdate', maxSurge: '25%', maxUnavailable: '25%' } as const;

/** Keeps every node of a running Ray cluster until its successor is ready. */
const MULTINODE_LIMITS = { maxSurge: '100%', maxUnavailable: '0%' } as const;

/** What the guide promises of a multinode service. */
const MULTINODE_OVERRIDE: Level = {
  layer: 'multinode-override',
  values: { type: 'RollingUpdate', ...MULTINODE_LIMITS },
  reason: 'A multinode service keeps all of its nodes until their successors are ready, whatever other levels say.',
  overrules: 'a multinode service keeps all of its nodes until their successors are ready',
};

/** The lowest level: it has none below to overrule. */
const KSERVE_DEFAULT: Level = {
  layer: 'kserve-default',
  values: QUARTER,
  reason: 'No level above it decides.',
  overrules: 'there is no level below',
};

const TAKEN_WHOLE = 'the component has a deploymentStrategy, which KServe takes as a whole';

const KUBERNETES_DEFAULT: Level = {
  layer: 'kubernetes-default',
  values: QUARTER,
  reason: 'KServe copies the deploymentStrategy as a whole, and the API server fills in what it leaves out.',
  overrules: TAKEN_WHOLE,
};

/** KServe tests a pointer: `{}` is a strategy, null is none. */
export function isGiven(user: unknown): boolean {
  return user !== undefined && user !== null;
}

/** What a deploymentStrategy says of the fields that are decided. */
function valuesOf(user: unknown): Values {
  const { type, rollingUpdate } = isFields(user) ? user : {};
  const { maxSurge, maxUnavailable } = isFields(rollingUpdate) ? rollingUpdate : {};
  return { type, maxSurge, maxUnavailable };
}

function userLevel(user: unknown, reason: string, overrules: string): Level[] {
  return isGiven(user) ? [{ layer: 'user', values: present(valuesOf(user)), reason, overrules }] : [];
}

function platformLevel({ defaultDeploymentMode }: PlatformConfig, values: Values, reason: string): Level {
  const level: Level = { layer: 'platform-config', values, reason, overrules: 'the ConfigMap has rollout defaults, which come first' };
  if (defaultDeploymentMode === 'Standard') return level;
  const mode = defaultDeploymentMode === '' ? 'not set' : defaultDeploymentMode;
  return {
    ...level,
    barred: `the default deployment mode is ${mode}, not Standard, so the rollout defaults of the ConfigMap do not apply`,
  };
}

/** A level that has a value and does not decide. What bars it holds whoever decides, so that is told first. */
function overriddenLevel({ layer, values, barred }: Level, field: StrategyField, winner: Level): OverriddenLevel {
  return { layer, value: values[field], reason: barred ?? winner.overrules };
}

/** Who decides a field: the highest level in force that has a value for it. */
function deciderOf(field: StrategyField, levels: readonly Level[]): Provenance {
  const winner = levels.find(({ values, barred }) => field in values && barred === undefined) ?? KSERVE_DEFAULT;
  const overridden: OverriddenLevel[] = [];
  for (const level of levels) {
    const isLoser = field in level.values && level !== winner && level.layer !== 'kubernetes-default';
    if (isLoser) overridden.push(overriddenLevel(level, field, winner));
  }
  return { field, value: winner.values[field], layer: winner.layer, reason: winner.reason, overridden };
}

function decide(levels: readonly Level[]): Provenance[] {
  const type = deciderOf('type', levels);
  return type.value === 'Recreate' ? [type] : [type, ...LIMITS.map((field) => deciderOf(field, levels))];
}

function strategyOf([type, maxSurge, maxUnavailable]: readonly Provenance[]): unknown {
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
export function controllerStrategy({ user, platform }: ComponentLevels, role: 'component' | 'worker'): Decision {
  const isOverridden = role === 'worker' && (!isGiven(user) || (isFields(user) && user.type === 'RollingUpdate'));
  const override: Level = {
    layer: 'multinode-override',
    values: MULTINODE_LIMITS,
    reason: 'KServe replaces the rolling update of a multinode worker.',
    overrules: 'KServe replaces the rolling update of a multinode worker, whatever other levels say',
  };
  const fromPlatform = 'The component has no deploymentStrategy, and the default deployment mode is Standard.';
  const provenance = decide([
    ...(isOverridden ? [override] : []),
    ...userLevel(user, 'The deploymentStrategy of the component replaces every lower level as a whole.', TAKEN_WHOLE),
    ...(isGiven(user) ? [KUBERNETES_DEFAULT] : []),
    platformLevel(platform, writtenLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
  return { written: isGiven(user) && !isOverridden ? user : strategyOf(provenance), provenance };
}

/**
 * The strategy that the documented precedence promises, every field of it explicit.
 *
 * Highest first, field by field: multinode override (100%/0%, whatever the user says), user, ConfigMap while its default mode is Standard
 * and with the documented meaning of its `mode`, 25%. Where a user gives one half, the next level down that has the other half gives it.
 *
 * Source: KServe rollout guide, "Priority Order" and "Rollout Strategy Modes".
 */
export function settledStrategy(levels: ComponentLevels, multinode: boolean): Decision {
  const provenance = PROMISED.of(asked(levels, multinode), () => promised(levels, multinode));
  return { written: strategyOf(provenance), provenance };
}

/** Of a thousand services most ask for one of a few strategies. */
const PROMISED = new RememberedByValues<readonly Provenance[]>();

const NO_ROLLOUT: PlatformRollout = {};

/** All that a decision depends on. */
function asked({ user, platform: { defaultDeploymentMode, defaultRollout } }: ComponentLevels, multinode: boolean): readonly unknown[] {
  const { type, maxSurge, maxUnavailable } = valuesOf(user);
  const ofPlatform = defaultRollout ?? NO_ROLLOUT;
  return [
    type,
    maxSurge,
    maxUnavailable,
    multinode,
    defaultDeploymentMode,
    ofPlatform.mode,
    ofPlatform.maxSurge,
    ofPlatform.maxUnavailable,
  ];
}

function promised({ user, platform }: ComponentLevels, multinode: boolean): readonly Provenance[] {
  const { mode } = platform.defaultRollout ?? {};
  const asDocumented = documentedMode(mode) ? `; mode ${mode} is taken as documented` : '';
  const fromPlatform = `The component leaves it open, and the default deployment mode is Standard${asDocumented}.`;
  return decide([
    ...(multinode ? [MULTINODE_OVERRIDE] : []),
    ...userLevel(user, 'The component asks for it.', 'the component has a value of its own'),
    platformLevel(platform, documentedLimits(platform.defaultRollout), fromPlatform),
    KSERVE_DEFAULT,
  ]);
}
