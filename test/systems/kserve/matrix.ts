import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import type { DeploymentStrategySpec } from '../../../src/workloads/deployment/types';
import type { InferenceServiceProps, PlatformConfigProps, PlatformRolloutProps } from '../../../src/systems/kserve/types';
import { configMap, multinodeService, service, STANDARD } from './plan';

/** The deploymentStrategy of the predictor that a user writes. */
export const USER_STRATEGIES: Readonly<Record<string, DeploymentStrategySpec | undefined>> = {
  'no-strategy': undefined,
  full: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
  'max-surge-only': { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
  'max-unavailable-only': { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
  empty: {},
  'type-only': { type: 'RollingUpdate' },
  recreate: { type: 'Recreate' },
};

/** The rollout defaults of the platform. */
export const PLATFORM_ROLLOUTS: Readonly<Record<string, PlatformRolloutProps | undefined>> = {
  none: undefined,
  'both values': { maxSurge: '40%', maxUnavailable: '20%' },
  'one value': { maxSurge: '40%' },
  'mode only': { mode: 'Availability' },
  Availability: { mode: 'Availability', maxSurge: '40%', maxUnavailable: '20%' },
  ResourceAware: { mode: 'ResourceAware', maxSurge: '40%', maxUnavailable: '20%' },
};

export const DEFAULT_MODES = ['Standard', 'RawDeployment', 'Knative'] as const;

/** One combination of everything that decides a strategy. */
export interface Cell {
  readonly strategy: string;
  readonly multinode: boolean;
  readonly rollout: string;
  readonly defaultMode: (typeof DEFAULT_MODES)[number];
  readonly annotated: boolean;
}

/** Every combination: 7 × 2 × 6 × 3 × 2. */
export const CELLS: readonly Cell[] = Object.keys(USER_STRATEGIES).flatMap((strategy) =>
  [false, true].flatMap((multinode) =>
    Object.keys(PLATFORM_ROLLOUTS).flatMap((rollout) =>
      DEFAULT_MODES.flatMap((defaultMode) => [false, true].map((annotated) => ({ strategy, multinode, rollout, defaultMode, annotated }))),
    ),
  ),
);

function platformOf({ rollout, defaultMode }: Cell): PlatformConfigProps {
  const defaultRollout = PLATFORM_ROLLOUTS[rollout];
  return { defaultDeploymentMode: defaultMode, ...(defaultRollout && { defaultRollout }) };
}

/** Returns the ConfigMap of a cell. */
export function configMapOf(cell: Cell): Manifest {
  const { defaultRollout, defaultDeploymentMode } = platformOf(cell);
  return configMap({ defaultDeploymentMode, ...(defaultRollout && { deploymentRolloutStrategy: { defaultRollout } }) });
}

/** Returns the YAML that a user would write for a cell. */
export function plainServiceOf({ strategy, multinode, annotated }: Cell): Manifest {
  const deploymentStrategy = USER_STRATEGIES[strategy];
  const predictor: Fields = deploymentStrategy ? { deploymentStrategy } : {};
  const annotations: Record<string, string> = annotated ? STANDARD : {};
  return multinode ? multinodeService(predictor, annotations) : service(predictor, { annotations });
}

/** Returns the same service as props of the construct. */
export function propsOf(cell: Cell): Omit<InferenceServiceProps, 'platform'> {
  const { metadata, spec } = plainServiceOf(cell);
  return { metadata, predictor: (spec as InferenceServiceProps).predictor };
}
