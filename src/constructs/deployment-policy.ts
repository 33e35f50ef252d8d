import { ApiObject, JsonPatch } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { Finding } from '../core/finding';
import { fieldsAt, isFields, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { hasError } from '../props/refusals';
import { policyFindings, statefulPolicy, statelessPolicy } from '../workloads/policies';
import type { StatefulPolicy, StatefulPolicyProps, StatelessPolicy, StatelessPolicyProps } from '../workloads/policies';
import { refuseErrors } from './synth-errors';

/** Which workloads of a scope a policy applies to. */
export interface WorkloadSelector {
  /**
   * Labels that a workload must have, all of them, on itself or on its pod template.
   *
   * @default - every workload
   */
  readonly matchLabels?: Readonly<Record<string, string>>;
}

/** The kinds that a policy of either sort is for. */
const WORKLOADS: readonly string[] = ['Deployment', 'StatefulSet'];

/** Fields that cdk8s' generated types unwrap: they take `{ value: 1 }` and drop a plain `1`. */
const INT_OR_STRING_FIELDS: readonly string[] = ['maxSurge', 'maxUnavailable'];

/**
 * How workloads are updated, set in one place and applied to one workload or to all of a scope.
 *
 * A policy is a value: it belongs to no chart and may be applied many times. It writes the update strategy, the revision history and, if
 * given, the replicas, as JSON patches, so that a policy that is applied later, and every patch that you add afterwards, wins. Fields that a
 * policy writes are replaced whole: what a cdk8s-plus workload had as its strategy is gone.
 *
 * What the API server would refuse (a quoted number, both limits zero), and a policy on a workload of the other kind, fails the synth, which
 * then lists every such error and writes nothing. Replicas that an autoscaler owns, and a workload that another controller writes, are
 * warnings of the plan.
 *
 * @see gopaddle guide, "Deployment Policy"
 *
 * @example
 * DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
 * DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5 }).applyToAll(chart, { matchLabels: { tier: 'db' } });
 */
export class DeploymentPolicy {
  /** A policy for Deployments: a rolling update with surge and unavailable limits, or everything down and then up. */
  public static stateless(props: StatelessPolicyProps): DeploymentPolicy {
    return new DeploymentPolicy(statelessPolicy(props));
  }

  /** A policy for StatefulSets: an update from the highest ordinal down to a partition, or only of pods that someone deletes. */
  public static stateful(props: StatefulPolicyProps): DeploymentPolicy {
    return new DeploymentPolicy(statefulPolicy(props));
  }

  private constructor(private readonly policy: StatelessPolicy | StatefulPolicy) {}

  /**
   * Applies the policy to one workload: an ApiObject, or a construct around one, such as those of cdk8s-plus.
   *
   * @returns the workload's ApiObject
   * @throws Error if the construct holds no ApiObject. A workload of the wrong kind fails the synth.
   */
  public applyTo(workload: IConstruct): ApiObject {
    const object = ApiObject.of(workload);
    refuseErrors(workload, this.write(object));
    return object;
  }

  /**
   * Applies the policy to every Deployment and StatefulSet below a scope that has the labels.
   *
   * It acts at once, on what the scope holds by then: workloads that are created later are not touched. A matching workload of the other kind
   * fails the synth: give the policy labels that only its own kind has. Other kinds of objects are passed over.
   *
   * @returns the ApiObjects that the policy was written into, in the order in which they were created
   */
  public applyToAll(scope: IConstruct, selector: WorkloadSelector = {}): ApiObject[] {
    const matching = scope.node
      .findAll()
      .filter((child) => ApiObject.isApiObject(child))
      .filter((object) => matches(object, selector));
    const findings = matching.map((object) => this.write(object));
    refuseErrors(scope, withoutRepeats(findings.flat()));
    return matching.filter((_, index) => !hasError(findings[index]!));
  }

  /** Writes the policy into an object, unless an error speaks against it. */
  private write(object: ApiObject): readonly Finding[] {
    const findings = policyFindings(this.policy, headOf(object));
    if (hasError(findings)) return findings;
    const asRendered = isGenerated(object) ? wrapped : (value: unknown) => value;
    object.addJsonPatch(...Object.entries(this.policy.spec).map(([field, value]) => JsonPatch.add(`/spec/${field}`, asRendered(value))));
    return findings;
  }
}

/** A wrong value of the policy is one finding, however many workloads it is applied to. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.code} ${finding.path} ${finding.message}`, finding])).values()];
}

/** What is known of an object without rendering its spec, which cdk8s-plus changes each time that it renders it. */
function headOf(object: ApiObject): Manifest {
  return { apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata.toJson() as Manifest['metadata'] };
}

function matches(object: ApiObject, { matchLabels = {} }: WorkloadSelector): boolean {
  if (object.apiGroup !== 'apps' || !WORKLOADS.includes(object.kind)) return false;
  const wanted = Object.entries(matchLabels);
  const hasAll = (labels: Fields) => wanted.every(([name, value]) => labels[name] === value);
  return hasAll(fieldsAt(object.metadata.toJson(), 'labels')) || hasAll(podLabels(object));
}

function podLabels(object: ApiObject): Fields {
  // A cdk8s-plus workload keeps its pods' metadata beside its ApiObject.
  const podMetadata = valueAt(object.node.scope, 'podMetadata') as ApiObject['metadata'] | undefined;
  if (podMetadata) return fieldsAt(podMetadata.toJson(), 'labels');
  return fieldsAt(object.toJson(), 'spec', 'template', 'metadata', 'labels');
}

/** Does this object render through types that `cdk8s import` made, as those of cdk8s-plus do? They alone name their group, version and kind. */
function isGenerated(object: ApiObject): boolean {
  return 'GVK' in object.constructor;
}

/** A value with ints and percents as generated types expect them: `{ maxSurge: { value: 1 } }`. */
function wrapped(value: unknown): unknown {
  if (!isFields(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([field, inner]) => [field, INT_OR_STRING_FIELDS.includes(field) ? { value: inner } : wrapped(inner)]),
  );
}
