import type { Finding } from '../core/finding';
import { firstOfEachRule } from '../core/first-of-each-rule';
import type { Manifest } from '../core/manifest';
import type { SharedRoom } from '../core/plan-document';
import type { PlannedRollout } from '../core/rollout';
import type { PlanContext, RolloutSystem } from '../cluster/context';
import { mostTogether } from '../cluster/room/most-together';
import type { MostTogether } from '../cluster/room/most-together';
import { otherPods } from '../cluster/room/other-pods';
import { inSurroundings } from '../cluster/surroundings';
import type { PodSet, SystemRollout } from '../cluster/workload';
import { contextOfAlone } from './alone';
import { asChanged } from './as-changed';
import type { UnitRollout, UnitRollouts } from './elsewhere';
import type { ObjectsAside } from './objects-aside';
import { withoutPlaceholders } from './placeholders';

/** A rollout as the plan shows it. */
export interface ShownRollout {
  readonly object: Manifest;
  readonly rollout: PlannedRollout;
}

/** The rollouts of one unit before those that something counts are looked at together. */
interface ObjectsOfUnit extends UnitRollouts {
  readonly alone: readonly ShownRollout[];
  /** The objects of those that are counted and not shown, one for each rollout. */
  readonly counted: readonly Manifest[];
  /** How many rollouts of objects that were set aside are counted and not shown. */
  readonly countedAside: number;
}

/** What is planned together. */
interface PlannedUnit {
  readonly rollouts: readonly ShownRollout[];
  /** About no rollout. */
  readonly findings: readonly Finding[];
  readonly room?: SharedRoom;
  readonly roomTogether: () => MostTogether;
}

/** All sets of pods of each object, those of what is no rollout among them. */
function podSetsByObject(
  planned: readonly UnitRollout[],
  podSets: readonly (readonly PodSet[])[],
  context: PlanContext,
): ReadonlyMap<Manifest, readonly PodSet[]> {
  const byObject = new Map<Manifest, readonly PodSet[]>(otherPods(context).map(({ object, podSet }) => [object, [podSet]]));
  planned.forEach(({ object }, index) => byObject.set(object, [...(byObject.get(object) ?? []), ...podSets[index]!]));
  return byObject;
}

function withSources(rollout: PlannedRollout, object: Manifest, context: PlanContext): PlannedRollout {
  if (rollout.findings.length === 0) return rollout;
  const findings = firstOfEachRule(rollout.findings).map((finding) => {
    const source = finding.source ?? context.locate(object, finding.path);
    return source ? { ...finding, source } : finding;
  });
  return { ...rollout, findings };
}

/** Rollouts that are settled together while many stand alone: enough that each costs little, few enough to hold. */
const AT_ONCE = 256;

/** What is the same for all units of a run. */
export interface UnitPlanning {
  readonly systems: readonly RolloutSystem[];
  readonly standsAlone: (rollout: SystemRollout) => boolean;
  readonly isFound: (object: Manifest) => boolean;
  readonly whole: (object: Manifest) => Manifest;
  /** What was set aside of the only unit. */
  readonly aside: ObjectsAside | undefined;
  /** A rollout with what is known of its change. */
  readonly told: (object: Manifest, rollout: PlannedRollout, planned: SystemRollout) => PlannedRollout;
  /** Is a rollout counted and not shown? */
  readonly isCounted: (shown: ShownRollout) => boolean;
}

/** Plans the objects of one unit, each by itself, and settles those that nothing else counts. */
export function planObjectsOf(context: PlanContext, planning: UnitPlanning): ObjectsOfUnit {
  const { systems, standsAlone } = planning;
  const together: UnitRollout[] = [];
  const alone: ShownRollout[] = [];
  const counted: Manifest[] = [];
  let countedAside = 0;
  const amongNone = contextOfAlone(context);
  let waiting: UnitRollout[] = [];
  let isAside = false;
  const settle = () => {
    if (waiting.length === 0) return;
    for (const shown of settledRollouts(waiting, [], amongNone, planning).rollouts) {
      if (!planning.isCounted(shown)) alone.push(shown);
      else if (isAside) countedAside++;
      else counted.push(shown.object);
    }
    waiting = [];
  };
  const plan = (object: Manifest, system: RolloutSystem, whole: Manifest) => {
    const rollouts = system.plan(whole, context).map((rollout) => asChanged(rollout, object, context));
    const among = rollouts.every(standsAlone) ? waiting : together;
    for (const rollout of rollouts) among.push({ object, whole, rollout });
    if (waiting.length >= AT_ONCE) settle();
  };
  const systemOf = (object: Manifest) => systems.find((candidate) => candidate.recognises(object));
  for (const object of context.objects) {
    context.deadline?.check();
    const system = systemOf(object);
    if (system) plan(object, system, planning.whole(object));
  }
  settle();
  isAside = true;
  for (const { object, whole } of planning.aside?.toPlan() ?? []) {
    context.deadline?.check();
    const system = systemOf(object);
    if (system) plan(object, system, whole);
  }
  settle();
  const inOrder = planning.aside?.inOrder(together, ({ object }) => object) ?? together;
  return { together: inOrder, alone, counted, countedAside };
}

/** Settles rollouts among what surrounds them, and what stands elsewhere. */
export function settledRollouts(
  planned: readonly UnitRollout[],
  elsewhere: readonly SystemRollout[],
  context: PlanContext,
  { isFound, told }: UnitPlanning,
): PlannedUnit {
  const { rollouts, findings, room, limits, podSets } = inSurroundings(
    planned.map(({ rollout }) => rollout),
    context,
    elsewhere,
  );
  return {
    rollouts: rollouts.map((rollout, index) => {
      const { object, whole, rollout: asPlanned } = planned[index]!;
      const known = told(object, rollout, asPlanned);
      return { object, rollout: withSources(isFound(object) ? withoutPlaceholders(known, whole) : known, object, context) };
    }),
    findings,
    ...(room && { room }),
    roomTogether: () => mostTogether(podSetsByObject(planned, podSets, context), limits),
  };
}
