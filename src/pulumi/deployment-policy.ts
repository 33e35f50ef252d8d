import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import { isFields } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { SchemasFor } from '../core/values/schema';
import { planManifests } from '../plan/plan';
import { findMissingUpdate, parseStatefulPolicy, parseStatelessPolicy, getPolicySchema } from '../props/policy';
import { readPropsOf } from '../input/read-props';
import { findStructuralErrors } from '../props/validate-props';
import type { PropsShape } from '../props/validate-props';
import { validateWorkloadPolicy, buildStatefulPolicy, buildStatelessPolicy } from '../workloads/policies';
import type { StatefulPolicy, StatefulPolicyProps, StatelessPolicy, StatelessPolicyProps } from '../workloads/policies';
import { mergeGoalOrigins } from '../props/goal-origin';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import {
  assumeMatchingLabels,
  mapFindingsToArgs,
  createIgnoredFieldsLookup,
  applyPolicyToWorkloads,
  createPolicyPlanOptions,
  createPartitionCheck,
  createPolicyTransform,
  suppressIgnoredFields,
  validateWorkloads,
  WORKLOAD_PROPS,
} from './policy-transform';
import type { PolicyTargets } from './policy-transform';
import { RolloutComponent } from './rollout-component';
import { stackMemory } from './stack-memory';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** A policy for Deployments, or one for StatefulSets. */
export type PolicyChoice =
  | {
      /** Update policy of Deployments. */
      readonly stateless: StatelessPolicyProps;
      readonly stateful?: never;
    }
  | {
      /** Update policy of StatefulSets. */
      readonly stateful: StatefulPolicyProps;
      readonly stateless?: never;
    };

/** Arguments of a `DeploymentPolicy`. */
export type DeploymentPolicyArgs = PolicyChoice & WithInputs<PolicyTargets>;

const OPTIONAL_MAPS = { stateless: 'optional', stateful: 'optional' } as const;

const SHAPE: PropsShape = {
  maps: OPTIONAL_MAPS,
  props: {
    stateless: getPolicySchema('stateless'),
    stateful: getPolicySchema('stateful'),
    ...WORKLOAD_PROPS,
  } satisfies SchemasFor<DeploymentPolicyArgs>,
};

/**
 * An update policy for workloads, declared once: it creates Deployments or StatefulSets with the policy's update strategy and, if set, revision
 * history and replicas.
 *
 * For workloads that other resources create, `DeploymentPolicy.transform` writes the fields into all of a component
 * or a stack. Values that the API server would refuse fail the preview. Warnings are logged to the component.
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
   * Returns the policy as a transform, for `transforms` of a component or `pulumi.runtime.registerResourceTransform`.
   * It writes the policy into every Deployment, or every StatefulSet, that is registered afterwards.
   *
   * @param options - objects of the cluster that a goal is resolved under. @default - none
   * @throws Error for values that the API server would refuse, and for unknown props
   */
  public static transform(input: PolicyChoice, options: Pick<PolicyTargets, 'surroundings'> = {}): pulumi.ResourceTransform {
    const choice = readPropsOf('DeploymentPolicy.transform', input);
    const problems = [...findStructuralErrors(choice, OPTIONAL_MAPS), ...validateChoice(choice)];
    if (problems.length > 0) throw new Error(problems.map((line) => `DeploymentPolicy.transform: ${line}`).join('\n'));
    return createPolicyTransform(choice.stateless ? parseStatelessPolicy(choice.stateless) : parseStatefulPolicy(choice.stateful), options);
  }

  /** Plan with the waves in which each workload replaces its pods. Always known at preview. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The workloads, in the order of the args. */
  public readonly workloads: readonly pulumi.Resource[];
  /** Findings about the policy, for each workload. */
  public readonly findings: readonly Finding[];

  /**
   * Plans the workloads with the policy and registers them unless there is an error.
   *
   * @throws RunError if the policy or workload would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: DeploymentPolicyArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { workloads, ignoredOf, findings, plan, loggedFindings } = prepareComponent('DeploymentPolicy', name, (component) =>
      resolveArgs(component, args),
    );
    super('DeploymentPolicy', name, opts, loggedFindings);
    this.findings = findings;
    this.plan = pulumi.output(plan);
    this.workloads = workloads.map((manifest) => {
      return registerObject(`${name}-${manifest.metadata.name}`, manifest, { parent: this, ignoreChanges: ignoredOf(manifest) });
    });
    this.registerOutputs({ plan });
  }
}

/** Reports a choice with neither policy, with both, or without an update, which JavaScript callers can pass. */
function validateChoice(choice: unknown): string[] {
  if (!isFields(choice)) return [];
  const set = (['stateless', 'stateful'] as const).filter((each) => choice[each] !== undefined);
  if (set.length === 0) return ['neither stateless nor stateful is set; set one of them'];
  if (set.length > 1) return ['stateless and stateful are both set; set one of them, and create another policy for the other workloads'];
  return findMissingUpdate(set[0]!, choice[set[0]!]).map((line) => `${set[0]}: ${line}`);
}

function createPolicy(choice: PolicyChoice): StatelessPolicy | StatefulPolicy {
  return choice.stateless ? buildStatelessPolicy(choice.stateless) : buildStatefulPolicy(choice.stateful);
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, args: DeploymentPolicyArgs) {
  const { props, restore } = component.readProps<PolicyChoice & PolicyTargets>(args, SHAPE);
  const { workloads, surroundings = [] } = props;
  const problems = [...validateChoice(props), ...validateWorkloads(workloads)];
  if (problems.length > 0) throw component.createError(problems);
  const policy = createPolicy(props);
  const partitions = createPartitionCheck(policy, surroundings)(workloads);
  if (partitions.length > 0) throw component.createError(partitions.map((line) => `stateful: ${line}`));
  const options = createPolicyPlanOptions(policy, workloads);
  stackMemory().remember(options);
  const { manifests, origins } = component.runWithTitle(() => applyPolicyToWorkloads(policy, { workloads, surroundings }));
  const findings = manifests.flatMap((manifest) => validateWorkloadPolicy(policy, manifest));
  const ignoredOf = createIgnoredFieldsLookup(surroundings);
  const objects = [...manifests.map(assumeMatchingLabels), ...surroundings];
  const planned = formatOutputPlaceholders(mergeGoalOrigins(planManifests(objects, options), origins));
  const plan = suppressIgnoredFields(planned, workloads, ignoredOf);
  return {
    workloads: restore(manifests),
    ignoredOf,
    findings,
    plan,
    loggedFindings: component.collectFindings([], mapFindingsToArgs(plan, policy, props.stateless ? 'stateless' : 'stateful', workloads)),
  };
}
