import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Finding } from '../core/findings/finding';
import type { PlanDocument } from '../core/document/plan-document';
import type { PlannedRollout } from '../core/document/rollout';
import { DISAGGREGATED_SET_PROP_PATHS, DISAGGREGATED_SET_SHAPE, planDisaggregatedSet } from '../props/disaggregated-set';
import { DISAGGREGATED_SET_TYPE_META } from '../systems/disaggregatedset/props';
import type { DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import { buildDisaggregatedSetWithGoals } from '../props/disaggregated-goal';
import { createObjectWithGoals } from './object-with-goals';
import type { KindWithGoals } from './object-with-goals';

const DISAGGREGATED_SET: KindWithGoals<DisaggregatedSetRolloutProps> = {
  typeMeta: DISAGGREGATED_SET_TYPE_META,
  shape: DISAGGREGATED_SET_SHAPE,
  propPaths: DISAGGREGATED_SET_PROP_PATHS,
  build: buildDisaggregatedSetWithGoals,
  plan: (objects, { versions }) => planDisaggregatedSet(objects, { versions }),
  versionsOf: ({ versions }) => versions,
};

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
  /** The DisaggregatedSet, for patches and dependencies. Patches are applied last. */
  public readonly apiObject: ApiObject;
  /** Findings about the props and about the rollout that they lead to. Errors fail the synth. */
  public readonly findings: readonly Finding[];

  private readonly plan: () => PlanDocument;

  /**
   * Adds the DisaggregatedSet to the chart.
   *
   * @param id of the construct, and the name of the set unless `metadata.name` is given
   */
  public constructor(scope: Construct, id: string, input: DisaggregatedSetRolloutProps) {
    super(scope, id);
    const { apiObject, findings, plan } = createObjectWithGoals(this, id, input, DISAGGREGATED_SET);
    this.apiObject = apiObject;
    this.findings = findings;
    this.plan = plan;
  }

  /** Planned rollout of the groups of its roles, patches included. */
  public get rollouts(): readonly PlannedRollout[] {
    return this.plan().rollouts;
  }
}
