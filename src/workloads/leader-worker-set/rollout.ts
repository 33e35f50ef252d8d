import type { PlanContext } from '../../cluster/context';
import { isExtendedResource } from '../../cluster/room/extended-resources';
import { podFootprint } from '../../cluster/room/pod-requests';
import type { StartingPoint } from '../../cluster/starting-point';
import type { BudgetedPods, GroupPods, HasRoomFor, RoomDelay, RoomOutcome } from '../../cluster/workload';
import { replicaRangeOf } from '../../cluster/autoscaler';
import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import { at } from '../../core/field-path';
import { NANOS } from '../../core/quantity';
import type { RolloutDuration } from '../../core/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import { startupSecondsOf } from '../../core/startup';
import type { RolloutGroups, WorkerAccelerator } from '../../core/workers';
import { podSeconds } from '../pod-seconds';
import { groupDuration } from './duration';
import type { LeaderWorkerSet } from './leader-worker-set';
import { simulateGroups } from './simulate';
import type { GroupRollout } from './simulate';
import { groupLimits, leaderLimit } from './strategy';

/** A set with another number of groups. */
function withReplicas(set: LeaderWorkerSet, replicas: number, kubernetesVersion: string): LeaderWorkerSet {
  const limits = groupLimits(set.strategy, replicas);
  return { ...set, replicas, limits, leaderLimit: leaderLimit(set.strategy, limits, set.behaviour, kubernetesVersion) };
}

/** The rollout of a set, to simulate. @param start groups that run before. @default - as many as are wanted, all ready */
export function groupRollout(
  { limits, size, behaviour, leaderLimit: limit }: LeaderWorkerSet,
  { before, groups }: Pick<StartingPoint, 'before' | 'groups'> = {},
): GroupRollout {
  return {
    limits,
    size,
    behaviour,
    leaderLimit: limit.isDropped ? undefined : limit.of,
    isRefused: limit.isRefused,
    ...(before !== undefined && { before }),
    ...(groups && { groups: groups.runs }),
  };
}

/** A rollout whose leaders, or whose workers, can't be made. */
export function withoutPods(rollout: GroupRollout, broken: 'leaders' | 'workers'): GroupRollout {
  return broken === 'leaders' ? { ...rollout, isRefused: true } : { ...rollout, leadersAlone: true };
}

function outcomeOf(rollout: GroupRollout, planned: LeaderWorkerSetSimulation, room: number): RoomOutcome {
  if (room >= planned.peakGroups) return { verdict: 'fits' };
  const squeezed = simulateGroups({ ...rollout, room });
  const waves = squeezed.waves.length + (squeezed.elided ?? 0);
  if (!squeezed.halted) return { verdict: 'slower', iterations: waves };
  return { verdict: 'deadlocks', deadlockWave: Math.max(1, squeezed.halted.wave) };
}

/** The pods of each kind, as the surroundings see them. */
function podSetsOf(set: LeaderWorkerSet, simulation: LeaderWorkerSetSimulation | undefined): BudgetedPods[] {
  const { name, namespace, replicas, members } = set;
  const range = replicaRangeOf(set.autoscaler, replicas);
  return members.map(({ template, path, pods }) => ({
    ...(namespace !== undefined && { namespace }),
    kind: 'LeaderWorkerSet',
    name,
    replicas: replicas * pods,
    template,
    strategyPath: set.strategyPath,
    names: KUBERNETES_NAMES,
    perGroup: pods,
    podPath: at`${path}.spec`,
    revisionLabel: 'leaderworkerset.sigs.k8s.io/template-revision-hash',
    ...(range && { replicaRange: { ...range, minimum: range.minimum * pods, maximum: range.maximum * pods } }),
    ...(simulation && { rollout: { leastAvailable: simulation.minAvailable * pods, surge: simulation.surge * pods } }),
  }));
}

function durationOf(
  set: LeaderWorkerSet,
  simulation: LeaderWorkerSetSimulation,
  context: PlanContext,
  room?: RoomDelay,
): RolloutDuration | undefined {
  const seconds = set.members.map(({ template }) => {
    const startup = startupSecondsOf(template, context.startupSeconds);
    return startup === undefined ? undefined : podSeconds(template, startup, 0);
  });
  const known = seconds.flatMap((one) => one ?? []);
  return known.length < seconds.length ? undefined : groupDuration(simulation, known, set.leaderFirst, room);
}

/** Is there room, as far as is known, for a group beyond those that are wanted? */
export function hasRoomForOneMore({ members, replicas }: LeaderWorkerSet, hasRoomFor: HasRoomFor): boolean {
  return hasRoomFor(members.map(({ pods }) => (replicas + 1) * pods));
}

/** The groups of a rollout for quotas, capacity, budgets and autoscalers. */
export function groupPodsOf(
  set: LeaderWorkerSet,
  rollout: GroupRollout,
  simulation: LeaderWorkerSetSimulation,
  context: PlanContext,
): Omit<GroupPods, 'review'> {
  const perGroup = set.members.map(({ pods }) => pods);
  const rowsOf = ({ replicas, waves }: LeaderWorkerSetSimulation) => {
    const groups = replicas === 0 ? [] : [replicas, ...waves.map(({ total }) => total)];
    return groups.map((all) => perGroup.map((pods) => all * pods));
  };
  const groupRange = replicaRangeOf(set.autoscaler, set.replicas);
  return {
    podSets: podSetsOf(set, simulation),
    rows: rowsOf(simulation),
    path: set.path,
    fewer: { perGroup, outcome: (room) => outcomeOf(rollout, simulation, room) },
    duration: (room) => durationOf(set, simulation, context, room),
    ...(groupRange && { groupRange }),
    rolloutAt: (replicas) => {
      const other = withReplicas(set, replicas, context.versions.kubernetes);
      const itsRollout = groupRollout(other);
      const itsSimulation = simulateGroups(itsRollout);
      return {
        simulation: itsSimulation,
        rows: rowsOf(itsSimulation),
        fewer: { perGroup, outcome: (room) => outcomeOf(itsRollout, itsSimulation, room) },
      };
    },
  };
}

/** Of each extended resource, in all groups that are wanted and in those beyond them at the peak; sorted by name. */
function acceleratorsOf({ members, replicas }: LeaderWorkerSet, surgeGroups: number): WorkerAccelerator[] {
  const perGroup = new Map<string, bigint>();
  for (const { template, pods } of members) {
    for (const [resource, amount] of podFootprint(template.spec)) {
      if (isExtendedResource(resource)) perGroup.set(resource, (perGroup.get(resource) ?? 0n) + amount * BigInt(pods));
    }
  }
  return [...perGroup]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, amount]) => {
      const inGroup = Number(amount / NANOS);
      return { resource, count: inGroup * replicas, surge: inGroup * surgeGroups };
    });
}

/** What the rollout means in pods and accelerators. */
export function groupSize(set: LeaderWorkerSet, { peakGroups }: Pick<LeaderWorkerSetSimulation, 'peakGroups'>): RolloutGroups {
  const { size, replicas } = set;
  const surgeGroups = Math.max(0, peakGroups - replicas);
  const accelerators = acceleratorsOf(set, surgeGroups);
  return {
    size,
    pods: replicas * size,
    surgeGroups,
    surgePods: surgeGroups * size,
    ...(accelerators.length > 0 && { accelerators }),
  };
}
