import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { PlanDocument } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import { LLM_PLACES, LLM_SHAPE, planLlmService, settledLlmService } from '../props/llm-inference-service';
import { LLM_INFERENCE_SERVICE } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps } from '../systems/llminferenceservice/props';
import { refuseDuplicates } from './owned-names';
import { firstFindings, madeObject, plannedBy, usableProps } from './props-check';
import { oneObject, refuseBrokenByPatch, refuseErrors } from './synth-errors';

/**
 * An LLMInferenceService of KServe whose rollout is stated where KServe has a field for it.
 *
 * Up to 0.20 there is none: a `rollout` fails the synth, which says what those versions do.
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
  private static readonly patchable = oneObject<LLMInferenceServiceRollout>((made) => made.plan());

  /** The LLMInferenceService, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** What is wrong with the intent, and what it means. Errors among it fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kserve: LLMInferenceServiceRolloutProps['kserve'];

  /**
   * Adds the LLMInferenceService to the chart.
   *
   * @param id of the construct, and the name of the service unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, given: LLMInferenceServiceRolloutProps) {
    super(scope, id);
    const props = usableProps(this, given, LLM_SHAPE);
    this.kserve = props?.kserve;
    this.apiObject = madeObject(this, LLM_INFERENCE_SERVICE, props, (usable) => settledLlmService(id, usable));
    this.findings = firstFindings(this);
    refuseDuplicates(this);
    refuseErrors(this, this.findings, () => LLM_PLACES);
    refuseBrokenByPatch(this, this.findings, LLMInferenceServiceRollout.patchable);
  }

  /** How its workloads and the scheduler of its router will roll out, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return plannedBy(this, () => planLlmService(this.apiObject.toJson() as Manifest, { kserve: this.kserve }));
  }
}
