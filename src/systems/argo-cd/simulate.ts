import type { RollingSyncSimulation, RollingSyncWave } from '../../core/simulations/rolling-sync';
import { MAX_ROWS, shownRows } from '../../core/simulations/shown-rows';
import type { Application } from './applications';
import { isSelected, maxUpdateOf } from './steps';
import type { Step, Strategy } from './steps';

interface Placed {
  readonly application: Application;
  /** The first step that selects it, counted from 0; -1 for none. */
  readonly step: number;
}

function namesOf(applications: readonly Application[]): readonly string[] {
  return applications.map(({ name }) => name);
}

function namedUpTo<T extends string>(
  total: number,
  key: T,
  applications: readonly Application[],
): { readonly [K in T]?: readonly string[] } {
  return (total > MAX_ROWS ? {} : { [key]: namesOf(applications) }) as { readonly [K in T]?: readonly string[] };
}

function allAtOnce(applications: readonly Application[]): RollingSyncSimulation {
  const total = applications.length;
  const wave: RollingSyncWave = { wave: 1, count: total, ...namedUpTo(total, 'applications', applications) };
  return {
    kind: 'rollingsync',
    applications: total,
    isStepwise: false,
    steps: [],
    waves: total > 0 ? [wave] : [],
    done: true,
    unmatchedCount: 0,
  };
}

/** Nobody syncs them: the controller has no steps to go by. */
function never(applications: readonly Application[]): RollingSyncSimulation {
  const total = applications.length;
  return {
    kind: 'rollingsync',
    applications: total,
    isStepwise: true,
    steps: [],
    waves: [],
    done: total === 0,
    unmatchedCount: total,
    ...namedUpTo(total, 'unmatched', applications),
  };
}

/** The waves of Applications, as long as any may sync: those of every step up to the first that is not Healthy as a whole. */
function wavesOf(
  placed: readonly Placed[],
  members: readonly (readonly Application[])[],
  limits: readonly (number | undefined)[],
): Application[][] {
  const waiting = limits.map((_, index) => placed.filter(({ step }) => step === index).map(({ application }) => application));
  const taken = limits.map(() => 0);
  const healthy = limits.map(() => 0);
  const synced = new Set<string>();
  const waves: Application[][] = [];
  let open = 0;
  for (;;) {
    while (open < members.length && healthy[open]! < members[open]!.length && synced.has(members[open]![healthy[open]!]!.name))
      healthy[open]!++;
    if (open < members.length - 1 && healthy[open] === members[open]!.length) {
      open++;
      continue;
    }
    const wave: Application[] = [];
    for (let step = 0; step <= open; step++) {
      const from = taken[step]!;
      const some = waiting[step]!.slice(from, from + Math.max(0, limits[step] ?? waiting[step]!.length));
      taken[step] = from + some.length;
      for (const application of some) wave.push(application);
    }
    if (wave.length === 0) return waves;
    for (const { name } of wave) synced.add(name);
    waves.push(wave.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  }
}

/**
 * How an ApplicationSet syncs its Applications, wave by wave: all of them have something to sync at the start, and between two waves all
 * that sync become Healthy.
 *
 * Source: Argo CD v3.5.1, applicationset/progressivesync/progressive_sync.go, read and not run: its module can't be fetched whole.
 *
 * @param applications in the order in which the controller goes over them: by name
 */
export function simulateRollingSync(strategy: Strategy, applications: readonly Application[]): RollingSyncSimulation {
  if (strategy.type === 'all-at-once') return allAtOnce(applications);
  const { steps } = strategy;
  if (steps.length === 0) return never(applications);
  const placed = applications.map((application): Placed => ({
    application,
    step: steps.findIndex((step) => isSelected(step, application)),
  }));
  const members = steps.map((step: Step) => applications.filter((application) => isSelected(step, application)));
  // In a map of Go what is not there is at 0: those that no step selects count into the first one.
  const totals = steps.map((_, index) => placed.filter(({ step }) => Math.max(0, step) === index).length);
  const limits = steps.map((step, index) => maxUpdateOf(step, totals[index]!));
  const waves = wavesOf(placed, members, limits);
  const unmatched = placed.filter(({ step }) => step < 0).map(({ application }) => application);
  const total = applications.length;
  const syncedCount = waves.reduce((sum, wave) => sum + wave.length, 0);
  const halt =
    placed.filter(({ step }) => step >= 0).length > syncedCount
      ? limits.findIndex((limit, index) => limit !== undefined && limit < 1 && totals[index]! > 0)
      : -1;
  const { rows, elided } = shownRows(waves.length);
  return {
    kind: 'rollingsync',
    applications: total,
    isStepwise: true,
    steps: members.map((selected, index) => ({
      step: index + 1,
      count: selected.length,
      ...(limits[index] !== undefined && { maxUpdate: limits[index] }),
      ...namedUpTo(total, 'applications', selected),
    })),
    waves: rows.map((index) => ({ wave: index + 1, count: waves[index]!.length, ...namedUpTo(total, 'applications', waves[index]!) })),
    done: syncedCount === total,
    ...(halt >= 0 && { halted: { step: halt + 1, reason: 'zero-max-update' } as const }),
    unmatchedCount: unmatched.length,
    ...(unmatched.length > 0 && namedUpTo(total, 'unmatched', unmatched)),
    ...(elided > 0 && { elided }),
  };
}
