import type { PlanContext, RolloutSystem } from '../../cluster/context/context';
import type { LocatedTemplate } from '../../cluster/rollout/located-template';
import { buildReadyTimeline } from '../../cluster/services/ready-pods';
import { KUBERNETES_FIELD_NAMES } from '../../cluster/rollout/strategy-field-names';
import type { BudgetedPods, GroupPods, FitsRow } from '../../cluster/rollout/pod-groups';
import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import type { SystemRollout } from '../../cluster/rollout/system-rollout';
import { toFieldPath } from '../../core/manifest/field-path';
import { findMax, findMin } from '../../core/values/min-max';
import type { Finding } from '../../core/findings/finding';
import { groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { toResourceRef } from '../../core/document/rollout';
import type { RolloutDuration } from '../../core/document/rollout';
import type { DisaggregatedSetSimulation } from '../../core/simulations/disaggregatedset';
import { resolveStartupSeconds } from '../../core/values/startup-seconds';
import { WORKER_INDEX_LABEL } from '../../workloads/leader-worker-set/leader-label';
import { locateGroupTemplates } from '../../workloads/leader-worker-set/templates';
import { runChecks, createNotApplicable } from '../../workloads/rule-table';
import type { RuleTable } from '../../workloads/rule-table';
import { checkVersionsMix } from '../../workloads/leader-worker-set/rules/versions-mix';
import { checkForeignOwner } from '../../workloads/rules/foreign-owner';
import { computeDisaggregatedSetEffect } from './effects';
import { buildRoleProvenance } from './provenance';
import { readDisaggregatedSet, previousRevisionsOf, ROLE_DEFAULTS } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';
import { countRoleSteps } from './planner';
import { DISAGGREGATED_SET_RULES } from './rules';
import { checkManySteps } from './rules/many-steps';
import { checkSlicesNotPlanned } from './rules/slices-not-planned';
import { checkRoleRefused } from './rules/role-refused';
import { checkRolesOutage } from './rules/roles-outage';
import { simulateRoles } from './simulate';
import type { RolesRollout } from './simulate';
import { countInitialGroups, roleStatesOf } from './revision-state';
import { buildRolesRollout } from './roles-rollout';
import { checkDisaggregatedFields, checkDisaggregatedSet, pruneDisaggregatedSet, validateRoles } from './validation';
import { withAdmittedGroups } from './admitted-groups';

function isDisaggregatedSet(object: Manifest): boolean {
  return object.kind === 'DisaggregatedSet' && groupOf(object) === 'disaggregatedset.x-k8s.io';
}

const ROLE_LABEL = 'disaggregatedset.x-k8s.io/role';

/** Builds the pod sets of each role: its leaders and its workers. */
function buildRolePodSets({ name, namespace, roles }: DisaggregatedSet, { waves }: DisaggregatedSetSimulation): BudgetedPods[] {
  return roles.flatMap((role, index) => {
    const available = findMin(
      waves.map((wave) => wave.roles[index]!.available),
      role.replicas,
    );
    return role.members.map(({ template, path, pods }, member) => ({
      ...(namespace !== undefined && { namespace }),
      owner: {
        kind: 'DisaggregatedSet',
        name,
        hasMember: (labels) => labels[ROLE_LABEL] === role.name && (labels[WORKER_INDEX_LABEL] === '0') === (member === 0),
      },
      kind: 'DisaggregatedSet',
      name,
      replicas: role.replicas * pods,
      template,
      strategyPath: toFieldPath`${role.path}.spec.rolloutStrategy`,
      names: KUBERNETES_FIELD_NAMES,
      perGroup: pods,
      addedConstraints: role.addedConstraints,
      podPath: toFieldPath`${path}.spec`,
      rollout: { leastAvailable: available * pods, surge: role.surge * pods },
    }));
  });
}

/** Builds the number of pods of each pod set at every row, and those of the old version. The first row is before the rollout. */
function buildRolePodRows(
  { roles }: DisaggregatedSet,
  { waves }: DisaggregatedSetSimulation,
  { state }: RolesRollout,
): Pick<GroupPods, 'rows' | 'oldRows'> {
  const before = roleStatesOf(state);
  const rowOf = (groups: (role: number) => number) => roles.flatMap(({ members }, role) => members.map(({ pods }) => pods * groups(role)));
  return {
    rows: [
      rowOf((role) => before[role]!.old + before[role]!.next),
      ...waves.map((wave) => rowOf((role) => wave.roles[role]!.newGroups + wave.roles[role]!.oldGroups)),
    ],
    oldRows: [rowOf((role) => before[role]!.old), ...waves.map((wave) => rowOf((role) => wave.roles[role]!.oldGroups))],
  };
}

/**
 * Computes the duration.
 *
 * Every wave that adds groups waits for the slowest of its pods; there is no deadline for a pod that never becomes ready.
 */
function computeRolesDuration(
  { roles }: DisaggregatedSet,
  simulation: DisaggregatedSetSimulation,
  context: PlanContext,
  delay?: CapacityDelay,
): RolloutDuration | undefined {
  const { waves, elided = 0, halted } = simulation;
  const [first] = waves;
  const startups = roles.flatMap(({ members }) => members.map(({ template }) => resolveStartupSeconds(template, context.startupSeconds)));
  if (!first || startups.includes(undefined)) return undefined;
  const startupSeconds = findMax(
    startups.flatMap((seconds) => seconds ?? []),
    0,
  );
  const waiting = waves.filter((wave) =>
    wave.roles.some(({ newGroups, oldGroups, available }) => available < newGroups + oldGroups),
  ).length;
  const lowerBoundSeconds = (waiting + Math.ceil(elided / 2)) * startupSeconds;
  const finishes = !halted && !delay?.deadlocks;
  const blastRadius = first.roles.reduce((sum, { newGroups }, role) => sum + newGroups * roles[role]!.size, 0);
  return { startupSeconds, lowerBoundSeconds, expectedSeconds: finishes ? lowerBoundSeconds : null, abortSeconds: null, blastRadius };
}

function buildRoleGroupPods(
  set: DisaggregatedSet,
  rollout: RolesRollout,
  simulation: DisaggregatedSetSimulation,
  context: PlanContext,
): Omit<GroupPods, 'podTemplates' | 'review' | 'checkRows'> {
  return {
    podSets: buildRolePodSets(set, simulation),
    ...buildRolePodRows(set, simulation, rollout),
    path: toFieldPath`spec.roles`,
    duration: (delay) => computeRolesDuration(set, simulation, context, delay),
    withAdmittedPods: (halted, admitted) => (halted.kind === 'disaggregatedset' ? withAdmittedGroups(halted, set.roles, admitted) : halted),
  };
}

/** The inputs of the rules about a DisaggregatedSet. */
interface RolesReview {
  readonly object: Manifest;
  readonly set: DisaggregatedSet;
  readonly rollout: RolesRollout;
  readonly simulation: DisaggregatedSetSimulation;
  readonly hasCapacityFor: FitsRow;
}

function locateRoleTemplates(
  { namespace, roles }: DisaggregatedSet,
  { waves }: DisaggregatedSetSimulation,
  context: PlanContext,
): LocatedTemplate[] {
  return roles.flatMap((role, index) => {
    const minAvailable = findMin(
      waves.map((wave) => wave.roles[index]!.available),
      role.replicas,
    );
    return locateGroupTemplates({ ...role, ...(namespace !== undefined && { namespace }), minAvailable }, context);
  });
}

/** Reports whether all pods of a rollout would fit, if known, with one extra group of the role and none unavailable. */
function hasCapacityToSurge({ set, rollout, hasCapacityFor }: RolesReview, role: number): boolean {
  const { state } = rollout;
  const limits = { maxSurge: 1, maxUnavailable: 0 };
  const surging = {
    roles: rollout.roles.map((one, index) => (index === role ? { ...one, ...ROLE_DEFAULTS } : one)),
    state: { ...state, next: state.next.map((roleGroups, index) => (index === role ? { ...roleGroups, limits } : roleGroups)) },
  };
  return buildRolePodRows(set, simulateRoles(surging).simulation, surging).rows.every(hasCapacityFor);
}

const CHECKS: RuleTable<RolesReview> = {
  outage: (review) => checkRolesOutage(review.set.roles, review.simulation, (role) => hasCapacityToSurge(review, role)),
  'foreign-owner': ({ object }) => checkForeignOwner(object, toFieldPath`spec.roles`),
  fencepost: createNotApplicable('the webhook refuses two limits of 0, which lws/both-limits-zero reports'),
  'hpa-owns-replicas': createNotApplicable('it has no replicas field that an autoscaler could scale'),
  'surge-needs-headroom': createNotApplicable('kubernetes/insufficient-capacity reports the capacity that its groups lack'),
};

/** Collects the stored limits of each role, by role name. */
function collectStrategies({ roles }: DisaggregatedSet): Fields {
  return Object.fromEntries(roles.map(({ name, limits = {} }) => [name, limits]));
}

function computeMaxSteps({ roles, state }: RolesRollout): number {
  const initial = countInitialGroups(state);
  const steps = roles.map(({ replicas, ...role }, index) => countRoleSteps({ ...role, target: replicas, initial: initial[index]! }));
  return findMax(steps, 0);
}

/** Reports how many pairs of prefill and decode, or of the first two roles, mix versions. */
function checkRolesMix(simulation: DisaggregatedSetSimulation): Finding[] {
  const names = simulation.roles.map(({ name }) => name);
  const named = ['prefill', 'decode'].map((name) => names.indexOf(name));
  const [one, other] = (named.includes(-1) ? [0, 1] : named).map((role) => {
    const timeline = names[role] === undefined ? undefined : buildReadyTimeline(simulation, role);
    return timeline && { name: names[role]!, timeline };
  });
  return one && other ? checkVersionsMix(one, other, toFieldPath`spec.roles`) : [];
}

function planDisaggregatedSet(object: Manifest, context: PlanContext): SystemRollout {
  const resource = toResourceRef(object, nameOf(object), namespaceOf(object));
  const validation = checkDisaggregatedSet(object, context);
  if (validation.some(({ severity }) => severity === 'error')) {
    return { system: 'lws', resource, strategy: null, provenance: [], simulation: null, findings: validation };
  }
  const stored = pruneDisaggregatedSet(object, context);
  const set = readDisaggregatedSet(stored);
  const roleValidations = validateRoles(object, context);
  const rollout = buildRolesRollout(set.roles, previousRevisionsOf(object, context), roleValidations);
  const planned = { system: 'lws', resource, strategy: collectStrategies(set), provenance: buildRoleProvenance(object) } as const;
  const findings = [...validation, ...roleValidations.flatMap((role) => role.findings)];
  if (roleValidations.some(({ isRefused }) => isRefused)) return { ...planned, simulation: null, findings, rejectionCause: null };
  const notSimulated = [...checkSlicesNotPlanned(stored), ...checkManySteps(computeMaxSteps(rollout))];
  if (notSimulated.length > 0) return { ...planned, simulation: null, findings: [...findings, ...notSimulated] };
  const { simulation, rejectedStep: step } = simulateRoles(rollout);
  const allFindings = [...findings, ...checkRoleRefused(set.roles, step)];
  if (simulation.halted?.reason === 'refused') {
    return { ...planned, simulation, findings: [...allFindings, ...checkRolesMix(simulation)] };
  }
  return {
    ...planned,
    simulation,
    pods: {
      kind: 'groups',
      groups: {
        ...buildRoleGroupPods(set, rollout, simulation, context),
        podTemplates: () => locateRoleTemplates(set, simulation, context),
        checkRows: (rows) => (rows.kind === 'disaggregatedset' ? checkRolesMix(rows) : []),
        review: (hasCapacityFor, replacesPods) => runChecks(CHECKS, { object, set, rollout, simulation, hasCapacityFor }, replacesPods),
      },
    },
    findings: allFindings,
  };
}

/** Plans DisaggregatedSets: LeaderWorkerSets for roles such as prefill and decode, which are updated together. */
export const disaggregatedSystem: RolloutSystem = {
  name: 'lws',
  rules: () => DISAGGREGATED_SET_RULES,
  recognises: isDisaggregatedSet,
  droppedFields: checkDisaggregatedFields,
  plan: (object, context) => [planDisaggregatedSet(object, context)],
  effects: (old, next) => [computeDisaggregatedSetEffect(old, next)],
};
