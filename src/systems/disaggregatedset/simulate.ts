import { findMax, findMin } from '../../core/values/min-max';
import type { DisaggregatedRole, DisaggregatedSetSimulation, DisaggregatedSetWave } from '../../core/simulations/disaggregatedset';
import { MAX_LISTED_ROWS, ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import { computeNextStep } from './planner';
import type { RoleState } from './planner';
import { applyStep, countInitialGroups, countReadyGroups, roleStatesOf, dropDrainedRevisions, withReadyGroups } from './revision-state';
import type { AppliedStep, RejectedGroups, RevisionState } from './revision-state';

/**
 * Computes the difference between the largest and smallest percentage of new groups of a role.
 *
 * Roles without groups are ignored. With 50% and 20% it is 30.
 */
export function computeSkew(states: readonly RoleState[]): number {
  const parts = states.flatMap(({ old, next }) => (old + next === 0 ? [] : [(100 * next) / (old + next)]));
  return parts.length === 0 ? 0 : Math.round(findMax(parts) - findMin(parts));
}

function buildWave(wave: number, state: RevisionState): DisaggregatedSetWave {
  const [states, ready] = [roleStatesOf(state), countReadyGroups(state)];
  const roles = states.map(({ old, next }, role) => ({ newGroups: next, oldGroups: old, available: ready[role]! }));
  return { wave, roles, skewPercent: computeSkew(states) };
}

/** Collects waves, but keeps only the first and last ones if there are too many. */
class WaveBuffer {
  public count = 0;
  private readonly first: DisaggregatedSetWave[] = [];
  private last: DisaggregatedSetWave[] = [];

  public add(wave: DisaggregatedSetWave): void {
    this.count++;
    if (this.first.length < MAX_LISTED_ROWS) this.first.push(wave);
    else this.last.push(wave);
    if (this.last.length > MAX_LISTED_ROWS) this.last = this.last.slice(-ROWS_AT_EACH_END);
  }

  public toVisibleWaves(): Pick<DisaggregatedSetSimulation, 'waves' | 'elided'> {
    if (this.count <= MAX_LISTED_ROWS) return { waves: this.first };
    const waves = [...this.first.slice(0, ROWS_AT_EACH_END), ...[...this.first, ...this.last].slice(-ROWS_AT_EACH_END)];
    return { waves, elided: this.count - waves.length };
  }
}

/** A role in a rollout of its set. */
export interface SteppedRole extends DisaggregatedRole {
  /** Whether no pods can be created from its template. @default false */
  readonly isBroken?: boolean;
  /** Whether only the old version has this role. @default false */
  readonly isRemoved?: boolean;
}

/** Inputs of a simulated rollout of all roles. */
export interface RolesRollout {
  readonly roles: readonly SteppedRole[];
  readonly state: RevisionState;
}

/** A step that is refused, with the name of the role. */
export interface RejectedStep extends RejectedGroups {
  readonly name: string;
}

/** Reports whether a role that the set still has has old groups left. The controller then works step by step. */
function hasOldGroups(roles: readonly SteppedRole[], state: RevisionState): boolean {
  const states = roleStatesOf(state);
  return roles.some(({ isRemoved }, role) => !isRemoved && states[role]!.old > 0);
}

/** Computes the next step of the controller. Once the set's roles have no old groups, it creates all desired groups at once. */
function computeStep(roles: readonly SteppedRole[], state: RevisionState): readonly RoleState[] | undefined {
  const states = roleStatesOf(state);
  if (!hasOldGroups(roles, state)) return states.map(({ old }, role) => ({ old, next: roles[role]!.replicas }));
  const initial = countInitialGroups(state);
  const limits = roles.map(({ replicas, surge, unavailable }, role) => ({ target: replicas, initial: initial[role]!, surge, unavailable }));
  return computeNextStep(limits, states);
}

function isSameState(states: readonly RoleState[], others: readonly RoleState[]): boolean {
  return states.every(({ old, next }, role) => old === others[role]!.old && next === others[role]!.next);
}

function isDone(roles: readonly SteppedRole[], states: readonly RoleState[]): boolean {
  return states.every(({ old, next }, role) => old === 0 && next >= roles[role]!.replicas);
}

/** Reports whether the new version waits for a group that never becomes ready. */
function isStuckOnBrokenRole(roles: readonly SteppedRole[], states: readonly RoleState[]): boolean {
  return roles.some(({ isBroken }, role) => isBroken && states[role]!.next > 0);
}

function toDisaggregatedRole({ name, replicas, size, surge, unavailable }: SteppedRole): DisaggregatedRole {
  return { name, replicas, size, surge, unavailable };
}

/** The result of a simulated rollout of all roles. */
export interface RolesSimulation {
  readonly simulation: DisaggregatedSetSimulation;
  /** The refused step at which it deadlocks, if any. */
  readonly rejectedStep?: RejectedStep;
}

/** Runs one reconcile: once every new group is ready, it applies the next step until a part is refused. */
function runReconcile(roles: readonly SteppedRole[], state: RevisionState): AppliedStep {
  const current = dropDrainedRevisions(state);
  const from = hasOldGroups(roles, current) ? withReadyGroups(current) : current;
  const step = computeStep(roles, from);
  return step ? applyStep(from, step) : { state: from };
}

/**
 * Simulates the DisaggregatedSet controller: it takes one step of all roles, then waits until every new group is ready.
 *
 * For prefill 4 and decode 2 with a surge of 1 each, (old|new) is 4,2|1,1 then 3,2|1,1 then 3,2|2,1 and so on to 0,0|4,2.
 * A partly refused step is retried forever. Meanwhile the other roles do what the limits allow.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and planner.go.
 */
export function simulateRoles({ roles, state }: RolesRollout): RolesSimulation {
  const activeRoles = roles.filter(({ replicas }) => replicas > 0);
  const availableIn = ({ roles: all }: DisaggregatedSetWave) =>
    all.flatMap(({ available }, role) => (roles[role]!.replicas > 0 || activeRoles.length === 0 ? [available] : []));
  const podsIn = (all: readonly RoleState[]) => all.reduce((sum, { old, next }, role) => sum + (old + next) * roles[role]!.size, 0);
  const rows = new WaveBuffer();
  let current = state;
  let rejected: RejectedGroups | undefined;
  let peakPods = podsIn(roleStatesOf(current));
  let minAvailable = findMin(availableIn(buildWave(0, current)));
  let maxSkewPercent = 0;
  while (!isStuckOnBrokenRole(roles, roleStatesOf(current))) {
    const applied = runReconcile(roles, current);
    rejected = applied.rejected;
    if (isSameState(roleStatesOf(applied.state), roleStatesOf(current))) break;
    current = applied.state;
    const wave = buildWave(rows.count + 1, current);
    rows.add(wave);
    peakPods = Math.max(peakPods, podsIn(roleStatesOf(current)));
    minAvailable = findMin(availableIn(wave), minAvailable);
    maxSkewPercent = Math.max(maxSkewPercent, wave.skewPercent);
    current = withReadyGroups(current);
  }
  const { waves, elided } = rows.toVisibleWaves();
  const isRefused = rejected !== undefined || isStuckOnBrokenRole(roles, roleStatesOf(current));
  const simulation: DisaggregatedSetSimulation = {
    kind: 'disaggregatedset',
    roles: roles.map(toDisaggregatedRole),
    replicas: findMin((activeRoles.length > 0 ? activeRoles : roles).map(({ replicas }) => replicas)),
    waves,
    peakPods,
    minAvailable,
    maxSkewPercent,
    ...(!isDone(roles, roleStatesOf(current)) && { halted: { wave: rows.count, reason: isRefused ? 'refused' : 'no-step' } }),
    ...(elided !== undefined && { elided }),
  };
  return { simulation, ...(rejected && { rejectedStep: { ...rejected, name: roles[rejected.role]!.name } }) };
}
