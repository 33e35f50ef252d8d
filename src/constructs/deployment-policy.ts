import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { IntOrPercent } from '../core/values/int-or-percent';
import type { NotBothZero } from '../workloads/deployment/intent';
import { parseStatefulPolicy, parseStatelessPolicy } from '../props/policy';
import type {
  GoalPolicyProps,
  StatefulPolicy,
  StatefulPolicyProps,
  StatelessPolicy,
  StatelessRecreateProps,
  StatelessRollingUpdateProps,
} from '../workloads/policies';
import { applyPolicy, applyPolicyToAll, tryCreatePolicy } from './workload-policy';
import type { RejectedPolicy, WorkloadSelector } from './workload-policy';

/** Kinds that a stateless or stateful policy applies to. */
const POLICY_KINDS: readonly string[] = ['Deployment', 'StatefulSet'];

/**
 * An update policy for workloads, declared once and applied to one workload or to all in a scope.
 *
 * A policy is a value: it belongs to no chart and can be applied many times. It writes the update strategy and, if set,
 * the revision history and the replicas, as JSON patches. A policy or patch that is applied later wins.
 * A policy replaces the fields that it writes: the previous strategy of a cdk8s-plus workload is lost.
 *
 * A policy on a workload of the other kind fails the synth. So does a policy, or a plain ApiObject with its later patches, that the API
 * server would refuse. (The plugin `RolloutValidation` validates cdk8s-plus workloads.) The synth then lists every such error and writes
 * nothing. The plan warns about replicas that an autoscaler owns, and about a workload that another controller writes.
 *
 * @see gopaddle guide, "Deployment Policy"
 *
 * @example
 * DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
 * DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5 }).applyToAll(chart, { matchLabels: { tier: 'db' } });
 */
export class DeploymentPolicy {
  /**
   * Creates a policy for Deployments: a rolling update with surge and unavailable limits, or deletion of all pods before new ones start.
   * Unknown props fail the synth of the construct that the policy is applied to.
   */
  public static stateless<const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    props:
      | StatelessRecreateProps
      | GoalPolicyProps
      | (Omit<StatelessRollingUpdateProps, 'maxSurge' | 'maxUnavailable'> & {
          /** Pods above the desired replicas. @default 25% (Kubernetes) */
          readonly maxSurge?: Surge;
          /** Pods of the desired replicas that may be unavailable. @default 25% (Kubernetes) */
          readonly maxUnavailable?: Unavailable;
        } & NotBothZero<Surge, Unavailable>),
  ): DeploymentPolicy {
    return new DeploymentPolicy(tryCreatePolicy(() => parseStatelessPolicy(props)));
  }

  /**
   * Creates a policy for StatefulSets: an update from the highest ordinal down to a partition, or only of pods that a user deletes.
   * Unknown props fail the synth of the construct that the policy is applied to.
   */
  public static stateful(props: StatefulPolicyProps): DeploymentPolicy {
    return new DeploymentPolicy(tryCreatePolicy(() => parseStatefulPolicy(props)));
  }

  private constructor(private readonly policy: StatelessPolicy | StatefulPolicy | RejectedPolicy) {}

  /**
   * Applies the policy to one workload: an ApiObject, or a construct around one, such as those of cdk8s-plus.
   *
   * @returns the workload's ApiObject
   * @throws Error if the construct has no ApiObject. A workload of the wrong kind fails the synth.
   */
  public applyTo(workload: IConstruct): ApiObject {
    return applyPolicy(this.policy, workload);
  }

  /**
   * Applies the policy to every Deployment and StatefulSet below a scope that has the labels.
   *
   * It acts immediately, on the current content of the scope. Workloads that are created later are not changed.
   * A matching workload of the other kind fails the synth: set `kinds`, or use labels that only the policy's own kind has.
   * So do a scope in which nothing matches, and a selector with unknown props or other kinds. Other kinds of objects are skipped.
   *
   * @returns the ApiObjects that the policy was written to, in the order of their creation
   */
  public applyToAll(scope: IConstruct, selector: WorkloadSelector = {}): ApiObject[] {
    return applyPolicyToAll(this.policy, scope, selector, POLICY_KINDS);
  }
}
