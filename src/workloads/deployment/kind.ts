import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import { headroomFindings } from '../../cluster/rules/surge-needs-headroom';
import { at } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import { podsByReplicas } from '../replicas';
import { checked } from '../checks';
import type { CheckTable } from '../checks';
import type { Review } from '../review';
import type { RolloutKind } from '../rollout-kind';
import type { Settled } from '../settled';
import { fencepostFindings } from '../rules/fencepost';
import { foreignOwnerFindings } from '../rules/foreign-owner';
import { autoscaledReplicasFindings } from '../rules/hpa-owns-replicas';
import { readinessFindings } from '../rules/no-readiness-probe';
import { outageFindings, recreateFindings } from '../rules/outage';
import { startupMetadataFindings } from '../rules/startup-annotation';
import { deploymentDuration } from './duration';
import { deploymentOutcome } from './outcome';
import { deploymentProvenance } from './provenance';
import { pausedFindings } from './rules/paused';
import { deadlineFindings } from './rules/progress-deadline-too-short';
import { simulateDeployment } from './simulate';
import { simulateDeploymentFrom } from './simulate-from';
import { DEPLOYMENT_DEFAULTS, resolveFenceposts, storedDeploymentStrategy } from './strategy';
import type { DeploymentStrategy, DeploymentStrategySpec } from './types';
import { DEPLOYMENT_SPEC } from './spec';
import { deploymentFindings } from './validation';

/** A Deployment's strategy, and how long it may stand without progress. */
export interface SettledDeployment extends Settled {
  readonly strategy: DeploymentStrategy;
  /** @default 600 */
  readonly progressDeadlineSeconds?: number;
}

const STRATEGY_PATH = at`spec.strategy`;
const DEADLINE_PATH = at`spec.progressDeadlineSeconds`;

type DeploymentReview = Review<SettledDeployment>;

/** The limits of a rolling update; undefined for Recreate, and where there is no rollout or no pod. */
function limitsOf({ settled: { strategy }, rollout }: DeploymentReview) {
  if (!rollout || rollout.replicas === 0 || strategy.type === 'Recreate') return undefined;
  return strategy.rollingUpdate;
}

function headroom(review: DeploymentReview): Finding[] {
  const limits = limitsOf(review);
  return limits ? headroomFindings(review.workload, review.rollout!, limits.maxUnavailable, review.room) : [];
}

function fencepost(review: DeploymentReview): Finding[] {
  const limits = limitsOf(review);
  if (!limits) return [];
  const { replicas } = review.rollout!;
  return resolveFenceposts(limits, replicas).fencepost ? fencepostFindings(review.workload, replicas, limits) : [];
}

function outage(review: DeploymentReview): Finding[] {
  const { settled, workload, rollout, room } = review;
  if (!rollout) return [];
  if (settled.strategy.type === 'Recreate') return recreateFindings(review);
  const limits = limitsOf(review);
  if (!limits) return [];
  const { unavailable } = resolveFenceposts(limits, rollout.replicas);
  return outageFindings(workload, rollout, limits.maxUnavailable, unavailable, room);
}

const CHECKS: CheckTable<SettledDeployment, 'paused' | 'progress-deadline-too-short'> = {
  paused: pausedFindings,
  'surge-needs-headroom': headroom,
  fencepost,
  outage,
  'startup-annotation': startupMetadataFindings,
  'progress-deadline-too-short': deadlineFindings,
  'hpa-owns-replicas': autoscaledReplicasFindings,
  'no-readiness-probe': (review) => (review.settled.strategy.type === 'Recreate' ? [] : readinessFindings(review)),
  'foreign-owner': ({ writtenInto, workload }) => foreignOwnerFindings(writtenInto, workload.strategyPath),
};

function isHeld(deployment: Manifest): boolean {
  return fieldsAt(deployment, 'spec').paused === true;
}

/** Deployments: those of the input, and those that controllers make of other objects. */
export const DEPLOYMENT: RolloutKind<SettledDeployment, DeploymentSimulation> = {
  system: 'kubernetes',
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  hasScale: true,
  names: KUBERNETES_NAMES,
  strategyPath: STRATEGY_PATH,
  revisionLabel: 'pod-template-hash',
  traits: { addsReplicaSet: true, hasSurge: true, canRecreate: true },
  podTemplate: (template) => template,
  whole: { spec: DEPLOYMENT_SPEC, strategyField: 'strategy', name: 'dns-subdomain' },
  validate: (deployment) => deploymentFindings(deployment),
  settle: (deployment) => {
    const spec = fieldsAt(deployment, 'spec');
    // The types were checked by `validate`.
    const written = spec.strategy as DeploymentStrategySpec | null | undefined;
    const strategy = storedDeploymentStrategy(written);
    return {
      strategy,
      provenance: deploymentProvenance(written, strategy, STRATEGY_PATH),
      progressDeadlineSeconds: isInt32(spec.progressDeadlineSeconds) ? spec.progressDeadlineSeconds : undefined,
    };
  },
  count: (deployment, _pods, context) => podsByReplicas(deployment, context),
  isHeld,
  heldPods: (deployment) => (isHeld(deployment) ? Infinity : 0),
  heldUntil: () => 'it is resumed',
  deadline: (spec) => deadlineOf(spec),
  simulate: ({ strategy }, { replicas, replicaSets }) =>
    replicaSets ? simulateDeploymentFrom(strategy, replicas, replicaSets) : simulateDeployment(strategy, replicas),
  leastAvailable: ({ minAvailable }) => minAvailable,
  podsOverTime: ({ peakPods, surge, unavailable }) => ({ unit: 'wave', peakPods, surge, unavailable }),
  outcome: ({ strategy }, simulation, room) => deploymentOutcome(simulation, room, strategy.type === 'Recreate'),
  duration: ({ strategy, progressDeadlineSeconds = DEPLOYMENT_DEFAULTS.progressDeadlineSeconds }, simulation, seconds, room) =>
    deploymentDuration(simulation, seconds, { isRecreate: strategy.type === 'Recreate', progressDeadlineSeconds }, room),
  review: (review) => checked(CHECKS, review),
};

function deadlineOf(spec: Fields) {
  return {
    path: DEADLINE_PATH,
    deadline: Number(spec.progressDeadlineSeconds ?? DEPLOYMENT_DEFAULTS.progressDeadlineSeconds),
    minReadySeconds: Number(spec.minReadySeconds ?? DEPLOYMENT_DEFAULTS.minReadySeconds),
    isSettable: true,
  };
}
