import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import { buildFieldPath } from '../core/manifest/field-path';
import { getValueAt } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import { OPERATOR_SHAPE, buildOperatorPropPaths, planOperatorResource, resolveOperatorResource } from '../props/operator-rollout';
import type { OperatorRollingUpdateProps } from '../systems/operator-resource/manifests';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import { registerObject, addSkipAwait } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { UnreadProps, WithInputs } from './opaque-outputs';
import { withSurroundings } from './surroundings';
import type { SurroundingsArgs } from './surroundings';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Reports whether a field of the resource is not read: it is not on the path to a strategy, in a strategy, or a number of replicas. */
const isUnreadProp: UnreadProps = ([prop, ...parts], props) => {
  const mountPath = getValueAt(props, 'mountPath') ?? 'spec.strategy';
  const path = buildFieldPath(...parts);
  if (prop !== 'resource' || parts[0] !== 'spec' || parts.length < 2 || typeof mountPath !== 'string') return false;
  const leadsThere = mountPath === path || mountPath.startsWith(`${path}.`) || mountPath.startsWith(`${path}[`);
  return !leadsThere && !path.startsWith(`${mountPath}.`) && !parts.includes('strategy') && parts.at(-1) !== 'replicas';
};

/** Arguments of an `OperatorRollingUpdate`. */
export type OperatorRollingUpdateArgs = WithInputs<OperatorRollingUpdateProps & SurroundingsArgs>;

/**
 * An operator's custom resource, such as IBM BAW's, whose rollout is declared as an intent.
 * This is the Pulumi version of the cdk8s construct.
 *
 * A strategy that the API server would refuse in the operator's Deployments fails the preview. Pulumi does not wait for the resource,
 * because the status of a ready resource is not documented. Set the annotation `pulumi.com/skipAwait: 'false'`
 * if yours has a Ready condition.
 *
 * @see IBM BAW 25.0.1, "Applying a rolling update strategy"
 *
 * @example
 * new OperatorRollingUpdate('baw', { replicas: 5, strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' } });
 */
export class OperatorRollingUpdate extends RolloutComponent {
  /** Plan of the operator's Deployments, if the resource has their number of pods. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The custom resource, for use in `dependsOn`. */
  public readonly resource: pulumi.Resource;
  /** Findings about the props and about the rollout that they lead to. */
  public readonly findings: readonly Finding[];

  /**
   * Writes the strategy into the resource and registers it.
   *
   * @param name of the component, and of the resource unless its `metadata.name` is given
   * @throws MountPathError for a mount path that is not a field below `spec`, that the resource does not have, or that is not a strategy
   * @throws Error for a resource whose apiVersion, kind or metadata has another type
   * @throws RunError if the strategy would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
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

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: OperatorRollingUpdateArgs) {
  const shape = withSurroundings(OPERATOR_SHAPE);
  const { props: read, restore } = component.readProps<OperatorRollingUpdateProps & SurroundingsArgs>(args, shape, isUnreadProp);
  const { surroundings = [], ...props } = read;
  const { manifest, mountPath, malformed, origins } = component.runWithTitle(() =>
    resolveOperatorResource(name, props, () => surroundings),
  );
  component.collectFindings(malformed, { findings: [], rollouts: [] });
  const planned = planOperatorResource([manifest, ...surroundings], mountPath);
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planned, locateGoalOrigins(manifest, origins)));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: component.collectFindings([], plan, buildOperatorPropPaths(mountPath, props.strategy), [manifest]),
  };
}
