import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { fieldPath } from '../core/field-path';
import { valueAt } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import { OPERATOR_SHAPE, operatorPlaces, planOperatorResource, settledOperatorResource } from '../props/operator-rollout';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { registerObject, skippingAwait } from './children';
import { shown } from './leaf-strings';
import type { UnreadProps, WithInputs } from './leaf-strings';
import { RolloutComponent } from './rollout-component';
import { prepared } from './unregistered';
import type { Unregistered } from './unregistered';

/** Of the resource nothing is read but what leads to a strategy, and the strategies and replicas in it. */
const isUnread: UnreadProps = ([prop, ...parts], props) => {
  const mountPath = valueAt(props, 'mountPath') ?? 'spec.strategy';
  const path = fieldPath(...parts);
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
    const { manifest, plan, said } = prepared('OperatorRollingUpdate', name, (component) => settled(component, name, args));
    super('OperatorRollingUpdate', name, opts, said);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, skippingAwait(manifest), { parent: this });
    this.registerOutputs({ plan });
  }
}

/** All that a resource registers, as long as nothing speaks against it. */
function settled(component: Unregistered, name: string, args: OperatorRollingUpdateArgs) {
  const { props, restore } = component.plainProps<OperatorRollingUpdateProps>(args, OPERATOR_SHAPE, isUnread);
  const { manifest, mountPath, malformed } = component.settled(() => settledOperatorResource(name, props));
  component.said(malformed, { findings: [], rollouts: [] });
  const plan = shown(planOperatorResource(manifest, mountPath));
  return { manifest: restore(manifest), plan, said: component.said([], plan, operatorPlaces(mountPath, props.strategy)) };
}
