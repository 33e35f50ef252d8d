import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { SchemasOf } from '../core/schema';
import { planManifests } from '../plan/plan';
import { checkedStatefulPolicy, checkedStatelessPolicy, policySchema } from '../props/policy';
import { readBy } from '../input/given-value';
import { misshapenProps } from '../props/usable-props';
import type { PropsShape } from '../props/usable-props';
import { policyFindings, statefulPolicy, statelessPolicy } from '../workloads/policies';
import type { StatefulPolicy, StatefulPolicyProps, StatelessPolicy, StatelessPolicyProps } from '../workloads/policies';
import { registerObject } from './children';
import { shown } from './leaf-strings';
import type { WithInputs } from './leaf-strings';
import { atArgs, changesToIgnore, policedManifests, policyTransform, unusableWorkloads, WORKLOAD_PROPS } from './policed-workloads';
import type { PolicedWorkloads } from './policed-workloads';
import { RolloutComponent } from './rollout-component';
import { prepared } from './unregistered';
import type { Unregistered } from './unregistered';

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

const MAPS = { stateless: 'optional', stateful: 'optional' } as const;

const SHAPE: PropsShape = {
  maps: MAPS,
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
  public static transform(given: PolicyChoice): pulumi.ResourceTransform {
    const choice = readBy('DeploymentPolicy.transform', given);
    const unusable = [...misshapenProps(choice, MAPS), ...unusableChoice(choice)];
    if (unusable.length > 0) throw new Error(unusable.map((line) => `DeploymentPolicy.transform: ${line}`).join('\n'));
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
   * @throws RunError for a policy or workload that would be refused, with every reason; for an Output in a structural prop, by name
   */
  public constructor(name: string, args: DeploymentPolicyArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { workloads, ignoredOf, findings, plan, said } = prepared('DeploymentPolicy', name, (component) => settled(component, args));
    super('DeploymentPolicy', name, opts, said);
    this.findings = findings;
    this.plan = pulumi.output(plan);
    this.workloads = workloads.map((manifest) => {
      return registerObject(`${name}-${manifest.metadata.name}`, manifest, { parent: this, ignoreChanges: ignoredOf(manifest) });
    });
    this.registerOutputs({ plan });
  }
}

/** A choice of neither, which JavaScript can give. */
function unusableChoice(choice: unknown): string[] {
  if (!isFields(choice) || choice.stateless !== undefined || choice.stateful !== undefined) return [];
  return ['neither stateless nor stateful is given; write one of them'];
}

function policyOf(choice: PolicyChoice): StatelessPolicy | StatefulPolicy {
  return choice.stateless ? statelessPolicy(choice.stateless) : statefulPolicy(choice.stateful);
}

/** All that a policy registers, as long as nothing speaks against it. */
function settled(component: Unregistered, args: DeploymentPolicyArgs) {
  const { props, restore } = component.plainProps<PolicyChoice & PolicedWorkloads>(args, SHAPE);
  const { workloads, surroundings = [] } = props;
  const unusable = [...unusableChoice(props), ...unusableWorkloads(workloads)];
  if (unusable.length > 0) throw component.refusal(unusable);
  const policy = policyOf(props);
  const manifests = policedManifests(policy, workloads);
  const findings = manifests.flatMap((manifest) => policyFindings(policy, manifest));
  const plan = shown(planManifests([...manifests, ...surroundings]));
  return {
    workloads: restore(manifests),
    ignoredOf: changesToIgnore(surroundings),
    findings,
    plan,
    said: component.said([], atArgs(plan, policy, props.stateless ? 'stateless' : 'stateful', workloads)),
  };
}
