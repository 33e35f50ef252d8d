import { groupBy } from '../core/collections/group-by';
import { isLive } from '../appliers/live-object';
import type { Deadline } from '../core/budget/deadline';
import type { Finding } from '../core/findings/finding';
import { findOperatorResourceMap } from '../core/sources/operator-resource-map';
import type { Manifest } from '../core/manifest/manifest';
import { FORMAT_VERSION, summarizePlan } from '../core/document/plan-document';
import type { PlanDocument, SharedCapacityResult, UnplannedKind } from '../core/document/plan-document';
import { sortPlanKeys } from '../core/document/plan-key-order';
import type { ServicePlan } from '../core/document/service-plan';
import { checkDuplicateResource } from '../core/rules/duplicate-resource';
import { checkUnknownVersion } from '../core/rules/unknown-version';
import { findAssumedVersions } from '../core/document/assumed-versions';
import type { Versions } from '../core/values/versions';
import type { Capacity } from '../cluster/context/capacity';
import type { MaxSchedulablePods } from '../cluster/capacity/max-schedulable-pods';
import { mergeSharedCapacity } from '../cluster/capacity/shared-capacity';
import type { PlanContext, RolloutSystem } from '../cluster/context/context';
import { isContextObject } from '../cluster/kinds/context-kinds';
import { checkBeingDeleted } from '../cluster/rules/being-deleted';
import { checkGenerateName } from '../cluster/rules/generate-name';
import type { PlanBudget } from '../input/read-budget';
import { createApplierLookup } from './appliers-in-view';
import { claimObjects, isInView } from './claim-objects';
import type { ClaimedObject } from './claim-objects';
import { capFindingsPerObject } from '../core/findings/finding-limits';
import { deduplicateFindings, omitReportedFields, omitReportedNumbers } from './deduplicate-findings';
import { disambiguateNames } from './disambiguate-names';
import { evaluateUnit } from './evaluate-unit';
import type { RolloutWithObject, PlanInput } from './plan-input';
import { createFailureFinding } from './isolate-failures';
import type { Failure } from './isolate-failures';
import { buildKindIndex } from './object-index';
import { collectRolloutsInOtherUnits } from './other-units';
import { truncateToBudget } from './plan-budget';
import { planClaimedObjects } from './plan-objects';
import type { UnitRollout } from './plan-objects';
import type { PlanOptions } from './plan-options';
import { buildPlanScopes } from './plan-scopes';
import { filterServedObjects, findRefusedObjects, replaceRefusedObjects } from './served-objects';
import type { RefusedObjects } from './served-objects';
import { planServices } from './services/service-plans';
import { applySuppressions } from './suppressions';
import { countUnplannedKinds } from './unsupported-kinds';

/** What a plan is made for, the same in every pass. */
export interface PlanRun {
  readonly input: Required<
    Omit<PlanInput, 'appliedFormOf' | 'change' | 'deadline' | 'listUnknownFields' | 'definitions' | 'onEvaluated' | 'tree'>
  > &
    Pick<PlanInput, 'appliedFormOf' | 'change' | 'onEvaluated'>;
  readonly options: PlanOptions;
  readonly versions: Versions;
  readonly capacity: Capacity | undefined;
  readonly startupSeconds: number;
  readonly budget: PlanBudget;
  readonly deadline: Deadline;
  /** Objects of the cluster that a change leaves as they are. */
  readonly unchanged: ReadonlySet<Manifest>;
}

/** State of a plan between two passes. Lists with an entry per unit have the same order. */
export interface PlanState {
  readonly run: PlanRun;
  /** Objects on which planning fails; they are not among the objects. */
  readonly failures: readonly Failure[];
  /** Objects to plan, in input order, and then those of the cluster that the change leaves as they are. */
  readonly objects: readonly Manifest[];
  /** Objects of the input that the API server serves. Set by `admit`. */
  readonly served: readonly Manifest[];
  /** Objects that are refused, without the rollouts among them, with what surrounds the others in their place. Set by `admit`. */
  readonly refused: RefusedObjects;
  /** Context of each unit. Set by `scope`. */
  readonly contexts: readonly PlanContext[];
  /** Objects of each unit that roll out, with their systems. Set by `claim`. */
  readonly claimed: readonly (readonly ClaimedObject[])[];
  /** Rollouts of each unit, each planned on its own. Set by `plan`. */
  readonly planned: readonly (readonly UnitRollout[])[];
  /** Rollouts of each unit, evaluated in their cluster. Set by `evaluate capacity`. */
  readonly evaluated: readonly (readonly RolloutWithObject[])[];
  /** Findings of each unit that belong to no rollout. Set by `evaluate capacity`. */
  readonly unitFindings: readonly (readonly Finding[])[];
  /** Rollouts of the document in input order, with their objects. Set by `evaluate capacity`. */
  readonly rollouts: readonly RolloutWithObject[];
  /** Findings that belong to no rollout. `admit`, `findings` and `services` add to them. */
  readonly findings: readonly Finding[];
  readonly notPlanned: readonly UnplannedKind[];
  readonly capacity?: SharedCapacityResult;
  /** Services that select pods of a rollout, in input order. Set by `services`. */
  readonly services?: readonly ServicePlan[];
}

/** One step of a plan. It reads the state and returns the parts that it sets. */
export interface PlanPass {
  readonly name: string;
  readonly run: (state: PlanState) => Partial<PlanState>;
}

/**
 * The passes of a plan, in order. `docs/architecture.md` shows the same list.
 *
 * Before them, `src/input/` reads files into documents and flattens lists into objects. After them, a change, guardrails, the configuration and
 * a baseline each read the finished document and return another one. To add a capability, add a pass or extend one.
 */
export const PASSES: readonly PlanPass[] = [
  { name: 'admit', run: admit },
  { name: 'scope', run: scope },
  { name: 'claim', run: claim },
  { name: 'plan', run: plan },
  { name: 'evaluate capacity', run: evaluateCapacity },
  { name: 'findings', run: collectFindings },
  { name: 'services', run: services },
  { name: 'suppress', run: suppress },
  { name: 'deduplicate', run: deduplicate },
  { name: 'disambiguate', run: disambiguate },
  { name: 'limit', run: limit },
];

/** A document, and its rollouts. */
interface PlanResult {
  readonly document: PlanDocument;
  readonly rollouts: readonly RolloutWithObject[];
}

/** Runs all passes over the objects, except those on which planning fails. */
export function runPasses(objects: readonly Manifest[], failures: readonly Failure[], run: PlanRun): PlanResult {
  run.input.change?.onStart();
  const initial: PlanState = {
    run,
    failures,
    objects,
    served: [],
    refused: new Map(),
    contexts: [],
    claimed: [],
    planned: [],
    evaluated: [],
    unitFindings: [],
    rollouts: [],
    findings: [],
    notPlanned: [],
  };
  const {
    rollouts,
    findings,
    notPlanned,
    capacity,
    services: servicePlans,
  } = PASSES.reduce((state, pass) => ({ ...state, ...pass.run(state) }), initial);
  const parts = { rollouts: rollouts.map(({ rollout }) => rollout), notPlanned, findings };
  const assumedVersions = objects.every((object) => run.unchanged.has(object))
    ? undefined
    : findAssumedVersions(parts.rollouts, run.versions, run.options.versions);
  const known = {
    ...(assumedVersions && { assumedVersions }),
    capacity,
    ...(servicePlans && { services: servicePlans }),
  };
  const document = sortPlanKeys({
    formatVersion: FORMAT_VERSION,
    versions: run.versions,
    ...parts,
    ...known,
    summary: summarizePlan(parts),
  });
  return { document, rollouts };
}

/** Reports whether an object is a rollout, or has rollouts by a map of the options. */
function rollsOut(object: Manifest, { input: { systems }, options }: PlanRun): boolean {
  return systems.some((system) => system.recognises(object)) || findOperatorResourceMap(object, options.operatorResources) !== undefined;
}

/**
 * Drops the objects that the planned API server does not serve, and finds those that it refuses, which have findings of their own and are no
 * context. The others include those of the cluster that a change leaves as they are.
 */
function admit({ objects, run }: PlanState): Partial<PlanState> {
  const { input, versions, unchanged, deadline } = run;
  const { systems, locate, appliedFormOf } = input;
  const own = objects.filter((object) => !unchanged.has(object));
  const { objects: served, findings } = filterServedObjects(own, systems, { versions, locate });
  const refused = appliedFormOf
    ? findRefusedObjects(served, (object) => {
        deadline.check();
        return rollsOut(object, run) ? object : appliedFormOf(object, versions);
      })
    : new Map();
  return { served, findings, refused, objects: [...served, ...objects.filter((object) => unchanged.has(object))] };
}

/** Groups the objects by what one tool applies together, and gives each group the context in which it is planned. */
function scope({ objects, refused, run }: PlanState): Partial<PlanState> {
  const { input, options, versions, capacity, startupSeconds, deadline } = run;
  const { change, locate, textOf } = input;
  const shared = {
    ...(options.kserveConfig && { kserveConfig: options.kserveConfig }),
    clusters: toDocuments(options.clusters),
    neverReady: options.neverReady ?? [],
    notReadyNow: options.notReadyNow ?? [],
    startupSeconds,
    ...(options.measuredStartupSeconds && { measuredStartupSeconds: options.measuredStartupSeconds }),
    ...(options.daemonSetNodes && { daemonSetNodes: options.daemonSetNodes }),
    versions,
    input: replaceRefusedObjects(objects, refused),
    ...(options.operatorResources && { operatorResources: options.operatorResources }),
    ...(capacity && { capacity }),
    ...(change && { changedPods: change.changedPods, lowersQuota: change.lowersQuota, isChanged: change.isChanged }),
    applierOf: change?.applierOf ?? createObjectApplierLookup(objects, run),
    deadline,
    locate,
  };
  const isRollout = (object: Manifest) => rollsOut(object, run);
  const isUnique = (object: Manifest) => object.kind !== 'Namespace' && (isContextObject(object) || isRollout(object));
  return {
    contexts: buildPlanScopes(objects, textOf, isUnique, isRollout, refused).map(({ own, visible }) => ({
      ...shared,
      objects: own,
      all: buildKindIndex(visible, replaceRefusedObjects(own, refused)),
    })),
  };
}

/** Creates a function that returns the tool that writes each object, by what the objects and the repository show. */
function createObjectApplierLookup(objects: readonly Manifest[], { input, versions }: PlanRun): PlanContext['applierOf'] {
  let applierOf: ReturnType<typeof createApplierLookup> | undefined;
  return (object) => {
    applierOf ??= createApplierLookup(undefined, [], { objects, textOf: input.textOf }, versions);
    return applierOf({ next: object, ...(isLive(object) && { old: object }) });
  };
}

/** Assigns each object that rolls out to the system that plans it. */
function claim({ contexts, run: { input } }: PlanState): Partial<PlanState> {
  return { claimed: contexts.map((context) => claimObjects(context, input.systems)) };
}

/** Plans each object on its own: strategy, provenance, simulation, and what the API server refuses. */
function plan({ contexts, claimed }: PlanState): Partial<PlanState> {
  return { planned: contexts.map((context, unit) => planClaimedObjects(claimed[unit]!, context)) };
}

/** Evaluates the rollouts of each unit in their cluster: quotas, nodes, budgets, autoscalers, volumes and durations. */
function evaluateCapacity({ contexts, planned, served, run: { input } }: PlanState): Partial<PlanState> {
  const { change, textOf, onEvaluated, refusesPlaceholders } = input;
  const otherRolloutsOf = planned.length > 1 ? collectRolloutsInOtherUnits(planned) : () => [];
  const units = contexts.map((context, unit) =>
    evaluateUnit(planned[unit]!, otherRolloutsOf(unit), context, { textOf, change, onEvaluated, refusesPlaceholders }),
  );
  const shared = units.flatMap((unit) => unit.sharedCapacity ?? []);
  change?.onCapacityKnown(units.map(({ maxSchedulablePods }): MaxSchedulablePods => maxSchedulablePods()));
  const rollouts = sortByObject(
    units.flatMap((unit) => unit.rollouts),
    served,
  );
  const unplanned = new Map(
    planned.flat().flatMap(({ object, rollout: { notPlanned } }) => (notPlanned === undefined ? [] : [[object, notPlanned]])),
  );
  return {
    unitFindings: units.map(({ findings }) => findings),
    evaluated: units.map((unit) => unit.rollouts),
    rollouts,
    notPlanned: countUnplannedKinds(served, new Set(rollouts.map(({ object }) => object)), unplanned),
    ...(shared.length > 0 && { capacity: mergeSharedCapacity(shared) }),
  };
}

function checkGeneratedNames(claimed: readonly ClaimedObject[], context: PlanContext): Finding[] {
  const rollingOut = new Set(claimed.map(({ object }) => object));
  return context.objects.flatMap((object) => checkGenerateName(object, rollingOut.has(object), context));
}

/** Collects the findings that belong to no rollout: of reading, of failures, of duplicates, of versions and of the context. */
function collectFindings({ served, failures, contexts, claimed, unitFindings, findings, run }: PlanState): Partial<PlanState> {
  const { input, versions } = run;
  const { systems, locate, textOf } = input;
  const isPlanned = (object: Manifest) => isContextObject(object) || systems.some((system) => system.recognises(object));
  const isInAnyView = (system: RolloutSystem) => contexts.some((context) => isInView(system, context));
  const contextFindings = contexts.flatMap((context, unit) => [
    ...systems.flatMap((system) => (isInView(system, context) && system.contextFindings?.(context)) || []),
    // A change refuses such an object.
    ...(input.change ? [] : checkGeneratedNames(claimed[unit]!, context)),
    ...unitFindings[unit]!,
  ]);
  return {
    findings: [
      ...input.findings,
      ...omitReported(
        failures.map((failure) => createFailureFinding(failure, locate)),
        input.findings,
      ),
      ...findings,
      ...checkDuplicateResource(served, textOf, locate),
      // A change reports what is being deleted of OLD.
      ...(input.change ? [] : checkBeingDeleted(served.filter(isPlanned), locate)),
      ...checkUnknownVersion(versions),
      ...omitRepeated([...contextFindings, ...systems.flatMap((system) => (isInAnyView(system) && system.runFindings?.(contexts)) || [])]),
    ],
  };
}

/** Counts the ready endpoints of Services while the rollouts run, and reports what they lose. */
function services({ contexts, planned, evaluated, objects, refused, findings, run: { input } }: PlanState): Partial<PlanState> {
  const change = input.change?.applied;
  const plans = planServices({ contexts, planned, evaluated, ...(change && { change }) });
  if (plans.services.size === 0 && plans.findings.length === 0) return {};
  return {
    ...(plans.services.size > 0 && {
      services: replaceRefusedObjects(objects, refused).flatMap((object) => plans.services.get(object) ?? []),
    }),
    findings: [...findings, ...omitRepeated(plans.findings)],
  };
}

/** Marks the findings that an annotation suppresses. If every file must be planned, none hides that a rollout is not. */
function suppress({ served, rollouts, findings, run: { input } }: PlanState): Partial<PlanState> {
  return applySuppressions(served, { rollouts, findings }, input.locate, input.refusesPlaceholders);
}

/** Reports a problem once if several files contain it, or if a CRD shows it too. */
function deduplicate({ rollouts, findings: all, run: { input } }: PlanState): Partial<PlanState> {
  const planned = rollouts.map(({ rollout }) => rollout);
  const findings = omitReportedFields(omitReportedNumbers(all, planned), planned);
  if (rollouts.length < 2) return { findings };
  const placed = rollouts.map(({ object, rollout }) => ({ rollout, text: input.textOf(object) }));
  const once = deduplicateFindings(placed);
  return { findings, rollouts: rollouts.map((evaluated, index) => ({ ...evaluated, rollout: once[index]!.rollout })) };
}

/** Adds the unit or the file to rollouts that share a name. */
function disambiguate({ rollouts, run: { input } }: PlanState): Partial<PlanState> {
  if (rollouts.length < 2) return {};
  const named = disambiguateNames(rollouts.map(({ object, rollout }) => ({ rollout, text: input.textOf(object) })));
  return {
    rollouts: rollouts.map((evaluated, index) =>
      evaluated.rollout === named[index] ? evaluated : { ...evaluated, rollout: named[index]! },
    ),
  };
}

/** Sorts the findings by input order, and drops what exceeds the output budget. */
function limit({ rollouts, findings, run: { input, budget } }: PlanState): Partial<PlanState> {
  const sorted = sortByInputOrder(capFindingsPerObject(findings), input.files);
  const retained = truncateToBudget({ rollouts: rollouts.map(({ rollout }) => rollout), findings: sorted }, budget);
  const shown = new Set(retained.rollouts);
  return { rollouts: rollouts.filter(({ rollout }) => shown.has(rollout)), findings: retained.findings };
}

/** Sorts rollouts by the order of their objects. Rollouts of other objects, such as those that a change leaves as they are, are dropped. */
function sortByObject(rollouts: readonly RolloutWithObject[], objects: readonly Manifest[]): RolloutWithObject[] {
  const byObject = groupBy(rollouts, (rollout) => rollout.object);
  return objects.flatMap((object) => byObject.get(object) ?? []);
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

/** Drops repeated findings: several units can share one context object. */
function omitRepeated(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Drops findings that the input has too: comparing an object with OLD can fail as planning it does. */
function omitReported(findings: readonly Finding[], reported: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings;
  const known = new Set(reported.map((finding) => JSON.stringify(finding)));
  return findings.filter((finding) => !known.has(JSON.stringify(finding)));
}

/** Returns the clusters as a list; one document may be given without a list. */
export function toDocuments(given: PlanOptions['clusters'] = []): readonly unknown[] {
  return Array.isArray(given) ? given : [given];
}
