import { EFFECTS } from '../core/change';
import type { ChangeSummary, Effect, LowestAvailability, PlannedChange, PodChange } from '../core/change';
import { annotationOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { Deadline, DeadlineError } from '../core/deadline';
import type { PlanDocument } from '../core/plan-document';
import { withChange } from '../core/plan-order';
import type { PlannedRollout } from '../core/rollout';
import { resolveVersions } from '../core/versions';
import { podsWithoutRollout } from '../cluster/room/other-pods';
import { controllingOwner } from '../cluster/ownership';
import { autoscalersAmong, isAutoscaler } from '../cluster/autoscaler';
import { isContextObject } from '../cluster/context-kinds';
import { readObjects } from '../input/plain-data';
import type { PlanBudget } from '../input/budget';
import { asOption, givenOptions, PLAN_OPTIONS } from '../plan/given-options';
import { budgetOf, outOfTime } from '../plan/plan-budget';
import { planInput, wholeContext } from '../plan/plan';
import type { PlanInput } from '../plan/plan';
import { isFleetYaml } from '../systems/fleet/fleet-yaml';
import { comparedPair } from './compared';
import type { Admission, Compared } from './compared';
import { ConfigReaders, isConfig } from './config-use';
import { givenAgain } from './given-again';
import { judged } from './judged';
import type { Judged, Surrounding } from './judged';
import { Owned } from './live';
import { loweredQuotas } from './lowered-quota';
import { pairedObjects } from './pairing';
import { podFigures } from './pod-figures';
import type { AroundPods } from './pod-figures';
import type { MostTogether } from '../cluster/room/most-together';
import { raisedQuotas } from './raised-quota';
import { refusalFinding } from './rules/refused';
import { sideFindings } from './side-findings';
import { wayBack } from './way-back';
import { APPLY_OPTIONS, refuseUnknownMode } from './change-options';
import type { ChangeOptions } from './change-options';
import { changedPodsOf, changeFindings, prunedClaims, refusedAlone, refusedRollout, scaledBy } from './changed-rollout';
import { objectChange, restChange } from './object-change';

/** Does Helm leave an object that the new release lacks? */
function isKeptByHelm(object: Manifest): boolean {
  return annotationOf(object, 'helm.sh/resource-policy')?.trim().toLowerCase() === 'keep';
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

/** The pods of what is new and no rollout: bare Pods, ReplicaSets of their own, Jobs. */
function newPods(all: readonly Compared[]): [Manifest, PodChange][] {
  return all.flatMap(({ old, result }) => {
    const after = old ? undefined : podsWithoutRollout(result);
    return after === undefined ? [] : [[result, { before: 0, after }]];
  });
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
