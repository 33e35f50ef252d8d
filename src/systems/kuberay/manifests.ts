import type { Finding } from '../../core/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { validateRayService } from './validate-ray-service';
import { buildGatewayClass } from './objects';
import { buildPropPaths } from './field-paths';
import { readRayService } from './ray-service';
import { checkKuberayWrongType } from './rules/wrong-type';
import { formatServeConfig } from './serve-config-text';
import { simulateRayService, resolveRayStartup } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS, INCREMENTAL_UPGRADE } from './strategy';
import type { OperatorUpgradeProps, RayServiceSpec, UpgradeProps, UpgradeStrategy } from './types';

/** What is written. */
export const RAY_SERVICE_TYPE_META = { apiVersion: 'ray.io/v1', kind: 'RayService' } as const;

/** What an upgrade by the operator becomes. */
export interface OperatorUpgrade {
  readonly rayService: Manifest;
  /** Where one was asked for. */
  readonly gatewayClass?: Manifest;
  /** What the next change of the cluster will do; null when KubeRay refuses the service. */
  readonly simulation: RayServiceSimulation | null;
  /** What is wrong with the intent, by prop; an error among them means that the objects must not be emitted. */
  readonly findings: readonly Finding[];
}

/** The upgradeStrategy of an intent, with the guide's interval where none is given. */
export function buildIncrementalStrategy(upgrade: UpgradeProps): UpgradeStrategy {
  const { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds = ADVISED_INTERVAL_SECONDS } = upgrade;
  return { type: INCREMENTAL_UPGRADE, clusterUpgradeOptions: { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds } };
}

/** A ray.io/v1 RayService; fields that are undefined are left out. */
export function buildRayServiceManifest(metadata: ObjectMeta, spec: RayServiceSpec): Manifest {
  const setFields = Object.entries(spec).filter(([, value]) => value !== undefined);
  return { ...RAY_SERVICE_TYPE_META, metadata, spec: Object.fromEntries(setFields) };
}

/**
 * The objects of an upgrade that the operator drives: the RayService and, on request, the GatewayClass.
 *
 * The in-tree autoscaler is turned on, since the upgrade needs it. The Gateway and the HTTPRoute are the operator's to make,
 * so they are no part of it; the simulation has them as previews.
 *
 * @param name of the RayService unless `metadata.name` is given
 */
export function resolveOperatorUpgrade(name: string, props: OperatorUpgradeProps): OperatorUpgrade {
  const { upgrade, rayCluster, serveConfig, rayClusterDeletionDelaySeconds, excludeHeadPodFromServeSvc, suspend } = props;
  const { kuberay = DEFAULT_VERSIONS.kuberay, startupSeconds = 0 } = props;
  const rayService = buildRayServiceManifest(
    { name, ...props.metadata },
    {
      upgradeStrategy: buildIncrementalStrategy(upgrade),
      rayClusterDeletionDelaySeconds,
      excludeHeadPodFromServeSvc,
      suspend,
      serveConfigV2: formatServeConfig(serveConfig),
      rayClusterConfig: { enableInTreeAutoscaling: true, ...rayCluster },
    },
  );
  const service = readRayService(rayService, kuberay, { paths: buildPropPaths() });
  const { isRefused, findings } = validateRayService(service);
  return {
    rayService,
    ...(props.gatewayClass && { gatewayClass: buildGatewayClass(upgrade.gatewayClassName, props.gatewayClass.controllerName) }),
    simulation: isRefused ? null : simulateRayService(service, resolveRayStartup(service, startupSeconds)),
    findings: [...findings, ...checkKuberayWrongType(serveConfig, service.paths.serveConfig)],
  };
}
