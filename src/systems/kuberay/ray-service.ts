import { getFieldsAt, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { UpgradeOptionField } from './fields';
import { MANIFEST_PATHS } from './field-paths';
import type { RayServicePaths } from './field-paths';
import { readServeConfig } from './serve-config';
import type { ParsedServeConfig } from './serve-config';
import { dropUnsupportedFields } from './crd-fields';
import { upgradeOptionsOf, listMisplacedOptions, upgradeTypeOf } from './strategy';
import { kubeRayBehaviourOf } from './versions';
import type { KubeRayBehaviour } from './versions';
import { parseWorkerGroups } from './worker-groups';
import type { WorkerGroup } from './worker-groups';

/** Whose steps an upgrade takes: the operator's, or those of manifests in Git, under which the operator moves nothing. */
export type UpgradeDriver = 'operator' | 'git';

/** A RayService as it was read, once: findings, simulation and all else ask this for its parts. */
export interface ParsedRayService {
  /** As it is written. */
  readonly manifest: Manifest;
  /** As the API server stores it: without the fields that its apiVersion, or this version of KubeRay, lacks. */
  readonly object: Manifest;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Of KubeRay. */
  readonly version: string;
  readonly behaviour: KubeRayBehaviour;
  readonly drivenBy: UpgradeDriver;
  readonly paths: RayServicePaths;
  /** Empty where it is not a map. */
  readonly spec: Fields;
  /** Of the upgrade, as written; undefined where there is none. */
  readonly type: string | undefined;
  /** clusterUpgradeOptions as written; undefined where there are none. */
  readonly options: Fields | undefined;
  /** The options that stand directly under upgradeStrategy, where nothing reads them. */
  readonly misplacedOptionFields: readonly UpgradeOptionField[];
  /** rayClusterConfig; empty where it is not a map. */
  readonly cluster: Fields;
  /** Its worker groups of whose size something is known. */
  readonly groups: readonly WorkerGroup[];
  readonly serveConfig: ParsedServeConfig;
}

/** How a RayService is read, where it is not the manifest of a cluster in which the operator drives its upgrades. */
export interface ReadRayServiceOptions {
  readonly paths?: RayServicePaths;
  readonly drivenBy?: UpgradeDriver;
}

/**
 * Reads a RayService.
 *
 * @param version of KubeRay
 */
export function readRayService(
  manifest: Manifest,
  version: string,
  { paths = MANIFEST_PATHS, drivenBy = 'operator' }: ReadRayServiceOptions = {},
): ParsedRayService {
  const object = dropUnsupportedFields(manifest, version);
  const spec = getFieldsAt(object, 'spec');
  const cluster = getFieldsAt(spec, 'rayClusterConfig');
  return {
    manifest,
    object,
    name: nameOf(object),
    namespace: namespaceOf(object),
    version,
    behaviour: kubeRayBehaviourOf(version),
    drivenBy,
    paths,
    spec,
    type: upgradeTypeOf(object),
    options: upgradeOptionsOf(object),
    misplacedOptionFields: listMisplacedOptions(object),
    cluster,
    groups: parseWorkerGroups(cluster),
    serveConfig: readServeConfig(spec.serveConfigV2),
  };
}
