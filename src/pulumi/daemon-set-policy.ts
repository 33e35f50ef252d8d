import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import type { SchemasFor } from '../core/schema';
import { planManifests } from '../plan/plan';
import { parseDaemonPolicy, getPolicySchema } from '../props/policy';
import type { PropsShape } from '../props/validate-props';
import { buildDaemonPolicy, validateWorkloadPolicy } from '../workloads/policies';
import type { DaemonSetPolicyProps } from '../workloads/policies';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { mapFindingsToArgs, applyPolicyToWorkloads, createPolicyTransform, validateWorkloads, WORKLOAD_PROPS } from './policy-transform';
import type { PolicyTargets } from './policy-transform';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of a `DaemonSetPolicy`. */
export type DaemonSetPolicyArgs = {
  /** How the DaemonSets are updated: one of the limits, or by hand. */
  readonly policy: DaemonSetPolicyProps;
} & WithInputs<PolicyTargets>;

const SHAPE: PropsShape = {
  maps: { policy: 'required' },
  props: { policy: getPolicySchema('daemonSet'), ...WORKLOAD_PROPS } satisfies SchemasFor<DaemonSetPolicyArgs>,
};

/**
 * How DaemonSets are updated, set in one place: DaemonSets made with the policy's update strategy and, if given, revision history.
 *
 * It writes one of the two limits, and 0 for the other: the API server refuses both, and `maxSurge` alone too.
 * For DaemonSets that a program makes by itself, `DaemonSetPolicy.transform` writes the same fields into every one of a component
 * or a stack. What the API server would refuse fails the preview. Warnings go to Pulumi's log with the component.
 *
 * @example
 * new DaemonSetPolicy('agents', {
 *   policy: { maxUnavailable: '10%' },
 *   workloads: [{ metadata: { name: 'agent' }, spec: { selector, template } }],
 * });
 */
export class DaemonSetPolicy extends RolloutComponent {
  /**
   * The policy as a transform, for `transforms` of a component or `pulumi.runtime.registerResourceTransform`: it writes into every DaemonSet
   * that is registered from then on.
   *
   * @throws Error for values that the API server would refuse, and for props that there are not
   */
  public static transform(policy: DaemonSetPolicyProps): pulumi.ResourceTransform {
    return createPolicyTransform(parseDaemonPolicy(policy));
  }

  /** Waves of nodes in which each DaemonSet gets its new pods, on the nodes among `surroundings`. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The DaemonSets, in the order of the args. */
  public readonly workloads: readonly pulumi.Resource[];
  /** What is wrong with the policy, on each DaemonSet. */
  public readonly findings: readonly Finding[];

  /**
   * Plans the DaemonSets with the policy in them, and registers them unless an error speaks against it.
   *
   * @throws RunError for a policy or DaemonSet that would be refused, with every reason; for an Output in a structural prop, by name
   */
  public constructor(name: string, args: DaemonSetPolicyArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { workloads, findings, plan, loggedFindings } = prepareComponent('DaemonSetPolicy', name, (component) =>
      resolveArgs(component, args),
    );
    super('DaemonSetPolicy', name, opts, loggedFindings);
    this.findings = findings;
    this.plan = pulumi.output(plan);
    this.workloads = workloads.map((manifest) => registerObject(`${name}-${manifest.metadata.name}`, manifest, { parent: this }));
    this.registerOutputs({ plan });
  }
}

/** All that a policy registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, args: DaemonSetPolicyArgs) {
  const { props, restore } = component.readProps<{ readonly policy: DaemonSetPolicyProps } & PolicyTargets>(args, SHAPE);
  const { workloads, surroundings = [] } = props;
  const unusable = validateWorkloads(workloads);
  if (unusable.length > 0) throw component.createError(unusable);
  const policy = buildDaemonPolicy(props.policy);
  const manifests = applyPolicyToWorkloads(policy, workloads);
  const findings = manifests.flatMap((manifest) => validateWorkloadPolicy(policy, manifest));
  const plan = formatOutputPlaceholders(planManifests([...manifests, ...surroundings]));
  return {
    workloads: restore(manifests),
    findings,
    plan,
    loggedFindings: component.collectFindings([], mapFindingsToArgs(plan, policy, 'policy', workloads)),
  };
}
