import type { Finding } from '../../core/finding';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { StartingPoint } from '../../cluster/starting-point';
import { at } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { checked, notFor } from '../../workloads/checks';
import type { CheckTable } from '../../workloads/checks';
import type { Review } from '../../workloads/review';
import { podsByReplicas } from '../../workloads/replicas';
import type { ObjectKind } from '../../workloads/rollout-kind';
import { autoscaledReplicasFindings } from '../../workloads/rules/hpa-owns-replicas';
import { readinessFindings } from '../../workloads/rules/no-readiness-probe';
import { outageFindings } from '../../workloads/rules/outage';
import { startupMetadataFindings } from '../../workloads/rules/startup-annotation';
import type { Settled } from '../../workloads/settled';
import { argoRolloutDuration, argoRolloutOutcome } from './outcome';
import { endlessPauseFindings } from './rules/endless-pause';
import { keptPodsFindings } from './rules/keeps-old-pods';
import { needsRoomFindings } from './rules/needs-room';
import { pausedFindings } from './rules/paused';
import { quotedLimitFindings } from './rules/quoted-limit';
import { restartFindings } from './rules/restart';
import { unusedLimitFindings } from './rules/unused-limits';
import { restartOutcome, simulateRestart } from './restart';
import { simulateArgoRollout } from './simulate';
import type { RolloutQuery } from './simulate';
import { strategyProvenance } from './provenance';
import { ROLLOUT_SPEC } from './schema';
import { ROLLOUT_DEFAULTS, strategyOf } from './strategy';
import type { RolloutStrategy } from './strategy';
import { hasTemplateElsewhere, templateOf } from './template';
import { rolloutRefusals } from './validation';
import { rolloutsBehaviour } from './versions';
import type { RolloutsBehaviour } from './versions';

/** A Rollout's strategy, as it is written and as the controller reads it. */
export interface SettledRollout extends Settled {
  readonly object: Manifest;
  readonly read: RolloutStrategy;
  readonly behaviour: RolloutsBehaviour;
  readonly progressDeadlineSeconds: number;
}

type RolloutReview = Review<SettledRollout>;

function queryOf({ read, behaviour }: SettledRollout, { replicas, before = replicas, canary }: StartingPoint): RolloutQuery {
  return { strategy: read, replicas, before, behaviour, ...(canary && { standing: canary }) };
}

function simulationIn({ rollout }: RolloutReview): ArgoRolloutSimulation | undefined {
  return rollout?.simulation.kind === 'argorollout' ? rollout.simulation : undefined;
}

/** Is it a restart of pods that keep their template? */
function hasRestart(review: RolloutReview): boolean {
  return simulationIn(review)?.type === 'restart';
}

/** A canary that takes down all of its pods at once has no router: with one, and blue-green, the old pods stay. Of a restart `restart` says it. */
function outage(review: RolloutReview): Finding[] {
  const { settled, workload, rollout, room } = review;
  const { read } = settled;
  if (!rollout || read.type === 'blueGreen' || read.isRouted || hasRestart(review)) return [];
  return outageFindings(workload, rollout, read.maxUnavailable, rollout.unavailable, room);
}

function limits(review: RolloutReview): Finding[] {
  const { settled, rollout } = review;
  const { read, object } = settled;
  if (read.type === 'blueGreen' || !rollout || hasRestart(review)) return [];
  return read.isRouted
    ? unusedLimitFindings(object, rollout.replicas, rollout.peakPods)
    : quotedLimitFindings(object, read, rollout.replicas);
}

function endless(review: RolloutReview): Finding[] {
  const simulation = simulationIn(review);
  // A version that is taken back passes no step.
  if (!simulation || simulation.type === 'restart' || simulation.takenBack !== undefined) return [];
  return endlessPauseFindings(review.settled.read, simulation.waves[0]?.newPods ?? 0);
}

function restart(review: RolloutReview): Finding[] {
  const { settled, rollout } = review;
  const simulation = simulationIn(review);
  return rollout && simulation ? restartFindings(settled.object, settled.read, simulation) : [];
}

const CHECKS: CheckTable<SettledRollout, 'paused' | 'limits' | 'endless-pause' | 'keeps-old-pods' | 'restart'> = {
  paused: ({ isPaused }) => pausedFindings(isPaused),
  limits,
  'endless-pause': endless,
  'keeps-old-pods': (review) => {
    const simulation = simulationIn(review);
    return simulation ? keptPodsFindings(simulation) : [];
  },
  restart,
  'surge-needs-headroom': ({ workload, rollout, room }) => (rollout ? needsRoomFindings(workload, rollout, room) : []),
  fencepost: notFor('where both limits come to 0, the controller refuses them or its old parser does not say so'),
  outage,
  'startup-annotation': startupMetadataFindings,
  'hpa-owns-replicas': autoscaledReplicasFindings,
  'no-readiness-probe': readinessFindings,
  'foreign-owner': notFor('nothing else makes Rollouts'),
};

/** The Rollouts of Argo Rollouts. */
export const ARGO_ROLLOUT: ObjectKind<SettledRollout, ArgoRolloutSimulation> = {
  system: 'argo-rollouts',
  kind: 'Rollout',
  hasScale: true,
  names: { rollingUpdate: 'canary', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
  strategyPath: at`spec.strategy`,
  strategyOwner: 'argo-rollouts',
  revisionLabel: 'rollouts-pod-template-hash',
  traits: { addsReplicaSet: true, hasSurge: true },
  templateOf,
  podTemplate: (template) => template,
  // The controller judges a pod template by the code of ReplicaSets.
  whole: { spec: ROLLOUT_SPEC, strategyField: 'strategy', name: 'dns-subdomain', hasTemplateElsewhere },
  validate: rolloutRefusals,
  settle: (rollout, versions) => {
    const behaviour = rolloutsBehaviour(versions['argo-rollouts']);
    const { strategy, progressDeadlineSeconds: deadline } = fieldsAt(rollout, 'spec');
    // `validate` refuses what is no strategy.
    const read = strategyOf(rollout, behaviour)!;
    return {
      strategy,
      provenance: strategyProvenance(rollout, read),
      object: rollout,
      read,
      behaviour,
      progressDeadlineSeconds: isInt32(deadline) ? deadline : ROLLOUT_DEFAULTS.progressDeadlineSeconds,
    };
  },
  count: (rollout, _pods, context) => podsByReplicas(rollout, context),
  isHeld: (rollout) => fieldsAt(rollout, 'spec').paused === true,
  deadline: () => undefined,
  simulate: (settled, start) => {
    const { isRestart = false, young = 0, besideRestart = false } = start;
    const query = queryOf(settled, start);
    if (isRestart) return simulateRestart({ ...query, young });
    return { ...simulateArgoRollout(query), ...(besideRestart && { besideRestart }) };
  },
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ type, peakPods, replicas, unavailable }) => ({
    unit: 'wave',
    peakPods,
    surge: peakPods - replicas,
    unavailable,
    waitsForAllNew: type === 'blueGreen',
    ...(type === 'restart' && { evicts: true }),
  }),
  outcome: (settled, simulation, room, _areRefused, start) =>
    simulation.type === 'restart' ? restartOutcome(simulation, room) : argoRolloutOutcome(queryOf(settled, start), simulation, room),
  duration: ({ progressDeadlineSeconds }, simulation, seconds, room) =>
    argoRolloutDuration(simulation, seconds, progressDeadlineSeconds, room),
  review: (review) => checked(CHECKS, review),
};
