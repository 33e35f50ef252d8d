import { fieldsAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { OptionField } from './fields';
import { IN_MANIFEST } from './places';
import type { RayServicePlaces } from './places';
import { readServeConfig } from './serve-config';
import type { ReadServeConfig } from './serve-config';
import { storedObject } from './served-fields';
import { optionsOf, strayOptions, typeOf } from './strategy';
import { behaviourOf } from './versions';
import type { KubeRayBehaviour } from './versions';
import { workerGroupsOf } from './worker-groups';
import type { WorkerGroup } from './worker-groups';

/** Whose steps an upgrade takes: the operator's, or those of manifests in Git, under which the operator moves nothing. */
export type UpgradeDriver = 'operator' | 'git';

/** A RayService as it was read, once: findings, simulation and all else ask this for its parts. */
export interface ReadRayService {
  /** As it is written. */
  readonly written: Manifest;
  /** As the API server stores it: without the fields that its apiVersion, or this version of KubeRay, lacks. */
  readonly object: Manifest;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Of KubeRay. */
  readonly version: string;
  readonly behaviour: KubeRayBehaviour;
  readonly drivenBy: UpgradeDriver;
  readonly places: RayServicePlaces;
  /** Empty where it is not a map. */
  readonly spec: Fields;
  /** Of the upgrade, as written; undefined where there is none. */
  readonly type: string | undefined;
  /** clusterUpgradeOptions as written; undefined where there are none. */
  readonly options: Fields | undefined;
  /** The options that stand directly under upgradeStrategy, where nothing reads them. */
  readonly strayOptions: readonly OptionField[];
  /** rayClusterConfig; empty where it is not a map. */
  readonly cluster: Fields;
  /** Its worker groups of whose size something is known. */
  readonly groups: readonly WorkerGroup[];
  readonly serveConfig: ReadServeConfig;
}

/** How a RayService is read, where it is not the manifest of a cluster in which the operator drives its upgrades. */
export interface RayServiceReader {
  readonly places?: RayServicePlaces;
  readonly drivenBy?: UpgradeDriver;
}

/**
 * Reads a RayService.
 *
 * @param version of KubeRay
 */
export function readRayService(
  written: Manifest,
  version: string,
  { places = IN_MANIFEST, drivenBy = 'operator' }: RayServiceReader = {},
): ReadRayService {
  const object = storedObject(written, version);
  const spec = fieldsAt(object, 'spec');
  const cluster = fieldsAt(spec, 'rayClusterConfig');
  return {
    written,
    object,
    name: nameOf(object),
    namespace: namespaceOf(object),
    version,
    behaviour: behaviourOf(version),
    drivenBy,
    places,
    spec,
    type: typeOf(object),
    options: optionsOf(object),
    strayOptions: strayOptions(object),
    cluster,
    groups: workerGroupsOf(cluster),
    serveConfig: readServeConfig(spec.serveConfigV2),
  };
}
