import { WHOLE_OBJECT, at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';

/** Where the parts of a RayService stand for whoever reads a finding: in the manifest, or among the props that it is made of. */
export interface RayServicePlaces {
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
export const IN_MANIFEST: RayServicePlaces = {
  metadata: at`metadata`,
  spec: at`spec`,
  strategy: at`spec.upgradeStrategy`,
  type: at`spec.upgradeStrategy.type`,
  options: at`spec.upgradeStrategy.clusterUpgradeOptions`,
  cluster: at`spec.rayClusterConfig`,
  serveConfig: at`spec.serveConfigV2`,
};

/**
 * The places among the props of an upgrade, whose pace is one for all of its services.
 *
 * @param service the prop that holds the service: `current`. The props themselves where none is given.
 */
export function inProps(service: FieldPath = WHOLE_OBJECT): RayServicePlaces {
  return {
    metadata: at`${service}.metadata`,
    spec: service,
    strategy: at`upgrade`,
    type: at`upgrade`,
    options: at`upgrade`,
    cluster: at`${service}.rayCluster`,
    serveConfig: at`${service}.serveConfig`,
  };
}
