import * as pulumi from '@pulumi/pulumi';
import type { Finding } from '../core/finding';
import type { PlanDocument } from '../core/plan-document';
import { DISAGGREGATED_SET_PROP_PATHS, DISAGGREGATED_SET_SHAPE, planDisaggregatedSet } from '../props/disaggregated-set';
import { buildDisaggregatedSet } from '../systems/disaggregatedset/props';
import type { DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of a `DisaggregatedSetRollout`. */
export type DisaggregatedSetRolloutArgs = WithInputs<DisaggregatedSetRolloutProps>;

/**
 * A DisaggregatedSet, such as prefill and decode of one model: the groups of all roles are replaced step by step together,
 * so that neither is ever far ahead of the other. The cdk8s construct of that name, as a Pulumi component.
 *
 * Both limits of each role are written out. What the CRD or the webhook would refuse fails the preview,
 * and so does a rollout that its controller never finishes. Pulumi does not wait for the set, which has no status.
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
  /** How the groups of its roles are replaced. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The DisaggregatedSet, for dependencies. */
  public readonly resource: pulumi.Resource;
  /** What is wrong with the intent, and what it means. */
  public readonly findings: readonly Finding[];

  /**
   * Registers the DisaggregatedSet.
   *
   * @param name of the component, and of the set unless `metadata.name` is given
   * @throws RunError for a set that would be refused, with every reason; for an Output in a structural prop, by its name
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

/** All that a set registers, as long as nothing speaks against it. */
function resolveArgs(component: ComponentBuilder, name: string, args: DisaggregatedSetRolloutArgs) {
  const { props, restore } = component.readProps<DisaggregatedSetRolloutProps>(args, DISAGGREGATED_SET_SHAPE);
  const manifest = component.runWithTitle(() => buildDisaggregatedSet(name, props));
  const plan = formatOutputPlaceholders(planDisaggregatedSet(manifest, props));
  return { manifest: restore(manifest), plan, loggedFindings: component.collectFindings([], plan, DISAGGREGATED_SET_PROP_PATHS) };
}
