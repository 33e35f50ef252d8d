import { ApiObject, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import { planRayObjects, resolveUpgrade, createUnresolvedUpgrade, selectUpgradeShape } from '../props/ray-service';
import type { ResolvedUpgrade } from '../props/ray-service';
import { formatStagesReadme } from '../systems/kuberay/stages-readme';
import type { StagedUpgrade, UpgradeStage } from '../systems/kuberay/stages';
import type { OperatorUpgradeProps, StagedServiceProps, StagedUpgradeProps } from '../systems/kuberay/types';
import { failSynthOnDuplicates, failSynthOnOperatorNameConflict, markStandalone } from './name-conflicts';
import { isRejectedConstruct, tryCreate, planConstruct, validateConstructProps } from './validate-props';
import { toPlainRayCluster } from './ray-cluster-props';
import type { RayClusterProps } from './ray-cluster-props';
import { writeStages } from './stage-files';
import { createSynthError, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';
import type { Patchable } from './synth-errors';

/** An upgrade that the KubeRay operator drives. */
export interface OperatorRayServiceProps extends Omit<OperatorUpgradeProps, 'rayCluster'> {
  /** The in-tree autoscaler is turned on, since an incremental upgrade needs it. */
  readonly rayCluster: RayClusterProps;
}

/** One of the two services of an upgrade by Git. */
export interface StagedRayServiceProps extends Omit<StagedServiceProps, 'rayCluster'> {
  /** The in-tree autoscaler is turned on and `replicas` left out, so that pods follow the capacity of the stage. */
  readonly rayCluster: RayClusterProps;
}

/** The same upgrade as reviewed, revertible steps in Git. */
export interface GitOpsRayServiceProps extends Omit<StagedUpgradeProps, 'current' | 'next'> {
  /** The service that runs. */
  readonly current: StagedRayServiceProps;
  /** The service that takes over. */
  readonly next: StagedRayServiceProps;
  /**
   * The stage to emit into the chart, from 0; or `all`: each stage as a chart of its own, `<path of the construct>-stage-00` and so on,
   * in the app. `writeStages` writes all of them as folders, whichever is emitted.
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
 * The Gateway `<name>-gateway` and the HTTPRoute `<name>-httproute` are the operator's:
 * they are in `simulation.previews`, and another object of the app with one of these names fails the synth.
 * `ownership: 'gitops'` emits the same upgrade as plain manifests, one complete set a stage,
 * for clusters without the feature gate and for teams that want each step reviewed and revertible.
 *
 * What KubeRay would refuse, or what would stall for ever, fails the synth, which then lists every such error and writes nothing.
 * (kubectl shows none of it: KubeRay's webhook looks at metadata alone.) Warnings are for the plan:
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

  /** What is emitted, in order, for patches and dependencies; of `stage: 'all'`, the objects of every stage. */
  public readonly apiObjects: readonly ApiObject[];
  /** What the upgrade will do, row by row; null when it is refused. */
  public readonly simulation: RayServiceSimulation | null;
  /** The steps for Git, one for each row of the simulation; none where the operator drives. */
  public readonly stages: readonly UpgradeStage[];
  /** What is wrong with the intent, by prop. Errors among it fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kuberay: IncrementalRayServiceProps['kuberay'];
  private readonly startupSeconds: IncrementalRayServiceProps['startupSeconds'];
  private readonly staged?: StagedUpgrade;

  /**
   * Settles the upgrade, and adds the objects of the operator, or of one stage, to the chart.
   *
   * @param id of the construct, and the name unless `metadata.name` is given: of the RayService, or of the Gateway and the HTTPRoute for
   * Git
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
      () => props && resolveInChart(Chart.of(this), id, props, stage),
    );
    const { objects, simulation, stages, findings, staged } = resolved ?? createUnresolvedUpgrade(id);
    this.staged = staged;
    this.stages = stages;
    this.simulation = simulation;
    this.findings = findings;
    this.apiObjects = staged && stage === 'all' ? this.emitStageCharts() : this.emit(this, objects);
    if (!staged) failSynthOnOperatorNameConflict(this, this.apiObjects.at(-1)!);
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings);
    failSynthOnPatchErrors(this, this.findings, IncrementalRayService.patchable);
  }

  /**
   * How the next change of the RayService will roll out, patches included: the plan document's rollout.
   *
   * None for Git: there the operator rolls out nothing, and the stages are `simulation`.
   */
  public get rollouts(): readonly PlannedRollout[] {
    return this.staged ? [] : this.planOf(this.apiObjects).rollouts;
  }

  private planOf(apiObjects: readonly ApiObject[]): PlanDocument {
    const objects = apiObjects.map((object): unknown => object.toJson());
    const { kuberay, startupSeconds } = this;
    return planConstruct(this, () => planRayObjects(objects, { kuberay, startupSeconds }));
  }

  /**
   * Writes every stage into a folder of its own, `stages/00` and so on, one file an object,
   * and beside them a README.md that says what each does, what it takes at its peak, and how to go back.
   * What was written there before by another run is replaced.
   *
   * The files hold what cdk8s would synthesize; patches on `apiObjects` are not in them.
   *
   * @param folder that the README and `stages` come to stand in; made if it is not there
   * @throws Error where the operator drives the upgrade; where it is refused, with all that the synth would fail with
   */
  public writeStages(folder: string): void {
    if (isRejectedConstruct(this) || (this.staged && this.stages.length === 0)) throw createSynthError(this);
    if (!this.staged) throw new Error(`[${this.node.path}] has no stages to write: write ownership: 'gitops'.`);
    writeStages(folder, this, this.stages, formatStagesReadme(this.staged));
  }

  private emit(scope: Construct, objects: readonly Manifest[]): ApiObject[] {
    return objects.map((object) => {
      const id = object.kind === 'RayService' && !this.staged ? 'Resource' : `${object.kind}-${object.metadata!.name}`;
      const apiObject = new ApiObject(scope, id, object);
      // A GatewayClass belongs to no namespace, and cdk8s gives it the chart's.
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

/** What the props make of an upgrade that stands in this chart. */
function resolveInChart(chart: Chart, id: string, props: IncrementalRayServiceProps, stage: number | 'all'): ResolvedUpgrade {
  const metadata = { ...props.metadata, namespace: props.metadata?.namespace ?? chart.namespace };
  return resolveUpgrade(id, { ...withPlainClusters(props), metadata }, stage);
}

/** The props with every cluster as plain data. */
function withPlainClusters(props: IncrementalRayServiceProps): OperatorUpgradeProps | StagedUpgradeProps {
  if (props.ownership !== 'gitops') return withPlainCluster(props);
  const { stage: _stage, current, next, ...rest } = props;
  return { ...rest, current: withPlainCluster(current), next: withPlainCluster(next) };
}

function withPlainCluster<P extends { readonly rayCluster: RayClusterProps }>(props: P) {
  return { ...props, rayCluster: toPlainRayCluster(props.rayCluster) };
}
