import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import { planRayObjects, requireOwnership, resolveUpgrade, createUnresolvedUpgrade, selectUpgradeShape } from '../props/ray-service';
import type { ResolvedUpgrade } from '../props/ray-service';
import { noUpgrade } from '../systems/kuberay/rules/no-upgrade';
import { formatStagesReadme } from '../systems/kuberay/stages-readme';
import type { StagedUpgrade, UpgradeStage } from '../systems/kuberay/stages';
import type { OperatorUpgradeProps, StagedServiceProps, StagedUpgradeProps } from '../systems/kuberay/upgrade-props';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin, ObjectGoalOrigin } from '../props/goal-origin';
import { findPodErrorsOf, locateFindings, recordContext } from './app-memory';
import { writeLocated } from './locate-method';
import { failSynthOnDuplicates, failSynthOnOperatorNameConflict, markStandalone } from './name-conflicts';
import { failSynthOnInvalidMetadata, isRejectedConstruct, tryCreate, planConstruct, validateConstructProps } from './validate-props';
import { toPlainRayCluster } from './ray-cluster-props';
import type { RayClusterProps } from './ray-cluster-props';
import { writeStages } from './stage-files';
import { listSurroundings } from './surroundings';
import { createSynthError, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';
import type { Patchable } from './synth-errors';

/** An upgrade that the KubeRay operator drives. */
export interface OperatorRayServiceProps extends Omit<OperatorUpgradeProps, 'rayCluster'> {
  /** The cluster. The in-tree autoscaler is enabled, because an incremental upgrade needs it. */
  readonly rayCluster: RayClusterProps;
}

/** One of the two services of an upgrade driven by Git. */
export interface StagedRayServiceProps extends Omit<StagedServiceProps, 'rayCluster'> {
  /** The cluster. The in-tree autoscaler is enabled and `replicas` is left out, so that the number of pods follows the capacity of the stage. */
  readonly rayCluster: RayClusterProps;
}

/** An upgrade as reviewed, revertible steps in Git. */
export interface GitOpsRayServiceProps extends Omit<StagedUpgradeProps, 'current' | 'next'> {
  /** The running service. */
  readonly current: StagedRayServiceProps;
  /** The service that takes over. */
  readonly next: StagedRayServiceProps;
  /**
   * The stage to emit into the chart, from 0. `all` emits each stage as a separate chart of the app, `<path of the construct>-stage-00`
   * and so on. `writeStages` always writes all of them as folders.
   *
   * @default all
   */
  readonly stage?: number | 'all';
}

/** Properties of an `IncrementalRayService`. */
export type IncrementalRayServiceProps = OperatorRayServiceProps | GitOpsRayServiceProps;

/**
 * A RayService whose clusters are upgraded step by step: capacity by maxSurgePercent, traffic by stepSizePercent.
 *
 * `ownership: 'operator'` emits the RayService and, on request, the GatewayClass.
 * The operator owns the Gateway `<name>-gateway` and the HTTPRoute `<name>-httproute`.
 * They are in `simulation.previews`, and another object of the app with one of these names fails the synth.
 * `ownership: 'gitops'` emits the upgrade as plain manifests, one complete set per stage,
 * for clusters without the feature gate and for teams that review and revert each step.
 *
 * Props that KubeRay would refuse, or that would stall forever, fail the synth. It then lists every such error and writes nothing.
 * (kubectl reports none of them, because KubeRay's webhook only reads metadata.) The plan reports warnings:
 * `findings`, `rollouts` and `rolloutkit plan`.
 *
 * @see KubeRay guide, "RayService Zero-Downtime Incremental Upgrades"
 *
 * @example
 * new IncrementalRayService(chart, 'llm', {
 *   ownership: 'operator',
 *   upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 60 },
 *   serveConfig: { applications: [{ name: 'my_app', import_path: 'my_model:app' }] },
 *   rayCluster: { headGroupSpec: { template: head }, workerGroupSpecs: [workers] },
 * });
 */
export class IncrementalRayService extends Construct {
  private static readonly patchable: Patchable<IncrementalRayService> = {
    objects: ({ apiObjects }) => apiObjects,
    plan: (construct, patched) =>
      construct.staged ? patched.map((object) => construct.planOf([object])) : construct.planOf(construct.apiObjects),
  };

  /** Emitted objects, in order, for patches and dependencies. With `stage: 'all'`, the objects of every stage. */
  public readonly apiObjects: readonly ApiObject[];
  /** Simulation of the upgrade, by row. Null if the upgrade is rejected. */
  public readonly simulation: RayServiceSimulation | null;
  /** Steps for Git, one for each row of the simulation. Empty if the operator drives the upgrade. */
  public readonly stages: readonly UpgradeStage[];
  /** Findings about the intent, by prop. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kuberay: IncrementalRayServiceProps['kuberay'];
  private readonly startupSeconds: IncrementalRayServiceProps['startupSeconds'];
  private readonly staged?: StagedUpgrade;
  private readonly origins: readonly GoalOrigin[];

  /**
   * Resolves the upgrade and adds the objects for the operator, or those of the stages, to the app.
   *
   * @param id of the construct. Unless `metadata.name` is given, also the name of the RayService, or of the Gateway and the HTTPRoute for
   * Git.
   */
  public constructor(scope: Construct, id: string, input: IncrementalRayServiceProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, selectUpgradeShape);
    this.kuberay = props?.kuberay;
    this.startupSeconds = props?.startupSeconds;
    const stage = props?.ownership === 'gitops' ? (props.stage ?? 'all') : 'all';
    const resolved = tryCreate(
      this,
      () => undefined,
      () => props && resolveInChart(this, id, props, stage),
    );
    const { objects, simulation, stages, findings, staged } = resolved ?? createUnresolvedUpgrade(id);
    this.staged = staged;
    this.stages = stages;
    this.simulation = simulation;
    this.findings = findings;
    this.apiObjects = staged && stage === 'all' ? this.emitStageCharts() : this.emit(this, objects);
    if (!staged) failSynthOnOperatorNameConflict(this, this.apiObjects.at(-1)!);
    this.origins = resolved?.origin && !staged ? [resolved.origin] : [];
    recordContext(
      this,
      { versions: { kuberay: this.kuberay } },
      {
        goals: () => this.locateOrigins(),
        findings: () => (resolved ? [...findPodErrorsOf(this, this.apiObjects), ...this.locateSameService()] : []),
      },
    );
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings);
    failSynthOnInvalidMetadata(this, this.apiObjects, this.findings);
    failSynthOnPatchErrors(this, this.findings, IncrementalRayService.patchable);
  }

  /**
   * Planned rollout of the next change of the RayService, patches included.
   *
   * Empty for Git: the operator rolls out nothing then, and the stages are in `simulation`.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return this.staged ? [] : this.planOf(this.apiObjects).rollouts;
  }

  private planOf(apiObjects: readonly ApiObject[]): PlanDocument {
    const objects = apiObjects.map((object): unknown => object.toJson());
    const { kuberay, startupSeconds } = this;
    const plan = () => mergeGoalOrigins(planRayObjects(objects, { kuberay, startupSeconds }), this.locateOrigins());
    return planConstruct(this, plan);
  }

  /** Finds what the plan of the objects cannot know: that the stages upgrade to the same service. */
  private locateSameService(): readonly Finding[] {
    const [route] = this.apiObjects.filter(({ kind }) => kind === 'HTTPRoute');
    const found = this.findings.filter(({ code, path }) => code === noUpgrade.code && path === 'next');
    return route ? locateFindings(this, route, found) : [];
  }

  private locateOrigins(): readonly ObjectGoalOrigin[] {
    return this.origins.length === 0 ? [] : locateGoalOrigins(this.apiObjects.at(-1)!.toJson() as Manifest, this.origins);
  }

  /**
   * Writes every stage into a folder, `stages/00` and so on, one file per object. `writeStages('stages')` writes `stages/00` too. It also writes a README.md with
   * the effect of each stage, its peak, and how to roll back. Files of an earlier run are replaced.
   *
   * The files contain what cdk8s would synthesize, without patches on `apiObjects`.
   *
   * @param folder for the README and `stages`, or the folder `stages` itself. Created if it does not exist.
   * @throws Error if the operator drives the upgrade; for a rejected upgrade, with all errors of the synth
   */
  public writeStages(folder: string): void {
    if (isRejectedConstruct(this) || (this.staged && this.stages.length === 0)) throw createSynthError(this);
    writeLocated(this, folder, () => {
      if (!this.staged) throw new Error("has no stages to write; set ownership: 'gitops'");
      writeStages(folder, this, this.stages, formatStagesReadme(this.staged));
    });
  }

  private emit(scope: Construct, objects: readonly Manifest[]): ApiObject[] {
    return objects.map((object) => {
      const id = object.kind === 'RayService' && !this.staged ? 'Resource' : `${object.kind}-${object.metadata!.name}`;
      const apiObject = new ApiObject(scope, id, object);
      // A GatewayClass is cluster-scoped, and cdk8s gives it the chart's namespace.
      if (object.kind === 'GatewayClass' && apiObject.metadata.namespace) apiObject.addJsonPatch(JsonPatch.remove('/metadata/namespace'));
      return apiObject;
    });
  }

  private emitStageCharts(): ApiObject[] {
    const { labels, namespace } = Chart.of(this);
    return this.stages.flatMap(({ folder, objects }) => {
      const name = `${this.node.path}-${folder}`.replaceAll('/', '-').replace('-stages-', '-stage-');
      const chart = new Chart(this.node.root, name, { labels, namespace });
      markStandalone(chart);
      return this.emit(chart, objects);
    });
  }
}

/** Resolves an upgrade in a chart, with the chart's namespace as the default. */
function resolveInChart(scope: Construct, id: string, props: IncrementalRayServiceProps, stage: number | 'all'): ResolvedUpgrade {
  requireOwnership(props);
  const metadata = { ...props.metadata, namespace: props.metadata?.namespace ?? Chart.of(scope).namespace };
  return resolveUpgrade(id, { ...withPlainClusters(props), metadata }, stage, () => listSurroundings(scope), true);
}

/** Returns the props with every cluster as plain data. */
function withPlainClusters(props: IncrementalRayServiceProps): OperatorUpgradeProps | StagedUpgradeProps {
  if (props.ownership !== 'gitops') return withPlainCluster(props);
  const { stage: _stage, current, next, ...rest } = props;
  return { ...rest, current: withPlainCluster(current), next: withPlainCluster(next) };
}

function withPlainCluster<P extends { readonly rayCluster: RayClusterProps }>(props: P) {
  return { ...props, rayCluster: toPlainRayCluster(props.rayCluster) };
}
