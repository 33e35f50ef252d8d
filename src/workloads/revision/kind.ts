import { checkRevisionNeedsHeadroom } from '../../cluster/rules/surge-needs-headroom';
import type { Finding } from '../../core/findings/finding';
import type { RevisionSimulation } from '../../core/simulations/revision';
import { runChecks, createNotApplicable } from '../rule-table';
import type { PodRuleTable } from '../rule-table';
import type { RuleContext } from '../rule-context';
import type { PodCount, PodKind } from '../rollout-kind';
import type { EffectiveStrategy } from '../effective-strategy';
import { DEPLOYMENT } from '../deployment/kind';
import type { EffectiveDeployment } from '../deployment/kind';
import { defaultDeploymentStrategy } from '../deployment/strategy';
import type { InitialState, PodChangeInput } from '../../cluster/rollout/initial-state';
import type { RevisionScale } from './scale';
import { computeRevisionDuration, computeRevisionOutcome, simulateRevision } from './simulate';
import { simulateRevisionWithin } from './simulate-within';

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
  'foreign-owner': createNotApplicable('Knative owns the Revision'),
};

/** Returns the scale of a Revision next to an old one, which keeps the minimum with which it was created. */
function withOldMinimum(scale: RevisionScale, { before }: InitialState): RevisionScale {
  return before === undefined ? scale : { ...scale, oldMinScale: before };
}

/** Returns the pods that the requests need. Only one of two minimums is known to be enough for them. */
function countNeededPods({ replicas, before = replicas }: InitialState): number {
  return Math.min(replicas, before);
}

/** The pod kind of Revisions that Knative creates for a component. */
export const REVISION: PodKind<EffectiveRevision, RevisionSimulation> = {
  kind: 'Revision',
  revisionLabel: 'serving.knative.dev/revision',
  traits: { addsReplicaSet: true },
  simulate: ({ scale }, initialState) => simulateRevision(withOldMinimum(scale, initialState), countNeededPods(initialState)),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, replicas }) => ({ unit: 'wave', peakPods, surge: peakPods - replicas, unavailable: 0, waitsForAllNew: true }),
  outcome: ({ scale }, simulation, capacity, areRefused = false) => computeRevisionOutcome(scale, simulation, capacity, areRefused),
  simulateWithin: ({ scale }, _simulation, limits, initialState) =>
    simulateRevisionWithin(withOldMinimum(scale, initialState), countNeededPods(initialState), limits),
  duration: ({ scale }, simulation, seconds, capacity) => computeRevisionDuration(scale, simulation, seconds, capacity),
  checkRules: (context) => runChecks(REVISION_CHECKS, context),
};

/** Strategy of the Deployment of a Revision. Source: knative/serving pkg/reconciler/revision/resources/deploy.go, `MakeDeployment`. */
const REVISION_STRATEGY = defaultDeploymentStrategy({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } });

/** Returns the number of pods of a component. Nothing rolls out if an apply creates no Revision. */
export function countRevisionPods({ minScale }: RevisionScale, changed: PodChangeInput | undefined): PodCount {
  if (changed?.rolls === false) return { steady: minScale };
  const before = changed?.start?.before;
  return { steady: minScale, initialState: { replicas: minScale, ...(before !== undefined && { before }) } };
}

/** A kind of pods with its settings. */
export type RevisionUpdate =
  | { readonly kind: PodKind<EffectiveRevision>; readonly effective: EffectiveRevision }
  | { readonly kind: PodKind<EffectiveDeployment>; readonly effective: EffectiveDeployment };

/**
 * Returns how the pods of a Revision are replaced: by another Revision next to it, or in place if Knative itself writes its Deployment
 * differently, as at an upgrade of Knative.
 */
export function buildRevisionUpdate(scale: RevisionScale, changed: PodChangeInput | undefined): RevisionUpdate {
  if (changed?.isInPlace) return { kind: DEPLOYMENT, effective: { strategy: REVISION_STRATEGY, provenance: [] } };
  return { kind: REVISION, effective: { strategy: null, provenance: [], scale } };
}
