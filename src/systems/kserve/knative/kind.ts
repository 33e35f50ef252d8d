import { revisionHeadroomFindings } from '../../../cluster/rules/surge-needs-headroom';
import type { Finding } from '../../../core/finding';
import type { RevisionSimulation } from '../../../core/simulations/revision';
import { checked, notFor } from '../../../workloads/checks';
import type { CheckTable } from '../../../workloads/checks';
import type { Review } from '../../../workloads/review';
import type { PodKind } from '../../../workloads/rollout-kind';
import { startupMetadataFindings } from '../../../workloads/rules/startup-annotation';
import type { Settled } from '../../../workloads/settled';
import type { RevisionScale } from './scale';
import { haltedRevision, revisionDuration, revisionOutcome, simulateRevision } from './simulate';

/** What Knative scales Revisions by. There is no strategy: one Revision replaces the other as a whole. */
export interface SettledRevision extends Settled {
  readonly strategy: null;
  readonly scale: RevisionScale;
}

type RevisionReview = Review<SettledRevision>;

function headroom({ workload, rollout, room }: RevisionReview): Finding[] {
  return rollout ? revisionHeadroomFindings(workload, rollout, room) : [];
}

const CHECKS: CheckTable<SettledRevision> = {
  'surge-needs-headroom': headroom,
  fencepost: notFor('there are no limits to come to 0'),
  outage: notFor('the old Revision keeps its pods until the new one is ready'),
  'startup-annotation': startupMetadataFindings,
  'hpa-owns-replicas': notFor('Knative brings its own autoscaler'),
  'no-readiness-probe': notFor('Knative gives every pod a probe of its own'),
  'foreign-owner': notFor('KServe writes the Revision, and owns it'),
};

/** The Revisions that Knative makes of a component. */
export const REVISION: PodKind<SettledRevision, RevisionSimulation> = {
  kind: 'Revision',
  revisionLabel: 'serving.knative.dev/revision',
  traits: { addsReplicaSet: true },
  simulate: ({ scale }, { replicas }) => simulateRevision(scale, replicas),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, replicas }) => ({ unit: 'wave', peakPods, surge: peakPods - replicas, unavailable: 0, waitsForAllNew: true }),
  outcome: ({ scale }, simulation, room, areRefused = false) => revisionOutcome(scale, simulation, room, areRefused),
  haltedAt: ({ scale }, simulation, delay) => haltedRevision(scale, simulation, delay),
  duration: ({ scale }, simulation, seconds, room) => revisionDuration(scale, simulation, seconds, room),
  review: (review) => checked(CHECKS, review),
};
