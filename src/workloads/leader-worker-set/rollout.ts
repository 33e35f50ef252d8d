import type { PlanContext } from '../../cluster/context/context';
import { isExtendedResource } from '../../cluster/capacity/pod-requests';
import { computePodFootprint } from '../../cluster/capacity/pod-requests';
import type { InitialState } from '../../cluster/rollout/initial-state';
import type { BudgetedPods, FewerGroups, GroupPods, GroupTrial, FitsRow } from '../../cluster/rollout/pod-groups';
import type { CapacityDelay, CapacityOutcome } from '../../cluster/rollout/pod-rollout';
import { replicaRangeOf } from '../../cluster/autoscaling/autoscaler';
import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import { toFieldPath } from '../../core/manifest/field-path';
import { NANOS_PER_UNIT } from '../../core/values/quantity';
import type { RolloutDuration } from '../../core/document/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { resolveStartupSeconds } from '../../core/values/startup-seconds';
import type { RolloutGroups, WorkerAccelerator } from '../../core/document/pod-group-size';
import { getPodTimings } from '../pod-timings';
import { computeGroupDuration } from './duration';
import { WORKER_INDEX_LABEL } from './leader-label';
import type { LeaderWorkerSet } from './leader-worker-set';
import { simulateGroups, simulateGroupsWithin } from './simulate';
import type { GroupRollout } from './simulate';
import { resolveGroupLimits, resolveLeaderLimit } from './strategy';
import type { LeaderWorkerSetStrategy } from './strategy';
import { toSafeNumber } from '../../core/text/value-text';

/** Returns a set with another number of groups. */
function withReplicas(set: LeaderWorkerSet, replicas: number, kubernetesVersion: string): LeaderWorkerSet {
  const limits = resolveGroupLimits(set.strategy, replicas);
  return { ...set, replicas, limits, leaderLimit: resolveLeaderLimit(set.strategy, limits, set.behaviour, kubernetesVersion) };
}

/**
 * Builds the rollout of a set, to simulate. The initial state has the groups that run before the rollout:
 * by default all desired groups, and all ready.
 */
export function buildGroupRollout(
  { limits, size, behaviour, leaderLimit: limit }: LeaderWorkerSet,
  { before, groups }: Pick<InitialState, 'before' | 'groups'> = {},
): GroupRollout {
  return {
    limits,
    size,
    behaviour,
    leaderLimit: limit.isDropped ? undefined : limit.resolve,
    isRejected: limit.isRejected,
    ...(before !== undefined && { initialGroupCount: before }),
    ...(groups && { initialGroups: groups.runs }),
  };
}

/** Returns a rollout in which the leaders, or the workers, can't be created. */
export function withRejectedPods(rollout: GroupRollout, broken: 'leaders' | 'workers'): GroupRollout {
  return broken === 'leaders' ? { ...rollout, isRejected: true } : { ...rollout, lacksWorkers: true };
}

function computeGroupOutcome(rollout: GroupRollout, planned: LeaderWorkerSetSimulation, capacity: number): CapacityOutcome {
  if (capacity >= planned.peakGroups) return { verdict: 'fits' };
  const constrained = simulateGroups({ ...rollout, capacity });
  const waves = constrained.waves.length + (constrained.elided ?? 0);
  if (!constrained.halted) return { verdict: 'slower', iterations: waves };
  return { verdict: 'deadlocks', deadlockWave: Math.max(1, constrained.halted.wave) };
}

function buildFewerGroups(perGroup: readonly number[], rollout: GroupRollout, simulation: LeaderWorkerSetSimulation): FewerGroups {
  const { replicas, surge, unavailable } = simulation;
  return {
    perGroup,
    limits: { replicas, surge, unavailable },
    outcome: (capacity) => computeGroupOutcome(rollout, simulation, capacity),
    runWithin: (runLimits, mayCompete) => simulateGroupsWithin(rollout, simulation, runLimits, mayCompete),
  };
}

/** Builds the pod sets of leaders and workers for budgets, quotas and nodes. */
function buildGroupPodSets(set: LeaderWorkerSet, simulation: LeaderWorkerSetSimulation | undefined): BudgetedPods[] {
  const { name, namespace, replicas, members } = set;
  const range = replicaRangeOf(set.autoscaler, replicas);
  return members.map(({ template, path, pods, controlsTermination, podPath = toFieldPath`${path}.spec` }, index) => ({
    ...(namespace !== undefined && { namespace }),
    owner: { kind: 'LeaderWorkerSet', name, hasMember: (labels) => (labels[WORKER_INDEX_LABEL] === '0') === (index === 0) },
    kind: 'LeaderWorkerSet',
    name,
    replicas: replicas * pods,
    template,
    strategyPath: set.strategyPath,
    names: KUBERNETES_FIELD_NAMES,
    perGroup: pods,
    podPath,
    revisionLabel: 'leaderworkerset.sigs.k8s.io/template-revision-hash',
    addedConstraints: set.addedConstraints,
    ...(controlsTermination && { controlsTermination }),
    ...(range && { replicaRange: { ...range, minimum: range.minimum * pods, maximum: range.maximum * pods } }),
    ...(simulation && { rollout: { leastAvailable: simulation.minAvailable * pods, surge: simulation.surge * pods } }),
  }));
}

function computeSetDuration(
  set: LeaderWorkerSet,
  simulation: LeaderWorkerSetSimulation,
  context: PlanContext,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  const seconds = set.members.map(({ template }) => {
    const startup = resolveStartupSeconds(template, context.startupSeconds);
    return startup === undefined ? undefined : getPodTimings(template, startup, 0);
  });
  const knownTimings = seconds.flatMap((one) => one ?? []);
  return knownTimings.length < seconds.length ? undefined : computeGroupDuration(simulation, knownTimings, set.leaderFirst, capacity);
}

/** Reports whether one more group than desired fits into the known capacity. */
export function canFitExtraGroup({ members, replicas }: LeaderWorkerSet, canFit: FitsRow): boolean {
  return canFit(members.map(({ pods }) => (replicas + 1) * pods));
}

/** Builds the groups of a rollout for quotas, capacity, budgets and autoscalers. */
export function buildGroupPods(
  set: LeaderWorkerSet,
  rollout: GroupRollout,
  simulation: LeaderWorkerSetSimulation,
  context: PlanContext,
): Omit<GroupPods, 'podTemplates' | 'review'> {
  const perGroup = set.members.map(({ pods }) => pods);
  const buildRows = ({ replicas, waves }: LeaderWorkerSetSimulation) => {
    const toRows = (groups: readonly number[]) => (replicas === 0 ? [] : groups.map((all) => perGroup.map((pods) => all * pods)));
    return {
      rows: toRows([replicas, ...waves.map(({ total }) => total)]),
      oldRows: toRows([replicas, ...waves.map(({ oldGroups }) => oldGroups)]),
    };
  };
  const groupRange = replicaRangeOf(set.autoscaler, set.replicas);
  const buildTrial = (strategy: LeaderWorkerSetStrategy, replicas: number): GroupTrial => {
    const trialSet = withReplicas({ ...set, strategy }, replicas, context.versions.kubernetes);
    const trialRollout = buildGroupRollout(trialSet);
    const trialSimulation = simulateGroups(trialRollout);
    return {
      simulation: trialSimulation,
      ...buildRows(trialSimulation),
      fewer: buildFewerGroups(perGroup, trialRollout, trialSimulation),
      duration: (capacity) => computeSetDuration(trialSet, trialSimulation, context, capacity),
    };
  };
  return {
    podSets: buildGroupPodSets(set, simulation),
    ...buildRows(simulation),
    positionOf: (labels) => toSafeNumber(labels['leaderworkerset.sigs.k8s.io/group-index'] ?? 0),
    path: set.path,
    fewer: buildFewerGroups(perGroup, rollout, simulation),
    duration: (capacity) => computeSetDuration(set, simulation, context, capacity),
    ...(groupRange && { groupRange }),
    rolloutAt: (replicas) => buildTrial(set.strategy, replicas),
    rolloutWith: (strategy, replicas) => buildTrial(strategy as LeaderWorkerSetStrategy, replicas),
  };
}

/** Sums each extended resource over the desired groups and over the surge groups at the peak, sorted by name. */
function sumAccelerators({ members, replicas }: LeaderWorkerSet, surgeGroups: number): WorkerAccelerator[] {
  const perGroup = new Map<string, bigint>();
  for (const { template, pods } of members) {
    for (const [resource, amount] of computePodFootprint(template.spec)) {
      if (isExtendedResource(resource)) perGroup.set(resource, (perGroup.get(resource) ?? 0n) + amount * BigInt(pods));
    }
  }
  return [...perGroup]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, amount]) => {
      const inGroup = Number(amount / NANOS_PER_UNIT);
      return { resource, count: inGroup * replicas, surge: inGroup * surgeGroups };
    });
}

/** Summarizes the rollout in pods and accelerators. */
export function summarizeGroups(set: LeaderWorkerSet, { peakGroups }: Pick<LeaderWorkerSetSimulation, 'peakGroups'>): RolloutGroups {
  const { size, replicas } = set;
  const surgeGroups = Math.max(0, peakGroups - replicas);
  const accelerators = sumAccelerators(set, surgeGroups);
  return {
    size,
    pods: replicas * size,
    surgeGroups,
    surgePods: surgeGroups * size,
    ...(accelerators.length > 0 && { accelerators }),
  };
}
