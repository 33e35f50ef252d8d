import { greatest, least } from '../../core/extremes';
import type { DisaggregatedRole, DisaggregatedSetSimulation, DisaggregatedSetWave } from '../../core/simulations/disaggregatedset';
import { MAX_ROWS, SHOWN_AT_EACH_END } from '../../core/simulations/shown-rows';
import { nextStep } from './planner';
import type { RoleState } from './planner';
import { carriedOut, initialIn, readyIn, statesOf, withoutDrained, withReadyGroups } from './standing';
import type { CarriedOut, RefusedGroups, Standing } from './standing';

/** How far roles are apart by the parts of their groups that are new; one without groups counts for none. */
function skewOf(states: readonly RoleState[]): number {
  const parts = states.flatMap(({ old, next }) => (old + next === 0 ? [] : [(100 * next) / (old + next)]));
  return parts.length === 0 ? 0 : Math.round(greatest(parts) - least(parts));
}

function waveOf(wave: number, standing: Standing): DisaggregatedSetWave {
  const [states, ready] = [statesOf(standing), readyIn(standing)];
  const roles = states.map(({ old, next }, role) => ({ newGroups: next, oldGroups: old, available: ready[role]! }));
  return { wave, roles, skewPercent: skewOf(states) };
}

/** Rows to show and figures over all of them, so that of very many none but the first and the last are kept. */
class Rows {
  public count = 0;
  private readonly first: DisaggregatedSetWave[] = [];
  private last: DisaggregatedSetWave[] = [];

  public add(wave: DisaggregatedSetWave): void {
    this.count++;
    if (this.first.length < MAX_ROWS) this.first.push(wave);
    else this.last.push(wave);
    if (this.last.length > MAX_ROWS) this.last = this.last.slice(-SHOWN_AT_EACH_END);
  }

  public shown(): Pick<DisaggregatedSetSimulation, 'waves' | 'elided'> {
    if (this.count <= MAX_ROWS) return { waves: this.first };
    const waves = [...this.first.slice(0, SHOWN_AT_EACH_END), ...[...this.first, ...this.last].slice(-SHOWN_AT_EACH_END)];
    return { waves, elided: this.count - waves.length };
  }
}

/** A role in a rollout of its set. */
export interface SteppedRole extends DisaggregatedRole {
  /** Can no pods be made of its template? @default false */
  readonly isBroken?: boolean;
  /** Is it a role of the old version alone? @default false */
  readonly isGone?: boolean;
}

/** A rollout of all roles, to simulate. */
export interface RolesRollout {
  readonly roles: readonly SteppedRole[];
  readonly standing: Standing;
}

/** The number of groups of a role that is refused. */
export interface RefusedStep extends RefusedGroups {
  readonly name: string;
}

/** Is an old group of a role left that the set still has? Then the controller goes step by step. */
function isStepwise(roles: readonly SteppedRole[], standing: Standing): boolean {
  const states = statesOf(standing);
  return roles.some(({ isGone }, role) => !isGone && states[role]!.old > 0);
}

/** What the controller asks for next: once no old group of the roles that it knows is left, all that are wanted at once. */
function stepFrom(roles: readonly SteppedRole[], standing: Standing): readonly RoleState[] | undefined {
  const states = statesOf(standing);
  if (!isStepwise(roles, standing)) return states.map(({ old }, role) => ({ old, next: roles[role]!.replicas }));
  const initial = initialIn(standing);
  const limits = roles.map(({ replicas, surge, unavailable }, role) => ({ target: replicas, initial: initial[role]!, surge, unavailable }));
  return nextStep(limits, states);
}

function isSame(states: readonly RoleState[], others: readonly RoleState[]): boolean {
  return states.every(({ old, next }, role) => old === others[role]!.old && next === others[role]!.next);
}

function isDone(roles: readonly SteppedRole[], states: readonly RoleState[]): boolean {
  return states.every(({ old, next }, role) => old === 0 && next >= roles[role]!.replicas);
}

/** Does the new version wait for a group that never gets ready? */
function waitsForGood(roles: readonly SteppedRole[], states: readonly RoleState[]): boolean {
  return roles.some(({ isBroken }, role) => isBroken && states[role]!.next > 0);
}

function shownRole({ name, replicas, size, surge, unavailable }: SteppedRole): DisaggregatedRole {
  return { name, replicas, size, surge, unavailable };
}

/** How a rollout of all roles goes. */
export interface SimulatedRoles {
  readonly simulation: DisaggregatedSetSimulation;
  /** The step at which it stops for good, where one is refused. */
  readonly refused?: RefusedStep;
}

/** One turn: once every new group is ready, the next step as far as it gets. */
function turned(roles: readonly SteppedRole[], standing: Standing): CarriedOut {
  const known = withoutDrained(standing);
  const from = isStepwise(roles, known) ? withReadyGroups(known) : known;
  const step = stepFrom(roles, from);
  return step ? carriedOut(from, step) : { standing: from };
}

/**
 * What the controller of DisaggregatedSets does: one step of all roles, then it waits until every new group is ready.
 *
 * Prefill 4 and decode 2 with a surge of 1 each: (old|new) 4,2|1,1 then 3,2|1,1 then 3,2|2,1 and so on to 0,0|4,2.
 * A step of which a part is refused is tried again for good, and what the limits let the other roles do meanwhile they do.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and planner.go.
 */
export function simulateRoles({ roles, standing }: RolesRollout): SimulatedRoles {
  const wanted = roles.filter(({ replicas }) => replicas > 0);
  const availableIn = ({ roles: all }: DisaggregatedSetWave) =>
    all.flatMap(({ available }, role) => (roles[role]!.replicas > 0 || wanted.length === 0 ? [available] : []));
  const podsIn = (all: readonly RoleState[]) => all.reduce((sum, { old, next }, role) => sum + (old + next) * roles[role]!.size, 0);
  const rows = new Rows();
  let now = standing;
  let refused: RefusedGroups | undefined;
  let peakPods = podsIn(statesOf(now));
  let minAvailable = least(availableIn(waveOf(0, now)));
  let maxSkewPercent = 0;
  while (!waitsForGood(roles, statesOf(now))) {
    const reached = turned(roles, now);
    refused = reached.refused;
    if (isSame(statesOf(reached.standing), statesOf(now))) break;
    now = reached.standing;
    const wave = waveOf(rows.count + 1, now);
    rows.add(wave);
    peakPods = Math.max(peakPods, podsIn(statesOf(now)));
    minAvailable = least(availableIn(wave), minAvailable);
    maxSkewPercent = Math.max(maxSkewPercent, wave.skewPercent);
    now = withReadyGroups(now);
  }
  const { waves, elided } = rows.shown();
  const isRefused = refused !== undefined || waitsForGood(roles, statesOf(now));
  const simulation: DisaggregatedSetSimulation = {
    kind: 'disaggregatedset',
    roles: roles.map(shownRole),
    replicas: least((wanted.length > 0 ? wanted : roles).map(({ replicas }) => replicas)),
    waves,
    peakPods,
    minAvailable,
    maxSkewPercent,
    ...(!isDone(roles, statesOf(now)) && { halted: { wave: rows.count, reason: isRefused ? 'refused' : 'no-step' } }),
    ...(elided !== undefined && { elided }),
  };
  return { simulation, ...(refused && { refused: { ...refused, name: roles[refused.role]!.name } }) };
}
