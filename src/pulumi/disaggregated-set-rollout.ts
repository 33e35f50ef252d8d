import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { DISAGGREGATED_SET_PROP_PATHS, DISAGGREGATED_SET_SHAPE, planDisaggregatedSet } from '../props/disaggregated-set';
import { buildDisaggregatedSetWithGoals } from '../props/disaggregated-goal';
import type { DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
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

/** Arguments of a `DisaggregatedSetRollout`. */
export type DisaggregatedSetRolloutArgs = WithInputs<DisaggregatedSetRolloutProps & SurroundingsArgs>;

/**
 * A DisaggregatedSet, such as one with the roles prefill and decode of a model. The groups of all roles are replaced together, step by step,
 * so that no role is far ahead of another. This is the Pulumi version of the cdk8s construct.
 *
 * The manifest sets maxSurge and maxUnavailable of each role explicitly. Props that the CRD or the webhook would refuse fail the preview,
 * and so does a rollout that the controller never finishes. Pulumi does not wait for the set, which has no status.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and pkg/webhooks/disaggregatedset, 0.9.
 *
 * @example
 * const leaderWorkerTemplate = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0' }] } } };
 * new DisaggregatedSetRollout('chat', {
 *   roles: [
 *     { name: 'prefill', replicas: 4, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate },
 *     { name: 'decode', replicas: 2, size: 2, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate },
 *   ],
 * });
 */
export class DisaggregatedSetRollout extends RolloutComponent {
  /** Plan that shows how the groups of each role are replaced. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The DisaggregatedSet, for use in `dependsOn`. */
  public readonly resource: pulumi.Resource;
  /** Findings about the props and about the rollout that they lead to. */
  public readonly findings: readonly Finding[];

  /**
   * Registers the DisaggregatedSet.
   *
   * @param name of the component, and of the set unless `metadata.name` is given
   * @throws RunError if the set would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: DisaggregatedSetRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, plan, loggedFindings } = prepareComponent('DisaggregatedSetRollout', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('DisaggregatedSetRollout', name, opts, loggedFindings);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: DisaggregatedSetRolloutArgs) {
  const shape = withSurroundings(DISAGGREGATED_SET_SHAPE);
  const { props: read, restore } = component.readProps<DisaggregatedSetRolloutProps & SurroundingsArgs>(args, shape);
  const { surroundings = [], ...props } = read;
  const { manifest, origins } = component.runWithTitle(() => buildDisaggregatedSetWithGoals(name, props, () => surroundings));
  stackMemory().remember({ versions: props.versions });
  const planned = planDisaggregatedSet([manifest, ...surroundings], props);
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planned, locateGoalOrigins(manifest, origins)));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: [...component.collectFindings([], plan, DISAGGREGATED_SET_PROP_PATHS, [manifest]), ...findPodWarnings([manifest])],
  };
}
