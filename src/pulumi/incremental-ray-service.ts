import * as pulumi from '@pulumi/pulumi';
import { describeValue } from '../core/text/display-value';
import { findPodWarnings } from '../props/pod-errors';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import { planRayObjects, resolveUpgrade, selectUpgradeShape } from '../props/ray-service';
import type { OperatorUpgradeProps, StagedUpgradeProps } from '../systems/kuberay/upgrade-props';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { recordStages } from './stage-jumps';
import { stackMemory } from './stack-memory';
import { withSurroundings } from './surroundings';
import type { SurroundingsArgs } from './surroundings';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** An upgrade that the KubeRay operator drives. */
export type OperatorRayServiceArgs = WithInputs<OperatorUpgradeProps & SurroundingsArgs>;

/** Stage of an upgrade by Git in a stack. */
export interface StackStage {
  /**
   * Stage to update the stack to, from 0, the state before the upgrade. Raise it by one for each update, once the pods of the last one are ready.
   * To roll back, lower it by one for each update: an update that skips stages moves traffic to capacity that is only requested.
   *
   * @default 0
   */
  readonly stage?: number;
}

/** An upgrade by Git. The stack has one stage at a time. */
export type GitOpsRayServiceArgs = WithInputs<StagedUpgradeProps & StackStage & SurroundingsArgs>;

/** Arguments of an `IncrementalRayService`. */
export type IncrementalRayServiceArgs = OperatorRayServiceArgs | GitOpsRayServiceArgs;

/**
 * A RayService whose clusters are upgraded step by step. This is the Pulumi version of the cdk8s construct.
 *
 * With `ownership: 'operator'`, the KubeRay operator drives the upgrade and owns the Gateway and the HTTPRoute.
 * With `ownership: 'gitops'`, the stack has the objects of one `stage`: both RayServices,
 * the Gateway, and the HTTPRoute with the weights of that stage. A GatewayClass is created before the objects that use it,
 * and the HTTPRoute after the RayServices, so that traffic moves to capacity that was requested.
 *
 * Props that KubeRay would refuse, or that would stall forever, fail the preview. Warnings are logged to the component.
 *
 * @see KubeRay guide, "RayService Zero-Downtime Incremental Upgrades"
 *
 * @example
 * new IncrementalRayService('llm', {
 *   upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 60 },
 *   serveConfig: { applications: [{ name: 'my_app', import_path: 'my_model:app' }] },
 *   rayCluster: { headGroupSpec: { template: head }, workerGroupSpecs: [workers] },
 * });
 */
export class IncrementalRayService extends RolloutComponent {
  /** Plan with each step of capacity and traffic. It has no rollouts if Git drives the upgrade. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** Registered objects, in order, for use in `dependsOn`. */
  public readonly objects: readonly pulumi.Resource[];
  /** Simulation of the upgrade, by row. */
  public readonly simulation: pulumi.Output<RayServiceSimulation | null>;
  /** Number of stages of the upgrade. 0 if the operator drives it. */
  public readonly stageCount: number;
  /** Findings about the intent, by prop. */
  public readonly findings: readonly Finding[];

  /**
   * Resolves the upgrade and registers the objects for the operator, or those of one stage.
   *
   * @param name of the component. Unless `metadata.name` is given, also of the RayService, or of the Gateway and the HTTPRoute for Git.
   * @throws RunError if the intent would be refused or stall (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: IncrementalRayServiceArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { objects, isStaged, simulation, stages, findings, plan, loggedFindings } = prepareComponent(
      'IncrementalRayService',
      name,
      (component) => resolveArgs(component, name, args),
    );
    super('IncrementalRayService', name, opts, loggedFindings);
    this.findings = findings;
    this.stageCount = stages.length;
    this.plan = pulumi.output(plan);
    this.simulation = pulumi.output(simulation);

    const registered: pulumi.Resource[] = [];
    for (const object of objects) {
      const childName = object.kind === 'RayService' && !isStaged ? name : `${name}-${object.kind.toLowerCase()}-${object.metadata!.name}`;
      registered.push(registerObject(childName, object, { parent: this, dependsOn: findDependencies(object, objects, registered) }));
    }
    this.objects = registered;
    this.registerOutputs({ plan, simulation });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: IncrementalRayServiceArgs) {
  const selectShape = (input: unknown) => withSurroundings(selectUpgradeShape(input));
  const { props: read, restore } = component.readProps<(OperatorUpgradeProps | (StagedUpgradeProps & StackStage)) & SurroundingsArgs>(
    args,
    selectShape,
  );
  const { surroundings = [], ...props } = read;
  const isStaged = props.ownership === 'gitops';
  const stage = props.ownership === 'gitops' ? (props.stage ?? 0) : 'all';
  if (isStaged && typeof stage !== 'number') throw component.createError([formatStageError(stage)]);
  const resolved = component.runWithTitle(() => resolveUpgrade(name, props, stage, () => surroundings, false));
  const { objects, simulation, stages, findings, origin } = resolved;
  // If Git drives the upgrade, the operator rolls out nothing.
  stackMemory().remember({ versions: { kuberay: props.kuberay } });
  if (stage !== 'all') recordStages(stages, stage);
  const planned = planRayObjects(isStaged ? [] : [...objects, ...surroundings], props);
  const origins = origin && !isStaged ? locateGoalOrigins(objects.at(-1)!, [origin]) : [];
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planned, origins));
  return {
    objects: restore(objects),
    isStaged,
    simulation,
    stages,
    findings,
    plan,
    loggedFindings: [...component.collectFindings(findings, plan, undefined, objects), ...findPodWarnings(objects)],
  };
}

/** Describes a stage that is no number. A stack contains one stage, and a value of the config is a text. */
function formatStageError(stage: unknown): string {
  return `stage is ${describeValue(stage)}, and a stack contains one stage: write its number, such as config.getNumber('stage') ?? 0`;
}

/** Kinds that must exist before objects of a kind. */
const REQUIRED_KINDS: Readonly<Record<string, readonly string[]>> = {
  Gateway: ['GatewayClass'],
  RayService: ['GatewayClass'],
  HTTPRoute: ['Gateway', 'RayService'],
};

/** Finds the resources registered so far that an object uses. */
function findDependencies(object: Manifest, objects: readonly Manifest[], registered: readonly pulumi.Resource[]): pulumi.Resource[] {
  return registered.filter((_, index) => REQUIRED_KINDS[object.kind]?.includes(objects[index]!.kind));
}
