import type { PlanContext, RolloutSystem } from '../../cluster/context';
import { KUBERNETES_NAMES } from '../../cluster/strategy-terms';
import type { BudgetedPods, GroupPods, HasRoomFor, RoomDelay, SystemRollout } from '../../cluster/workload';
import { at } from '../../core/field-path';
import { greatest, least } from '../../core/extremes';
import type { Finding } from '../../core/finding';
import { groupOf, nameOf, namespaceOf } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { RolloutDuration } from '../../core/rollout';
import type { DisaggregatedSetSimulation } from '../../core/simulations/disaggregatedset';
import { startupSecondsOf } from '../../core/startup';
import { groupStartupFindings } from '../../workloads/leader-worker-set/startup-annotation';
import { probeFindings } from '../../workloads/leader-worker-set/templates';
import { checked, notFor } from '../../workloads/checks';
import type { ChecksOf } from '../../workloads/checks';
import { foreignOwnerFindings } from '../../workloads/rules/foreign-owner';
import { disaggregatedSetEffect } from './effects';
import { roleProvenance } from './provenance';
import { readDisaggregatedSet, revisionsBefore, ROLE_DEFAULTS } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';
import { stepsOf } from './planner';
import { ROLES_RULES } from './rules';
import { manyStepsFindings } from './rules/many-steps';
import { refusedStepFindings } from './rules/role-refused';
import { rolesOutageFindings } from './rules/roles-outage';
import { simulateRoles } from './simulate';
import type { RolesRollout } from './simulate';
import { initialIn, statesOf } from './standing';
import { rolesRollout } from './stepped-roles';
import { disaggregatedSetFindings, roleVerdicts } from './validation';

function isDisaggregatedSet(object: Manifest): boolean {
  return object.kind === 'DisaggregatedSet' && groupOf(object) === 'disaggregatedset.x-k8s.io';
}

/** The pods of each role: its leaders, its workers. */
function podSetsOf({ name, namespace, roles }: DisaggregatedSet, { waves }: DisaggregatedSetSimulation): BudgetedPods[] {
  return roles.flatMap((role, index) => {
    const available = least(
      waves.map((wave) => wave.roles[index]!.available),
      role.replicas,
    );
    return role.members.map(({ template, path, pods }) => ({
      ...(namespace !== undefined && { namespace }),
      kind: 'DisaggregatedSet',
      name,
      replicas: role.replicas * pods,
      template,
      strategyPath: at`${role.path}.spec.rolloutStrategy`,
      names: KUBERNETES_NAMES,
      perGroup: pods,
      podPath: at`${path}.spec`,
      rollout: { leastAvailable: available * pods, surge: role.surge * pods },
    }));
  });
}

/** Pods of each set at every row, the first before anything moves. */
function podRows({ roles }: DisaggregatedSet, { waves }: DisaggregatedSetSimulation, { standing }: RolesRollout): number[][] {
  const before = statesOf(standing);
  const rowOf = (groups: (role: number) => number) => roles.flatMap(({ members }, role) => members.map(({ pods }) => pods * groups(role)));
  const rows = waves.map((wave) => rowOf((role) => wave.roles[role]!.newGroups + wave.roles[role]!.oldGroups));
  return [rowOf((role) => before[role]!.old + before[role]!.next), ...rows];
}

/** Every wave that adds groups waits for the slowest of its pods; nothing notices one that does not come. */
function durationOf(
  { roles }: DisaggregatedSet,
  simulation: DisaggregatedSetSimulation,
  context: PlanContext,
  room?: RoomDelay,
): RolloutDuration | undefined {
  const { waves, elided = 0, halted } = simulation;
  const [first] = waves;
  const startups = roles.flatMap(({ members }) => members.map(({ template }) => startupSecondsOf(template, context.startupSeconds)));
  if (!first || startups.includes(undefined)) return undefined;
  const startupSeconds = greatest(
    startups.flatMap((seconds) => seconds ?? []),
    0,
  );
  const waiting = waves.filter((wave) =>
    wave.roles.some(({ newGroups, oldGroups, available }) => available < newGroups + oldGroups),
  ).length;
  const lowerBoundSeconds = (waiting + Math.ceil(elided / 2)) * startupSeconds;
  const ends = !halted && !room?.deadlocks;
  const blastRadius = first.roles.reduce((sum, { newGroups }, role) => sum + newGroups * roles[role]!.size, 0);
  return { startupSeconds, lowerBoundSeconds, expectedSeconds: ends ? lowerBoundSeconds : null, abortSeconds: null, blastRadius };
}

function groupPods(
  set: DisaggregatedSet,
  rollout: RolesRollout,
  simulation: DisaggregatedSetSimulation,
  context: PlanContext,
): Omit<GroupPods, 'review'> {
  return {
    podSets: podSetsOf(set, simulation),
    rows: podRows(set, simulation, rollout),
    path: at`spec.roles`,
    duration: (room) => durationOf(set, simulation, context, room),
  };
}

/** A DisaggregatedSet as its rules look at it. */
interface RolesReview {
  readonly object: Manifest;
  readonly set: DisaggregatedSet;
  readonly rollout: RolesRollout;
  readonly simulation: DisaggregatedSetSimulation;
  readonly context: PlanContext;
  readonly hasRoomFor: HasRoomFor;
}

function unprobedRoles({ set: { namespace, roles }, simulation: { waves }, context }: RolesReview): Finding[] {
  return roles.flatMap((role, index) => {
    const minAvailable = least(
      waves.map((wave) => wave.roles[index]!.available),
      role.replicas,
    );
    return probeFindings({ ...role, ...(namespace !== undefined && { namespace }), minAvailable }, context);
  });
}

/** Would a role find room for all pods of its rollout, as far as is known, with one group more and none fewer? */
function hasRoomToSurge({ set, rollout, hasRoomFor }: RolesReview, role: number): boolean {
  const { standing } = rollout;
  const limits = { maxSurge: 1, maxUnavailable: 0 };
  const surging = {
    roles: rollout.roles.map((one, index) => (index === role ? { ...one, ...ROLE_DEFAULTS } : one)),
    standing: { ...standing, next: standing.next.map((made, index) => (index === role ? { ...made, limits } : made)) },
  };
  return podRows(set, simulateRoles(surging).simulation, surging).every(hasRoomFor);
}

const CHECKS: ChecksOf<RolesReview> = {
  outage: (review) => rolesOutageFindings(review.set.roles, review.simulation, (role) => hasRoomToSurge(review, role)),
  'startup-annotation': ({ set }) => groupStartupFindings(set.roles.flatMap(({ members }) => members)),
  'foreign-owner': ({ object }) => foreignOwnerFindings(object, at`spec.roles`),
  fencepost: notFor('the webhook refuses two limits of 0, which lws/both-limits-zero says'),
  'hpa-owns-replicas': notFor('an autoscaler finds no number of replicas in it'),
  'surge-needs-headroom': notFor('kubernetes/no-room says what its groups lack'),
  'no-readiness-probe': unprobedRoles,
};

/** The limits of each role as they are stored, by its name. */
function storedStrategies({ roles }: DisaggregatedSet): Fields {
  return Object.fromEntries(roles.map(({ name, limits = {} }) => [name, limits]));
}

function mostSteps({ roles, standing }: RolesRollout): number {
  const initial = initialIn(standing);
  const steps = roles.map(({ replicas, ...role }, index) => stepsOf({ ...role, target: replicas, initial: initial[index]! }));
  return greatest(steps, 0);
}

function planDisaggregatedSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = resourceOf(object, nameOf(object), namespaceOf(object));
  const refused = disaggregatedSetFindings(object, context);
  if (refused.some(({ severity }) => severity === 'error')) {
    return { system: 'lws', resource, strategy: null, provenance: [], simulation: null, findings: refused };
  }
  const set = readDisaggregatedSet(object);
  const verdicts = roleVerdicts(object, context);
  const rollout = rolesRollout(set.roles, revisionsBefore(object, context), verdicts);
  const planned = { system: 'lws', resource, strategy: storedStrategies(set), provenance: roleProvenance(object) } as const;
  const findings = [...refused, ...verdicts.flatMap((verdict) => verdict.findings)];
  if (verdicts.some(({ isRefused }) => isRefused)) return { ...planned, simulation: null, findings, refusedFor: null };
  const isLong = manyStepsFindings(mostSteps(rollout));
  if (isLong.length > 0) return { ...planned, simulation: null, findings: [...findings, ...isLong] };
  const { simulation, refused: step } = simulateRoles(rollout);
  const stops = [...findings, ...refusedStepFindings(set.roles, step)];
  if (simulation.halted?.reason === 'refused') return { ...planned, simulation, findings: stops };
  return {
    ...planned,
    simulation,
    pods: {
      of: 'groups',
      groups: {
        ...groupPods(set, rollout, simulation, context),
        review: (hasRoomFor) => checked(CHECKS, { object, set, rollout, simulation, context, hasRoomFor }),
      },
    },
    findings: stops,
  };
}

/** DisaggregatedSets: LeaderWorkerSets for prefill and decode, stepped together. */
export const disaggregatedSystem: RolloutSystem = {
  name: 'lws',
  rules: () => ROLES_RULES,
  recognises: isDisaggregatedSet,
  plan: (object, context) => [planDisaggregatedSet(object, context)],
  effects: (old, next) => [disaggregatedSetEffect(old, next)],
};
