import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest';
import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { validateRayService } from './validate-ray-service';
import { buildIncrementalStrategy, buildRayServiceManifest } from './manifests';
import { buildGateway, buildGatewayClass, servePortOf, buildWeightedRoute } from './objects';
import { buildPropPaths } from './field-paths';
import { readRayService } from './ray-service';
import type { ParsedRayService } from './ray-service';
import { checkKuberayDuplicateResource } from './rules/duplicate-resource';
import { checkKuberayWrongType } from './rules/wrong-type';
import { formatServeConfig } from './serve-config-text';
import { simulateRayService, resolveRayStartup } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS } from './strategy';
import type { RayClusterSpec, StagedServiceProps, StagedUpgradeProps } from './types';

/** One step of an upgrade by Git: a complete set of manifests. */
export interface UpgradeStage {
  /** Counted from 0, which is the state before the upgrade. */
  readonly number: number;
  /** `stages/00` */
  readonly folder: string;
  /** The row of the simulation that this stage is. */
  readonly step: RayServiceStep;
  /** All that is applied at this stage. */
  readonly objects: readonly Manifest[];
}

/** What an upgrade by Git becomes. */
export interface StagedUpgrade {
  /** Name of the Gateway and the HTTPRoute. */
  readonly name: string;
  readonly current: StagedService;
  readonly next: StagedService;
  readonly intervalSeconds: number;
  /** The same upgrade as the operator would drive it; null when the intent is refused. */
  readonly simulation: RayServiceSimulation | null;
  /** One for each row of the simulation. */
  readonly stages: readonly UpgradeStage[];
  /** What is wrong with the intent, by prop; an error among them means that the objects must not be emitted. */
  readonly findings: readonly Finding[];
}

/** One of the two services of an upgrade by Git, with its name settled. */
export interface StagedService extends StagedServiceProps {
  readonly name: string;
}

/**
 * An upgrade as plain manifests, one complete set for each row of the simulation.
 *
 * Both services run under `type: None`, so that the operator drives nothing;
 * their share of the replicas is the target_capacity of their Serve configs,
 * and an HTTPRoute of our own splits the requests between the Services that the operator makes for them.
 * Worker groups have no replicas, so that pods follow the capacity. Two neighbouring stages differ in capacities and weights alone;
 * the last leaves only the next service, which is the current one of the upgrade after this.
 *
 * @param name of the Gateway and the HTTPRoute unless `metadata.name` is given
 */
export function planStagedUpgrade(name: string, props: StagedUpgradeProps): StagedUpgrade {
  const upgradeName = props.metadata?.name ?? name;
  const current = { ...props.current, name: props.current.name ?? `${upgradeName}-current` };
  const next = { ...props.next, name: props.next.name ?? `${upgradeName}-next` };
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

/** The service as if the operator drove the upgrade to it: its steps are the stages, and what is to be said of it holds for them too. */
function buildOperatedService(next: StagedService, { upgrade }: StagedUpgradeProps): Manifest {
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
 * @param prop that holds it
 */
function readStagedService(
  rayService: Manifest,
  prop: FieldPath,
  { kuberay = DEFAULT_VERSIONS.kuberay }: StagedUpgradeProps,
): ParsedRayService {
  return readRayService(rayService, kuberay, { paths: buildPropPaths(prop), drivenBy: 'git' });
}

/** The steps alone: Git goes back by applying an earlier stage, and the Gateway and the HTTPRoute are in the stages themselves. */
function simulateStagedUpgrade(operated: ParsedRayService, { startupSeconds = 0 }: StagedUpgradeProps): RayServiceSimulation {
  const {
    rollback: _operators,
    previews: _operated,
    ...simulation
  } = simulateRayService(operated, resolveRayStartup(operated, startupSeconds));
  return simulation;
}

/** What is wrong with either service. The pace is the same for both, so it is judged once, with the next one. */
function collectStagedFindings(
  props: StagedUpgradeProps,
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
  props: StagedUpgradeProps,
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
    { ...metadata, name: service.name },
    {
      upgradeStrategy: { type: 'None' },
      excludeHeadPodFromServeSvc: service.excludeHeadPodFromServeSvc,
      serveConfigV2: formatServeConfig(service.serveConfig, capacity),
      rayClusterConfig: buildStagedCluster(service),
    },
  );
}

/** The cluster with the autoscaler on and no replicas to begin with, as the operator itself makes the cluster of an upgrade. */
function buildStagedCluster({ rayCluster }: StagedService): RayClusterSpec {
  const workerGroupSpecs = rayCluster.workerGroupSpecs?.map(({ replicas: _owned, ...group }) => group);
  return { enableInTreeAutoscaling: true, ...rayCluster, ...(workerGroupSpecs && { workerGroupSpecs }) };
}
