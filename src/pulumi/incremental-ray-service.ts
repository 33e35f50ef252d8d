import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import { planRayObjects, resolveUpgrade, selectUpgradeShape } from '../props/ray-service';
import type { OperatorUpgradeProps, StagedUpgradeProps } from '../systems/kuberay/types';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** An upgrade that the KubeRay operator drives. */
export type OperatorRayServiceArgs = WithInputs<OperatorUpgradeProps>;

/** Which stage of an upgrade by Git a stack holds. */
export interface StackStage {
  /**
   * The stage that the stack is brought to, from 0, which is the state before the upgrade. Raise it by one and update;
   * go back by giving an earlier one.
   *
   * @default 0
   */
  readonly stage?: number;
}

/** An upgrade by Git, of which a stack holds one stage at a time. */
export type GitOpsRayServiceArgs = WithInputs<StagedUpgradeProps & StackStage>;

/** Arguments of an `IncrementalRayService`. */
export type IncrementalRayServiceArgs = OperatorRayServiceArgs | GitOpsRayServiceArgs;

/**
 * A RayService whose clusters are upgraded step by step: the cdk8s construct of that name, as a Pulumi component.
 *
 * With `ownership: 'operator'` the KubeRay operator drives the upgrade; the Gateway and the HTTPRoute are its own.
 * With `ownership: 'gitops'` the stack holds the objects of one `stage`: both RayServices,
 * the Gateway and the HTTPRoute with that stage's weights. A GatewayClass is made before its users,
 * and the HTTPRoute after the RayServices, so that traffic moves to capacity that was asked for.
 *
 * What KubeRay would refuse, or what would stall for ever, fails the preview. Warnings go to Pulumi's log with the component.
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
  /** Each step of capacity and traffic that the operator takes; without rollouts where Git drives the upgrade. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** What is registered, in order, for dependencies. */
  public readonly objects: readonly pulumi.Resource[];
  /** What the upgrade will do, row by row. */
  public readonly simulation: pulumi.Output<RayServiceSimulation | null>;
  /** How many stages the upgrade has; 0 where the operator drives. */
  public readonly stageCount: number;
  /** What the intent means, by prop. */
  public readonly findings: readonly Finding[];

  /**
   * Settles the upgrade, and registers the objects of the operator, or of one stage.
   *
   * @param name of the component, and unless `metadata.name` is given of the RayService, or of the Gateway and the HTTPRoute for Git
   * @throws RunError for an intent that would be refused or stall, with every reason; for an Output in a structural prop, by its name
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

/** All that an upgrade registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, name: string, args: IncrementalRayServiceArgs) {
  const { props, restore } = component.readProps<OperatorUpgradeProps | (StagedUpgradeProps & StackStage)>(args, selectUpgradeShape);
  const isStaged = props.ownership === 'gitops';
  const { objects, simulation, stages, findings } = resolveUpgrade(name, props, isStaged ? (props.stage ?? 0) : 'all');
  // Where Git drives, the operator rolls out nothing.
  const plan = formatOutputPlaceholders(planRayObjects(isStaged ? [] : objects, props));
  return {
    objects: restore(objects),
    isStaged,
    simulation,
    stages,
    findings,
    plan,
    loggedFindings: component.collectFindings(findings, plan),
  };
}

/** Which kinds an object needs to be there first. */
const REQUIRED_KINDS: Readonly<Record<string, readonly string[]>> = {
  Gateway: ['GatewayClass'],
  RayService: ['GatewayClass'],
  HTTPRoute: ['Gateway', 'RayService'],
};

/** The resources among those registered so far that an object uses. */
function findDependencies(object: Manifest, objects: readonly Manifest[], registered: readonly pulumi.Resource[]): pulumi.Resource[] {
  return registered.filter((_, index) => REQUIRED_KINDS[object.kind]?.includes(objects[index]!.kind));
}
