import { ROOT_PATH, toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';

/** Paths of the parts of a RayService in findings: in the manifest, or in the props that the manifest is built from. */
export interface RayServicePaths {
  readonly metadata: FieldPath;
  /** Path of spec fields that have no path of their own here. */
  readonly spec: FieldPath;
  readonly strategy: FieldPath;
  readonly type: FieldPath;
  readonly options: FieldPath;
  readonly cluster: FieldPath;
  readonly serveConfig: FieldPath;
}

/** Paths in a manifest. */
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
 * Builds the paths in the props of an upgrade. All services of an upgrade share one pace.
 *
 * @param service the prop with the service, such as `current`; the props themselves by default
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
