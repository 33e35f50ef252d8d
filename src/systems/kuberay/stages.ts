import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest/manifest';
import type { Provenance } from '../../core/document/provenance';
import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import { drainStagedServices } from './drain';
import { validateRayService } from './validate-ray-service';
import { buildIncrementalStrategy, buildRayServiceManifest } from './manifests';
import { buildGateway, buildGatewayClass, servePortOf, buildWeightedRoute } from './objects';
import { buildPropPaths } from './field-paths';
import { readRayService, UPGRADE_DRIVER_ANNOTATION } from './ray-service';
import type { ParsedRayService } from './ray-service';
import { checkKuberayDuplicateResource } from './rules/duplicate-resource';
import { checkKuberayWrongType } from './rules/wrong-type';
import { formatServeConfig } from './serve-config-text';
import { simulateRayService, resolveRayStartup } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS } from './strategy';
import type { RayClusterSpec } from './types';
import type { StagedServiceProps, StagedUpgradeProps, WithPace } from './upgrade-props';

/** One step of an upgrade by Git: a complete set of manifests. */
export interface UpgradeStage {
  /** Number of the stage. Stage 0 is the state before the upgrade. */
  readonly number: number;
  /** Folder of the stage: `stages/00`. */
  readonly folder: string;
  /** The simulation row of this stage. */
  readonly step: RayServiceStep;
  /** All objects that are applied at this stage. */
  readonly objects: readonly Manifest[];
}

/** The result of planning an upgrade by Git. */
export interface StagedUpgrade {
  /** Name of the Gateway and the HTTPRoute. */
  readonly name: string;
  readonly current: StagedService;
  readonly next: StagedService;
  readonly intervalSeconds: number;
  /** Seconds that the longest request needs, for which the last stage has to wait; undefined without a drain. */
  readonly drainSeconds?: number;
  /** The level that decided each field of the drain of the next service. */
  readonly drainProvenance: readonly Provenance[];
  /** Simulation of the upgrade as the operator would drive it; null if the intent is refused. */
  readonly simulation: RayServiceSimulation | null;
  /** One stage for each row of the simulation. */
  readonly stages: readonly UpgradeStage[];
  /** Findings about the intent, by prop. If one is an error, the objects must not be emitted. */
  readonly findings: readonly Finding[];
}

/** One of the two services of an upgrade by Git, with its final name. */
export interface StagedService extends StagedServiceProps {
  readonly name: string;
}

/**
 * Plans an upgrade as plain manifests, with one complete set for each row of the simulation.
 *
 * Both services have `type: None`, so the operator drives nothing.
 * The target_capacity of their Serve configs sets their share of the replicas.
 * An HTTPRoute that rolloutkit emits splits the requests between the Services that the operator creates for them.
 * Worker groups have no replicas, so pods follow the capacity. Consecutive stages differ only in capacities and weights.
 * The last stage has only the next service, which is the current service of the following upgrade.
 *
 * @param name name of the Gateway and the HTTPRoute unless `metadata.name` is set
 */
export function planStagedUpgrade(name: string, props: WithPace<StagedUpgradeProps>): StagedUpgrade {
  const upgradeName = props.metadata?.name ?? name;
  const drained = drainStagedServices(props);
  const current = { ...drained.current, name: props.current.name ?? `${upgradeName}-current` };
  const next = { ...drained.next, name: props.next.name ?? `${upgradeName}-next` };
  const operated = readStagedService(buildOperatedService(next, props), toFieldPath`next`, props);
  const findings = collectStagedFindings(props, current, next, operated);
  const isRefused = findings.some(({ severity }) => severity === 'error');
  const simulation = isRefused ? null : simulateStagedUpgrade(operated, props);
  const steps = simulation?.steps ?? [];
  return {
    name: upgradeName,
    current,
    next,
    intervalSeconds: props.upgrade.intervalSeconds ?? ADVISED_INTERVAL_SECONDS,
    ...(drained.drainSeconds !== undefined && { drainSeconds: drained.drainSeconds }),
    drainProvenance: drained.drainProvenance,
    simulation,
    stages: steps.map((step, number) => ({
      number,
      folder: `stages/${String(number).padStart(Math.max(2, String(steps.length - 1).length), '0')}`,
      step,
      objects: buildStageObjects(upgradeName, props, current, next, step),
    })),
    findings,
  };
}

/** Builds the service as if the operator drove the upgrade to it. Its steps are the stages, and its findings apply to them too. */
function buildOperatedService(next: StagedService, { upgrade }: WithPace<StagedUpgradeProps>): Manifest {
  return buildRayServiceManifest(
    { name: next.name },
    {
      upgradeStrategy: buildIncrementalStrategy(upgrade),
      serveConfigV2: formatServeConfig(next.serveConfig),
      rayClusterConfig: { enableInTreeAutoscaling: true, ...next.rayCluster },
    },
  );
}

/**
 * Reads one of the services.
 *
 * @param prop path of the prop with the service
 */
function readStagedService(
  rayService: Manifest,
  prop: FieldPath,
  { kuberay = DEFAULT_VERSIONS.kuberay }: WithPace<StagedUpgradeProps>,
): ParsedRayService {
  return readRayService(rayService, kuberay, { paths: buildPropPaths(prop), drivenBy: 'git' });
}

/** Simulates only the steps. Git rolls back by applying an earlier stage, and the stages contain the Gateway and the HTTPRoute. */
function simulateStagedUpgrade(operated: ParsedRayService, { startupSeconds = 0 }: WithPace<StagedUpgradeProps>): RayServiceSimulation {
  const {
    rollback: _operators,
    previews: _operated,
    ...simulation
  } = simulateRayService(operated, resolveRayStartup(operated, startupSeconds));
  return simulation;
}

/** Collects the findings about both services. They share one pace, so it is validated once, with the next service. */
function collectStagedFindings(
  props: WithPace<StagedUpgradeProps>,
  current: StagedService,
  next: StagedService,
  operated: ParsedRayService,
): Finding[] {
  const duplicates = checkKuberayDuplicateResource(current.name, next.name);
  if (duplicates.length > 0) return duplicates;
  const currentService = readStagedService(buildStagedService(props.metadata, current, 100), toFieldPath`current`, props);
  return [
    ...validateRayService(currentService).findings,
    ...validateRayService(operated).findings,
    ...checkKuberayWrongType(current.serveConfig, currentService.paths.serveConfig),
    ...checkKuberayWrongType(next.serveConfig, operated.paths.serveConfig),
  ];
}

function buildStageObjects(
  name: string,
  props: WithPace<StagedUpgradeProps>,
  current: StagedService,
  next: StagedService,
  step: RayServiceStep,
): readonly Manifest[] {
  const { upgrade, metadata } = props;
  const services = [
    { service: current, capacity: step.activeTargetCapacity, weight: step.activeTraffic },
    { service: next, capacity: step.pendingTargetCapacity, weight: step.pendingTraffic },
  ].filter(({ service }) => service === next || step.activeTargetCapacity > 0);
  const backends = services.map(({ service, weight }) => ({
    service: `${service.name}-serve-svc`,
    port: servePortOf(service.rayCluster),
    weight,
  }));
  return [
    ...(props.gatewayClass ? [buildGatewayClass(upgrade.gatewayClassName, props.gatewayClass.controllerName)] : []),
    withMetadata(buildGateway(name, metadata?.namespace, upgrade.gatewayClassName), metadata),
    ...services.map(({ service, capacity }) => buildStagedService(metadata, service, capacity)),
    withMetadata(buildWeightedRoute(name, metadata?.namespace, name, backends), metadata),
  ];
}

function withMetadata(object: Manifest, metadata: ObjectMeta | undefined): Manifest {
  return { ...object, metadata: { ...metadata, ...object.metadata } };
}

function buildStagedService(metadata: ObjectMeta | undefined, service: StagedService, capacity: number): Manifest {
  return buildRayServiceManifest(
    { ...metadata, name: service.name, annotations: { ...metadata?.annotations, [UPGRADE_DRIVER_ANNOTATION]: 'git' } },
    {
      upgradeStrategy: { type: 'None' },
      excludeHeadPodFromServeSvc: service.excludeHeadPodFromServeSvc,
      serveConfigV2: formatServeConfig(service.serveConfig, capacity),
      rayClusterConfig: buildStagedCluster(service),
    },
  );
}

/** Builds the cluster with the autoscaler on and without initial replicas, like the clusters that the operator creates for upgrades. */
function buildStagedCluster({ rayCluster }: StagedService): RayClusterSpec {
  const workerGroupSpecs = rayCluster.workerGroupSpecs?.map(({ replicas: _owned, ...group }) => group);
  return { enableInTreeAutoscaling: true, ...rayCluster, ...(workerGroupSpecs && { workerGroupSpecs }) };
}
