import type { Finding } from '../../core/findings/finding';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { InitialState } from '../../cluster/rollout/initial-state';
import { toFieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { runChecks, createNotApplicable } from '../../workloads/rule-table';
import type { PodRuleTable } from '../../workloads/rule-table';
import type { RuleContext } from '../../workloads/rule-context';
import { countPodsByReplicas } from '../../workloads/replicas';
import type { ObjectKind } from '../../workloads/rollout-kind';
import { checkHpaOwnsReplicas } from '../../workloads/rules/hpa-owns-replicas';
import { checkRollingUpdateOutage } from '../../workloads/rules/outage';
import type { EffectiveStrategy } from '../../workloads/effective-strategy';
import { computeArgoRolloutDuration, computeArgoRolloutOutcome } from './outcome';
import { checkCanaryVanishes } from './rules/canary-vanishes';
import { checkEndlessPause } from './rules/endless-pause';
import { checkKeepsOldPods } from './rules/keeps-old-pods';
import { checkNeedsHeadroom } from './rules/needs-headroom';
import { checkArgoRolloutPaused } from './rules/paused';
import { checkQuotedLimit } from './rules/quoted-limit';
import { checkArgoRolloutRestart } from './rules/restart';
import { checkUnusedLimits } from './rules/unused-limits';
import { checkWeightNotReached } from './rules/weight-not-reached';
import { computeRestartOutcome, simulateRestart, simulateRestartWithin } from './restart';
import { simulateArgoRollout, simulateArgoRolloutWithin } from './simulate';
import type { RolloutQuery } from './walk-rollout';
import { buildArgoRolloutProvenance } from './provenance';
import { ARGO_ROLLOUT_SPEC } from './schema';
import { ROLLOUT_DEFAULTS, parseArgoStrategy } from './strategy';
import type { ArgoRolloutStrategy } from './strategy';
import { hasWorkloadRef, findRolloutTemplate } from './template';
import { validateArgoRollout } from './validation';
import { resolveRolloutsBehaviour } from './versions';
import type { RolloutsBehaviour } from './versions';

/** The strategy of a Rollout, as written and as parsed by the controller. */
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

/** Reports whether the simulation is a restart of pods with an unchanged template. */
function hasRestart(context: ArgoRolloutContext): boolean {
  return getSimulation(context)?.type === 'restart';
}

/**
 * Reports a canary without a router that takes down all of its pods at once. With a router, and in blue-green, old pods stay. Restarts are
 * reported by `restart`.
 */
function checkOutage(context: ArgoRolloutContext): Finding[] {
  const { effective, workload, rollout, capacity } = context;
  const { parsedStrategy } = effective;
  if (!rollout || parsedStrategy.type === 'blueGreen' || parsedStrategy.isRouted || hasRestart(context)) return [];
  return checkRollingUpdateOutage(workload, rollout, parsedStrategy.maxUnavailable, rollout.unavailable, capacity);
}

function checkLimits(context: ArgoRolloutContext): Finding[] {
  const { effective, rollout } = context;
  const { parsedStrategy, object } = effective;
  if (parsedStrategy.type === 'blueGreen' || !rollout || hasRestart(context)) return [];
  return parsedStrategy.isRouted
    ? checkUnusedLimits(object, rollout.replicas, rollout.peakPods)
    : checkQuotedLimit(object, parsedStrategy, rollout.replicas);
}

function checkPauses(context: ArgoRolloutContext): Finding[] {
  const simulation = getSimulation(context);
  // A version that is rolled back passes no step.
  if (!simulation || simulation.type === 'restart' || simulation.rolledBackPods !== undefined) return [];
  return checkEndlessPause(context.effective.parsedStrategy, simulation.waves[0]?.newPods ?? 0);
}

function checkRestart(context: ArgoRolloutContext): Finding[] {
  const { effective, rollout } = context;
  const simulation = getSimulation(context);
  return rollout && simulation ? checkArgoRolloutRestart(effective.object, effective.parsedStrategy, simulation) : [];
}

function checkWeights(context: ArgoRolloutContext): Finding[] {
  const { effective, rollout } = context;
  if (!rollout || hasRestart(context)) return [];
  return [
    ...checkCanaryVanishes(effective.parsedStrategy, rollout.replicas),
    ...checkWeightNotReached(effective.parsedStrategy, rollout.replicas),
  ];
}

const ARGO_ROLLOUT_CHECKS: PodRuleTable<
  EffectiveArgoRollout,
  'paused' | 'limits' | 'endless-pause' | 'keeps-old-pods' | 'restart' | 'weights'
> = {
  paused: ({ isPaused }) => checkArgoRolloutPaused(isPaused),
  limits: checkLimits,
  'endless-pause': checkPauses,
  'keeps-old-pods': (context) => {
    const simulation = getSimulation(context);
    return simulation ? checkKeepsOldPods(simulation) : [];
  },
  restart: checkRestart,
  weights: checkWeights,
  'surge-needs-headroom': ({ workload, rollout, capacity }) => (rollout ? checkNeedsHeadroom(workload, rollout, capacity) : []),
  fencepost: createNotApplicable('the controller refuses two limits of 0, and its old parser does not report limits that round to 0'),
  outage: checkOutage,
  'hpa-owns-replicas': checkHpaOwnsReplicas,
  'foreign-owner': createNotApplicable('no other controller creates Rollouts'),
};

/** The object kind of Rollouts. */
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
  // The controller validates a pod template with the code for ReplicaSets.
  validationSpec: { spec: ARGO_ROLLOUT_SPEC, strategyField: 'strategy', name: 'dns-subdomain', hasExternalTemplate: hasWorkloadRef },
  validate: validateArgoRollout,
  resolveStrategy: (rollout, versions) => {
    const behaviour = resolveRolloutsBehaviour(versions['argo-rollouts']);
    const { strategy, progressDeadlineSeconds: deadline } = getFieldsAt(rollout, 'spec');
    // `validate` has already refused an object without a strategy.
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
  simulate: (effective, start) => {
    const { isRestart = false, young = 0, alsoRestarts = false } = start;
    const query = buildQuery(effective, start);
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
  outcome: (effective, simulation, capacity, _areRefused, start) =>
    simulation.type === 'restart'
      ? computeRestartOutcome(simulation, capacity)
      : computeArgoRolloutOutcome(buildQuery(effective, start), simulation, capacity),
  simulateWithin: (effective, ideal, limits, start) => {
    if (ideal.type === 'restart') return simulateRestartWithin(ideal, start, limits);
    const run = simulateArgoRolloutWithin(buildQuery(effective, start), limits);
    return start.alsoRestarts ? { ...run, simulation: { ...run.simulation, alsoRestarts: true } } : run;
  },
  duration: ({ progressDeadlineSeconds }, simulation, seconds, capacity) =>
    computeArgoRolloutDuration(simulation, seconds, progressDeadlineSeconds, capacity),
  checkRules: (context) => runChecks(ARGO_ROLLOUT_CHECKS, context),
};
