import { Deadline, DeadlineError } from '../core/deadline';
import type { Finding, Source } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { FORMAT_VERSION, summarise } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { OptionError } from '../core/option-error';
import { MAX_INT32 } from '../core/int-or-percent';
import { describeValue } from '../core/seen';
import { isStartupSeconds } from '../core/startup';
import { inContractOrder } from '../core/plan-order';
import type { PlannedRollout } from '../core/rollout';
import { duplicateFindings } from '../core/rules/duplicate-resource';
import { unknownVersionFindings } from '../core/rules/unknown-version';
import type { PlanContext, RolloutSystem } from '../cluster/context';
import { isContextObject } from '../cluster/context-kinds';
import { resolveVersions } from '../core/versions';
import type { Versions } from '../core/versions';
import { parseCapacity } from '../cluster/room/capacity';
import type { Capacity } from '../cluster/room/capacity';
import { sharedByAll } from '../cluster/room/shared-room';
import type { MostTogether } from '../cluster/room/most-together';
import { wantedPods } from '../cluster/workload';
import { admittedObjects } from './admitted';
import { standsAloneAmong } from './alone';
import { allByKind } from './by-kind';
import { asOption, givenOptions, PLAN_OPTIONS } from './given-options';
import type { PlanOptions } from './plan-options';
import { failureFinding, planDespiteFailures } from './failures';
import type { Failure } from './failures';
import { notPlannedOf } from './not-planned';
import { isNamedAlike, toldApart } from './told-apart';
import type { ObjectText } from './told-apart';
import { viewsOf } from './views';
import type { PlanBudget } from '../input/budget';
import { ChangedFileError } from '../input/content';
import { readObjects } from '../input/plain-data';
import { asWritten } from './as-written';
import { saysWhatToIgnore, withIgnored } from './ignored';
import { budgetOf, outOfTime, shownWithin } from './plan-budget';
import { SYSTEMS } from './registry';
import { eachThingOnce } from './same-thing';
import { rolloutsElsewhere } from './elsewhere';
import type { ObjectsAside } from './objects-aside';
import { planObjectsOf, settledRollouts } from './plan-unit';
import type { ShownRollout, UnitPlanning } from './plan-unit';

/** The objects to plan, and what is known of where they come from. */
export interface PlanInput {
  /** In input order, lists taken apart. */
  readonly objects: readonly Manifest[];
  /** Further objects, which are read again one after the other. @default - none */
  readonly aside?: ObjectsAside;
  /** What was found while the objects were read. */
  readonly findings?: readonly Finding[];
  /** The file or stream that holds an object, and the unit that it belongs to. @default - all were given together */
  readonly textOf?: (object: object) => ObjectText | undefined;
  /** An object with all that it holds, where reading has let it go. @default - it holds it */
  readonly whole?: (object: Manifest) => Manifest;
  /** Where a field of an object stands. */
  readonly locate?: (object: object, path: string) => Source | undefined;
  /** The files in input order, as sources name them. */
  readonly files?: readonly string[];
  /** Systems to plan for, instead of all. */
  readonly systems?: readonly RolloutSystem[];
  /**
   * Is nothing shown of a rollout, so that it need only be counted? Asked of those that stand alone. They are in the summary, and not among the rollouts:
   * of a large input few are held then. @default - of none
   */
  readonly isCounted?: (rollout: PlannedRollout) => boolean;
  /** What is known of an apply that the plan is of. @default - every object rolls out, from one old template at rest */
  readonly change?: InputChange;
}

/** What a plan has to know of the change that it is of. */
export interface InputChange {
  /** Until when planning may take, of which comparing has taken its part. */
  readonly deadline: Deadline;
  /** What the apply does to the pods of an object or of one component. */
  readonly changedPods: NonNullable<PlanContext['changedPods']>;
  /** Does the apply make a quota that counts a resource, or lower what it allows of it? */
  readonly lowersQuota: NonNullable<PlanContext['lowersQuota']>;
  /** Does the apply make an object, or change what the server holds of it? */
  readonly isChanged: NonNullable<PlanContext['isChanged']>;
  /** Objects that stand in the cluster and stay as they are: they surround the others, and nothing is said of them. */
  readonly around: readonly Manifest[];
  /** What the units of the plan have room for, each for its own objects. */
  readonly roomKnown: (units: readonly MostTogether[]) => void;
  /** A rollout with all that is known of its change, from the pods that are wanted of it, as far as they are known. */
  readonly told: (object: Manifest, rollout: PlannedRollout, pods: number | undefined) => PlannedRollout;
}

function documentsOf(given: PlanOptions['clusters'] = []): readonly unknown[] {
  return Array.isArray(given) ? given : [given];
}

/** By input order as far as a finding has a place in the input; the others stay behind them, in their order. */
function inInputOrder(findings: readonly Finding[], fileOrder: readonly string[]): Finding[] {
  const positions = new Map(fileOrder.map((file, position) => [file, position]));
  const fileOf = ({ source }: Finding) => (source && positions.get(source.file)) ?? fileOrder.length;
  return findings.toSorted((a, b) => {
    const byFile = fileOf(a) - fileOf(b);
    if (byFile !== 0 || fileOf(a) === fileOrder.length) return byFile;
    return a.source!.line - b.source!.line || (a.source!.column ?? 0) - (b.source!.column ?? 0);
  });
}

/**
 * The context of objects as if all were one unit, for what a system says of an object by itself.
 *
 * @throws as `planInput`
 */
export function wholeContext(objects: readonly Manifest[], options: PlanOptions = {}): PlanContext {
  return {
    versions: resolveVersions(options.versions),
    objects,
    input: [...objects],
    all: allByKind(objects),
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: documentsOf(options.clusters),
    startupSeconds: options.startupSeconds ?? 0,
    ...(options.capacity !== undefined && { capacity: parseCapacity(options.capacity) }),
    locate: () => undefined,
  };
}

/** Was an object found in a folder, where it may be meant for another program, and not given by name or on standard input? */
function isFoundInFolder(text: ObjectText | undefined): boolean {
  return text?.unit !== undefined && text.unit.name !== text.file;
}

/** What surrounds several units is found in each, and is one thing to know. */
function saidOnce(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** All that is settled before any object is looked at. */
interface Settled {
  readonly input: Required<Omit<PlanInput, 'change' | 'aside'>> & Pick<PlanInput, 'change' | 'aside'>;
  readonly options: PlanOptions;
  readonly versions: Versions;
  readonly capacity: Capacity | undefined;
  readonly startupSeconds: number;
  readonly budget: PlanBudget;
  readonly deadline: Deadline;
}

function startupSecondsOf(given = 0): number {
  if (isStartupSeconds(given)) return given;
  throw new RangeError(`startupSeconds is ${describeValue(given)}: write a number of seconds from 0 to ${MAX_INT32}`);
}

/** Plans objects, besides those on which planning has failed. */
function planObjects(given: readonly Manifest[], failures: readonly Failure[], settled: Settled): PlanDocument {
  const { input, options, versions, capacity } = settled;
  const { locate, textOf, systems, whole, change, aside } = input;
  const { objects: admitted, findings: refused } = admittedObjects(given, systems, { versions, locate });
  const around = new Set(change?.around);
  const objects = around.size === 0 ? admitted : [...admitted, ...around];
  // Before planning takes room of its own, for the names of thousands are held meanwhile.
  const duplicates = duplicateFindings(admitted, textOf, locate);
  const surroundings = {
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: documentsOf(options.clusters),
    neverReady: options.neverReady ?? [],
    notReadyNow: options.notReadyNow ?? [],
    startupSeconds: settled.startupSeconds,
    versions,
    input: objects,
    ...(capacity && { capacity }),
    ...(change && { changedPods: change.changedPods, lowersQuota: change.lowersQuota, isChanged: change.isChanged }),
    deadline: settled.deadline,
    locate,
  };

  const rollsOut = (object: Manifest) => systems.some((system) => system.recognises(object));
  const isOneThing = (object: Manifest) => object.kind !== 'Namespace' && (isContextObject(object) || rollsOut(object));
  const contexts = viewsOf(objects, textOf, isOneThing, rollsOut).map(({ own, visible }) => ({
    ...surroundings,
    objects: own,
    all: allByKind(visible, { own, whole, aside }),
  }));
  const isFound = (object: Manifest) => isFoundInFolder(textOf(object));
  const standsAlone = change ? () => false : standsAloneAmong(objects, surroundings);
  const told: UnitPlanning['told'] = (object, rollout, planned) => change?.told(object, rollout, wantedPods(planned)) ?? rollout;
  const isCounted = ({ object, rollout }: ShownRollout) =>
    !saysWhatToIgnore(object) && isNamedAlike(rollout, object) && input.isCounted(rollout);
  const planning: UnitPlanning = { systems, standsAlone, isFound, whole, told, isCounted, aside };
  const ofUnits = contexts.map((context) => planObjectsOf(context, planning));
  const elsewhere = rolloutsElsewhere(ofUnits);
  const planned = contexts.map((context, unit) => settledRollouts(ofUnits[unit]!.together, elsewhere(unit), context, planning));
  change?.roomKnown(planned.map(({ roomTogether }) => roomTogether()));
  const ofContexts = contexts.flatMap((context, unit) => [
    ...systems.flatMap((system) => system.contextFindings?.(context) ?? []),
    ...planned[unit]!.findings,
  ]);
  const ofRun = systems.flatMap((system) => system.runFindings?.(contexts) ?? []);
  const aboutContext = saidOnce([...ofContexts, ...ofRun]);
  const failed = failures.map((failure) => failureFinding(failure, locate));
  const { rollouts: placedRollouts, findings: about } = withIgnored(
    admitted,
    {
      rollouts: [...ofUnits.flatMap(({ alone }) => alone), ...planned.flatMap((unit) => unit.rollouts)].filter(
        ({ object }) => !around.has(object),
      ),
      findings: [...input.findings, ...failed, ...refused, ...duplicates, ...unknownVersionFindings(versions), ...aboutContext],
    },
    locate,
  );
  const rolledOut = new Map<Manifest, PlannedRollout[]>();
  for (const { object, rollout } of placedRollouts) rolledOut.set(object, [...(rolledOut.get(object) ?? []), rollout]);
  const placed = (aside ? aside.inOrder([...rolledOut.keys()], (object) => object) : objects).flatMap(
    (object) => rolledOut.get(object)?.map((rollout) => ({ rollout, text: textOf(object) })) ?? [],
  );
  const counted = ofUnits.flatMap((unit) => unit.counted);
  const { rollouts, findings } = shownWithin(
    { rollouts: toldApart(eachThingOnce(placed), counted, textOf), findings: inInputOrder(about, input.files) },
    settled.budget,
  );
  const room = sharedByAll(planned.flatMap((unit) => unit.room ?? []));
  const notPlanned = notPlannedOf(admitted, [rolledOut.keys(), counted]);
  const summarised = summarise({ rollouts, notPlanned, findings });
  const countedAside = ofUnits.reduce((sum, unit) => sum + unit.countedAside, 0);
  const summary = { ...summarised, rollouts: summarised.rollouts + counted.length + countedAside };
  const plan = inContractOrder({ formatVersion: FORMAT_VERSION, versions, rollouts, notPlanned, findings, room, summary });
  return asWritten(plan, () => given.map(textOf));
}

/** The plan of which nothing was ready in time. */
function unplanned({ input, versions, budget }: Settled): PlanDocument {
  const parts = { rollouts: [], notPlanned: [], findings: [...input.findings, outOfTime(budget)] };
  return inContractOrder({ formatVersion: FORMAT_VERSION, versions, ...parts, summary: summarise(parts) });
}

/** Is an error about the objects, and not about what the caller says beside them? */
function isAboutObjects(error: unknown): boolean {
  return !(error instanceof OptionError || error instanceof DeadlineError || error instanceof ChangedFileError);
}

/** Plans objects; those that were set aside among the others only where there is something to say of them beside their rollouts. */
function planWithin(settled: Settled): PlanDocument {
  const { aside, ...input } = settled.input;
  const plan = (given: Settled) =>
    planDespiteFailures(given.input.objects, (objects, failures) => planObjects(objects, failures, given), isAboutObjects);
  if (!aside) return plan(settled);
  try {
    const { findings } = admittedObjects(aside.kinds, input.systems, { versions: settled.versions, locate: input.locate });
    if (findings.length === 0) return planObjects(input.objects, [], settled);
  } catch (error) {
    if (!isAboutObjects(error)) throw error;
  }
  return plan({ ...settled, input: { ...input, objects: aside.among(input.objects) } });
}

/**
 * Plans objects that were read from somewhere. One on which that fails is a finding, and the others are planned.
 *
 * @throws VersionError for an unknown product or a version that is none
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of their range
 */
export function planInput(input: PlanInput, options: PlanOptions = {}): PlanDocument {
  const budget = budgetOf(options.budget);
  const settled: Settled = {
    input: {
      findings: [],
      locate: () => undefined,
      textOf: () => undefined,
      whole: (object) => object,
      files: [],
      isCounted: () => false,
      systems: SYSTEMS,
      ...input,
    },
    options,
    versions: resolveVersions(options.versions),
    capacity: options.capacity === undefined ? undefined : parseCapacity(options.capacity),
    startupSeconds: startupSecondsOf(options.startupSeconds),
    budget,
    deadline: input.change?.deadline ?? new Deadline(budget.seconds),
  };
  try {
    return planWithin(settled);
  } catch (error) {
    if (error instanceof DeadlineError) return unplanned(settled);
    throw error;
  }
}

/**
 * Plans Kubernetes objects as plain data: how each rollout will go, and what to know before it is applied.
 *
 * Lists are taken apart; objects that are no rollout and no context of one are skipped. No object makes it throw:
 * what cannot be planned is a finding, and so is what is no object with apiVersion and kind, or what no file could hold (`input/unreadable`):
 * an object that contains itself, of more than 1,000 levels or 1,000,000 values that stand in several places, with a bigint, or with a getter or Proxy that throws.
 *
 * @throws OptionError for objects that are no list, and for an option of another type
 * @throws VersionError for an unknown product or a version that is none
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of their range
 *
 * @example
 * const plan = planManifests([deployment], { versions: { kubernetes: '1.35' } });
 * plan.rollouts[0].simulation; // { kind: 'deployment', replicas: 10, surge: 3, … }
 */
export function planManifests(objects: readonly unknown[], options: PlanOptions = {}): PlanDocument {
  const settled = givenOptions(options, PLAN_OPTIONS);
  return asOption(() => planInput(readObjects(objects), settled));
}
