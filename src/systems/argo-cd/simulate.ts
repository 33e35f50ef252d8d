import type { RollingSyncSimulation, RollingSyncWave } from '../../core/simulations/rolling-sync';
import { MAX_LISTED_ROWS, selectVisibleRows } from '../../core/simulations/row-limit';
import type { Application } from './applications';
import { isSelected, resolveMaxUpdate } from './steps';
import type { Step, ApplicationSetStrategy } from './steps';
import type { RollingSyncBehaviour } from './versions';

interface AssignedApplication {
  readonly application: Application;
  /** The first step that selects it, counted from 0; -1 for none. */
  readonly step: number;
}

function namesOf(applications: readonly Application[]): readonly string[] {
  return applications.map(({ name }) => name);
}

function buildNameField<T extends string>(
  total: number,
  key: T,
  applications: readonly Application[],
): { readonly [K in T]?: readonly string[] } {
  return (total > MAX_LISTED_ROWS ? {} : { [key]: namesOf(applications) }) as { readonly [K in T]?: readonly string[] };
}

function simulateAllAtOnce(applications: readonly Application[]): RollingSyncSimulation {
  const total = applications.length;
  const wave: RollingSyncWave = { wave: 1, count: total, ...buildNameField(total, 'applications', applications) };
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

/** Simulates a RollingSync without steps: the controller syncs nothing. */
function simulateWithoutSteps(applications: readonly Application[]): RollingSyncSimulation {
  const total = applications.length;
  return {
    kind: 'rollingsync',
    applications: total,
    isStepwise: true,
    steps: [],
    waves: [],
    done: total === 0,
    unmatchedCount: total,
    ...buildNameField(total, 'unmatched', applications),
  };
}

/** Applications that wait for the same step to open, by their index among all Applications. The first `syncedCount` have synced. */
interface Queue {
  readonly gate: number;
  readonly indexes: number[];
  syncedCount: number;
}

/** Returns the queue with the next Application of a step that may sync, in the order of all Applications. */
function findNextQueue(queues: readonly Queue[], isOpen: readonly boolean[]): Queue | undefined {
  let next: Queue | undefined;
  for (const queue of queues) {
    const position = queue.indexes[queue.syncedCount];
    if (position === undefined || !isOpen[queue.gate]) continue;
    if (next === undefined || position < next.indexes[next.syncedCount]!) next = queue;
  }
  return next;
}

/**
 * Groups the Applications of each step by the step that lets them sync. Applications count against the maxUpdate of the first step that
 * selects them. They are released by that step, or up to 3.2 by the last step that selects them.
 */
function buildQueues(
  applications: readonly Application[],
  steps: readonly Step[],
  { opensInOrder }: RollingSyncBehaviour,
): readonly Queue[][] {
  const queues: Queue[][] = steps.map(() => []);
  applications.forEach((application, position) => {
    const first = steps.findIndex((step) => isSelected(step, application));
    if (first < 0) return;
    const gate = opensInOrder ? first : steps.findLastIndex((step) => isSelected(step, application));
    const existing = queues[first]!.find((queue) => queue.gate === gate);
    if (existing) existing.indexes.push(position);
    else queues[first]!.push({ gate, indexes: [position], syncedCount: 0 });
  });
  return queues;
}

/** Returns the waves of Applications until none may sync. */
function computeWaves(
  applications: readonly Application[],
  steps: readonly Step[],
  limits: readonly (number | undefined)[],
  behaviour: RollingSyncBehaviour,
): number[][] {
  const queues = buildQueues(applications, steps, behaviour);
  const members = steps.map((step) => applications.flatMap((application, position) => (isSelected(step, application) ? [position] : [])));
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
        const queue = findNextQueue(queues[step]!, open);
        if (!queue) return;
        wave.push(queue.indexes[queue.syncedCount++]!);
      }
    });
    if (wave.length === 0) return waves;
    for (const position of wave) synced.add(position);
    waves.push(wave.toSorted((a, b) => a - b));
  }
}

/** Returns why the rollout deadlocks: a step that lets nothing sync, or Applications that wait for each other. */
function detectHalt(
  byStep: readonly (readonly AssignedApplication[])[],
  limits: readonly (number | undefined)[],
  synced: ReadonlySet<string>,
): RollingSyncSimulation['halted'] {
  const firstUnsynced = byStep.findIndex((assigned) => assigned.some(({ application }) => !synced.has(application.name)));
  if (firstUnsynced < 0) return undefined;
  const zero = limits.findIndex((limit, step) => limit !== undefined && limit < 1 && byStep[step]!.length > 0);
  return zero >= 0 ? { step: zero + 1, reason: 'zero-max-update' } : { step: firstUnsynced + 1, reason: 'overlapping-steps' };
}

/**
 * Simulates how an ApplicationSet syncs its Applications, wave by wave. All Applications have something to sync at the start. Between two
 * waves, every syncing Application becomes Healthy.
 *
 * Source: Argo CD v3.5.1, applicationset/progressivesync/progressive_sync.go; up to 3.2
 * applicationset/controllers/applicationset_controller.go.
 *
 * @param applications - in the order in which the controller processes them: by name
 */
export function simulateRollingSync(
  strategy: ApplicationSetStrategy,
  applications: readonly Application[],
  behaviour: RollingSyncBehaviour,
): RollingSyncSimulation {
  if (strategy.type === 'all-at-once') return simulateAllAtOnce(applications);
  const { steps } = strategy;
  if (steps.length === 0) return simulateWithoutSteps(applications);
  const assigned = applications.map((application): AssignedApplication => ({
    application,
    step: steps.findIndex((step) => isSelected(step, application)),
  }));
  const members = steps.map((step: Step) => applications.filter((application) => isSelected(step, application)));
  // A missing key of a Go map reads as 0, so Applications that no step selects count toward the first step.
  const totals = steps.map((_, index) => assigned.filter(({ step }) => Math.max(0, step) === index).length);
  const limits = steps.map((step, index) => resolveMaxUpdate(step, totals[index]!));
  const waves = computeWaves(applications, steps, limits, behaviour).map((wave) => wave.map((position) => applications[position]!));
  const unmatched = assigned.filter(({ step }) => step < 0).map(({ application }) => application);
  const total = applications.length;
  const syncedCount = waves.reduce((sum, wave) => sum + wave.length, 0);
  const synced = new Set(waves.flatMap((wave) => namesOf(wave)));
  const halted = detectHalt(
    steps.map((_, index) => assigned.filter(({ step }) => step === index)),
    limits,
    synced,
  );
  const { rows, elided } = selectVisibleRows(waves.length);
  return {
    kind: 'rollingsync',
    applications: total,
    isStepwise: true,
    steps: members.map((selected, index) => ({
      step: index + 1,
      count: selected.length,
      ...(limits[index] !== undefined && { maxUpdate: limits[index] }),
      ...buildNameField(total, 'applications', selected),
    })),
    waves: rows.map((index) => ({ wave: index + 1, count: waves[index]!.length, ...buildNameField(total, 'applications', waves[index]!) })),
    done: syncedCount === total,
    ...(halted && { halted }),
    unmatchedCount: unmatched.length,
    ...(unmatched.length > 0 && buildNameField(total, 'unmatched', unmatched)),
    ...(elided > 0 && { elided }),
  };
}
