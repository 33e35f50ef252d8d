import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { parseDaemonPolicy } from '../props/policy';
import type { DaemonPolicy, DaemonSetPolicyProps } from '../workloads/policies';
import { applyPolicy, applyPolicyToAll, tryCreatePolicy } from './workload-policy';
import type { RejectedPolicy, WorkloadSelector } from './workload-policy';

/** Kinds that the policy applies to. */
const DAEMON_SET_KINDS: readonly string[] = ['DaemonSet'];

/**
 * An update policy for DaemonSets, declared once and applied to one of them or to all in a scope. See `DeploymentPolicy` for other workloads.
 *
 * It writes one of the two limits, and 0 for the other. The API server refuses both limits together, and also only `maxSurge`, because
 * maxUnavailable defaults to 1. The revision history is left unchanged unless it is set.
 *
 * @example
 * DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent);
 * DaemonSetPolicy.of({ maxSurge: 1 }).applyToAll(chart, { matchLabels: { tier: 'node' } }); // also writes maxUnavailable: 0
 */
export class DaemonSetPolicy {
  /**
   * Creates a policy with one limit of a rolling update, or with `{ update: 'OnDelete' }`, which waits until a user deletes the pods.
   * Unknown props fail the synth of the construct that the policy is applied to.
   */
  public static of(props: DaemonSetPolicyProps): DaemonSetPolicy {
    return new DaemonSetPolicy(tryCreatePolicy(() => parseDaemonPolicy(props)));
  }

  private constructor(private readonly policy: DaemonPolicy | RejectedPolicy) {}

  /**
   * Applies the policy to one DaemonSet: an ApiObject, or a construct around one, such as those of cdk8s-plus.
   *
   * @returns the DaemonSet's ApiObject
   * @throws Error if the construct has no ApiObject. A workload of another kind, and values that the API server would refuse, fail the synth.
   */
  public applyTo(daemonSet: IConstruct): ApiObject {
    return applyPolicy(this.policy, daemonSet);
  }

  /**
   * Applies the policy to every DaemonSet below a scope that has the labels. It acts immediately, on the current content of the scope.
   * The synth fails if nothing matches, or if the selector has unknown props or other kinds. Other kinds of objects are skipped.
   *
   * @returns the ApiObjects that the policy was written to, in the order of their creation
   */
  public applyToAll(scope: IConstruct, selector: WorkloadSelector = {}): ApiObject[] {
    return applyPolicyToAll(this.policy, scope, selector, DAEMON_SET_KINDS);
  }
}
