import { KUBERNETES_FIELD_NAMES } from '../../cluster/strategy-field-names';
import type { NestedStrategyFieldNames } from '../../cluster/strategy-field-names';
import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Provenance } from '../../core/provenance';
import { BoundedTupleMemo } from '../../core/memoize';
import { buildFieldProvenance } from '../field-provenance';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';

type Limit = 'maxSurge' | 'maxUnavailable';

/** Where the fields of a strategy stand. */
type StrategyFieldPaths = Readonly<Record<'type' | Limit, FieldPath>>;

function buildStrategyFieldPaths(
  path: FieldPath,
  { rollingUpdate, maxSurge, maxUnavailable }: NestedStrategyFieldNames,
): StrategyFieldPaths {
  return {
    type: appendToPath(path, 'type'),
    maxSurge: appendToPath(path, rollingUpdate, maxSurge),
    maxUnavailable: appendToPath(path, rollingUpdate, maxUnavailable),
  };
}

const DEPLOYMENT_STRATEGY_PATH = toFieldPath`spec.strategy`;
/** Made once: the paths of thousands of Deployments are the same. */
const DEPLOYMENT_STRATEGY_FIELD_PATHS = buildStrategyFieldPaths(DEPLOYMENT_STRATEGY_PATH, KUBERNETES_FIELD_NAMES);

/** Thousands of Deployments have one of a few strategies. */
const PROVENANCE_CACHE = new BoundedTupleMemo<readonly Provenance[]>();

/** Who decided each field of a Deployment's strategy: type, maxSurge, maxUnavailable; of Recreate the type alone. */
export function buildDeploymentProvenance(
  specified: DeploymentStrategySpec | null | undefined,
  effective: DeploymentStrategy,
  path: FieldPath,
  names: NestedStrategyFieldNames = KUBERNETES_FIELD_NAMES,
): readonly Provenance[] {
  if (path !== DEPLOYMENT_STRATEGY_PATH || names !== KUBERNETES_FIELD_NAMES)
    return buildProvenance(buildStrategyFieldPaths(path, names), specified, effective);
  const { type, rollingUpdate } = specified ?? {};
  const cacheKey = [type, rollingUpdate?.maxSurge, rollingUpdate?.maxUnavailable];
  return PROVENANCE_CACHE.getOrCompute(cacheKey, () => buildProvenance(DEPLOYMENT_STRATEGY_FIELD_PATHS, specified, effective));
}

function buildProvenance(
  fieldPaths: StrategyFieldPaths,
  specified: DeploymentStrategySpec | null | undefined,
  effective: DeploymentStrategy,
): readonly Provenance[] {
  const type = buildFieldProvenance(fieldPaths.type, specified?.type, effective.type);
  if (effective.type === 'Recreate') return [type];
  const { rollingUpdate } = effective;
  const limit = (name: Limit) => ({
    ...buildFieldProvenance(fieldPaths[name], specified?.rollingUpdate?.[name], rollingUpdate[name]),
    field: name,
  });
  return [type, limit('maxSurge'), limit('maxUnavailable')];
}
