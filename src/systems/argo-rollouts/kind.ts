import type { Finding } from '../../core/finding';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { InitialState } from '../../cluster/initial-state';
import { toFieldPath } from '../../core/field-path';
import { isInt32 } from '../../core/int-or-percent';
import { getFieldsAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { runChecks, createNotApplicable } from '../../workloads/rule-table';
import type { PodRuleTable } from '../../workloads/rule-table';
import type { RuleContext } from '../../workloads/rule-context';
import { countPodsByReplicas } from '../../workloads/replicas';
import type { ObjectKind } from '../../workloads/rollout-kind';
import { checkHpaOwnsReplicas } from '../../workloads/rules/hpa-owns-replicas';
import { checkNoReadinessProbe } from '../../workloads/rules/no-readiness-probe';
import { checkRollingUpdateOutage } from '../../workloads/rules/outage';
import { checkStartupAnnotations } from '../../workloads/rules/startup-annotation';
import type { EffectiveStrategy } from '../../workloads/effective-strategy';
import { computeArgoRolloutDuration, computeArgoRolloutOutcome } from './outcome';
import { checkEndlessPause } from './rules/endless-pause';
import { checkKeepsOldPods } from './rules/keeps-old-pods';
import { checkNeedsHeadroom } from './rules/needs-headroom';
import { checkArgoRolloutPaused } from './rules/paused';
import { checkQuotedLimit } from './rules/quoted-limit';
import { checkArgoRolloutRestart } from './rules/restart';
import { checkUnusedLimits } from './rules/unused-limits';
import { computeRestartOutcome, simulateRestart } from './restart';
import { simulateArgoRollout } from './simulate';
import type { RolloutQuery } from './simulate';
import { buildArgoRolloutProvenance } from './provenance';
import { ARGO_ROLLOUT_SPEC } from './schema';
import { ROLLOUT_DEFAULTS, parseArgoStrategy } from './strategy';
import type { ArgoRolloutStrategy } from './strategy';
import { hasWorkloadRef, findRolloutTemplate } from './template';
import { validateArgoRollout } from './validation';
import { resolveRolloutsBehaviour } from './versions';
import type { RolloutsBehaviour } from './versions';

/** A Rollout's strategy, as it is written and as the controller reads it. */
export interface EffectiveArgoRollout extends EffectiveStrategy {
  readonly object: Manifest;
  readonly parsedStrategy: ArgoRolloutStrategy;
  readonly behaviour: RolloutsBehaviour;
  readonly progressDeadlineSeconds: number;
}

type ArgoRolloutContext = RuleContext<EffectiveArgoRollout>;

function buildQuery(
  { parsedStrategy, behaviour }: EffectiveArgoRollout,
  { replicas, before = replicas, canary }: InitialState,
): RolloutQuery {
  return { strategy: parsedStrategy, replicas, before, behaviour, ...(canary && { currentCanary: canary }) };
}

function getSimulation({ rollout }: ArgoRolloutContext): ArgoRolloutSimulation | undefined {
  return rollout?.simulation.kind === 'argorollout' ? rollout.simulation : undefined;
}

/** Is it a restart of pods that keep their template? */
function hasRestart(review: ArgoRolloutContext): boolean {
  return getSimulation(review)?.type === 'restart';
}

/** A canary that takes down all of its pods at once has no router: with one, and blue-green, the old pods stay. Of a restart `restart` says it. */
function checkOutage(review: ArgoRolloutContext): Finding[] {
  const { effective: resolved, workload, rollout, capacity } = review;
  const { parsedStrategy } = resolved;
  if (!rollout || parsedStrategy.type === 'blueGreen' || parsedStrategy.isRouted || hasRestart(review)) return [];
  return checkRollingUpdateOutage(workload, rollout, parsedStrategy.maxUnavailable, rollout.unavailable, capacity);
}

function checkLimits(review: ArgoRolloutContext): Finding[] {
  const { effective: resolved, rollout } = review;
  const { parsedStrategy, object } = resolved;
  if (parsedStrategy.type === 'blueGreen' || !rollout || hasRestart(review)) return [];
  return parsedStrategy.isRouted
    ? checkUnusedLimits(object, rollout.replicas, rollout.peakPods)
    : checkQuotedLimit(object, parsedStrategy, rollout.replicas);
}

function checkPauses(review: ArgoRolloutContext): Finding[] {
  const simulation = getSimulation(review);
  // A version that is taken back passes no step.
  if (!simulation || simulation.type === 'restart' || simulation.rolledBackPods !== undefined) return [];
  return checkEndlessPause(review.effective.parsedStrategy, simulation.waves[0]?.newPods ?? 0);
}

function checkRestart(review: ArgoRolloutContext): Finding[] {
  const { effective: resolved, rollout } = review;
  const simulation = getSimulation(review);
  return rollout && simulation ? checkArgoRolloutRestart(resolved.object, resolved.parsedStrategy, simulation) : [];
}

const ARGO_ROLLOUT_CHECKS: PodRuleTable<EffectiveArgoRollout, 'paused' | 'limits' | 'endless-pause' | 'keeps-old-pods' | 'restart'> = {
  paused: ({ isPaused }) => checkArgoRolloutPaused(isPaused),
  limits: checkLimits,
  'endless-pause': checkPauses,
  'keeps-old-pods': (review) => {
    const simulation = getSimulation(review);
    return simulation ? checkKeepsOldPods(simulation) : [];
  },
  restart: checkRestart,
  'surge-needs-headroom': ({ workload, rollout, capacity }) => (rollout ? checkNeedsHeadroom(workload, rollout, capacity) : []),
  fencepost: createNotApplicable('where both limits come to 0, the controller refuses them or its old parser does not say so'),
  outage: checkOutage,
  'startup-annotation': checkStartupAnnotations,
  'hpa-owns-replicas': checkHpaOwnsReplicas,
  'no-readiness-probe': checkNoReadinessProbe,
  'foreign-owner': createNotApplicable('nothing else makes Rollouts'),
};

/** The Rollouts of Argo Rollouts. */
export const ARGO_ROLLOUT: ObjectKind<EffectiveArgoRollout, ArgoRolloutSimulation> = {
  system: 'argo-rollouts',
  kind: 'Rollout',
  hasScale: true,
  names: { rollingUpdate: 'canary', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
  strategyPath: toFieldPath`spec.strategy`,
  strategyOwner: 'argo-rollouts',
  revisionLabel: 'rollouts-pod-template-hash',
  traits: { addsReplicaSet: true, hasSurge: true },
  templateOf: findRolloutTemplate,
  podTemplate: (template) => template,
  // The controller judges a pod template by the code of ReplicaSets.
  validationSpec: { spec: ARGO_ROLLOUT_SPEC, strategyField: 'strategy', name: 'dns-subdomain', hasExternalTemplate: hasWorkloadRef },
  validate: validateArgoRollout,
  resolveStrategy: (rollout, versions) => {
    const behaviour = resolveRolloutsBehaviour(versions['argo-rollouts']);
    const { strategy, progressDeadlineSeconds: deadline } = getFieldsAt(rollout, 'spec');
    // `validate` refuses what is no strategy.
    const parsedStrategy = parseArgoStrategy(rollout, behaviour)!;
    return {
      strategy,
      provenance: buildArgoRolloutProvenance(rollout, parsedStrategy),
      object: rollout,
      parsedStrategy,
      behaviour,
      progressDeadlineSeconds: isInt32(deadline) ? deadline : ROLLOUT_DEFAULTS.progressDeadlineSeconds,
    };
  },
  count: (rollout, _pods, context) => countPodsByReplicas(rollout, context),
  isPaused: (rollout) => getFieldsAt(rollout, 'spec').paused === true,
  deadline: () => undefined,
  simulate: (resolved, start) => {
    const { isRestart = false, young = 0, alsoRestarts = false } = start;
    const query = buildQuery(resolved, start);
    if (isRestart) return simulateRestart({ ...query, young });
    return { ...simulateArgoRollout(query), ...(alsoRestarts && { alsoRestarts }) };
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
  outcome: (resolved, simulation, capacity, _areRefused, start) =>
    simulation.type === 'restart'
      ? computeRestartOutcome(simulation, capacity)
      : computeArgoRolloutOutcome(buildQuery(resolved, start), simulation, capacity),
  duration: ({ progressDeadlineSeconds }, simulation, seconds, capacity) =>
    computeArgoRolloutDuration(simulation, seconds, progressDeadlineSeconds, capacity),
  checkRules: (review) => runChecks(ARGO_ROLLOUT_CHECKS, review),
};
