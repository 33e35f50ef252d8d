import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import { checkSurgeNeedsHeadroom } from '../../cluster/rules/surge-needs-headroom';
import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import { countPodsByReplicas } from '../replicas';
import { runChecks } from '../rule-table';
import type { PodRuleTable } from '../rule-table';
import type { ProgressDeadline, RuleContext } from '../rule-context';
import type { RolloutKind } from '../rollout-kind';
import type { EffectiveStrategy } from '../effective-strategy';
import { checkFencepost } from '../rules/fencepost';
import { checkForeignOwner } from '../rules/foreign-owner';
import { checkHpaOwnsReplicas } from '../rules/hpa-owns-replicas';
import { checkRollingUpdateOutage, checkRecreateOutage } from '../rules/outage';
import { computeDeploymentDuration } from './duration';
import { computeDeploymentOutcome } from './outcome';
import { buildDeploymentProvenance } from './provenance';
import { checkPaused } from './rules/paused';
import { checkProgressDeadlineTooShort } from './rules/progress-deadline-too-short';
import { simulateDeployment } from './simulate';
import { countOldPodsIfAlike, simulateDeploymentFrom } from './simulate-from';
import { simulateDeploymentWithin } from './simulate-within';
import { DEPLOYMENT_DEFAULTS, resolveFenceposts, defaultDeploymentStrategy } from './strategy';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';
import { DEPLOYMENT_SPEC } from './spec';
import { validateDeployment } from './validation';
import { toSafeNumber } from '../../core/text/value-text';

/** A Deployment's strategy, and how long a rollout may go without progress. */
export interface EffectiveDeployment extends EffectiveStrategy {
  readonly strategy: DeploymentStrategy;
  /** @default 600 */
  readonly progressDeadlineSeconds?: number;
}

const STRATEGY_PATH = toFieldPath`spec.strategy`;
const DEADLINE_PATH = toFieldPath`spec.progressDeadlineSeconds`;

type DeploymentRuleContext = RuleContext<EffectiveDeployment>;

/** Returns the limits of a rolling update, or undefined for Recreate, without a rollout and without pods. */
function limitsOf({ effective: { strategy }, rollout }: DeploymentRuleContext) {
  if (!rollout || rollout.replicas === 0 || strategy.type === 'Recreate') return undefined;
  return strategy.rollingUpdate;
}

function checkHeadroom(ruleContext: DeploymentRuleContext): Finding[] {
  const limits = limitsOf(ruleContext);
  return limits ? checkSurgeNeedsHeadroom(ruleContext.workload, ruleContext.rollout!, limits.maxUnavailable, ruleContext.capacity) : [];
}

function checkDeploymentFencepost(ruleContext: DeploymentRuleContext): Finding[] {
  const limits = limitsOf(ruleContext);
  if (!limits) return [];
  const { replicas } = ruleContext.rollout!;
  return resolveFenceposts(limits, replicas).fencepost ? checkFencepost(ruleContext.workload, replicas, limits) : [];
}

function checkOutage(ruleContext: DeploymentRuleContext): Finding[] {
  const { effective, workload, rollout, capacity } = ruleContext;
  if (!rollout) return [];
  if (effective.strategy.type === 'Recreate') return checkRecreateOutage(ruleContext);
  const limits = limitsOf(ruleContext);
  if (!limits) return [];
  const { unavailable } = resolveFenceposts(limits, rollout.replicas);
  return checkRollingUpdateOutage(workload, rollout, limits.maxUnavailable, unavailable, capacity);
}

const CHECKS: PodRuleTable<EffectiveDeployment, 'paused' | 'progress-deadline-too-short'> = {
  paused: checkPaused,
  'surge-needs-headroom': checkHeadroom,
  fencepost: checkDeploymentFencepost,
  outage: checkOutage,
  'progress-deadline-too-short': checkProgressDeadlineTooShort,
  'hpa-owns-replicas': checkHpaOwnsReplicas,
  'foreign-owner': ({ strategyObject, workload }) => checkForeignOwner(strategyObject, workload.strategyPath),
};

function isPausedDeployment(deployment: Manifest): boolean {
  return getFieldsAt(deployment, 'spec').paused === true;
}

/** The Deployment kind, for Deployments in the input and for those that controllers create from other objects. */
export const DEPLOYMENT: RolloutKind<EffectiveDeployment, DeploymentSimulation> = {
  system: 'kubernetes',
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  hasScale: true,
  names: KUBERNETES_FIELD_NAMES,
  strategyPath: STRATEGY_PATH,
  revisionLabel: 'pod-template-hash',
  traits: { addsReplicaSet: true, hasSurge: true, canRecreate: true },
  podTemplate: (template) => template,
  validationSpec: { spec: DEPLOYMENT_SPEC, strategyField: 'strategy', name: 'dns-subdomain' },
  validate: (deployment) => validateDeployment(deployment),
  resolveStrategy: (deployment) => {
    const spec = getFieldsAt(deployment, 'spec');
    // `validate` has checked the types.
    const specified = spec.strategy as DeploymentStrategySpec | null | undefined;
    const strategy = defaultDeploymentStrategy(specified);
    return {
      strategy,
      provenance: buildDeploymentProvenance(specified, strategy, STRATEGY_PATH),
      progressDeadlineSeconds: isInt32(spec.progressDeadlineSeconds) ? spec.progressDeadlineSeconds : undefined,
    };
  },
  count: (deployment, _pods, context) => countPodsByReplicas(deployment, context),
  isPaused: isPausedDeployment,
  countPinnedPods: (deployment) => (isPausedDeployment(deployment) ? Infinity : 0),
  resumeCondition: () => 'it is resumed',
  deadline: (spec) => deadlineOf(spec),
  ignoresReadiness: ({ strategy }) => strategy.type === 'Recreate',
  simulate: ({ strategy }, { replicas, replicaSets }) =>
    replicaSets ? simulateDeploymentFrom(strategy, replicas, replicaSets) : simulateDeployment(strategy, replicas),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, surge, unavailable }) => ({ unit: 'wave', peakPods, surge, unavailable }),
  outcome: ({ strategy }, simulation, capacity) => computeDeploymentOutcome(simulation, capacity, strategy.type === 'Recreate'),
  runningBefore: ({ replicaSets = [] }) => countOldPodsIfAlike(replicaSets),
  simulateWithin: ({ strategy }, simulation, limits, { replicas, replicaSets }) => {
    const running = replicaSets === undefined ? replicas : countOldPodsIfAlike(replicaSets);
    return running === undefined ? undefined : simulateDeploymentWithin(simulation, strategy.type === 'Recreate', limits, running);
  },
  duration: ({ strategy, progressDeadlineSeconds = DEPLOYMENT_DEFAULTS.progressDeadlineSeconds }, simulation, seconds, capacity) =>
    computeDeploymentDuration(simulation, seconds, { isRecreate: strategy.type === 'Recreate', progressDeadlineSeconds }, capacity),
  withStrategy: (effective, strategy) => ({ ...effective, strategy: defaultDeploymentStrategy(strategy as DeploymentStrategySpec) }),
  checkRules: (ruleContext) => runChecks(CHECKS, ruleContext),
};

/** The deadline of a Deployment that sets none, shared because most set none. */
const DEFAULT_DEADLINE: ProgressDeadline = {
  path: DEADLINE_PATH,
  deadline: DEPLOYMENT_DEFAULTS.progressDeadlineSeconds,
  minReadySeconds: DEPLOYMENT_DEFAULTS.minReadySeconds,
  isSettable: true,
};

function deadlineOf({ progressDeadlineSeconds, minReadySeconds }: Fields): ProgressDeadline {
  if (progressDeadlineSeconds == null && minReadySeconds == null) return DEFAULT_DEADLINE;
  return {
    ...DEFAULT_DEADLINE,
    deadline: toSafeNumber(progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds),
    minReadySeconds: toSafeNumber(minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds),
  };
}
