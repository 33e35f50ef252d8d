import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { SchemasFor } from '../core/values/schema';
import { planManifests } from '../plan/plan';
import { findMissingUpdate, parseDaemonPolicy, getPolicySchema } from '../props/policy';
import type { PropsShape } from '../props/validate-props';
import { buildDaemonPolicy, validateWorkloadPolicy } from '../workloads/policies';
import type { DaemonSetPolicyProps } from '../workloads/policies';
import { mergeGoalOrigins } from '../props/goal-origin';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import {
  assumeMatchingLabels,
  mapFindingsToArgs,
  applyPolicyToWorkloads,
  createPolicyPlanOptions,
  createPolicyTransform,
  validateWorkloads,
  WORKLOAD_PROPS,
} from './policy-transform';
import type { PolicyTargets } from './policy-transform';
import { RolloutComponent } from './rollout-component';
import { stackMemory } from './stack-memory';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of a `DaemonSetPolicy`. */
export type DaemonSetPolicyArgs = {
  /** Update policy of the DaemonSets: one of the limits, or OnDelete. */
  readonly policy: DaemonSetPolicyProps;
} & WithInputs<PolicyTargets>;

const SHAPE: PropsShape = {
  maps: { policy: 'required' },
  props: { policy: getPolicySchema('daemonSet'), ...WORKLOAD_PROPS } satisfies SchemasFor<DaemonSetPolicyArgs>,
};

/**
 * An update policy for DaemonSets, declared once: it creates DaemonSets with the policy's update strategy and, if set, revision history.
 *
 * It writes one of the two limits, and 0 for the other. The API server refuses both limits together, and also only `maxSurge`.
 * For DaemonSets that other resources create, `DaemonSetPolicy.transform` writes the fields into all of a component
 * or a stack. Values that the API server would refuse fail the preview. Warnings are logged to the component.
 *
 * @example
 * new DaemonSetPolicy('agents', {
 *   policy: { maxUnavailable: '10%' },
 *   workloads: [{ metadata: { name: 'agent' }, spec: { selector, template } }],
 * });
 */
export class DaemonSetPolicy extends RolloutComponent {
  /**
   * Returns the policy as a transform, for `transforms` of a component or `pulumi.runtime.registerResourceTransform`. It writes the policy into
   * every DaemonSet that is registered afterwards.
   *
   * @param options - objects of the cluster that a goal is resolved under, such as Nodes. @default - none
   * @throws Error for values that the API server would refuse, and for unknown props
   */
  public static transform(policy: DaemonSetPolicyProps, options: Pick<PolicyTargets, 'surroundings'> = {}): pulumi.ResourceTransform {
    return createPolicyTransform(parseDaemonPolicy(policy), options);
  }

  /** Plan with the waves in which each DaemonSet replaces its pods, on the nodes in `surroundings`. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The DaemonSets, in the order of the args. */
  public readonly workloads: readonly pulumi.Resource[];
  /** Findings about the policy, for each DaemonSet. */
  public readonly findings: readonly Finding[];

  /**
   * Plans the DaemonSets with the policy and registers them unless there is an error.
   *
   * @throws RunError if the policy or DaemonSet would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
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

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, args: DaemonSetPolicyArgs) {
  const { props, restore } = component.readProps<{ readonly policy: DaemonSetPolicyProps } & PolicyTargets>(args, SHAPE);
  const { workloads, surroundings = [] } = props;
  const unusable = [...findMissingUpdate('daemonSet', props.policy), ...validateWorkloads(workloads)];
  if (unusable.length > 0) throw component.createError(unusable);
  const policy = buildDaemonPolicy(props.policy);
  const options = createPolicyPlanOptions(policy, workloads);
  stackMemory().remember(options);
  const { manifests, origins } = component.runWithTitle(() => applyPolicyToWorkloads(policy, { workloads, surroundings }));
  const findings = manifests.flatMap((manifest) => validateWorkloadPolicy(policy, manifest));
  const objects = [...manifests.map(assumeMatchingLabels), ...surroundings];
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planManifests(objects, options), origins));
  return {
    workloads: restore(manifests),
    findings,
    plan,
    loggedFindings: component.collectFindings([], mapFindingsToArgs(plan, policy, 'policy', workloads)),
  };
}
