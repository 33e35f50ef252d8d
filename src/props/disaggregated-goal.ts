import { ASSUMED_STARTUP_SECONDS } from '../core/values/startup-seconds';
import { createConstraints, explainUnmet, isWithinAll } from '../advise/constraints';
import { createRunFigures } from '../advise/evaluate';
import type { EvaluatedStrategy, RunFigures } from '../advise/evaluate';
import { findPreferred } from '../advise/front';
import { isGoal, preferenceOf, resolveGoal, validateGoal } from '../advise/goal';
import { listRoundNumbers } from '../advise/strategy-space';
import { countRequestedGpus } from '../cluster/capacity/pod-requests';
import type { RolloutGoal } from '../core/document/advice';
import { toFieldPath } from '../core/manifest/field-path';
import { describeValue } from '../core/text/display-value';
import { formatGoal } from '../core/document/goal-text';
import { getFieldsAt, isFields } from '../core/manifest/manifest';
import { IntentError } from '../core/errors/intent-error';
import { findMax, findMin } from '../core/values/min-max';
import type { PlannedRollout } from '../core/document/rollout';
import { joinWords, pluralize } from '../core/text/text-format';
import type { DisaggregatedSetSimulation } from '../core/simulations/disaggregatedset';
import { planInput } from '../plan/plan';
import { buildDisaggregatedSet, listRoleDrain } from '../systems/disaggregatedset/props';
import type { DisaggregatedRoleProps, DisaggregatedSetRolloutProps } from '../systems/disaggregatedset/props';
import type { GroupsProps } from '../workloads/leader-worker-set/props';
import { listDrainOrigins } from './goal-origin';
import type { GoalOrigin } from './goal-origin';
import { requireOnlyGoal } from './goals';
import type { ObjectWithGoals, SurroundingsReader } from './goals';
import { createUnmetGoalError, runGoalResolution } from './unmet-goal';

/** The limits of one role, in groups. */
interface RoleLimits {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** A role whose rollout is a goal. */
interface GoalRole {
  /** Position among the roles. */
  readonly index: number;
  readonly replicas: number;
  readonly size: number;
  readonly goal: RolloutGoal;
  /** GPUs of one group. */
  readonly gpus: number;
}

/** One choice of limits for each role with a goal, and the figures of those roles. */
interface EvaluatedLimits extends EvaluatedStrategy {
  readonly strategy: readonly RoleLimits[];
}

/** Most combinations of limits that are tried. */
const MAX_COMBINATIONS = 1_500;

/** Counts the GPUs of one group: its leader and its workers. */
function countGroupGpus({ size = 1, leaderWorkerTemplate }: GroupsProps): number {
  const { leaderTemplate, workerTemplate } = leaderWorkerTemplate;
  const workers = countRequestedGpus(workerTemplate.spec);
  return (leaderTemplate ? countRequestedGpus(leaderTemplate.spec) : workers) + (size - 1) * workers;
}

function readGoalRole(role: DisaggregatedRoleProps, index: number): GoalRole[] {
  const { rollout, replicas = 1, size = 1 } = role;
  if (!isGoal(rollout)) return [];
  requireOnlyGoal(rollout, toFieldPath`roles[${index}].rollout`);
  const path = toFieldPath`roles[${index}].leaderWorkerTemplate.workerTemplate`;
  const { workerTemplate } = getFieldsAt(role, 'leaderWorkerTemplate');
  if (!isFields(workerTemplate))
    throw new IntentError(`${path} is ${describeValue(workerTemplate)}; write a map with the pod of the workers`);
  const { startupSeconds: _, ...goal } = rollout.goal;
  const prop = toFieldPath`roles[${index}].rollout.goal`;
  runGoalResolution(prop, () => validateGoal(goal));
  if (formatGoal(goal) === undefined) throw new IntentError(`${prop} has no limit: write available, extraPods, extraGpus or within`);
  return [{ index, replicas, size, goal, gpus: countGroupGpus(role) }];
}

/** Lists the pairs of limits of a role, from a list of numbers of groups. A pair beyond the goal of the role is left out. */
function listLimits({ replicas, size, goal, gpus }: GoalRole, numbers: readonly number[]): RoleLimits[] {
  const { available, extraPods, extraGpus } = resolveGoal(goal, replicas, size);
  const mostSurge = findMin([extraPods / size, gpus === 0 ? Infinity : extraGpus / gpus]);
  return numbers.flatMap((maxSurge) =>
    numbers.flatMap((maxUnavailable) => {
      const isPossible = maxSurge + maxUnavailable > 0 && maxSurge <= mostSurge && maxUnavailable <= replicas - available;
      return isPossible ? [{ maxSurge, maxUnavailable }] : [];
    }),
  );
}

/** Lists the combinations of limits of all roles with a goal: all of them, or if they are too many, those with fewer different numbers. */
function listCombinations(roles: readonly GoalRole[]): RoleLimits[][] {
  const numbersOf = [
    ({ replicas }: GoalRole) => Array.from({ length: replicas + 1 }, (_, number) => number),
    ({ replicas }: GoalRole) => listRoundNumbers(replicas).filter((number) => number <= 5 || number >= 10),
    ({ replicas }: GoalRole) => [...new Set([0, 1, Math.ceil(replicas / 4), Math.ceil(replicas / 2), replicas])],
    ({ replicas }: GoalRole) => [...new Set([0, 1, replicas])],
  ];
  const lists = numbersOf.map((numbers) => roles.map((role) => listLimits(role, numbers(role))));
  const countOf = (list: readonly (readonly RoleLimits[])[]) => list.reduce((product, limits) => product * limits.length, 1);
  const chosen = lists.find((list) => countOf(list) <= MAX_COMBINATIONS) ?? lists.at(-1)!;
  return chosen.reduce<RoleLimits[][]>((all, limits) => all.flatMap((earlier) => limits.map((one) => [...earlier, one])), [[]]);
}

/** Returns the figures of one role. The time, and whether it fits, are those of the set. */
function readRoleFigures({ simulation, duration, capacity }: PlannedRollout, { index, replicas, size, gpus }: GoalRole): RunFigures {
  const { waves } = simulation as DisaggregatedSetSimulation;
  const rows = waves.map(({ roles }) => roles[index]!);
  const groups = findMax(
    rows.map(({ newGroups, oldGroups }) => newGroups + oldGroups),
    replicas,
  );
  const extraGroups = groups - replicas;
  const figures = {
    peakPods: groups * size,
    extraPods: extraGroups * size,
    ...(gpus > 0 && { extraGpus: extraGroups * gpus }),
    leastAvailable: findMin(
      rows.map(({ available }) => available),
      replicas,
    ),
    seconds: duration?.expectedSeconds ?? null,
    brokenByBadVersion: duration?.blastRadius ?? 0,
    verdict: capacity?.verdict ?? 'fits',
  } as const;
  return createRunFigures(figures, capacity?.message);
}

/** Returns the set with the limits of its roles with a goal. */
function withLimits(
  props: DisaggregatedSetRolloutProps,
  goalRoles: readonly GoalRole[],
  limits: readonly RoleLimits[],
): DisaggregatedSetRolloutProps {
  const limitsOf = (index: number) => limits[goalRoles.findIndex((role) => role.index === index)];
  return { ...props, roles: props.roles.map((role, index) => ({ ...role, rollout: limitsOf(index) ?? role.rollout })) };
}

/** Returns limits by the names of their roles: `prefill.maxSurge`. */
function nameLimits(props: DisaggregatedSetRolloutProps, goalRoles: readonly GoalRole[], limits: readonly RoleLimits[]) {
  return Object.fromEntries(
    limits.flatMap(({ maxSurge, maxUnavailable }, index) => {
      const role = props.roles[goalRoles[index]!.index]!.name;
      return [
        [`${role}.maxSurge`, maxSurge],
        [`${role}.maxUnavailable`, maxUnavailable],
      ];
    }),
  );
}

/**
 * Builds a DisaggregatedSet, with the goals of its roles resolved to the best limits. The roles are replaced in step, so the limits of one
 * decide about the others: all combinations are tried. The first role decides first.
 *
 * @param surroundings other objects that limit its pods, such as quotas
 * @throws IntentError for a goal that cannot be resolved
 */
export function buildDisaggregatedSetWithGoals(
  name: string,
  props: DisaggregatedSetRolloutProps,
  surroundings: SurroundingsReader = () => [],
): ObjectWithGoals {
  const roles = Array.isArray(props.roles) ? props.roles.flatMap(readGoalRole) : [];
  const drains = Array.isArray(props.roles) ? listDrainOrigins(props.roles.flatMap(listRoleDrain)) : [];
  if (roles.length === 0) return { manifest: buildDisaggregatedSet(name, props), origins: drains };
  const others = surroundings();
  const goals = props.roles.flatMap(({ rollout }) => (isGoal(rollout) ? [rollout.goal] : []));
  const startupSeconds = goals.find((goal) => goal.startupSeconds !== undefined)?.startupSeconds ?? ASSUMED_STARTUP_SECONDS;
  const evaluate = (limits: RoleLimits[]): EvaluatedLimits[] => {
    const manifest = buildDisaggregatedSet(name, withLimits(props, roles, limits));
    const { rollouts } = planInput({ objects: [manifest, ...others] }, { versions: props.versions, startupSeconds });
    const planned = rollouts.find(({ resource }) => resource.kind === manifest.kind && resource.name === manifest.metadata?.name);
    if (!planned || planned.simulation === null) return [];
    return [{ strategy: limits, figures: roles.map((role) => readRoleFigures(planned, role)) }];
  };
  const prop = joinWords(roles.map(({ index }) => toFieldPath`roles[${index}].rollout.goal`));
  const all = runGoalResolution(prop, () => listCombinations(roles).flatMap(evaluate));
  const build = (limits: readonly RoleLimits[], origins: readonly GoalOrigin[]) => ({
    manifest: buildDisaggregatedSet(name, withLimits(props, roles, limits)),
    origins: [...origins, ...drains],
  });
  const sizes = roles.map(({ replicas }) => replicas);
  const constraints = roles.flatMap(({ goal, replicas, size: unitPods }, size) =>
    createConstraints(goal, [replicas], { unitPods, hasKnownRequests: true }, []).map((constraint) => ({ ...constraint, size })),
  );
  const best = findPreferred(
    all.filter((evaluated) => isWithinAll(evaluated, constraints)),
    preferenceOf(roles[0]!.goal),
  ) as EvaluatedLimits | undefined;
  const goal = joinWords(roles.map((role) => formatGoal(role.goal)!));
  if (!best) {
    const withoutLimits = roles.map((role) => ({ ...role, goal: {} }));
    const tried = [...all, ...listCombinations(withoutLimits).flatMap(evaluate)];
    // A set that is refused is built with any limits, so that its errors are reported.
    if (tried.length === 0) {
      return build(
        roles.map(() => ({ maxSurge: 1, maxUnavailable: 0 })),
        [],
      );
    }
    const subject = joinWords(roles.map(({ replicas }) => pluralize(replicas, 'group')));
    throw createUnmetGoalError({ prop, tried: 'strategy', goal, subject, unmet: explainUnmet(tried, constraints, sizes) });
  }
  return build(best.strategy, [{ reason: `goal: ${goal}`, values: nameLimits(props, roles, best.strategy) }]);
}
