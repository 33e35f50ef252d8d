import * as pulumi from '@pulumi/pulumi';
import { autoscalersAmong } from '../cluster/autoscaler';
import { at, fieldPathParts } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isFields, valueAt } from '../core/manifest';
import type { Fields, Manifest, ObjectMeta } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { describeValue } from '../core/seen';
import { ANY, LIST, listOf, whole } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import { readObjects } from '../input/plain-data';
import { POLICY_PLACES } from '../props/policy';
import { propAt } from '../props/prop-places';
import type { PropPlaces } from '../props/prop-places';
import { METADATA_PROPS } from '../props/usable-props';
import { errorLines } from '../props/refusals';
import { policyFindings } from '../workloads/policies';
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
export interface PolicedWorkloads {
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
  workloads: whole(listOf({ metadata: METADATA_PROPS, spec: ANY } satisfies SchemasOf<WorkloadProps>)),
  surroundings: LIST,
} satisfies SchemasOf<PolicedWorkloads>;

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
export function policyTransform(policy: WorkloadPolicy): pulumi.ResourceTransform {
  const errors = errorLines(policyFindings(policy, { apiVersion: 'apps/v1', kind: policy.kind }), POLICY_PLACES);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return ({ type, props, opts }) => {
    if (type !== RESOURCE_TYPES[policy.kind]) return undefined;
    const spec = pulumi.output(props.spec as pulumi.Input<Fields>).apply((given) => ({ ...given, ...policy.spec }));
    return { props: { ...props, spec }, opts };
  };
}

/** Why workloads are none, which JavaScript can give; one line each. */
export function unusableWorkloads(workloads: unknown): string[] {
  if (!Array.isArray(workloads)) return [`workloads is ${describeValue(workloads)}; write a list of workloads`];
  return workloads.flatMap((workload: unknown, index) => {
    const metadata = valueAt(workload, 'metadata');
    return isFields(metadata) ? [] : [`${at`workloads[${index}].metadata`} is ${describeValue(metadata)}; write a map with a name`];
  });
}

/** Workloads with the policy's fields in their specs. */
export function policedManifests(policy: WorkloadPolicy, workloads: readonly WorkloadProps[]): (Manifest & WorkloadProps)[] {
  return workloads.map(({ metadata, spec }) => ({ apiVersion: 'apps/v1', kind: policy.kind, metadata, spec: { ...spec, ...policy.spec } }));
}

/** The plan with its errors at the args: those of what the policy writes at `policyArg`, all others at the workload that they are about. */
export function atArgs(
  { findings, rollouts }: PlanDocument,
  policy: WorkloadPolicy,
  policyArg: string,
  workloads: readonly WorkloadProps[],
): Pick<PlanDocument, 'findings' | 'rollouts'> {
  const written = POLICY_PLACES.filter(([field]) => Object.hasOwn(policy.spec, fieldPathParts(field)[1]!));
  const ofPolicy = written.map(([field, prop]) => [field, `${policyArg}.${prop}`] as const);
  const placesOf = ({ kind, name, namespace }: PlannedRollout['resource']): PropPlaces => {
    const index = workloads.findIndex(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
    if (kind !== policy.kind || index < 0) return [];
    return [...ofPolicy, ...['metadata', 'spec'].map((field) => [field, `workloads[${index}].${field}`] as const)];
  };
  const atArg = (finding: Finding, places: PropPlaces) =>
    finding.severity === 'error' ? { ...finding, path: propAt(finding.path, places) } : finding;
  return {
    findings,
    rollouts: rollouts.map((rollout) => {
      const places = placesOf(rollout.resource);
      return { ...rollout, findings: rollout.findings.map((finding) => atArg(finding, places)) };
    }),
  };
}

/** The fields of each workload that others change, and Pulumi leaves alone: the replicas where an autoscaler is in view. */
export function changesToIgnore(surroundings: readonly Manifest[]): (workload: Manifest) => string[] {
  const autoscalersOf = autoscalersAmong(readObjects(surroundings).objects);
  return (workload) => (autoscalersOf(workload).length > 0 ? ['spec.replicas'] : []);
}
