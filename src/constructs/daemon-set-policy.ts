import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { parseDaemonPolicy } from '../props/policy';
import type { DaemonPolicy, DaemonSetPolicyProps } from '../workloads/policies';
import { applyPolicy, applyPolicyToAll, tryCreatePolicy } from './workload-policy';
import type { RejectedPolicy, WorkloadSelector } from './workload-policy';

/** The kinds that the policy is for. */
const DAEMON_SET_KINDS: readonly string[] = ['DaemonSet'];

/**
 * How DaemonSets are updated, set in one place and applied to one or to all of a scope: as `DeploymentPolicy`, for pods that every node has.
 *
 * It writes one of the two limits, and 0 for the other: the API server refuses both, and `maxSurge` alone too, because maxUnavailable is 1
 * where it is left out. The revision history is left as it is unless it is given.
 *
 * @example
 * DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent);
 * DaemonSetPolicy.of({ maxSurge: 1 }).applyToAll(chart, { matchLabels: { tier: 'node' } }); // maxUnavailable: 0 beside it
 */
export class DaemonSetPolicy {
  /**
   * A policy with one limit of a rolling update, or `{ update: 'OnDelete' }`, which waits for someone to delete the pods.
   * Props that there are not fail the synth where it is applied.
   */
  public static of(props: DaemonSetPolicyProps): DaemonSetPolicy {
    return new DaemonSetPolicy(tryCreatePolicy(() => parseDaemonPolicy(props)));
  }

  private constructor(private readonly policy: DaemonPolicy | RejectedPolicy) {}

  /**
   * Applies the policy to one DaemonSet: an ApiObject, or a construct around one, such as those of cdk8s-plus.
   *
   * @returns the DaemonSet's ApiObject
   * @throws Error if the construct holds no ApiObject. A workload of another kind, and what the API server would refuse, fail the synth.
   */
  public applyTo(daemonSet: IConstruct): ApiObject {
    return applyPolicy(this.policy, daemonSet);
  }

  /**
   * Applies the policy to every DaemonSet below a scope that has the labels. It acts at once, on what the scope holds by then,
   * and fails the synth where that is none, or the selector has other props or names other kinds; other kinds of objects are passed over.
   *
   * @returns the ApiObjects that the policy was written into, in the order in which they were created
   */
  public applyToAll(scope: IConstruct, selector: WorkloadSelector = {}): ApiObject[] {
    return applyPolicyToAll(this.policy, scope, selector, DAEMON_SET_KINDS);
  }
}
