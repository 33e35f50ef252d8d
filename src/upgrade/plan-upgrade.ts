import { planChangedInput } from '../change/plan-change';
import type { ChangeRunOptions } from '../change/change-state';
import type { WrittenDifference } from '../change/effects/operator-upgrade';
import { addFailures } from '../change/result/add-failures';
import { diffPlans } from '../change/diff/diff';
import { objectKeyOf } from '../change/match/match-objects';
import { resourceRefOf } from '../change/effects/object-effect';
import { isIncompleteInput, selectRelevantFindings } from '../change/result/relevant-findings';
import { rolloutKeyOf, rolloutObjectKeyOf } from '../change/result/rollout-key';
import { noLastApplied } from '../change/rules/no-last-applied';
import { checkTimeNow, Deadline } from '../core/budget/deadline';
import { groupBy } from '../core/collections/group-by';
import type { ApplyEffect } from '../core/document/change';
import type { Finding } from '../core/findings/finding';
import { getFieldsAt, groupOf, omitFields } from '../core/manifest/manifest';
import type { Manifest } from '../core/manifest/manifest';
import { withSummary } from '../core/document/plan-document';
import type { PlanDocument } from '../core/document/plan-document';
import { addPlannedUpgrade, sortPlanKeys } from '../core/document/plan-key-order';
import type { ResourceRef } from '../core/document/rollout';
import type { PlannedUpgrade, UpgradeDifference, UpgradeEffect } from '../core/document/upgrade';
import { findControllerMade } from '../cluster/kinds/created-kinds';
import { findControllingOwner } from '../cluster/kinds/ownership';
import { countRequestedGpus } from '../cluster/capacity/pod-requests';
import type { PlanContext } from '../cluster/context/context';
import { buildFullContext, planInput } from '../plan/plan';
import { resolvePlanBudget } from '../plan/plan-budget';
import { replaceObjects } from '../plan/plan-input';
import type { PlanInput } from '../plan/plan-input';
import type { RolloutWithObject } from '../plan/plan-input';
import type { PlanOptions } from '../plan/plan-options';
import { checkUnseenRuntimes, collectUpgradeFindings } from './findings';
import type { MatchedRow, RolledObject, UpgradeFinding } from './findings';
import { selectSteps } from './rows';
import type { DisturbedObjects } from './rows';
import { hasUnseenRuntime } from './rows/kserve/runtimes';
import { isLlmPreset } from './rows/llm';
import { formatRowMessage, isRowCrossed } from './upgrade-row';
import type { UpgradeRow, UpgradeSides } from './upgrade-row';
import type { KnownUpgrade } from './version-pair';

/** The operator's own objects of both versions: ConfigMaps, presets and serving runtimes. */
export interface OperatorConfigs {
  /** Objects before the upgrade. @default - those among the other objects, else the defaults of the version */
  readonly old?: PlanInput;
  /** Objects after the upgrade. @default - those among the other objects, else the defaults of the version */
  readonly next?: PlanInput;
}

/** Adds the operator's objects of one version to the other objects. They replace those of the same name. */
function addConfigs(input: PlanInput, configs: PlanInput | undefined): PlanInput {
  if (!configs) return input;
  const given = new Set(configs.objects.map(objectKeyOf));
  const own = new Set<object>(configs.objects);
  const sideOf = (object: object) => (own.has(object) ? configs : input);
  return {
    objects: [...input.objects.filter((object) => !given.has(objectKeyOf(object))), ...configs.objects],
    findings: [...(input.findings ?? []), ...(configs.findings ?? [])],
    locate: (object, path) => sideOf(object).locate?.(object, path),
    textOf: (object) => sideOf(object).textOf?.(object),
    files: [...(input.files ?? []), ...(configs.files ?? [])],
  };
}

/** Matches rows with the objects that a plan asks about, each once. */
class RowMatcher {
  private readonly rows: readonly UpgradeRow[];
  private readonly found = new Map<Manifest, readonly MatchedRow[]>();

  constructor(
    { facts, from, to }: KnownUpgrade,
    old: PlanContext,
    next: PlanContext,
    readonly sides: UpgradeSides = { from, to, old, next },
  ) {
    this.rows = facts.rows.filter((row) => isRowCrossed(row, sides));
  }

  /** Returns the rows that concern an object. */
  match(object: Manifest): readonly MatchedRow[] {
    const known = this.found.get(object);
    if (known) return known;
    checkTimeNow();
    const found = this.rows.flatMap((row) => {
      const matches = row.match(object, this.sides);
      return matches.length === 0 ? [] : [{ row, object, matches }];
    });
    this.found.set(object, found);
    return found;
  }
}

/** Effects of rows that change what the operator writes for an object at the upgrade. */
const WRITTEN_EFFECTS: ReadonlySet<UpgradeEffect> = new Set(['roll', 'settings', 'redeploy']);

function toWrittenDifferences({ row, matches }: MatchedRow): readonly WrittenDifference[] {
  if (!WRITTEN_EFFECTS.has(row.effect)) return [];
  return matches.map(({ component, fields = [], heldUntil }) => ({
    ...(component !== undefined && { component }),
    because: fields,
    replacesPods: row.effect === 'roll',
    ...(row.isInPlace && { isInPlace: true }),
    ...(heldUntil !== undefined && { heldUntil }),
  }));
}

/** Largest number of objects that a difference lists. */
const MAX_LISTED_OBJECTS = 100;

const EFFECT_ORDER: readonly UpgradeEffect[] = ['rename', 'roll', 'redeploy', 'select', 'settings', 'next-write', 'new-pods'];

/** Summarizes the matched rows: each once, those that replace pods first. */
function summarizeDifferences(matched: readonly MatchedRow[], upgrade: KnownUpgrade): readonly UpgradeDifference[] {
  const differences = [...groupBy(matched, ({ row }) => row)].map(([row, found]): UpgradeDifference => ({
    id: row.id,
    since: row.since ?? upgrade.to,
    effect: row.effect,
    message: formatRowMessage(row, upgrade),
    objects: found.slice(0, MAX_LISTED_OBJECTS).map(({ object }) => resourceRefOf(object)),
    ...(found.length > MAX_LISTED_OBJECTS && { elided: found.length - MAX_LISTED_OBJECTS }),
  }));
  return differences.toSorted((a, b) => EFFECT_ORDER.indexOf(a.effect) - EFFECT_ORDER.indexOf(b.effect));
}

const ROLLING: ReadonlySet<ApplyEffect> = new Set(['roll', 'roll-and-scale']);

/** Returns the objects whose pods the upgrade replaces, with the pods and GPUs that their rollouts add. */
function listRolledObjects(
  plan: PlanDocument,
  matched: readonly MatchedRow[],
  rollouts: readonly RolloutWithObject[],
): readonly RolledObject[] {
  const rolled = new Set(
    (plan.change?.objects ?? []).filter(({ effect }) => ROLLING.has(effect)).map(({ resource }) => rolloutObjectKeyOf(resource)),
  );
  const rows = groupBy(
    matched.filter(({ row }) => row.effect === 'roll'),
    ({ object }) => object,
  );
  const rolloutsByObject = groupBy(rollouts, ({ object }) => object);
  const rolloutsByKey = groupBy(rollouts, ({ rollout }) => rolloutObjectKeyOf(rollout.resource));
  return [...rows].flatMap(([object, own]) => {
    const resource = resourceRefOf(object);
    const key = rolloutObjectKeyOf(resource);
    if (!rolled.has(key)) return [];
    const ownRollouts = [...new Set([...(rolloutsByObject.get(object) ?? []), ...(rolloutsByKey.get(key) ?? [])])];
    const extra = ownRollouts.map(countExtra);
    return [
      {
        resource,
        fields: own.flatMap(({ matches }) => matches.flatMap(({ fields = [] }) => fields.map(({ path }) => path))),
        extraPods: extra.reduce((sum, { pods }) => sum + pods, 0),
        extraGpus: extra.reduce((sum, { gpus }) => sum + gpus, 0),
        isCounted: ownRollouts.length > 0,
        deadlocks: ownRollouts.some(({ rollout }) => rollout.capacity?.verdict === 'deadlocks'),
      },
    ];
  });
}

/** Lists the kinds of the objects whose pods are replaced or that are deployed again, and the rows that concern them. */
function listDisturbed(rolled: readonly RolledObject[], matched: readonly MatchedRow[]): DisturbedObjects {
  const redeployed = matched.filter(({ row }) => row.effect === 'redeploy');
  const keys = new Set(rolled.map(({ resource }) => rolloutObjectKeyOf(resource)));
  const rolling = matched.filter(({ row, object }) => row.effect === 'roll' && keys.has(rolloutObjectKeyOf(resourceRefOf(object))));
  return {
    kinds: new Set([...rolled.map(({ resource }) => resource.kind), ...redeployed.map(({ object }) => object.kind)]),
    rows: new Set([...redeployed, ...rolling].map(({ row }) => row.id)),
  };
}

/** Counts the pods, and their GPUs, that a rollout adds at its peak, whether they fit or not. */
function countExtra({ rollout, podSets = [] }: RolloutWithObject): { readonly pods: number; readonly gpus: number } {
  const { simulation, capacity } = rollout;
  const atRest = podSets.reduce((sum, { replicas }) => sum + replicas, 0);
  if (simulation === null || !('peakPods' in simulation) || atRest === 0) return { pods: 0, gpus: 0 };
  const pods = Math.max(0, Math.max(capacity?.peakPods ?? 0, simulation.peakPods) - atRest);
  const gpus = podSets.reduce((sum, { template, replicas }) => sum + countRequestedGpus(template.spec) * replicas, 0);
  return { pods, gpus: (pods * gpus) / atRest };
}

/** Adds to a plan how rollouts behave differently with the new version. */
function withBehaviour(plan: PlanDocument, before: PlanDocument, after: PlanDocument): PlanDocument {
  const { changed, riskier } = diffPlans(before, after);
  return changed.length === 0 ? plan : { ...plan, behaviour: { changed, riskier } };
}

/** Returns the key of a problem at a place in a file. Its data may name the version. Undefined if the place is not known. */
function placeKeyOf({ code, messageId, path, source }: Finding): string | undefined {
  return source && JSON.stringify([code, messageId, path, source.file, source.line]);
}

/** Returns the key of a problem of a rollout. Its message may depend on whether pods are replaced. */
function rolloutProblemKeyOf(resource: ResourceRef, { code, path }: Finding): string {
  return JSON.stringify([rolloutKeyOf(resource), code, path]);
}

/**
 * Drops findings that the version before the upgrade has too, unless the pods are replaced or input is missing, and findings about an apply.
 */
function dropKnownFindings(plan: PlanDocument, before: PlanDocument): PlanDocument {
  const places = new Set(before.findings.map(placeKeyOf));
  const problems = new Set(
    before.rollouts.flatMap(({ resource, findings }) => findings.map((finding) => rolloutProblemKeyOf(resource, finding))),
  );
  const unchanged = new Set(
    (plan.change?.objects ?? []).filter(({ effect }) => effect === 'none').map(({ resource }) => rolloutObjectKeyOf(resource)),
  );
  return {
    ...plan,
    findings: plan.findings.filter((finding) => {
      const key = placeKeyOf(finding);
      const isKnown = key !== undefined && places.has(key) && !isIncompleteInput(finding);
      return !isKnown && !noLastApplied.matches(finding);
    }),
    rollouts: plan.rollouts.map((rollout) => {
      const { resource, findings } = rollout;
      if (findings.length === 0 || !unchanged.has(rolloutObjectKeyOf(resource))) return rollout;
      return { ...rollout, findings: findings.filter((finding) => !problems.has(rolloutProblemKeyOf(resource, finding))) };
    }),
  };
}

/** Drops presets from what is not planned, because the services that they are merged into show what they change. */
function withoutPresets(plan: PlanDocument, { objects }: PlanInput): PlanDocument {
  const kinds = new Set(objects.filter(isLlmPreset).map(({ kind }) => kind));
  return kinds.size === 0 ? plan : { ...plan, notPlanned: plan.notPlanned.filter(({ kind }) => !kinds.has(kind)) };
}

function withoutControlled(objects: readonly Manifest[]): readonly Manifest[] {
  const controllerMade = findControllerMade(objects);
  return controllerMade.size === 0 ? objects : objects.filter((object) => !controllerMade.has(object));
}

/** Kinds whose controllers create StatefulSets that are judged in the plan of the owner. */
const PLANNED_OWNERS: ReadonlySet<unknown> = new Set(['LeaderWorkerSet', 'Pod']);

/** Reports whether an object is a StatefulSet that an operator created, such as that of a Prometheus. No system plans its owner. */
function isStatefulSetOfOperator(object: Manifest): boolean {
  const owner = object.kind === 'StatefulSet' && groupOf(object) === 'apps' ? findControllingOwner(object) : undefined;
  return owner !== undefined && !PLANNED_OWNERS.has(owner.kind);
}

/** Takes the owners from a StatefulSet of an operator, because an upgrade of Kubernetes replaces its pods too. */
function withoutOperator(object: Manifest): Manifest {
  return isStatefulSetOfOperator(object)
    ? { ...object, metadata: omitFields(getFieldsAt(object, 'metadata'), ['ownerReferences']) }
    : object;
}

/** Returns a function that counts the desired pods of a rollout; 1 if they are not known. */
function createPodCounter(rollouts: readonly RolloutWithObject[]): (object: Manifest, component?: string) => number {
  const rolloutsByKey = groupBy(rollouts, ({ rollout }) => rolloutKeyOf(rollout.resource));
  return (object, component) => {
    const key = rolloutKeyOf({ ...resourceRefOf(object), ...(component !== undefined && { component }) });
    const [own] = rolloutsByKey.get(key) ?? [];
    return (own?.podSets ?? []).reduce((sum, { replicas }) => sum + replicas, 0) || 1;
  };
}

/** Adds findings to the rollouts that they are about, and the others to the plan. */
function addUpgradeFindings(plan: PlanDocument, findings: readonly UpgradeFinding[], { locate }: PlanInput): PlanDocument {
  const located = findings.map(({ finding, about }) => {
    const source = about && locate?.(about.object, finding.path);
    const object = about?.object;
    const component = about?.component;
    return {
      key: object && rolloutKeyOf({ ...resourceRefOf(object), ...(component !== undefined && { component }) }),
      finding: source ? { ...finding, source } : finding,
    };
  });
  const findingsByRollout = groupBy(located, ({ key }) => key);
  const planned = new Set<string | undefined>(plan.rollouts.map(({ resource }) => rolloutKeyOf(resource)));
  const rollouts = plan.rollouts.map((rollout) => {
    const own = findingsByRollout.get(rolloutKeyOf(rollout.resource)) ?? [];
    return own.length === 0 ? rollout : { ...rollout, findings: [...own.map(({ finding }) => finding), ...rollout.findings] };
  });
  const general = located.filter(({ key }) => !planned.has(key)).map(({ finding }) => finding);
  return sortPlanKeys(withSummary({ ...plan, rollouts, findings: [...general, ...plan.findings] }));
}

/** What the plans of both versions are made of, and the plans. */
interface PlannedSides {
  readonly upgrade: KnownUpgrade;
  readonly matcher: RowMatcher;
  readonly next: PlanInput;
  /** The plan of the change, and those of the versions before and after it. */
  readonly planned: PlanDocument;
  readonly before: PlanDocument;
  readonly after: PlanDocument;
  readonly evaluated: readonly RolloutWithObject[];
}

/** Adds to the plan of a change what the versions do differently. */
function compareVersions({ upgrade, matcher, next, planned, before, after, evaluated }: PlannedSides): PlanDocument {
  const { product, from, to, facts } = upgrade;
  const compared = withBehaviour(planned, before, after);
  const plan = withoutPresets(dropKnownFindings(selectRelevantFindings(compared, before).plan, before), next);
  const matched = next.objects.flatMap((object) => matcher.match(object));
  const rolled = listRolledObjects(plan, matched, evaluated);
  const saferOrder = selectSteps(facts, listDisturbed(rolled, matched));
  const plannedUpgrade: PlannedUpgrade = {
    product,
    from,
    to,
    differences: summarizeDifferences(matched, upgrade),
    saferOrder,
  };
  const findings = collectUpgradeFindings(upgrade, rolled, matched, createPodCounter(evaluated), saferOrder);
  const rolledKeys = new Set(rolled.map(({ resource }) => rolloutObjectKeyOf(resource)));
  const unseen = next.objects.filter((object) => {
    checkTimeNow();
    return product === 'kserve' && !rolledKeys.has(rolloutObjectKeyOf(resourceRefOf(object))) && hasUnseenRuntime(object, matcher.sides);
  });
  return addUpgradeFindings(addPlannedUpgrade(plan, plannedUpgrade), [...findings, ...checkUnseenRuntimes(upgrade, unseen)], next);
}

/**
 * Plans the upgrade of an operator over objects that do not change: what its new version writes differently, which pods roll, and what fits.
 *
 * @throws as `planInput`, and a DeadlineError if comparing the versions takes longer than the seconds of the budget
 */
export function planUpgrade(
  input: PlanInput,
  upgrade: KnownUpgrade,
  configs: OperatorConfigs = {},
  options: PlanOptions & Pick<ChangeRunOptions, 'apply'> = {},
): PlanDocument {
  const { product, from, to } = upgrade;
  const oldOptions = { ...options, versions: { ...options.versions, [product]: from } };
  const nextOptions = { ...options, versions: { ...options.versions, [product]: to } };
  const judged = product === 'kubernetes' ? replaceObjects(input, withoutOperator) : input;
  const old = addConfigs(judged, configs.old);
  const all = addConfigs(judged, configs.next);
  const [oldAtRest, next] = [old, all].map((side) => ({ ...side, objects: withoutControlled(side.objects) })) as [PlanInput, PlanInput];
  // What controllers created counts too: an earlier version may have named it differently.
  const matcher = new RowMatcher(upgrade, buildFullContext(old.objects, oldOptions), buildFullContext(next.objects, nextOptions));
  let evaluated: readonly RolloutWithObject[] = [];
  // Both sides are the same input, so what was noticed when it was read counts once.
  const planned = planChangedInput(
    { ...old, findings: configs.old?.findings ?? [] },
    { ...next, onEvaluated: (rollouts) => (evaluated = rollouts) },
    {
      ...nextOptions,
      upgrade: {
        oldVersions: { [product]: from },
        compareWritten: (object) => matcher.match(object).flatMap(toWrittenDifferences),
        isOperatorConfig: isLlmPreset,
      },
    },
  );
  const before = planInput(oldAtRest, oldOptions);
  const after = planInput(next, nextOptions);
  const sides = { upgrade, matcher, next, planned: addFailures(planned, after), before, after, evaluated };
  return new Deadline(resolvePlanBudget(options.budget).seconds).limit(() => compareVersions(sides));
}
