import { annotationOf, getFieldsAt, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
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

/** What drives the steps of an upgrade: the operator, or manifests in Git, with which the operator moves nothing. */
export type UpgradeDriver = 'operator' | 'git';

/** A parsed RayService, shared by findings, simulation and everything else. */
export interface ParsedRayService {
  /** The object as written. */
  readonly manifest: Manifest;
  /** The object as the API server stores it: without the fields that its apiVersion, or this version of KubeRay, lacks. */
  readonly object: Manifest;
  readonly name: string;
  readonly namespace: string | undefined;
  /** KubeRay version. */
  readonly version: string;
  readonly behaviour: KubeRayBehaviour;
  readonly drivenBy: UpgradeDriver;
  readonly paths: RayServicePaths;
  /** The spec; empty if it is not a map. */
  readonly spec: Fields;
  /** Type of the upgrade as written; undefined if there is none. */
  readonly type: string | undefined;
  /** clusterUpgradeOptions as written; undefined if there are none. */
  readonly options: Fields | undefined;
  /** Options directly under upgradeStrategy, where nothing reads them. */
  readonly misplacedOptionFields: readonly UpgradeOptionField[];
  /** rayClusterConfig; empty if it is not a map. */
  readonly cluster: Fields;
  /** Worker groups with a known size. */
  readonly groups: readonly WorkerGroup[];
  readonly serveConfig: ParsedServeConfig;
}

/** Annotation of the services of an upgrade by Git, so that their `type: None` is not mistaken for an oversight. */
export const UPGRADE_DRIVER_ANNOTATION = 'rolloutkit/upgrade-driver';

function upgradeDriverOf(manifest: Manifest): UpgradeDriver {
  return annotationOf(manifest, UPGRADE_DRIVER_ANNOTATION) === 'git' ? 'git' : 'operator';
}

/** Options for a RayService that is built from props, or whose upgrades Git drives. */
export interface ReadRayServiceOptions {
  readonly paths?: RayServicePaths;
  readonly drivenBy?: UpgradeDriver;
}

/**
 * Reads a RayService.
 *
 * @param version KubeRay version
 */
export function readRayService(
  manifest: Manifest,
  version: string,
  { paths = MANIFEST_PATHS, drivenBy = upgradeDriverOf(manifest) }: ReadRayServiceOptions = {},
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

/** Reports whether the operator deletes the clusters of a service, and creates none. */
export function isRayServiceSuspended({ spec }: Pick<ParsedRayService, 'spec'>): boolean {
  return spec.suspend === true;
}
