import * as pulumi from '@pulumi/pulumi';
import { createAutoscalerLookup } from '../cluster/autoscaler';
import { toFieldPath, parseFieldPath } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isFields, getValueAt } from '../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { describeValue } from '../core/display-value';
import { ANY, LIST, defineList, closeSchema } from '../core/schema';
import type { SchemasFor } from '../core/schema';
import { normalizeObjects } from '../input/normalize-objects';
import { POLICY_PROP_PATHS } from '../props/policy';
import { resolvePropPath } from '../props/prop-paths';
import type { PropPaths } from '../props/prop-paths';
import { METADATA_PROPS } from '../props/validate-props';
import { formatErrorLines } from '../props/error-lines';
import { validateWorkloadPolicy } from '../workloads/policies';
import type { WorkloadPolicy } from '../workloads/policies';

/** A workload without apiVersion and kind, which the policy says. */
export interface WorkloadProps {
  /** Name, namespace, labels, annotations. */
  readonly metadata: ObjectMeta & {
    /** Name of the workload, and the last part of the Pulumi resource's. */
    readonly name: string;
  };
  /** As in apps/v1. The fields that the policy writes are replaced whole. */
  readonly spec: Fields;
}

/** What a policy applies to, and among what. */
export interface PolicyTargets {
  /** Each becomes a resource of its own. */
  readonly workloads: readonly WorkloadProps[];
  /**
   * Other objects of the cluster that the plan is to know of, such as autoscalers, disruption budgets and quotas. They are not registered.
   * Changes of `replicas` are ignored for a workload that an autoscaler among them targets.
   *
   * @default - none
   */
  readonly surroundings?: readonly Manifest[];
}

/** The props of policed workloads. */
export const WORKLOAD_PROPS = {
  workloads: closeSchema(defineList({ metadata: METADATA_PROPS, spec: ANY } satisfies SchemasFor<WorkloadProps>)),
  surroundings: LIST,
} satisfies SchemasFor<PolicyTargets>;

/** What a resource that the Kubernetes provider manages is to be of, for a transform to change it. */
const RESOURCE_TYPES: Readonly<Record<WorkloadPolicy['kind'], string>> = {
  Deployment: 'kubernetes:apps/v1:Deployment',
  StatefulSet: 'kubernetes:apps/v1:StatefulSet',
  DaemonSet: 'kubernetes:apps/v1:DaemonSet',
};

/**
 * A policy as a transform that writes it into every resource of its kind.
 *
 * @throws Error for values that the API server would refuse
 */
export function createPolicyTransform(policy: WorkloadPolicy): pulumi.ResourceTransform {
  const errors = formatErrorLines(validateWorkloadPolicy(policy, { apiVersion: 'apps/v1', kind: policy.kind }), POLICY_PROP_PATHS);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return ({ type, props, opts }) => {
    if (type !== RESOURCE_TYPES[policy.kind]) return undefined;
    const spec = pulumi.output(props.spec as pulumi.Input<Fields>).apply((current) => ({ ...current, ...policy.spec }));
    return { props: { ...props, spec }, opts };
  };
}

/** Why workloads are none, which JavaScript can give; one line each. */
export function validateWorkloads(workloads: unknown): string[] {
  if (!Array.isArray(workloads)) return [`workloads is ${describeValue(workloads)}; write a list of workloads`];
  return workloads.flatMap((workload: unknown, index) => {
    const metadata = getValueAt(workload, 'metadata');
    return isFields(metadata)
      ? []
      : [`${toFieldPath`workloads[${index}].metadata`} is ${describeValue(metadata)}; write a map with a name`];
  });
}

/** Workloads with the policy's fields in their specs. */
export function applyPolicyToWorkloads(policy: WorkloadPolicy, workloads: readonly WorkloadProps[]): (Manifest & WorkloadProps)[] {
  return workloads.map(({ metadata, spec }) => ({ apiVersion: 'apps/v1', kind: policy.kind, metadata, spec: { ...spec, ...policy.spec } }));
}

/** The plan with its errors at the args: those of what the policy writes at `policyArg`, all others at the workload that they are about. */
export function mapFindingsToArgs(
  { findings, rollouts }: PlanDocument,
  policy: WorkloadPolicy,
  policyArg: string,
  workloads: readonly WorkloadProps[],
): Pick<PlanDocument, 'findings' | 'rollouts'> {
  const policyPaths = POLICY_PROP_PATHS.filter(([field]) => Object.hasOwn(policy.spec, parseFieldPath(field)[1]!));
  const ofPolicy = policyPaths.map(([field, prop]) => [field, `${policyArg}.${prop}`] as const);
  const propPathsOf = ({ kind, name, namespace }: PlannedRollout['resource']): PropPaths => {
    const index = workloads.findIndex(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    if (kind !== policy.kind || index < 0) return [];
    return [...ofPolicy, ...['metadata', 'spec'].map((field) => [field, `workloads[${index}].${field}`] as const)];
  };
  const atArg = (finding: Finding, propPaths: PropPaths) =>
    finding.severity === 'error' ? { ...finding, path: resolvePropPath(finding.path, propPaths) } : finding;
  return {
    findings,
    rollouts: rollouts.map((rollout) => {
      const propPaths = propPathsOf(rollout.resource);
      return { ...rollout, findings: rollout.findings.map((finding) => atArg(finding, propPaths)) };
    }),
  };
}

/** The fields of each workload that others change, and Pulumi leaves alone: the replicas where an autoscaler is in view. */
export function createIgnoredFieldsLookup(surroundings: readonly Manifest[]): (workload: Manifest) => string[] {
  const autoscalersOf = createAutoscalerLookup(normalizeObjects(surroundings).objects);
  return (workload) => (autoscalersOf(workload).length > 0 ? ['spec.replicas'] : []);
}
