import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { Manifest } from '../core/manifest/manifest';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { LEADER_WORKER_SET_PROP_PATHS, LEADER_WORKER_SET_SHAPE, planLeaderWorkerSet } from '../props/leader-worker-set';
import { LEADER_WORKER_SET_TYPE_META } from '../systems/leaderworkerset/props';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { locateGoalOrigins, mergeGoalOrigins } from '../props/goal-origin';
import type { GoalOrigin } from '../props/goal-origin';
import { buildLeaderWorkerSetWithGoal } from '../props/goals';
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
 * A LeaderWorkerSet whose rollout is declared in groups: a leader and its workers are replaced together, with their accelerators.
 *
 * Both limits are written out. Props that the CRD or the webhook would refuse fail the synth,
 * and so does a rollout that the controller never finishes.
 *
 * Source: lws pkg/controllers/leaderworkerset_controller.go and pkg/webhooks/leaderworkerset_webhook.go, 0.7 to 0.10.
 *
 * @example
 * new LeaderWorkerSetRollout(chart, 'llama', {
 *   replicas: 2,
 *   size: 4,
 *   rollout: Rollout.groups({ surge: 1 }),
 *   leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0' }] } } },
 * });
 */
export class LeaderWorkerSetRollout extends Construct {
  private static readonly patchable = createSingleObjectPatchable<LeaderWorkerSetRollout>((construct) => construct.plan());

  /** The LeaderWorkerSet, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly versions: LeaderWorkerSetRolloutProps['versions'];
  private readonly origins: readonly GoalOrigin[];

  /**
   * Adds the LeaderWorkerSet to the chart.
   *
   * @param id of the construct, and the name of the set unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: LeaderWorkerSetRolloutProps) {
    super(scope, id);
    const props = validateConstructProps(this, input, LEADER_WORKER_SET_SHAPE);
    this.versions = props?.versions;
    let origins: readonly GoalOrigin[] = [];
    this.apiObject = createApiObject(this, LEADER_WORKER_SET_TYPE_META, props, (usable) => {
      const built = buildLeaderWorkerSetWithGoal(id, usable, () => listSurroundings(this));
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
    failSynthOnErrors(this, this.findings, () => LEADER_WORKER_SET_PROP_PATHS);
    failSynthOnInvalidMetadata(this, [this.apiObject], this.findings);
    failSynthOnPatchErrors(this, this.findings, LeaderWorkerSetRollout.patchable);
  }

  /** Planned rollout of its groups, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }

  private plan(): PlanDocument {
    return planConstruct(this, () => {
      const manifest = this.apiObject.toJson() as Manifest;
      return mergeGoalOrigins(planLeaderWorkerSet([manifest], { versions: this.versions }), locateGoalOrigins(manifest, this.origins));
    });
  }
}
