import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { LEADER_WORKER_SET_PROP_PATHS, LEADER_WORKER_SET_SHAPE, planLeaderWorkerSet } from '../props/leader-worker-set';
import { buildLeaderWorkerSetWithGoal } from '../props/goals';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import { findPodWarnings } from '../props/pod-errors';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { stackMemory } from './stack-memory';
import { withSurroundings } from './surroundings';
import type { SurroundingsArgs } from './surroundings';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of a `LeaderWorkerSetRollout`. */
export type LeaderWorkerSetRolloutArgs = WithInputs<LeaderWorkerSetRolloutProps & SurroundingsArgs>;

/**
 * A LeaderWorkerSet whose rollout is declared in groups. This is the Pulumi version of the cdk8s construct.
 *
 * Props that the CRD or the webhook would refuse fail the preview, and so does a rollout that the controller never finishes.
 * Pulumi does not wait for the set, because its status has no Ready condition.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go and pkg/webhooks/leaderworkerset_webhook.go, 0.7 to 0.10.
 *
 * @example
 * new LeaderWorkerSetRollout('llama', {
 *   replicas: 2,
 *   size: 4,
 *   rollout: Rollout.groups({ surge: 1 }),
 *   leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0' }] } } },
 * });
 */
export class LeaderWorkerSetRollout extends RolloutComponent {
  /** Plan of its groups. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The LeaderWorkerSet, for use in `dependsOn`. */
  public readonly resource: pulumi.Resource;
  /** Findings about the props and about the rollout that they lead to. */
  public readonly findings: readonly Finding[];

  /**
   * Registers the LeaderWorkerSet.
   *
   * @param name of the component, and of the set unless `metadata.name` is given
   * @throws RunError if the set would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: LeaderWorkerSetRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, plan, loggedFindings } = prepareComponent('LeaderWorkerSetRollout', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('LeaderWorkerSetRollout', name, opts, loggedFindings);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: LeaderWorkerSetRolloutArgs) {
  const shape = withSurroundings(LEADER_WORKER_SET_SHAPE);
  const { props: read, restore } = component.readProps<LeaderWorkerSetRolloutProps & SurroundingsArgs>(args, shape);
  const { surroundings = [], ...props } = read;
  const { manifest, origins } = component.runWithTitle(() => buildLeaderWorkerSetWithGoal(name, props, () => surroundings));
  stackMemory().remember({ versions: props.versions });
  const planned = planLeaderWorkerSet([manifest, ...surroundings], props);
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planned, locateGoalOrigins(manifest, origins)));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: [...component.collectFindings([], plan, LEADER_WORKER_SET_PROP_PATHS, [manifest]), ...findPodWarnings([manifest])],
  };
}
