import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { LEADER_WORKER_SET_PROP_PATHS, LEADER_WORKER_SET_SHAPE, planLeaderWorkerSet } from '../props/leader-worker-set';
import { LEADER_WORKER_SET_TYPE_META } from '../systems/leaderworkerset/props';
import type { LeaderWorkerSetRolloutProps } from '../systems/leaderworkerset/props';
import { buildLeaderWorkerSetWithGoal } from '../props/goals';
import { createObjectWithGoals } from './object-with-goals';
import type { KindWithGoals } from './object-with-goals';

const LEADER_WORKER_SET: KindWithGoals<LeaderWorkerSetRolloutProps> = {
  typeMeta: LEADER_WORKER_SET_TYPE_META,
  shape: LEADER_WORKER_SET_SHAPE,
  propPaths: LEADER_WORKER_SET_PROP_PATHS,
  build: buildLeaderWorkerSetWithGoal,
  plan: (objects, { versions }) => planLeaderWorkerSet(objects, { versions }),
  versionsOf: ({ versions }) => versions,
};

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
  /** The LeaderWorkerSet, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly plan: () => PlanDocument;

  /**
   * Adds the LeaderWorkerSet to the chart.
   *
   * @param id of the construct, and the name of the set unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: LeaderWorkerSetRolloutProps) {
    super(scope, id);
    const { apiObject, findings, plan } = createObjectWithGoals(this, id, input, LEADER_WORKER_SET);
    this.apiObject = apiObject;
    this.findings = findings;
    this.plan = plan;
  }

  /** Planned rollout of its groups, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }
}
