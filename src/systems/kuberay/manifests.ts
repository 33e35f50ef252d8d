import type { Finding } from '../../core/findings/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import { validateRayService } from './validate-ray-service';
import { drainRayService } from './drain';
import { buildGatewayClass } from './objects';
import { buildPropPaths } from './field-paths';
import { readRayService } from './ray-service';
import { checkKuberayWrongType } from './rules/wrong-type';
import { formatServeConfig } from './serve-config-text';
import { simulateRayService, resolveRayStartup } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS, INCREMENTAL_UPGRADE } from './strategy';
import type { RayServiceSpec, UpgradeStrategy } from './types';
import type { OperatorUpgradeProps, UpgradeProps, WithPace } from './upgrade-props';

/** The apiVersion and kind of RayServices that are emitted. */
export const RAY_SERVICE_TYPE_META = { apiVersion: 'ray.io/v1', kind: 'RayService' } as const;

/** The result of resolving an upgrade that the operator drives. */
export interface OperatorUpgrade {
  readonly rayService: Manifest;
  /** The GatewayClass, if requested. */
  readonly gatewayClass?: Manifest;
  /** Simulation of the next change of the cluster; null if KubeRay refuses the service. */
  readonly simulation: RayServiceSimulation | null;
  /** Findings about the intent, by prop. If one is an error, the objects must not be emitted. */
  readonly findings: readonly Finding[];
  /** The level that decided each field of the drain. */
  readonly drainProvenance: readonly Provenance[];
}

/** Builds the upgradeStrategy of an intent, with the guide's interval by default. */
export function buildIncrementalStrategy(upgrade: UpgradeProps): UpgradeStrategy {
  const { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds = ADVISED_INTERVAL_SECONDS } = upgrade;
  return { type: INCREMENTAL_UPGRADE, clusterUpgradeOptions: { gatewayClassName, maxSurgePercent, stepSizePercent, intervalSeconds } };
}

/** Builds a ray.io/v1 RayService without undefined fields. */
export function buildRayServiceManifest(metadata: ObjectMeta, spec: RayServiceSpec): Manifest {
  const setFields = Object.entries(spec).filter(([, value]) => value !== undefined);
  return { ...RAY_SERVICE_TYPE_META, metadata, spec: Object.fromEntries(setFields) };
}

/**
 * Resolves the objects of an upgrade that the operator drives: the RayService and, if requested, the GatewayClass.
 *
 * The in-tree autoscaler is turned on, since the upgrade needs it. The operator creates the Gateway and the HTTPRoute,
 * so they are not included; the simulation has them as previews.
 *
 * @param name name of the RayService unless `metadata.name` is set
 */
export function resolveOperatorUpgrade(name: string, props: WithPace<OperatorUpgradeProps>): OperatorUpgrade {
  const { upgrade, rayCluster, excludeHeadPodFromServeSvc, suspend } = props;
  const { serveConfig, rayClusterDeletionDelaySeconds, drainProvenance } = drainRayService(props);
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
    drainProvenance,
  };
}
