import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { SchemasOf } from '../core/schema';
import { planManifests } from '../plan/plan';
import { checkedStatefulPolicy, checkedStatelessPolicy, policySchema } from '../props/policy';
import type { PropsShape } from '../props/usable-props';
import { policyFindings, statefulPolicy, statelessPolicy } from '../workloads/policies';
import type { StatefulPolicy, StatefulPolicyProps, StatelessPolicy, StatelessPolicyProps } from '../workloads/policies';
import { registerObject } from './children';
import { shown } from './leaf-strings';
import type { WithInputs } from './leaf-strings';
import { changesToIgnore, policedManifests, policyTransform, WORKLOAD_PROPS } from './policed-workloads';
import type { PolicedWorkloads } from './policed-workloads';
import { RolloutComponent } from './rollout-component';

/** A policy for Deployments, or one for StatefulSets. */
export type PolicyChoice =
  | {
      /** How Deployments are updated. */
      readonly stateless: StatelessPolicyProps;
      readonly stateful?: never;
    }
  | {
      /** How StatefulSets are updated. */
      readonly stateful: StatefulPolicyProps;
      readonly stateless?: never;
    };

/** Arguments of a `DeploymentPolicy`. */
export type DeploymentPolicyArgs = PolicyChoice & WithInputs<PolicedWorkloads>;

const SHAPE: PropsShape = {
  maps: { stateless: 'optional', stateful: 'optional' },
  props: {
    stateless: policySchema('stateless'),
    stateful: policySchema('stateful'),
    ...WORKLOAD_PROPS,
  } satisfies SchemasOf<DeploymentPolicyArgs>,
};

/**
 * How workloads are updated, set in one place: Deployments or StatefulSets made with the policy's update strategy and, if given, revision history
 * and replicas.
 *
 * For workloads that a program makes by itself, `DeploymentPolicy.transform` writes the same fields into every one of a component
 * or a stack. What the API server would refuse fails the preview. Warnings go to Pulumi's log with the component.
 *
 * @see gopaddle guide, "Deployment Policy"
 *
 * @example
 * new DeploymentPolicy('shop', {
 *   stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 },
 *   workloads: [{ metadata: { name: 'web' }, spec: { replicas: 4, selector, template } }],
 * });
 */
export class DeploymentPolicy extends RolloutComponent {
  /**
   * The policy as a transform, for `transforms` of a component or `pulumi.runtime.registerResourceTransform`:
   * it writes into every Deployment, or every StatefulSet, that is registered from then on.
   *
   * @throws Error for values that the API server would refuse, and for props that there are not
   */
  public static transform(choice: PolicyChoice): pulumi.ResourceTransform {
    return policyTransform(choice.stateless ? checkedStatelessPolicy(choice.stateless) : checkedStatefulPolicy(choice.stateful));
  }

  /** Waves in which each workload replaces its pods, and what the policy leads to; always known at preview. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The workloads, in the order of the args. */
  public readonly workloads: readonly pulumi.Resource[];
  /** What is wrong with the policy, on each workload. */
  public readonly findings: readonly Finding[];

  /**
   * Plans the workloads with the policy in them, and registers them unless an error speaks against it.
   *
   * @throws ResourceError for a policy or workload that would be refused, with every reason; for an Output in a structural prop, by name
   */
  public constructor(name: string, args: DeploymentPolicyArgs, opts: pulumi.ComponentResourceOptions = {}) {
    super('DeploymentPolicy', name, opts);
    const { props, restore } = this.plainProps<PolicyChoice & PolicedWorkloads>(args, SHAPE);
    const { surroundings = [] } = props;
    const policy = policyOf(props);
    const manifests = policedManifests(policy, props.workloads);
    this.findings = manifests.flatMap((manifest) => policyFindings(policy, manifest));

    const plan = shown(planManifests([...manifests, ...surroundings]));
    this.report([], plan);
    this.plan = pulumi.output(plan);
    this.workloads = manifests.map((manifest) => {
      const ignoreChanges = changesToIgnore(manifest, surroundings);
      return registerObject(`${name}-${manifest.metadata.name}`, restore(manifest), { parent: this, ignoreChanges });
    });
    this.registerOutputs({ plan });
  }
}

function policyOf(choice: PolicyChoice): StatelessPolicy | StatefulPolicy {
  return choice.stateless ? statelessPolicy(choice.stateless) : statefulPolicy(choice.stateful);
}
