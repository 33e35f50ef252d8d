import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { LLM_PROP_PATHS, LLM_SHAPE, planLlmService } from '../props/llm-inference-service';
import { LLM_INFERENCE_SERVICE, resolveLlmVersion } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps } from '../systems/llminferenceservice/props';
import { buildLlmServiceWithGoals } from '../props/goals';
import { createObjectWithGoals } from './object-with-goals';
import type { KindWithGoals } from './object-with-goals';

const LLM_KIND: KindWithGoals<LLMInferenceServiceRolloutProps> = {
  typeMeta: LLM_INFERENCE_SERVICE,
  shape: LLM_SHAPE,
  propPaths: LLM_PROP_PATHS,
  build: buildLlmServiceWithGoals,
  plan: (objects, { kserve }) => planLlmService(objects, { kserve }),
  versionsOf: (props) => ({ kserve: resolveLlmVersion(props) }),
};

/**
 * An LLMInferenceService of KServe with a declared rollout, if the version of KServe has a field for it.
 *
 * Versions up to 0.20 have none: a `rollout` fails the synth with a message about what those versions do.
 * What the webhook of the next version would refuse fails the synth as well.
 *
 * Source: kserve/kserve pkg/controller/v1alpha2/llmisvc of 0.17.0 and 0.20.0, and of master for `kserve: 'next'`.
 *
 * @example
 * new LLMInferenceServiceRollout(chart, 'chat', {
 *   kserve: 'next',
 *   model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' },
 *   replicas: 4,
 *   rollout: { maxSurge: 0, maxUnavailable: 1 },
 * });
 */
export class LLMInferenceServiceRollout extends Construct {
  /** The LLMInferenceService, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly plan: () => PlanDocument;

  /**
   * Adds the LLMInferenceService to the chart.
   *
   * @param id of the construct, and the name of the service unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: LLMInferenceServiceRolloutProps) {
    super(scope, id);
    const { apiObject, findings, plan } = createObjectWithGoals(this, id, input, LLM_KIND);
    this.apiObject = apiObject;
    this.findings = findings;
    this.plan = plan;
  }

  /** Planned rollouts of its workloads and of its router's scheduler, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }
}
