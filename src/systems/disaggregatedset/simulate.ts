import { greatest, least } from '../../core/extremes';
import type { DisaggregatedRole, DisaggregatedSetSimulation, DisaggregatedSetWave } from '../../core/simulations/disaggregatedset';
import { MAX_ROWS, SHOWN_AT_EACH_END } from '../../core/simulations/shown-rows';
import { nextStep } from './planner';
import type { RoleLimits, RoleState } from './planner';

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

function isDone(limits: readonly RoleLimits[], states: readonly RoleState[]): boolean {
  return states.every(({ old, next }, role) => old === 0 && next >= limits[role]!.target);
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

/** Is a step the one before it? It is then asked for again for good. */
function isSame(next: readonly RoleState[], states: readonly RoleState[]): boolean {
  return next.every(({ old, next: made }, role) => old === states[role]!.old && made === states[role]!.next);
}

/**
 * What the controller of DisaggregatedSets does: one step of all roles, then it waits until every new group is ready.
 *
 * Prefill 4 and decode 2 with a surge of 1 each: (old|new) 4,2|1,1 then 3,2|1,1 then 3,2|2,1 and so on to 0,0|4,2.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go and planner.go.
 *
 * @param before groups of each role that run before, in order. @default - as many as are wanted
 */
export function simulateRoles(roles: readonly DisaggregatedRole[], before?: readonly number[]): DisaggregatedSetSimulation {
  const limits = roles.map(({ replicas, surge, unavailable }, role) => {
    return { target: replicas, initial: before?.[role] ?? replicas, surge, unavailable };
  });
  const podsIn = (all: readonly RoleState[]) => all.reduce((sum, { old, next }, role) => sum + (old + next) * roles[role]!.size, 0);
  const rows = new Rows();
  let states: readonly RoleState[] = limits.map(({ initial }) => ({ old: initial, next: 0 }));
  let peakPods = podsIn(states);
  let minAvailable = least(states.map(({ old }) => old));
  let maxSkewPercent = 0;
  for (;;) {
    const next = nextStep(limits, states);
    if (!next || isSame(next, states)) break;
    const wave = waveOf(rows.count + 1, states, next);
    rows.add(wave);
    peakPods = Math.max(peakPods, podsIn(next));
    minAvailable = least(
      wave.roles.map(({ available }) => available),
      minAvailable,
    );
    maxSkewPercent = Math.max(maxSkewPercent, wave.skewPercent);
    states = next;
  }
  const { waves, elided } = rows.shown();
  return {
    kind: 'disaggregatedset',
    roles,
    replicas: least(roles.map(({ replicas }) => replicas)),
    waves,
    peakPods,
    minAvailable,
    maxSkewPercent,
    ...(!isDone(limits, states) && { halted: { wave: rows.count, reason: 'no-step' } }),
    ...(elided !== undefined && { elided }),
  };
}
