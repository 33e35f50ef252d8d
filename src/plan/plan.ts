import { Deadline, DeadlineError } from '../core/deadline';
import type { Finding, Source } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { FORMAT_VERSION, summarizePlan } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import { OptionError } from '../core/option-error';
import { MAX_INT32 } from '../core/int-or-percent';
import { describeValue } from '../core/display-value';
import { isStartupSeconds } from '../core/startup-seconds';
import { sortPlanKeys } from '../core/plan-key-order';
import type { PlannedRollout } from '../core/rollout';
import { checkDuplicateResource } from '../core/rules/duplicate-resource';
import { checkUnknownVersion } from '../core/rules/unknown-version';
import type { PlanContext, RolloutSystem } from '../cluster/context';
import { isContextObject } from '../cluster/context-kinds';
import { resolveVersions } from '../core/versions';
import type { Versions } from '../core/versions';
import { parseCapacity } from '../cluster/capacity/capacity';
import type { Capacity } from '../cluster/capacity/capacity';
import { mergeSharedCapacity } from '../cluster/capacity/shared-capacity';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import { countDesiredPods } from '../cluster/workload';
import { filterServedObjects } from './served-objects';
import { buildIndependencePredicate } from './independent-rollouts';
import { buildKindIndex } from './object-index';
import { wrapAsOptionError, validateOptions, PLAN_OPTIONS } from './validate-options';
import type { PlanOptions } from './plan-options';
import { createFailureFinding, planDespiteFailures } from './isolate-failures';
import type { Failure } from './isolate-failures';
import { countUnplannedKinds } from './unsupported-kinds';
import { hasSameNameAsObject, disambiguateNames } from './disambiguate-names';
import type { ObjectSource } from './disambiguate-names';
import { buildPlanScopes } from './plan-scopes';
import type { PlanBudget } from '../input/read-budget';
import { normalizeObjects } from '../input/normalize-objects';
import { hasIgnoreAnnotation, applySuppressions } from './suppressions';
import { resolvePlanBudget, createTimeoutFinding, truncateToBudget } from './plan-budget';
import { SYSTEMS } from './registry';
import { deduplicateFindings } from './deduplicate-findings';
import { collectRolloutsInOtherUnits } from './other-units';
import { planUnitObjects, evaluateRollouts } from './plan-unit';
import type { RolloutWithObject, UnitPlanning } from './plan-unit';

/** The objects to plan, and what is known of where they come from. */
export interface PlanInput {
  /** In input order, lists taken apart. */
  readonly objects: readonly Manifest[];
  /** What was found while the objects were read. */
  readonly findings?: readonly Finding[];
  /** The file or stream that holds an object, and the unit that it belongs to. @default - all were given together */
  readonly textOf?: (object: object) => ObjectSource | undefined;
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
  readonly unchangedObjects: readonly Manifest[];
  /** What the units of the plan have room for, each for its own objects. */
  readonly onCapacityKnown: (units: readonly MaxSchedulablePods[]) => void;
  /** A rollout with all that is known of its change, from the pods that are wanted of it, as far as they are known. */
  readonly addChangeInfo: (object: Manifest, rollout: PlannedRollout, pods: number | undefined) => PlannedRollout;
}

function toDocuments(given: PlanOptions['clusters'] = []): readonly unknown[] {
  return Array.isArray(given) ? given : [given];
}

/** By input order as far as a finding has a place in the input; the others stay behind them, in their order. */
function sortByInputOrder(findings: readonly Finding[], fileOrder: readonly string[]): Finding[] {
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
export function buildFullContext(objects: readonly Manifest[], options: PlanOptions = {}): PlanContext {
  return {
    versions: resolveVersions(options.versions),
    objects,
    input: [...objects],
    all: buildKindIndex(objects),
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: toDocuments(options.clusters),
    startupSeconds: options.startupSeconds ?? 0,
    ...(options.capacity !== undefined && { capacity: parseCapacity(options.capacity) }),
    locate: () => undefined,
  };
}

/** Was an object found in a folder, where it may be meant for another program, and not given by name or on standard input? */
function isFoundInFolder(text: ObjectSource | undefined): boolean {
  return text?.unit !== undefined && text.unit.name !== text.file;
}

/** What surrounds several units is found in each, and is one thing to know. */
function deduplicateContextFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** All that is settled before any object is looked at. */
interface ResolvedPlanInput {
  readonly input: Required<Omit<PlanInput, 'change'>> & Pick<PlanInput, 'change'>;
  readonly options: PlanOptions;
  readonly versions: Versions;
  readonly capacity: Capacity | undefined;
  readonly startupSeconds: number;
  readonly budget: PlanBudget;
  readonly deadline: Deadline;
}

function validateStartupSeconds(given = 0): number {
  if (isStartupSeconds(given)) return given;
  throw new RangeError(`startupSeconds is ${describeValue(given)}: write a number of seconds from 0 to ${MAX_INT32}`);
}

/** Plans objects, besides those on which planning has failed. */
function planObjects(given: readonly Manifest[], failures: readonly Failure[], resolved: ResolvedPlanInput): PlanDocument {
  const { input, options, versions, capacity } = resolved;
  const { locate, textOf, systems, change } = input;
  const { objects: served, findings: unservedFindings } = filterServedObjects(given, systems, { versions, locate });
  const unchanged = new Set(change?.unchangedObjects);
  const objects = unchanged.size === 0 ? served : [...served, ...unchanged];
  const sharedContext = {
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: toDocuments(options.clusters),
    neverReady: options.neverReady ?? [],
    notReadyNow: options.notReadyNow ?? [],
    startupSeconds: resolved.startupSeconds,
    versions,
    input: objects,
    ...(capacity && { capacity }),
    ...(change && { changedPods: change.changedPods, lowersQuota: change.lowersQuota, isChanged: change.isChanged }),
    deadline: resolved.deadline,
    locate,
  };

  const rollsOut = (object: Manifest) => systems.some((system) => system.recognises(object));
  const isUnique = (object: Manifest) => object.kind !== 'Namespace' && (isContextObject(object) || rollsOut(object));
  const contexts = buildPlanScopes(objects, textOf, isUnique, rollsOut).map(({ own, visible }) => ({
    ...sharedContext,
    objects: own,
    all: buildKindIndex(visible, own),
  }));
  const isInFolder = (object: Manifest) => isFoundInFolder(textOf(object));
  const isIndependent = change ? () => false : buildIndependencePredicate(objects, sharedContext);
  const addChangeInfo: UnitPlanning['addChangeInfo'] = (object, rollout, planned) =>
    change?.addChangeInfo(object, rollout, countDesiredPods(planned)) ?? rollout;
  const isCounted = ({ object, rollout }: RolloutWithObject) =>
    !hasIgnoreAnnotation(object) && hasSameNameAsObject(rollout, object) && input.isCounted(rollout);
  const planning: UnitPlanning = { systems, isIndependent, isInFolder, addChangeInfo, isCounted };
  const unitPlans = contexts.map((context) => planUnitObjects(context, planning));
  const otherRolloutsOf = collectRolloutsInOtherUnits(unitPlans);
  const planned = contexts.map((context, unit) =>
    evaluateRollouts(unitPlans[unit]!.interdependent, otherRolloutsOf(unit), context, planning),
  );
  change?.onCapacityKnown(planned.map(({ roomTogether }) => roomTogether()));
  const contextFindings = contexts.flatMap((context, unit) => [
    ...systems.flatMap((system) => system.contextFindings?.(context) ?? []),
    ...planned[unit]!.findings,
  ]);
  const runFindings = systems.flatMap((system) => system.runFindings?.(contexts) ?? []);
  const sharedFindings = deduplicateContextFindings([...contextFindings, ...runFindings]);
  const failureFindings = failures.map((failure) => createFailureFinding(failure, locate));
  const { rollouts: annotatedRollouts, findings: generalFindings } = applySuppressions(
    served,
    {
      rollouts: [...unitPlans.flatMap(({ independent }) => independent), ...planned.flatMap((unit) => unit.rollouts)].filter(
        ({ object }) => !unchanged.has(object),
      ),
      findings: [
        ...input.findings,
        ...failureFindings,
        ...unservedFindings,
        ...checkDuplicateResource(served, textOf, locate),
        ...checkUnknownVersion(versions),
        ...sharedFindings,
      ],
    },
    locate,
  );
  const rolloutsByObject = new Map<Manifest, PlannedRollout[]>();
  for (const { object, rollout } of annotatedRollouts) rolloutsByObject.set(object, [...(rolloutsByObject.get(object) ?? []), rollout]);
  const orderedRollouts = objects.flatMap(
    (object) => rolloutsByObject.get(object)?.map((rollout) => ({ rollout, text: textOf(object) })) ?? [],
  );
  const counted = unitPlans.flatMap((unit) => unit.counted);
  const { rollouts, findings } = truncateToBudget(
    {
      rollouts: disambiguateNames(deduplicateFindings(orderedRollouts), counted, textOf),
      findings: sortByInputOrder(generalFindings, input.files),
    },
    resolved.budget,
  );
  const room = mergeSharedCapacity(planned.flatMap((unit) => unit.room ?? []));
  const notPlanned = countUnplannedKinds(served, new Set([...rolloutsByObject.keys(), ...counted]));
  const baseSummary = summarizePlan({ rollouts, notPlanned, findings });
  const summary = { ...baseSummary, rollouts: baseSummary.rollouts + counted.length };
  return sortPlanKeys({ formatVersion: FORMAT_VERSION, versions, rollouts, notPlanned, findings, capacity: room, summary });
}

/** The plan of which nothing was ready in time. */
function buildTimeoutPlan({ input, versions, budget }: ResolvedPlanInput): PlanDocument {
  const parts = { rollouts: [], notPlanned: [], findings: [...input.findings, createTimeoutFinding(budget)] };
  return sortPlanKeys({ formatVersion: FORMAT_VERSION, versions, ...parts, summary: summarizePlan(parts) });
}

/** Is an error about the objects, and not about what the caller says beside them? */
function isObjectError(error: unknown): boolean {
  return !(error instanceof OptionError || error instanceof DeadlineError);
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
  const budget = resolvePlanBudget(options.budget);
  const resolved: ResolvedPlanInput = {
    input: {
      findings: [],
      locate: () => undefined,
      textOf: () => undefined,
      files: [],
      isCounted: () => false,
      systems: SYSTEMS,
      ...input,
    },
    options,
    versions: resolveVersions(options.versions),
    capacity: options.capacity === undefined ? undefined : parseCapacity(options.capacity),
    startupSeconds: validateStartupSeconds(options.startupSeconds),
    budget,
    deadline: input.change?.deadline ?? new Deadline(budget.seconds),
  };
  try {
    return planDespiteFailures(input.objects, (objects, failures) => planObjects(objects, failures, resolved), isObjectError);
  } catch (error) {
    if (error instanceof DeadlineError) return buildTimeoutPlan(resolved);
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
  const resolved = validateOptions(options, PLAN_OPTIONS);
  return wrapAsOptionError(() => planInput(normalizeObjects(objects), resolved));
}
