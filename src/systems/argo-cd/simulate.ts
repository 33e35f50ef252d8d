import type { RollingSyncSimulation, RollingSyncWave } from '../../core/simulations/rolling-sync';
import { MAX_ROWS, shownRows } from '../../core/simulations/shown-rows';
import type { Application } from './applications';
import { isSelected, maxUpdateOf } from './steps';
import type { Step, Strategy } from './steps';
import type { RollingSyncBehaviour } from './versions';

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

/** Applications that wait for the same step to open, by their place among all; those before `taken` have synced. */
interface Queue {
  readonly gate: number;
  readonly places: number[];
  taken: number;
}

/** The next Application of a step that may sync, in the order of all of them. */
function nextOf(queues: readonly Queue[], isOpen: readonly boolean[]): Queue | undefined {
  let next: Queue | undefined;
  for (const queue of queues) {
    const place = queue.places[queue.taken];
    if (place === undefined || !isOpen[queue.gate]) continue;
    if (next === undefined || place < next.places[next.taken]!) next = queue;
  }
  return next;
}

/** For each step those that count against its maxUpdate, by the step that lets them sync: their first, or the last that selects them. */
function queuesOf(
  applications: readonly Application[],
  steps: readonly Step[],
  { opensInOrder }: RollingSyncBehaviour,
): readonly Queue[][] {
  const queues: Queue[][] = steps.map(() => []);
  applications.forEach((application, place) => {
    const first = steps.findIndex((step) => isSelected(step, application));
    if (first < 0) return;
    const gate = opensInOrder ? first : steps.findLastIndex((step) => isSelected(step, application));
    const known = queues[first]!.find((queue) => queue.gate === gate);
    if (known) known.places.push(place);
    else queues[first]!.push({ gate, places: [place], taken: 0 });
  });
  return queues;
}

/** The waves of Applications, as long as any may sync. */
function wavesOf(
  applications: readonly Application[],
  steps: readonly Step[],
  limits: readonly (number | undefined)[],
  behaviour: RollingSyncBehaviour,
): number[][] {
  const queues = queuesOf(applications, steps, behaviour);
  const members = steps.map((step) => applications.flatMap((application, place) => (isSelected(step, application) ? [place] : [])));
  const healthy = steps.map(() => 0);
  const synced = new Set<number>();
  const waves: number[][] = [];
  for (;;) {
    let isOpen = true;
    const open = members.map((selected, step) => {
      const opens = isOpen;
      while (healthy[step]! < selected.length && synced.has(selected[healthy[step]!]!)) healthy[step]!++;
      if (selected.length > 0) isOpen = healthy[step] === selected.length && (opens || !behaviour.opensInOrder);
      return opens;
    });
    const wave: number[] = [];
    limits.forEach((limit = Infinity, step) => {
      for (let free = limit; free >= 1; free--) {
        const queue = nextOf(queues[step]!, open);
        if (!queue) return;
        wave.push(queue.places[queue.taken++]!);
      }
    });
    if (wave.length === 0) return waves;
    for (const place of wave) synced.add(place);
    waves.push(wave.toSorted((a, b) => a - b));
  }
}

/** Why it stands still for good: a step that lets nothing sync, or Applications that wait for each other. */
function haltOf(
  byStep: readonly (readonly Placed[])[],
  limits: readonly (number | undefined)[],
  synced: ReadonlySet<string>,
): RollingSyncSimulation['halted'] {
  const left = byStep.findIndex((placed) => placed.some(({ application }) => !synced.has(application.name)));
  if (left < 0) return undefined;
  const zero = limits.findIndex((limit, step) => limit !== undefined && limit < 1 && byStep[step]!.length > 0);
  return zero >= 0 ? { step: zero + 1, reason: 'zero-max-update' } : { step: left + 1, reason: 'overlapping-steps' };
}

/**
 * How an ApplicationSet syncs its Applications, wave by wave: all of them have something to sync at the start, and between two waves all
 * that sync become Healthy.
 *
 * Source: Argo CD v3.5.1, applicationset/progressivesync/progressive_sync.go; up to 3.2 applicationset/controllers/applicationset_controller.go.
 *
 * @param applications in the order in which the controller goes over them: by name
 */
export function simulateRollingSync(
  strategy: Strategy,
  applications: readonly Application[],
  behaviour: RollingSyncBehaviour,
): RollingSyncSimulation {
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
  const waves = wavesOf(applications, steps, limits, behaviour).map((wave) => wave.map((place) => applications[place]!));
  const unmatched = placed.filter(({ step }) => step < 0).map(({ application }) => application);
  const total = applications.length;
  const syncedCount = waves.reduce((sum, wave) => sum + wave.length, 0);
  const synced = new Set(waves.flatMap((wave) => namesOf(wave)));
  const halted = haltOf(
    steps.map((_, index) => placed.filter(({ step }) => step === index)),
    limits,
    synced,
  );
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
    ...(halted && { halted }),
    unmatchedCount: unmatched.length,
    ...(unmatched.length > 0 && namedUpTo(total, 'unmatched', unmatched)),
    ...(elided > 0 && { elided }),
  };
}
