import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import type { NestedStrategyFieldNames } from '../../cluster/rollout/strategy-field-names';
import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Provenance } from '../../core/document/provenance';
import { BoundedTupleMemo } from '../../core/collections/memoize';
import { buildFieldProvenance } from '../field-provenance';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';

type Limit = 'maxSurge' | 'maxUnavailable';

/** The paths of the fields of a strategy. */
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
/** Built once, since thousands of Deployments have the same paths. */
const DEPLOYMENT_STRATEGY_FIELD_PATHS = buildStrategyFieldPaths(DEPLOYMENT_STRATEGY_PATH, KUBERNETES_FIELD_NAMES);

/** Cached, since thousands of Deployments have one of a few strategies. */
const PROVENANCE_CACHE = new BoundedTupleMemo<readonly Provenance[]>();

/** Builds the provenance of each field of a Deployment's strategy: type, maxSurge, maxUnavailable. For Recreate it is only the type. */
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
