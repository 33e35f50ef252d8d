import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { IntOrPercent } from '../core/int-or-percent';
import type { NotBothZero } from '../workloads/deployment/intent';
import { parseStatefulPolicy, parseStatelessPolicy } from '../props/policy';
import type {
  StatefulPolicy,
  StatefulPolicyProps,
  StatelessPolicy,
  StatelessRecreateProps,
  StatelessRollingUpdateProps,
} from '../workloads/policies';
import { applyPolicy, applyPolicyToAll, tryCreatePolicy } from './workload-policy';
import type { RejectedPolicy, WorkloadSelector } from './workload-policy';

/** The kinds that a policy of either sort is for. */
const POLICY_KINDS: readonly string[] = ['Deployment', 'StatefulSet'];

/**
 * How workloads are updated, set in one place and applied to one workload or to all of a scope.
 *
 * A policy is a value: it belongs to no chart and may be applied many times. It writes the update strategy and, if given,
 * the revision history and the replicas, as JSON patches, so that a policy that is applied later, and every patch that you add afterwards,
 * wins. Fields that a policy writes are replaced whole: what a cdk8s-plus workload had as its strategy is gone.
 *
 * What the API server would refuse, in the policy or anywhere in the workload with the patches that it gets later (a plain ApiObject;
 * of cdk8s-plus the plugin `RolloutValidation` sees it), and a policy on a workload of the other kind, fails the synth,
 * which then lists every such error and writes nothing. Replicas that an autoscaler owns, and a workload that another controller writes,
 * are warnings of the plan.
 *
 * @see gopaddle guide, "Deployment Policy"
 *
 * @example
 * DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
 * DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5 }).applyToAll(chart, { matchLabels: { tier: 'db' } });
 */
export class DeploymentPolicy {
  /**
   * A policy for Deployments: a rolling update with surge and unavailable limits, or everything down and then up.
   * Props that there are not fail the synth where it is applied.
   */
  public static stateless<const Surge extends IntOrPercent, const Unavailable extends IntOrPercent>(
    props:
      | StatelessRecreateProps
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
   * A policy for StatefulSets: an update from the highest ordinal down to a partition, or only of pods that someone deletes.
   * Props that there are not fail the synth where it is applied.
   */
  public static stateful(props: StatefulPolicyProps): DeploymentPolicy {
    return new DeploymentPolicy(tryCreatePolicy(() => parseStatefulPolicy(props)));
  }

  private constructor(private readonly policy: StatelessPolicy | StatefulPolicy | RejectedPolicy) {}

  /**
   * Applies the policy to one workload: an ApiObject, or a construct around one, such as those of cdk8s-plus.
   *
   * @returns the workload's ApiObject
   * @throws Error if the construct holds no ApiObject. A workload of the wrong kind fails the synth.
   */
  public applyTo(workload: IConstruct): ApiObject {
    return applyPolicy(this.policy, workload);
  }

  /**
   * Applies the policy to every Deployment and StatefulSet below a scope that has the labels.
   *
   * It acts at once, on what the scope holds by then: workloads that are created later are not touched.
   * A matching workload of the other kind fails the synth: say the `kinds`, or labels that only the policy's own kind has.
   * So do a scope in which nothing matches, and a selector that has other props or names other kinds. Other kinds of objects are passed over.
   *
   * @returns the ApiObjects that the policy was written into, in the order in which they were created
   */
  public applyToAll(scope: IConstruct, selector: WorkloadSelector = {}): ApiObject[] {
    return applyPolicyToAll(this.policy, scope, selector, POLICY_KINDS);
  }
}
