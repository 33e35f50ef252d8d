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

/** The objects to plan, and their origin. */
export interface PlanInput {
  /** Objects in input order, with lists flattened. */
  readonly objects: readonly Manifest[];
  /** Findings of reading the objects. */
  readonly findings?: readonly Finding[];
  /** Returns the file or stream that contains an object, and its unit. @default - all objects are one unit */
  readonly textOf?: (object: object) => ObjectSource | undefined;
  /** Returns the position of a field of an object. */
  readonly locate?: (object: object, path: string) => Source | undefined;
  /** The files in input order, as named in sources. */
  readonly files?: readonly string[];
  /** The systems to plan for. @default - all */
  readonly systems?: readonly RolloutSystem[];
  /**
   * Whether a rollout is only counted: it is in the summary, but not among the rollouts. Only independent rollouts can be.
   * @default - none is
   */
  readonly isCounted?: (rollout: PlannedRollout) => boolean;
  /** The apply that is planned. @default - every object rolls out, from one old template in a steady state */
  readonly change?: InputChange;
}

/** The facts about a change that a plan of it needs. */
export interface InputChange {
  /** The deadline of the run. Comparing has used a part of the time. */
  readonly deadline: Deadline;
  /** Returns what the apply does to the pods of an object or of one component. */
  readonly changedPods: NonNullable<PlanContext['changedPods']>;
  /** Whether the apply creates a quota that counts a resource, or lowers its limit. */
  readonly lowersQuota: NonNullable<PlanContext['lowersQuota']>;
  /** Whether the apply creates an object or changes the stored one. */
  readonly isChanged: NonNullable<PlanContext['isChanged']>;
  /** Objects in the cluster that do not change. They are context for the others, and have no findings. */
  readonly unchangedObjects: readonly Manifest[];
  /** Receives the capacity of each unit for its own objects. */
  readonly onCapacityKnown: (units: readonly MaxSchedulablePods[]) => void;
  /** Adds all that is known of its change to a rollout, given its desired pods if known. */
  readonly addChangeInfo: (object: Manifest, rollout: PlannedRollout, pods: number | undefined) => PlannedRollout;
}

function toDocuments(clusters: PlanOptions['clusters'] = []): readonly unknown[] {
  return Array.isArray(clusters) ? clusters : [clusters];
}

/** Sorts findings by their position in the input. Findings without a position come last, in their order. */
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
 * Builds the context of objects as if all were one unit, for what a system reports of a single object.
 *
 * @throws the errors of `planInput`
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

/** Reports whether an object was found in a folder, where it may be for another program, not in a file given by name or on standard input. */
function isFoundInFolder(text: ObjectSource | undefined): boolean {
  return text?.unit !== undefined && text.unit.name !== text.file;
}

/** Removes duplicates: a finding about the context of several units occurs in each of them. */
function deduplicateContextFindings(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** The input with its options resolved. */
interface ResolvedPlanInput {
  readonly input: Required<Omit<PlanInput, 'change'>> & Pick<PlanInput, 'change'>;
  readonly options: PlanOptions;
  readonly versions: Versions;
  readonly capacity: Capacity | undefined;
  readonly startupSeconds: number;
  readonly budget: PlanBudget;
  readonly deadline: Deadline;
}

function validateStartupSeconds(seconds = 0): number {
  if (isStartupSeconds(seconds)) return seconds;
  throw new RangeError(`startupSeconds is ${describeValue(seconds)}: write a number of seconds from 0 to ${MAX_INT32}`);
}

/** Plans objects, and reports those for which planning failed. */
function planObjects(candidates: readonly Manifest[], failures: readonly Failure[], resolved: ResolvedPlanInput): PlanDocument {
  const { input, options, versions, capacity } = resolved;
  const { locate, textOf, systems, change } = input;
  const { objects: served, findings: unservedFindings } = filterServedObjects(candidates, systems, { versions, locate });
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
  change?.onCapacityKnown(planned.map(({ computeMaxPods }) => computeMaxPods()));
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
  const capacityResult = mergeSharedCapacity(planned.flatMap(({ sharedCapacity }) => sharedCapacity ?? []));
  const notPlanned = countUnplannedKinds(served, new Set([...rolloutsByObject.keys(), ...counted]));
  const baseSummary = summarizePlan({ rollouts, notPlanned, findings });
  const summary = { ...baseSummary, rollouts: baseSummary.rollouts + counted.length };
  return sortPlanKeys({ formatVersion: FORMAT_VERSION, versions, rollouts, notPlanned, findings, capacity: capacityResult, summary });
}

/** Builds the plan of a run that exceeded its time. */
function buildTimeoutPlan({ input, versions, budget }: ResolvedPlanInput): PlanDocument {
  const parts = { rollouts: [], notPlanned: [], findings: [...input.findings, createTimeoutFinding(budget)] };
  return sortPlanKeys({ formatVersion: FORMAT_VERSION, versions, ...parts, summary: summarizePlan(parts) });
}

/** Reports whether an error is about the objects, and not about the options. */
function isObjectError(error: unknown): boolean {
  return !(error instanceof OptionError || error instanceof DeadlineError);
}

/**
 * Plans objects that were read. An object for which planning fails is a finding, and the others are planned.
 *
 * @throws VersionError for an unknown product or an invalid version
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of range
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
 * Plans Kubernetes objects as plain data: how each rollout proceeds, and what to know before it is applied.
 *
 * Lists are flattened. Objects that are neither a rollout nor context of one are skipped. No object makes it throw:
 * an object that cannot be planned is a finding (`input/unreadable`), and so is a value without apiVersion and kind, or one that no file could contain.
 * Examples are an object that contains itself, has more than 1,000 levels, contains more than 1,000,000 values several times,
 * has a bigint, or has a getter or Proxy that throws.
 *
 * @throws OptionError if the objects are not a list, and for an option of the wrong type
 * @throws VersionError for an unknown product or an invalid version
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 * @throws RangeError for startupSeconds out of range
 *
 * @example
 * const plan = planManifests([deployment], { versions: { kubernetes: '1.35' } });
 * plan.rollouts[0].simulation; // { kind: 'deployment', replicas: 10, surge: 3, … }
 */
export function planManifests(objects: readonly unknown[], options: PlanOptions = {}): PlanDocument {
  const resolved = validateOptions(options, PLAN_OPTIONS);
  return wrapAsOptionError(() => planInput(normalizeObjects(objects), resolved));
}
