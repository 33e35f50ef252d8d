import { ROOT_PATH, toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';

/** Where the parts of a RayService stand for whoever reads a finding: in the manifest, or among the props that it is made of. */
export interface RayServicePaths {
  readonly metadata: FieldPath;
  /** Of fields of the spec without a place of their own. */
  readonly spec: FieldPath;
  readonly strategy: FieldPath;
  readonly type: FieldPath;
  readonly options: FieldPath;
  readonly cluster: FieldPath;
  readonly serveConfig: FieldPath;
}

/** In a manifest each part stands where it is. */
export const MANIFEST_PATHS: RayServicePaths = {
  metadata: toFieldPath`metadata`,
  spec: toFieldPath`spec`,
  strategy: toFieldPath`spec.upgradeStrategy`,
  type: toFieldPath`spec.upgradeStrategy.type`,
  options: toFieldPath`spec.upgradeStrategy.clusterUpgradeOptions`,
  cluster: toFieldPath`spec.rayClusterConfig`,
  serveConfig: toFieldPath`spec.serveConfigV2`,
};

/**
 * The places among the props of an upgrade, whose pace is one for all of its services.
 *
 * @param service the prop that holds the service: `current`. The props themselves where none is given.
 */
export function buildPropPaths(service: FieldPath = ROOT_PATH): RayServicePaths {
  return {
    metadata: toFieldPath`${service}.metadata`,
    spec: service,
    strategy: toFieldPath`upgrade`,
    type: toFieldPath`upgrade`,
    options: toFieldPath`upgrade`,
    cluster: toFieldPath`${service}.rayCluster`,
    serveConfig: toFieldPath`${service}.serveConfig`,
  };
}
