import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import { isFields } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { SchemasFor } from '../core/schema';
import { planManifests } from '../plan/plan';
import { parseStatefulPolicy, parseStatelessPolicy, getPolicySchema } from '../props/policy';
import { readPropsOf } from '../input/read-props';
import { findStructuralErrors } from '../props/validate-props';
import type { PropsShape } from '../props/validate-props';
import { validateWorkloadPolicy, buildStatefulPolicy, buildStatelessPolicy } from '../workloads/policies';
import type { StatefulPolicy, StatefulPolicyProps, StatelessPolicy, StatelessPolicyProps } from '../workloads/policies';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import {
  mapFindingsToArgs,
  createIgnoredFieldsLookup,
  applyPolicyToWorkloads,
  createPolicyTransform,
  validateWorkloads,
  WORKLOAD_PROPS,
} from './policy-transform';
import type { PolicyTargets } from './policy-transform';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

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
  public static transform(input: PolicyChoice): pulumi.ResourceTransform {
    const choice = readPropsOf('DeploymentPolicy.transform', input);
    const problems = [...findStructuralErrors(choice, OPTIONAL_MAPS), ...validateChoice(choice)];
    if (problems.length > 0) throw new Error(problems.map((line) => `DeploymentPolicy.transform: ${line}`).join('\n'));
    return createPolicyTransform(choice.stateless ? parseStatelessPolicy(choice.stateless) : parseStatefulPolicy(choice.stateful));
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

/** A choice of neither, which JavaScript can give. */
function validateChoice(choice: unknown): string[] {
  if (!isFields(choice) || choice.stateless !== undefined || choice.stateful !== undefined) return [];
  return ['neither stateless nor stateful is given; write one of them'];
}

function createPolicy(choice: PolicyChoice): StatelessPolicy | StatefulPolicy {
  return choice.stateless ? buildStatelessPolicy(choice.stateless) : buildStatefulPolicy(choice.stateful);
}

/** All that a policy registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, args: DeploymentPolicyArgs) {
  const { props, restore } = component.readProps<PolicyChoice & PolicyTargets>(args, SHAPE);
  const { workloads, surroundings = [] } = props;
  const problems = [...validateChoice(props), ...validateWorkloads(workloads)];
  if (problems.length > 0) throw component.createError(problems);
  const policy = createPolicy(props);
  const manifests = applyPolicyToWorkloads(policy, workloads);
  const findings = manifests.flatMap((manifest) => validateWorkloadPolicy(policy, manifest));
  const plan = formatOutputPlaceholders(planManifests([...manifests, ...surroundings]));
  return {
    workloads: restore(manifests),
    ignoredOf: createIgnoredFieldsLookup(surroundings),
    findings,
    plan,
    loggedFindings: component.collectFindings([], mapFindingsToArgs(plan, policy, props.stateless ? 'stateless' : 'stateful', workloads)),
  };
}
