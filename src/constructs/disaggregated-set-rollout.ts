import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { DISAGGREGATED_SET_PROP_PATHS, DISAGGREGATED_SET_SHAPE, planDisaggregatedSet } from '../props/disaggregated-set';
import { DISAGGREGATED_SET_TYPE_META } from '../systems/disaggregatedset/props';
import type { DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import { buildDisaggregatedSetWithGoals } from '../props/disaggregated-goal';
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
 * A DisaggregatedSet, such as prefill and decode of one model. The groups of all roles are replaced together, step by step,
 * so that no role is far ahead of another.
 *
 * The manifest sets maxSurge and maxUnavailable of each role explicitly. Props that the CRD or the webhook would refuse fail the synth,
 * and so does a rollout that the controller never finishes.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and pkg/webhooks/disaggregatedset, 0.9.
 *
 * @example
 * const leaderWorkerTemplate = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0' }] } } };
 * new DisaggregatedSetRollout(chart, 'chat', {
 *   roles: [
 *     { name: 'prefill', replicas: 4, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate },
 *     { name: 'decode', replicas: 2, size: 2, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate },
 *   ],
 * });
 */
export class DisaggregatedSetRollout extends Construct {
  private static readonly patchable = createSingleObjectPatchable<DisaggregatedSetRollout>((construct) => construct.plan());

  /** The DisaggregatedSet, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly versions: DisaggregatedSetRolloutProps['versions'];
  private readonly origins: readonly GoalOrigin[];

  /**
   * Adds the DisaggregatedSet to the chart.
   *
   * @param id of the construct, and the name of the set unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: DisaggregatedSetRolloutProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, DISAGGREGATED_SET_SHAPE);
    this.versions = props?.versions;
    let origins: readonly GoalOrigin[] = [];
    this.apiObject = createApiObject(this, DISAGGREGATED_SET_TYPE_META, props, (usable) => {
      const built = buildDisaggregatedSetWithGoals(id, usable, () => listSurroundings(this));
      origins = built.origins;
      return built.manifest;
    });
    this.origins = origins;
    this.findings = collectInitialFindings(this);
    recordContext(
      this,
      { versions: this.versions },
      {
        goals: () => locateGoalOrigins(this.apiObject.toJson() as Manifest, origins),
        findings: () => findMissingFieldsOf(this, [this.apiObject]),
      },
    );
    failSynthOnDuplicates(this);
    failSynthOnErrors(this, this.findings, () => DISAGGREGATED_SET_PROP_PATHS);
    failSynthOnInvalidMetadata(this, [this.apiObject], this.findings);
    failSynthOnPatchErrors(this, this.findings, DisaggregatedSetRollout.patchable);
  }

  /** Planned rollout of the groups of its roles, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return planConstruct(this, () => {
      const manifest = this.apiObject.toJson() as Manifest;
      return mergeGoalOrigins(planDisaggregatedSet([manifest], { versions: this.versions }), locateGoalOrigins(manifest, this.origins));
    });
  }
}
