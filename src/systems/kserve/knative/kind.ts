import { checkRevisionNeedsHeadroom } from '../../../cluster/rules/surge-needs-headroom';
import type { Finding } from '../../../core/finding';
import type { RevisionSimulation } from '../../../core/simulations/revision';
import { runChecks, createNotApplicable } from '../../../workloads/rule-table';
import type { PodRuleTable } from '../../../workloads/rule-table';
import type { RuleContext } from '../../../workloads/rule-context';
import type { PodKind } from '../../../workloads/rollout-kind';
import type { EffectiveStrategy } from '../../../workloads/effective-strategy';
import type { RevisionScale } from './scale';
import { simulateHaltedRevision, computeRevisionDuration, computeRevisionOutcome, simulateRevision } from './simulate';

/** The settings that Knative scales Revisions by. There is no strategy: one Revision replaces the other entirely. */
export interface EffectiveRevision extends EffectiveStrategy {
  readonly strategy: null;
  readonly scale: RevisionScale;
}

type RevisionContext = RuleContext<EffectiveRevision>;

function checkHeadroom({ workload, rollout, capacity }: RevisionContext): Finding[] {
  return rollout ? checkRevisionNeedsHeadroom(workload, rollout, capacity) : [];
}

const REVISION_CHECKS: PodRuleTable<EffectiveRevision> = {
  'surge-needs-headroom': checkHeadroom,
  fencepost: createNotApplicable('a Revision has no limits that could round to 0'),
  outage: createNotApplicable('the old Revision keeps its pods until the new one is ready'),
  'hpa-owns-replicas': createNotApplicable('Knative brings its own autoscaler'),
  'foreign-owner': createNotApplicable('KServe writes and owns the Revision'),
};

/** The pod kind of Revisions that Knative creates for a component. */
export const REVISION: PodKind<EffectiveRevision, RevisionSimulation> = {
  kind: 'Revision',
  revisionLabel: 'serving.knative.dev/revision',
  traits: { addsReplicaSet: true },
  simulate: ({ scale }, { replicas }) => simulateRevision(scale, replicas),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, replicas }) => ({ unit: 'wave', peakPods, surge: peakPods - replicas, unavailable: 0, waitsForAllNew: true }),
  outcome: ({ scale }, simulation, capacity, areRefused = false) => computeRevisionOutcome(scale, simulation, capacity, areRefused),
  simulateUntilDeadlock: ({ scale }, simulation, delay) => simulateHaltedRevision(scale, simulation, delay),
  duration: ({ scale }, simulation, seconds, capacity) => computeRevisionDuration(scale, simulation, seconds, capacity),
  checkRules: (context) => runChecks(REVISION_CHECKS, context),
};
