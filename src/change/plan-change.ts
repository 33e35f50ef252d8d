import { APPLY_MODES, EFFECTS } from '../core/change';
import type { ApplyMode, ChangeSummary, Effect, LowestAvailability, ObjectChange, PlannedChange, PodChange } from '../core/change';
import { WHOLE_OBJECT } from '../core/field-path';
import type { Finding } from '../core/finding';
import { annotationOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { Deadline, DeadlineError } from '../core/deadline';
import type { PlanDocument } from '../core/plan-document';
import { withChange } from '../core/plan-order';
import type { PlannedRollout } from '../core/rollout';
import { OptionError } from '../core/option-error';
import { ANY, BOOLEAN } from '../core/schema';
import type { SchemasOf } from '../core/schema';
import { describeValue } from '../core/seen';
import { resolveVersions } from '../core/versions';
import type { Versions } from '../core/versions';
import { listed } from '../core/words';
import { podsWithoutRollout } from '../cluster/room/other-pods';
import { controllingOwner } from '../cluster/ownership';
import { autoscalerOf, autoscalersAmong, isAutoscaler } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import { isContextObject } from '../cluster/context-kinds';
import type { ChangedPods } from '../cluster/starting-point';
import { readObjects } from '../input/plain-data';
import type { PlanBudget } from '../input/budget';
import { asOption, givenOptions, PLAN_OPTIONS } from '../plan/given-options';
import { budgetOf, outOfTime } from '../plan/plan-budget';
import { systemOf } from '../plan/registry';
import { planInput, wholeContext } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import type { PlanOptions } from '../plan/plan-options';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { workloadKindOf } from '../workloads/kinds';
import { comparedPair, names } from './compared';
import type { Admission, Compared } from './compared';
import { ConfigReaders, isConfig } from './config-use';
import { givenAgain } from './given-again';
import { judged, refOf } from './judged';
import type { Judged, Surrounding } from './judged';
import { Owned } from './live';
import { loweredQuotas } from './lowered-quota';
import { pairedObjects } from './pairing';
import { podChangeOf, podFigures, podsAfter, podsOfOld } from './pod-figures';
import type { AroundPods, PlannedPods } from './pod-figures';
import type { MostTogether } from '../cluster/room/most-together';
import { blockedByPodFindings } from './rules/blocked-by-pod';
import { claimsOfDeleted, claimsOfScale } from './rules/claims-deleted';
import { fallsBackFindings } from './rules/falls-back';
import { raisedQuotas } from './raised-quota';
import { raisesMaximum } from './raised-maximum';
import { refusalFinding, refusedObjectFinding, refusedPath } from './rules/refused';
import { isMadeUnderWay } from './made-workloads';
import { rowsFromRestFindings } from './rules/rows-from-rest';
import { sideFindings } from './side-findings';
import { storedForm } from './stored/stored-form';
import { wayBack } from './way-back';
import type { Scaled } from './way-back';

/** What the plan of a change is told beside the objects of both sides. */
export interface ChangeOptions extends PlanOptions {
  /** How NEW reaches the cluster. @default - settled for each object by what OLD shows of its last apply */
  readonly apply?: ApplyMode;
  /** Delete what OLD has and NEW lacks. @default false */
  readonly prune?: boolean;
}

/** Fields that a change names at most. */
const MOST_FIELDS = 20;

function objectChange(one: Judged, next: PlanInput, podsPlanned: PlannedPods): ObjectChange {
  const { compared, effect, heldUntil, because, causedBy, restarts, clusters } = one;
  const source = next.locate?.(compared.next, WHOLE_OBJECT);
  const elided = because.length - MOST_FIELDS;
  const pods = podChangeOf(one, podsPlanned);
  return {
    resource: refOf(compared.next),
    effect,
    ...(heldUntil !== undefined && { heldUntil }),
    apply: compared.mode,
    because: because.slice(0, MOST_FIELDS),
    ...(elided > 0 && { elided }),
    ...(pods && { pods }),
    ...(clusters && { clusters }),
    ...(causedBy.length > 0 && { causedBy: causedBy.map(refOf) }),
    ...(compared.refusal && effect === 'refused' && { refusal: compared.refusal }),
    ...(restarts.length > 0 && { restarts }),
    ...(source && { source }),
  };
}

/** Does Helm leave an object that the new release lacks? */
function isKeptByHelm(object: Manifest): boolean {
  return annotationOf(object, 'helm.sh/resource-policy')?.trim().toLowerCase() === 'keep';
}

function restChange(object: Manifest, effect: Effect, mode: ApplyMode): ObjectChange {
  return { resource: refOf(object), effect, apply: mode, because: [] };
}

/** The objects of a side, those that its other objects' controllers made aside. */
function written(objects: readonly Manifest[]): Manifest[] {
  return objects.filter((object) => controllingOwner(object) === undefined);
}

const ROLLS: ReadonlySet<Effect> = new Set(['roll', 'roll-and-scale']);

/** Judges what others are judged by first: ConfigMaps and Secrets come last, since what rolls anyway reads them anew. */
function judgeAll(all: readonly Compared[], around: Surrounding, deadline: Deadline): Judged[] {
  const byObject = new Map<Compared, Judged>();
  const rolled = new Set<Manifest>();
  for (const compared of all.filter(({ next }) => !isConfig(next))) {
    deadline.check();
    const one = judged(compared, around, rolled);
    byObject.set(compared, one);
    if (ROLLS.has(one.effect) || one.effect === 'replace') rolled.add(compared.result);
  }
  for (const compared of all.filter(({ next }) => isConfig(next))) byObject.set(compared, judged(compared, around, rolled));
  return all.map((compared) => byObject.get(compared)!);
}

function differs({ differences, old, refusal }: Compared): boolean {
  return refusal === undefined && (old === undefined || differences.length > 0);
}

/** What stands once NEW is applied: what is refused stays as it was. */
function standing({ refusal, old, result }: Compared): Manifest {
  return refusal && old ? old.given : result;
}

/** The objects that differ by the unit that they belong to, but for the fleet.yaml itself. */
function contentOfUnits(changed: readonly Compared[], next: PlanInput): Surrounding['contentOf'] {
  const byUnit = new Map<string, Manifest[]>();
  for (const compared of changed) {
    const unit = next.textOf?.(compared.next)?.unit;
    if (!unit?.isMarked || isFleetYaml(compared.next)) continue;
    byUnit.set(unit.id, [...(byUnit.get(unit.id) ?? []), compared.next]);
  }
  return (fleetYaml) => byUnit.get(next.textOf?.(fleetYaml)?.unit?.id ?? '') ?? [];
}

/** A rollout of a refused object: what runs goes on, and nothing of NEW is stored. */
function refusedRollout(rollout: PlannedRollout, finding: Finding): PlannedRollout {
  return { ...rollout, strategy: null, provenance: [], simulation: null, findings: [finding, ...rollout.findings] };
}

/** Refusals of objects that no rollout was told of. */
function refusedAlone(judgements: readonly Judged[], isTold: (object: Manifest) => boolean, next: PlanInput): Finding[] {
  return judgements.flatMap(({ effect, compared }) => {
    const { refusal, result } = compared;
    if (effect !== 'refused' || !refusal || isTold(result)) return [];
    return [refusedObjectFinding(refOf(compared.next), refusal, next.locate?.(compared.next, refusedPath(refusal)))];
  });
}

/** The pods of what is new and no rollout: bare Pods, ReplicaSets of their own, Jobs. */
function newPods(all: readonly Compared[]): [Manifest, PodChange][] {
  return all.flatMap(({ old, result }) => {
    const after = old ? undefined : podsWithoutRollout(result);
    return after === undefined ? [] : [[result, { before: 0, after }]];
  });
}

/** What the apply does to the pods of an object, or of one component of it; an object that stays as it is replaces none. */
function changedPodsOf(
  one: Judged | undefined,
  component: string,
  { hasChangedAutoscalers, oldContext, newContext }: Surrounding,
): ChangedPods {
  if (!one) return { rolls: false };
  // Of what is new no pod runs yet.
  if (one.effect === 'create') return { rolls: false, running: [] };
  const { next, result } = one.compared;
  const isRaised = hasChangedAutoscalers && raisesMaximum(result, oldContext, newContext);
  return {
    ...(one.pods.get(component) ?? { rolls: false }),
    keepsReplicas: !names(next, 'replicas'),
    ...(isRaised && { raisesMaximum: true }),
  };
}

const SCALES: ReadonlySet<Effect> = new Set(['scale', 'roll-and-scale']);

/** What of the number of pods there is to undo; undefined where it stays, or only others of the object's components scale. */
function scaledBy({ compared, effects, causedBy }: Judged, { resource }: PlannedRollout, { newContext }: Surrounding): Scaled | undefined {
  const { old, stored, result } = compared;
  if (!old || !SCALES.has(effects.get(resource.component ?? '') ?? 'none')) return undefined;
  const autoscaler = autoscalerOf(result, newContext)?.by;
  // Pods that a quota lets come were wanted before.
  if (causedBy.some(({ kind }) => kind === 'ResourceQuota')) return undefined;
  return { before: old.stored, after: stored ?? old.stored, ...(autoscaler !== undefined && { autoscaler }) };
}

/** The claims that a StatefulSet deletes because it gets fewer pods or is made anew. */
function claimFindings(one: Judged): readonly Finding[] {
  const { old, stored } = one.compared;
  const before = one.podsBefore ?? 0;
  if (one.effect === 'replace') return claimsOfDeleted(old!.stored, before, 'replaced');
  return claimsOfScale(stored ?? old!.stored, before, podsAfter(one) ?? before);
}

/** What is to be said of an object because it changes. */
function changeFindings(one: Judged, rollout: PlannedRollout, around: Surrounding): Finding[] {
  const { compared, waitsPerhapsFor } = one;
  const { next, old } = compared;
  const bySystem = one.findings?.get(rollout.resource.component ?? '') ?? [];
  if (!old) return [...bySystem];
  if (!workloadKindOf(next)) {
    const isUnderWay = one.start?.underWay === true || (old.isLive && isMadeUnderWay(old.given, rollout, around.owned));
    const beginsThere = one.pods.get(rollout.resource.component ?? '')?.start?.canary !== undefined;
    return [...bySystem, ...rowsFromRestFindings(rollout, isUnderWay && !beginsThere)];
  }
  return [
    ...fallsBackFindings(compared, around.newContext),
    ...blockedByPodFindings(next, rollout, waitsPerhapsFor),
    ...claimFindings(one),
  ];
}

/** The claims that go with what is pruned. */
function prunedClaims(deleted: Iterable<Manifest>, versions: Versions, context: PlanContext): Finding[] {
  return [...deleted].flatMap((object) =>
    workloadKindOf(object)
      ? claimsOfDeleted(storedForm(object, versions), podsOfOld(object, context), 'deleted')
      : (systemOf(object)?.deletedFindings?.(object, context) ?? []),
  );
}

/** The options of a run, which may know more of the cluster than a program says. */
export interface ChangeRun extends ChangeOptions {
  readonly admission?: Admission | undefined;
}

/** The plan of a change of which nothing was ready in time. */
function unplannedChange(old: PlanInput, next: PlanInput, options: ChangeRun, budget: PlanBudget): PlanDocument {
  const findings = [...(next.findings ?? []), ...(old.findings ?? []), outOfTime(budget)];
  const plan = planInput({ ...next, objects: [], findings }, options);
  const around: AroundPods = { oldContext: wholeContext([], options), podsPlanned: new Map(), withRoom: (wanted) => wanted };
  const summary = summaryOf([], new Map(), [], [], around);
  return withChange(plan, { apply: options.apply ?? 'auto', pruned: options.prune ?? false, summary, objects: [] }, []);
}

/** The plan of a change, made once the objects of both sides are read. */
export function changePlan(old: PlanInput, next: PlanInput, options: ChangeRun = {}): PlanDocument {
  const budget = budgetOf(options.budget);
  try {
    return changePlanUntil(new Deadline(budget.seconds), old, next, options);
  } catch (error) {
    if (error instanceof DeadlineError) return unplannedChange(old, next, options, budget);
    throw error;
  }
}

/** @throws DeadlineError where comparing takes longer than it may */
function changePlanUntil(deadline: Deadline, old: PlanInput, next: PlanInput, options: ChangeRun): PlanDocument {
  const versions = resolveVersions(options.versions);
  const { apply, prune = false, admission } = options;
  const again = givenAgain(old, next);
  const oldOnce = again.size === 0 ? old.objects : old.objects.filter((object) => !again.has(object));
  const oldObjects = written(oldOnce);
  const { pairs, rest } = pairedObjects({ objects: oldObjects, textOf: old.textOf }, next);
  const all = pairs.map((pair) => {
    deadline.check();
    return comparedPair(pair, apply, versions, admission);
  });
  const deleted = new Set(prune ? rest.filter((object) => !(apply === 'helm' && isKeptByHelm(object))) : []);
  const kept = rest.filter((object) => !deleted.has(object));
  const results = all.map(({ result }) => result);
  const changed = all.filter(differs);
  const changedResults = new Set(changed.map(({ result }) => result));
  const deletedOrNew = new Set<Manifest>(all.filter((compared) => compared.old === undefined).map(({ result }) => result));
  const around: Surrounding = {
    versions,
    oldContext: wholeContext(oldObjects, options),
    newContext: wholeContext([...all.map(standing), ...kept], options),
    owned: new Owned(oldOnce),
    readers: new ConfigReaders([...results, ...kept]),
    hasChangedAutoscalers: changed.some(({ result }) => isAutoscaler(result)),
    changedAutoscalersOf: autoscalersAmong(changed.map(({ result }) => result)),
    raisedQuotas: raisedQuotas(changed),
    changedContext: changed.map(({ result }) => result).filter(isContextObject),
    isChanged: (object) => changedResults.has(object),
    newConfigs: new Set(changed.filter((compared) => compared.old === undefined && isConfig(compared.next)).map(({ result }) => result)),
    contentOf: contentOfUnits(changed, next),
    isNew: (object) => deletedOrNew.has(object),
  };
  const judgements = judgeAll(all, around, deadline);
  const byResult = new Map(judgements.map((one) => [one.compared.result, one]));
  const origin = new Map(all.map(({ result, next: object }) => [result as object, object]));
  const told = new Map<Manifest, Map<string, PlannedRollout>>();
  const podsPlanned = new Map(newPods(all));
  let roomOfUnits: readonly MostTogether[] = [];
  const tell = (object: Manifest, rollout: PlannedRollout, pods: number | undefined): PlannedRollout => {
    const one = byResult.get(object);
    if (!one) return rollout;
    const { running } = changedPodsOf(one, rollout.resource.component ?? '', around);
    if (running && pods !== undefined) {
      const { before, after } = podsPlanned.get(object) ?? { before: 0, after: 0 };
      podsPlanned.set(object, { before: before + running.reduce((sum, each) => sum + each, 0), after: after + pods });
    }
    const { start } = one;
    const back = wayBack(object, rollout, scaledBy(one, rollout, around));
    const full = {
      ...rollout,
      ...(start && { start }),
      ...(back && { back }),
      findings: [...rollout.findings, ...changeFindings(one, rollout, around)],
    };
    const finished = one.effect === 'refused' ? refusedRollout(full, refusalFinding(one.compared.refusal!)) : full;
    const known = told.get(object) ?? new Map<string, PlannedRollout>();
    told.set(object, known.set(rollout.resource.component ?? '', finished));
    return finished;
  };
  const plan = planInput(
    {
      ...next,
      objects: results,
      findings: [...(next.findings ?? []), ...(old.findings ?? []), ...sideFindings({ judgements, pairs, again: written([...again]) })],
      locate: (object, path) => next.locate?.(origin.get(object) ?? object, path),
      textOf: (object) => next.textOf?.(origin.get(object) ?? object),
      change: {
        around: kept,
        deadline,
        lowersQuota: loweredQuotas(all),
        isChanged: around.isChanged,
        told: tell,
        roomKnown: (units) => {
          roomOfUnits = units;
        },
        changedPods: (object, component = '') => changedPodsOf(byResult.get(object), component, around),
      },
    },
    options,
  );
  const change: PlannedChange = {
    apply: apply ?? 'auto',
    pruned: prune,
    summary: summaryOf(
      judgements,
      new Map([...told].map(([object, byComponent]) => [object, [...byComponent.values()]])),
      [...deleted],
      kept,
      { ...around, podsPlanned, withRoom: (wanted, held) => roomOfUnits.reduce((found, unit) => unit(found, held), wanted) },
    ),
    objects: [
      ...judgements.map((one) => objectChange(one, next, podsPlanned)),
      ...rest.map((object) => restChange(object, deleted.has(object) ? 'delete' : 'none', apply ?? 'client')),
    ],
  };
  return withChange(plan, change, [
    ...refusedAlone(judgements, (object) => told.has(object), next),
    ...prunedClaims(deleted, versions, around.oldContext),
  ]);
}

function summaryOf(
  judgements: readonly Judged[],
  rollouts: ReadonlyMap<Manifest, readonly PlannedRollout[]>,
  deleted: readonly Manifest[],
  kept: readonly Manifest[],
  around: AroundPods,
): ChangeSummary {
  const counts = Object.fromEntries(EFFECTS.map((effect) => [effect, 0])) as Record<Effect, number>;
  for (const { effect } of judgements) counts[effect]++;
  counts.delete += deleted.length;
  counts.none += kept.length;
  const figures = podFigures(judgements, rollouts, deleted, around);
  const lowest: LowestAvailability | undefined = figures.lowest;
  return { ...counts, kept: kept.length, ...figures, ...(lowest && { lowest }) };
}

const APPLY_OPTIONS: SchemasOf<Pick<ChangeOptions, 'apply' | 'prune'>> = { apply: ANY, prune: BOOLEAN };

/** Throws for a way to apply that there is not. */
function refuseUnknownMode(apply: unknown): void {
  if (apply === undefined || APPLY_MODES.some((mode) => mode === apply)) return;
  throw new OptionError(`apply is ${describeValue(apply)}: write ${listed(APPLY_MODES, 'or')}`);
}

/**
 * How a change is applied, as a program gives it.
 *
 * @throws OptionError that names the option, for what JavaScript and casts can bring
 */
export function givenApply(given: Pick<ChangeOptions, 'apply' | 'prune'>): Pick<ChangeOptions, 'apply' | 'prune'> {
  const settled = givenOptions(given, APPLY_OPTIONS);
  refuseUnknownMode(settled.apply);
  return settled;
}

/**
 * Plans a change of Kubernetes objects as plain data: what happens to each object and its pods if NEW is applied over OLD.
 *
 * OLD may hold manifests as written, and live objects with what their controllers made of them (ReplicaSets, ControllerRevisions, Pods):
 * then the plan begins where the cluster is. No object makes it throw; what cannot be planned is a finding.
 *
 * @throws VersionError for an unknown product or a version that is none
 * @throws InventoryError for clusters that cannot be read
 * @throws CapacityError for a capacity that cannot be read
 *
 * @example
 * const { change } = planChange([before], [after]);
 * change.objects[0].effect; // 'roll'
 */
export function planChange(
  old: readonly unknown[],
  next: readonly unknown[],
  options: ChangeOptions = {},
): PlanDocument & { readonly change: PlannedChange } {
  const settled = givenOptions(options, { ...PLAN_OPTIONS, ...APPLY_OPTIONS });
  refuseUnknownMode(settled.apply);
  return asOption(() => changePlan(readObjects(old), readObjects(next), settled)) as PlanDocument & { readonly change: PlannedChange };
}
