import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest';
import type { RayServiceSimulation, RayServiceStep } from '../../core/simulations/rayservice';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { judge } from './findings';
import { incrementalStrategy, rayServiceManifest } from './manifests';
import { gateway, gatewayClass, servePortOf, weightedRoute } from './objects';
import { inProps } from './places';
import { readRayService } from './ray-service';
import type { ReadRayService } from './ray-service';
import { sameServiceFindings } from './rules/duplicate-resource';
import { tokenFindings } from './rules/wrong-type';
import { serveConfigText } from './serve-config-text';
import { simulateRayService, startupOf } from './simulate-service';
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
export function stagedUpgrade(name: string, props: StagedUpgradeProps): StagedUpgrade {
  const settledName = props.metadata?.name ?? name;
  const current = { ...props.current, name: props.current.name ?? `${settledName}-current` };
  const next = { ...props.next, name: props.next.name ?? `${settledName}-next` };
  const asOperated = readStaged(operatedService(next, props), at`next`, props);
  const findings = stagedFindings(props, current, next, asOperated);
  const isRefused = findings.some(({ severity }) => severity === 'error');
  const simulation = isRefused ? null : simulateStaged(asOperated, props);
  const steps = simulation?.steps ?? [];
  return {
    name: settledName,
    current,
    next,
    intervalSeconds: props.upgrade.intervalSeconds ?? ADVISED_INTERVAL_SECONDS,
    simulation,
    stages: steps.map((step, number) => ({
      number,
      folder: `stages/${String(number).padStart(Math.max(2, String(steps.length - 1).length), '0')}`,
      step,
      objects: stageObjects(settledName, props, current, next, step),
    })),
    findings,
  };
}

/** The service as if the operator drove the upgrade to it: its steps are the stages, and what is to be said of it holds for them too. */
function operatedService(next: StagedService, { upgrade }: StagedUpgradeProps): Manifest {
  return rayServiceManifest(
    { name: next.name },
    {
      upgradeStrategy: incrementalStrategy(upgrade),
      serveConfigV2: serveConfigText(next.serveConfig),
      rayClusterConfig: { enableInTreeAutoscaling: true, ...next.rayCluster },
    },
  );
}

/**
 * Reads one of the services.
 *
 * @param prop that holds it
 */
function readStaged(rayService: Manifest, prop: FieldPath, { kuberay = DEFAULT_VERSIONS.kuberay }: StagedUpgradeProps): ReadRayService {
  return readRayService(rayService, kuberay, { places: inProps(prop), drivenBy: 'git' });
}

/** The steps alone: Git goes back by applying an earlier stage, and the Gateway and the HTTPRoute are in the stages themselves. */
function simulateStaged(asOperated: ReadRayService, { startupSeconds = 0 }: StagedUpgradeProps): RayServiceSimulation {
  const {
    rollback: _operators,
    previews: _operated,
    ...simulation
  } = simulateRayService(asOperated, startupOf(asOperated, startupSeconds));
  return simulation;
}

/** What is wrong with either service. The pace is the same for both, so it is judged once, with the next one. */
function stagedFindings(props: StagedUpgradeProps, current: StagedService, next: StagedService, asOperated: ReadRayService): Finding[] {
  const same = sameServiceFindings(current.name, next.name);
  if (same.length > 0) return same;
  const atRest = readStaged(stagedService(props.metadata, current, 100), at`current`, props);
  return [
    ...judge(atRest).findings,
    ...judge(asOperated).findings,
    ...tokenFindings(current.serveConfig, atRest.places.serveConfig),
    ...tokenFindings(next.serveConfig, asOperated.places.serveConfig),
  ];
}

function stageObjects(
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
    ...(props.gatewayClass ? [gatewayClass(upgrade.gatewayClassName, props.gatewayClass.controllerName)] : []),
    withMetadata(gateway(name, metadata?.namespace, upgrade.gatewayClassName), metadata),
    ...services.map(({ service, capacity }) => stagedService(metadata, service, capacity)),
    withMetadata(weightedRoute(name, metadata?.namespace, name, backends), metadata),
  ];
}

function withMetadata(object: Manifest, metadata: ObjectMeta | undefined): Manifest {
  return { ...object, metadata: { ...metadata, ...object.metadata } };
}

function stagedService(metadata: ObjectMeta | undefined, service: StagedService, capacity: number): Manifest {
  return rayServiceManifest(
    { ...metadata, name: service.name },
    {
      upgradeStrategy: { type: 'None' },
      excludeHeadPodFromServeSvc: service.excludeHeadPodFromServeSvc,
      serveConfigV2: serveConfigText(service.serveConfig, capacity),
      rayClusterConfig: stagedCluster(service),
    },
  );
}

/** The cluster with the autoscaler on and no replicas to begin with, as the operator itself makes the cluster of an upgrade. */
function stagedCluster({ rayCluster }: StagedService): RayClusterSpec {
  const workerGroupSpecs = rayCluster.workerGroupSpecs?.map(({ replicas: _owned, ...group }) => group);
  return { enableInTreeAutoscaling: true, ...rayCluster, ...(workerGroupSpecs && { workerGroupSpecs }) };
}
