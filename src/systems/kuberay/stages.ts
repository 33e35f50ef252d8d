import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import type { Manifest, ObjectMeta } from '../../core/manifest';
import type { RayServiceSimulation, RayServiceStep } from '../../core/rollout';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { kuberayFinding } from './catalogue';
import { byProp, incrementalStrategy, rayServiceManifest } from './manifests';
import { gateway, gatewayClass, servePortOf, weightedRoute } from './objects';
import { rayServiceFindings } from './rules';
import { serveConfigFindings, serveConfigText, tokenFindings } from './serve-config';
import { simulateRayService, startupOf } from './simulate-service';
import { ADVISED_INTERVAL_SECONDS } from './strategy';
import type { RayClusterSpec, StagedServiceProps, StagedUpgradeProps } from './types';
import { rayServiceRefusals } from './validation';

/** One step of an upgrade by Git: a complete set of manifests. */
export interface UpgradeStage {
  /** Counted from 0, which is the state before the upgrade. */
  readonly number: number;
  /** `stages/00` */
  readonly folder: string;
  /** The row of the simulation that this stage is. */
  readonly step: RayServiceStep;
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
 * Both services run under `type: None`, so that the operator drives nothing; their share of the replicas is the target_capacity of their
 * Serve configs, and an HTTPRoute of our own splits the requests between the Services that the operator makes for them. Worker groups have
 * no replicas, so that pods follow the capacity. Two neighbouring stages differ in capacities and weights alone; the last leaves only the
 * next service, which is the current one of the upgrade after this.
 *
 * @param name of the Gateway and the HTTPRoute unless `metadata.name` is given
 */
export function stagedUpgrade(name: string, props: StagedUpgradeProps): StagedUpgrade {
  const settledName = props.metadata?.name ?? name;
  const current = { ...props.current, name: props.current.name ?? `${settledName}-current` };
  const next = { ...props.next, name: props.next.name ?? `${settledName}-next` };
  const findings = stagedFindings(props, current, next);
  const asOperated = operatedService(next, props);
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

/** What is wrong with the stage that is to be emitted, of an upgrade that is not refused. */
export function stageFinding({ stages }: StagedUpgrade, stage: number | 'all'): Finding[] {
  if (stage === 'all' || stages.length === 0 || stages[stage] !== undefined) return [];
  return [
    kuberayFinding('kuberay/out-of-range', {
      path: 'stage',
      message: `stage is ${stage}, and this upgrade has the stages 0 to ${stages.length - 1}.`,
      help: "Write one of them, or 'all'.",
    }),
  ];
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

/** The steps alone: Git goes back by applying an earlier stage, and the Gateway and the HTTPRoute are in the stages themselves. */
function simulateStaged(
  asOperated: Manifest,
  { kuberay = DEFAULT_VERSIONS.kuberay, startupSeconds = 0 }: StagedUpgradeProps,
): RayServiceSimulation {
  const startup = startupOf(asOperated, startupSeconds);
  const { rollback: _operators, previews: _operated, ...simulation } = simulateRayService(asOperated, kuberay, startup);
  return simulation;
}

function stagedFindings(props: StagedUpgradeProps, current: StagedService, next: StagedService): Finding[] {
  if (current.name === next.name) {
    return [
      inputFinding('input/duplicate-resource', {
        path: 'next.name',
        message: `Both services are named "${next.name}", so they would be one and the same RayService.`,
        help: 'Give the next service a name of its own, such as one that ends in its version.',
      }),
    ];
  }
  const atRest = (service: StagedService) => stagedService(props.metadata, service, 100);
  return [
    ...serviceFindings(atRest(current), 'current', props),
    // The pace is the same for both, so it is judged once.
    ...serviceFindings(operatedService(next, props), 'next', props),
    ...tokenFindings(current.serveConfig, 'current.serveConfig'),
    ...tokenFindings(next.serveConfig, 'next.serveConfig'),
  ];
}

function serviceFindings(
  rayService: Manifest,
  prop: 'current' | 'next',
  { kuberay = DEFAULT_VERSIONS.kuberay }: StagedUpgradeProps,
): Finding[] {
  const refusals = rayServiceRefusals(rayService, kuberay);
  const others = refusals.length > 0 ? [] : rayServiceFindings(rayService, kuberay);
  return (
    [...refusals, ...others, ...serveConfigFindings(rayService)]
      // The operator drives nothing here, so neither its gate nor its doing nothing matters.
      .filter(({ code }) => code !== 'kuberay/feature-gate' && code !== 'kuberay/no-upgrade')
      .map(byProp)
      .map((finding) => (finding.path.startsWith('upgrade') ? finding : { ...finding, path: `${prop}.${finding.path}` }))
  );
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
