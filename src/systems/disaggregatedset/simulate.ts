import type { WrittenLimits } from '../../cluster/starting-point';
import { greatest, least } from '../../core/extremes';
import { scaledDown, scaledUp } from '../../core/int-or-percent';
import type { DisaggregatedRole, DisaggregatedSetSimulation, DisaggregatedSetWave } from '../../core/simulations/disaggregatedset';
import { MAX_ROWS, SHOWN_AT_EACH_END } from '../../core/simulations/shown-rows';
import { nextStep } from './planner';
import type { RoleState } from './planner';

/** How far roles are apart by the parts of their groups that are new; one without groups counts for none. */
function skewOf(states: readonly RoleState[]): number {
  const parts = states.flatMap(({ old, next }) => (old + next === 0 ? [] : [(100 * next) / (old + next)]));
  return parts.length === 0 ? 0 : Math.round(greatest(parts) - least(parts));
}

function waveOf(wave: number, before: readonly RoleState[], states: readonly RoleState[]): DisaggregatedSetWave {
  const roles = states.map(({ old, next }, role) => {
    return { newGroups: next, oldGroups: old, available: old + Math.min(next, before[role]!.next) };
  });
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
  /** Groups that run before. @default - as many as are wanted */
  readonly before?: number;
  /** Limits of the LeaderWorkerSet that runs, by which its webhook judges each number of its groups. @default - none, which it always takes */
  readonly oldLimits?: WrittenLimits;
  /** The same of the new one. @default - none */
  readonly newLimits?: WrittenLimits;
  /** Can no pods be made of its template? @default false */
  readonly isBroken?: boolean;
  /** Is it a role of the old version alone? @default false */
  readonly isGone?: boolean;
}

/** How far the controller gets with a step, role by role: up first, then down. What is refused ends its turn. */
interface CarriedOut {
  readonly states: readonly RoleState[];
  readonly refused?: RefusedStep;
}

/** The number of groups of a role that is refused. */
export interface RefusedStep {
  /** Its index. */
  readonly role: number;
  readonly name: string;
  readonly version: 'next' | 'old';
  readonly groups: number;
  readonly limits: WrittenLimits;
}

/** Does the webhook refuse a LeaderWorkerSet of so many groups for its limits? Source: lws pkg/webhooks/leaderworkerset_webhook.go. */
function isRefusedAt({ maxSurge, maxUnavailable }: WrittenLimits, groups: number): boolean {
  return groups !== 0 && scaledUp(maxSurge, groups) === 0 && scaledDown(maxUnavailable, groups) === 0;
}

/** What the controller asks for next: once no old group of the roles that it knows is left, all that are wanted at once. */
function stepFrom(roles: readonly SteppedRole[], states: readonly RoleState[]): readonly RoleState[] | undefined {
  const limits = roles.map(({ replicas, before = replicas, surge, unavailable }) => {
    return { target: replicas, initial: before, surge, unavailable };
  });
  if (roles.some(({ isGone }, role) => !isGone && states[role]!.old > 0)) return nextStep(limits, states);
  return states.map(({ old }, role) => ({ old, next: roles[role]!.replicas }));
}

function carriedOut(roles: readonly SteppedRole[], from: readonly RoleState[], to: readonly RoleState[]): CarriedOut {
  const states = [...from];
  for (const version of ['next', 'old'] as const) {
    for (const [role, { name, newLimits, oldLimits }] of roles.entries()) {
      const groups = to[role]![version];
      if (groups === states[role]![version]) continue;
      const limits = version === 'next' ? newLimits : oldLimits;
      if (limits && isRefusedAt(limits, groups)) return { states, refused: { role, name, version, groups, limits } };
      states[role] = { ...states[role]!, [version]: groups };
    }
  }
  return { states };
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

/** A rollout of all roles. */
export interface RolesRollout {
  readonly simulation: DisaggregatedSetSimulation;
  /** The step at which it stops for good, where one is refused. */
  readonly refused?: RefusedStep;
}

/**
 * What the controller of DisaggregatedSets does: one step of all roles, then it waits until every new group is ready.
 *
 * Prefill 4 and decode 2 with a surge of 1 each: (old|new) 4,2|1,1 then 3,2|1,1 then 3,2|2,1 and so on to 0,0|4,2.
 * A step of which a part is refused is tried again for good, and what the limits let the other roles do meanwhile they do.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and planner.go.
 */
export function simulateRoles(roles: readonly SteppedRole[]): RolesRollout {
  const wanted = roles.filter(({ replicas }) => replicas > 0);
  const availableIn = ({ roles: all }: DisaggregatedSetWave) =>
    all.flatMap(({ available }, role) => (roles[role]!.replicas > 0 || wanted.length === 0 ? [available] : []));
  const podsIn = (all: readonly RoleState[]) => all.reduce((sum, { old, next }, role) => sum + (old + next) * roles[role]!.size, 0);
  const rows = new Rows();
  let states: readonly RoleState[] = roles.map(({ replicas, before = replicas }) => ({ old: before, next: 0 }));
  let refused: RefusedStep | undefined;
  let peakPods = podsIn(states);
  let minAvailable = least(availableIn(waveOf(0, states, states)));
  let maxSkewPercent = 0;
  while (!waitsForGood(roles, states)) {
    const step = stepFrom(roles, states);
    const reached: CarriedOut = step ? carriedOut(roles, states, step) : { states };
    refused = reached.refused;
    if (isSame(reached.states, states)) break;
    const wave = waveOf(rows.count + 1, states, reached.states);
    rows.add(wave);
    peakPods = Math.max(peakPods, podsIn(reached.states));
    minAvailable = least(availableIn(wave), minAvailable);
    maxSkewPercent = Math.max(maxSkewPercent, wave.skewPercent);
    states = reached.states;
  }
  const { waves, elided } = rows.shown();
  const isRefused = refused !== undefined || waitsForGood(roles, states);
  const simulation: DisaggregatedSetSimulation = {
    kind: 'disaggregatedset',
    roles: roles.map(shownRole),
    replicas: least((wanted.length > 0 ? wanted : roles).map(({ replicas }) => replicas)),
    waves,
    peakPods,
    minAvailable,
    maxSkewPercent,
    ...(!isDone(roles, states) && { halted: { wave: rows.count, reason: isRefused ? 'refused' : 'no-step' } }),
    ...(elided !== undefined && { elided }),
  };
  return { simulation, ...(refused && { refused }) };
}
