import * as pulumi from '@pulumi/pulumi';
import { findPodWarnings } from '../props/pod-errors';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import { LLM_PROP_PATHS, LLM_SHAPE, planLlmService } from '../props/llm-inference-service';
import { resolveLlmVersion } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps } from '../systems/llminferenceservice/props';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import { buildLlmServiceWithGoals } from '../props/goals';
import { registerObject } from './child-resources';
import { formatOutputPlaceholders } from './opaque-outputs';
import type { WithInputs } from './opaque-outputs';
import { stackMemory } from './stack-memory';
import { withSurroundings } from './surroundings';
import type { SurroundingsArgs } from './surroundings';
import { RolloutComponent } from './rollout-component';
import { prepareComponent } from './component-builder';
import type { ComponentBuilder } from './component-builder';

/** Arguments of an `LLMInferenceServiceRollout`. */
export type LLMInferenceServiceRolloutArgs = WithInputs<LLMInferenceServiceRolloutProps & SurroundingsArgs>;

/**
 * An LLMInferenceService of KServe with a declared rollout, if the version of KServe has a field for it. This is the Pulumi version of the cdk8s construct.
 *
 * Versions up to 0.20 have none: a `rollout` fails the preview with a message about what those versions do.
 *
 * Source: kserve/kserve pkg/controller/v1alpha2/llmisvc of 0.17.0 and 0.20.0, and of master for `kserve: 'next'`.
 *
 * @example
 * new LLMInferenceServiceRollout('chat', {
 *   kserve: 'next',
 *   model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
 *   replicas: 4,
 *   rollout: { maxSurge: 0, maxUnavailable: 1 },
 * });
 */
export class LLMInferenceServiceRollout extends RolloutComponent {
  /** Plan of its workloads and of its router's scheduler. */
  public override readonly plan: pulumi.Output<PlanDocument>;
  /** The LLMInferenceService, for use in `dependsOn`. */
  public readonly resource: pulumi.Resource;
  /** Findings about the props and about the rollout that they lead to. */
  public readonly findings: readonly Finding[];

  /**
   * Registers the LLMInferenceService.
   *
   * @param name of the component, and of the service unless `metadata.name` is given
   * @throws RunError if the service would be refused (the message lists every reason), or if a prop that must be known at preview is an
   * Output (the message names the prop)
   */
  public constructor(name: string, args: LLMInferenceServiceRolloutArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const { manifest, plan, loggedFindings } = prepareComponent('LLMInferenceServiceRollout', name, (component) =>
      resolveArgs(component, name, args),
    );
    super('LLMInferenceServiceRollout', name, opts, loggedFindings);
    this.findings = plan.rollouts.flatMap(({ findings }) => findings);
    this.plan = pulumi.output(plan);
    this.resource = registerObject(name, manifest, { parent: this });
    this.registerOutputs({ plan });
  }
}

/** Resolves everything that the component registers. Throws if there are errors. */
function resolveArgs(component: ComponentBuilder, name: string, args: LLMInferenceServiceRolloutArgs) {
  const shape = withSurroundings(LLM_SHAPE);
  const { props: read, restore } = component.readProps<LLMInferenceServiceRolloutProps & SurroundingsArgs>(args, shape);
  const { surroundings = [], ...props } = read;
  const { manifest, origins } = component.runWithTitle(() => buildLlmServiceWithGoals(name, props, () => surroundings));
  stackMemory().remember({ versions: { kserve: resolveLlmVersion(props) } });
  const planned = planLlmService([manifest, ...surroundings], props);
  const plan = formatOutputPlaceholders(mergeGoalOrigins(planned, locateGoalOrigins(manifest, origins)));
  return {
    manifest: restore(manifest),
    plan,
    loggedFindings: [...component.collectFindings([], plan, LLM_PROP_PATHS, [manifest]), ...findPodWarnings([manifest])],
  };
}
