import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { LLM_PROP_PATHS, LLM_SHAPE, planLlmService } from '../props/llm-inference-service';
import { LLM_INFERENCE_SERVICE, resolveLlmVersion } from '../systems/llminferenceservice/props';
import type { LLMInferenceServiceRolloutProps } from '../systems/llminferenceservice/props';
import { buildLlmServiceWithGoals } from '../props/goals';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin } from '../props/goal-origin';
import { listSurroundings } from './surroundings';
import { findMissingFieldsOf, recordContext } from './app-memory';
import { failSynthOnDuplicates } from './name-conflicts';
import {
  failSynthOnInvalidMetadata,
  collectInitialFindings,
  createApiObject,
  planConstruct,
  validateConstructProps,
} from './validate-props';
import { createSingleObjectPatchable, failSynthOnPatchErrors, failSynthOnErrors } from './synth-errors';

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
  private static readonly patchable = createSingleObjectPatchable<LLMInferenceServiceRollout>((construct) => construct.plan());

  /** The LLMInferenceService, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly kserve: LLMInferenceServiceRolloutProps['kserve'];
  private readonly origins: readonly GoalOrigin[];

  /**
   * Adds the LLMInferenceService to the chart.
   *
   * @param id of the construct, and the name of the service unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: LLMInferenceServiceRolloutProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, LLM_SHAPE);
    this.kserve = props?.kserve;
    let origins: readonly GoalOrigin[] = [];
    this.apiObject = createApiObject(this, LLM_INFERENCE_SERVICE, props, (usable) => {
      const built = buildLlmServiceWithGoals(id, usable, () => listSurroundings(this));
      origins = built.origins;
      return built.manifest;
    });
    this.origins = origins;
    this.findings = collectInitialFindings(this);
    recordContext(
      this,
      { versions: { kserve: resolveLlmVersion(props ?? {}) } },
      {
        goals: () => locateGoalOrigins(this.apiObject.toJson() as Manifest, origins),
        findings: () => findMissingFieldsOf(this, [this.apiObject]),
      },
    );
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => LLM_PROP_PATHS);
    failSynthOnInvalidMetadata(this, [this.apiObject], this.findings);
    failSynthOnPatchErrors(this, this.findings, LLMInferenceServiceRollout.patchable);
  }

  /** Planned rollouts of its workloads and of its router's scheduler, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return planConstruct(this, () => {
      const manifest = this.apiObject.toJson() as Manifest;
      return mergeGoalOrigins(planLlmService([manifest], { kserve: this.kserve }), locateGoalOrigins(manifest, this.origins));
    });
  }
}
