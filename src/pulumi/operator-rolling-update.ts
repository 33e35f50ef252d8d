import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { buildFieldPath } from '../core/field-path';
import { getValueAt } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { OPERATOR_SHAPE, buildOperatorPropPaths, planOperatorResource, resolveOperatorResource } from '../props/operator-rollout';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { registerObject, addSkipAwait } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { UnreadProps, WithInputs } from './opaque-outputs';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Of the resource nothing is read but what leads to a strategy, and the strategies and replicas in it. */
const isUnreadProp: UnreadProps = ([prop, ...parts], props) => {
  const mountPath = getValueAt(props, 'mountPath') ?? 'spec.strategy';
  const path = buildFieldPath(...parts);
  if (prop !== 'resource' || parts[0] !== 'spec' || parts.length < 2 || typeof mountPath !== 'string') return false;
  const leadsThere = mountPath === path || mountPath.startsWith(`${path}.`) || mountPath.startsWith(`${path}[`);
  return !leadsThere && !path.startsWith(`${mountPath}.`) && !parts.includes('strategy') && parts.at(-1) !== 'replicas';
};

/** Arguments of an `OperatorRollingUpdate`. */
export type OperatorRollingUpdateArgs = WithInputs<OperatorRollingUpdateProps>;

/**
 * An operator's custom resource, such as IBM BAW's, whose rollout is stated as intent:
 * the cdk8s construct of that name, as a Pulumi component.
 *
 * What the API server would refuse in the operator's Deployments fails the preview. Pulumi does not wait for the resource,
 * since what its status says when it is ready is not published; give the annotation `pulumi.com/skipAwait: 'false'`
 * where yours has a Ready condition.
 *
 * @see IBM BAW 25.0.1, "Applying a rolling update strategy"
 *
 * @example
 * new OperatorRollingUpdate('baw', { replicas: 5, strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } });
 */
export class OperatorRollingUpdate extends RolloutComponent {
  /** How the operator's Deployments replace their pods, as far as the resource says how many there are. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The custom resource, for dependencies. */
  public readonly resource: pulumi.Resource;
  /** What is wrong with the intent, and what it means. */
  public readonly findings: readonly Finding[];

  /**
   * Writes the strategy into the resource, and registers that.
   *
   * @param name of the component, and of the resource unless its `metadata.name` is given
   * @throws MountPathError for a mount path that is no field below `spec`, leads nowhere in the resource, or to what is no strategy
   * @throws Error for a resource whose apiVersion, kind or metadata has another type
   * @throws RunError for a strategy that would be refused, with every reason; for an Output in a structural prop, by its name
   */
  public constructor(name: string, args: OperatorRollingUpdateArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, plan, loggedFindings } = prepareComponent('OperatorRollingUpdate', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('OperatorRollingUpdate', name, opts, loggedFindings);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, addSkipAwait(manifest), { parent: this });
    this.registerOutputs({ plan });
  }
}

/** All that a resource registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, name: string, args: OperatorRollingUpdateArgs) {
  const { props, restore } = component.readProps<OperatorRollingUpdateProps>(args, OPERATOR_SHAPE, isUnreadProp);
  const { manifest, mountPath, malformed } = component.runWithTitle(() => resolveOperatorResource(name, props));
  component.collectFindings(malformed, { findings: [], rollouts: [] });
  const plan = formatOutputPlaceholders(planOperatorResource(manifest, mountPath));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: component.collectFindings([], plan, buildOperatorPropPaths(mountPath, props.strategy)),
  };
}
