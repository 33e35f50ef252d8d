import type { Finding } from '../../core/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { judge } from './findings';
import { gatewayClass } from './objects';
import { inProps } from './places';
import { readRayService } from './ray-service';
import { tokenFindings } from './rules/wrong-type';
import { serveConfigText } from './serve-config-text';
import { simulateRayService, startupOf } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS, INCREMENTAL } from './strategy';
import type { OperatorUpgradeProps, RayServiceSpec, UpgradeProps, UpgradeStrategy } from './types';

/** What is written. */
export const RAY_SERVICE = { apiVersion: 'ray.io/v1', kind: 'RayService' } as const;

/** What an upgrade by the operator becomes. */
export interface SettledRayService {
  readonly rayService: Manifest;
  /** Where one was asked for. */
  readonly gatewayClass?: Manifest;
  /** What the next change of the cluster will do; null when KubeRay refuses the service. */
  readonly simulation: RayServiceSimulation | null;
  /** What is wrong with the intent, by prop; an error among them means that the objects must not be emitted. */
  readonly findings: readonly Finding[];
}

/** The upgradeStrategy of an intent, with the guide's interval where none is given. */
export function incrementalStrategy(upgrade: UpgradeProps): UpgradeStrategy {
  const { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds = ADVISED_INTERVAL_SECONDS } = upgrade;
  return { type: INCREMENTAL, clusterUpgradeOptions: { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds } };
}

/** A ray.io/v1 RayService; fields that are undefined are left out. */
export function rayServiceManifest(metadata: ObjectMeta, spec: RayServiceSpec): Manifest {
  const written = Object.entries(spec).filter(([, value]) => value !== undefined);
  return { ...RAY_SERVICE, metadata, spec: Object.fromEntries(written) };
}

/**
 * The objects of an upgrade that the operator drives: the RayService and, on request, the GatewayClass.
 *
 * The in-tree autoscaler is turned on, since the upgrade needs it. The Gateway and the HTTPRoute are the operator's to make,
 * so they are no part of it; the simulation has them as previews.
 *
 * @param name of the RayService unless `metadata.name` is given
 */
export function operatorUpgrade(name: string, props: OperatorUpgradeProps): SettledRayService {
  const { upgrade, rayCluster, serveConfig, rayClusterDeletionDelaySeconds, excludeHeadPodFromServeSvc, suspend } = props;
  const { kuberay = DEFAULT_VERSIONS.kuberay, startupSeconds = 0 } = props;
  const rayService = rayServiceManifest(
    { name, ...props.metadata },
    {
      upgradeStrategy: incrementalStrategy(upgrade),
      rayClusterDeletionDelaySeconds,
      excludeHeadPodFromServeSvc,
      suspend,
      serveConfigV2: serveConfigText(serveConfig),
      rayClusterConfig: { enableInTreeAutoscaling: true, ...rayCluster },
    },
  );
  const service = readRayService(rayService, kuberay, { places: inProps() });
  const { isRefused, findings } = judge(service);
  return {
    rayService,
    ...(props.gatewayClass && { gatewayClass: gatewayClass(upgrade.gatewayClassName, props.gatewayClass.controllerName) }),
    simulation: isRefused ? null : simulateRayService(service, startupOf(service, startupSeconds)),
    findings: [...findings, ...tokenFindings(serveConfig, service.places.serveConfig)],
  };
}
