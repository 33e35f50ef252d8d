import type { PlannedChange } from '../../core/document/change';
import { resourceKeyOf } from '../fix/finding-keys';
import { buildFieldPath } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { checkPlanSize } from '../../core/document/plan-size-limit';
import { isFields, getValueAt } from '../../core/manifest/manifest';
import { withOptionErrors, OptionError } from '../../core/errors/option-error';
import { describeValue } from '../../core/text/display-value';
import type { Behaviour, PlanChange } from '../../core/document/behaviour';
import type { UncomparedKind, UncomparedInput, PlanDiff } from '../../core/document/plan-diff';
import { FORMAT_VERSION } from '../../core/document/plan-document';
import type { UnplannedKind, PlanDocument } from '../../core/document/plan-document';
import type { Provenance } from '../../core/document/provenance';
import type { PlannedRollout } from '../../core/document/rollout';
import { isAboutSetAside, isUnreadError } from '../../core/rules/set-aside';
import { FIGURE_RULES, SIMULATION_RULE, STRATEGY_RULE, evaluateRisk, compareSeverities } from './diff-rules';
import type { DiffRule } from './diff-rules';
import { PRODUCTS } from '../../core/values/versions';
import { mapByNumberedKey, mapByRollout, rolloutObjectKeyOf } from '../result/rollout-key';
import { diffServices } from './diff-services';
import type { ChangedServices } from './diff-services';

/** A difference that is not assigned to a rollout yet. */
type FieldDifference = Omit<PlanChange, 'resource'>;

function isSameJson(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
}

function applyDiffRule<T>(rule: DiffRule<T>, before: T, after: T): FieldDifference[] {
  const old = getValueAt(before, ...rule.path) ?? null;
  const next = getValueAt(after, ...rule.path) ?? null;
  if (isSameJson(old, next)) return [];
  const risk = evaluateRisk(rule, [old, before], [next, after]);
  return [{ field: rule.field, old, new: next, risk, ...(risk !== 'neutral' && { reason: rule.reason }) }];
}

/** Returns every value of a strategy that is neither a map nor a list, with the parts of its path. */
function collectLeaves(value: unknown, parts: readonly PathPart[] = []): [parts: readonly PathPart[], value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => collectLeaves(item, [...parts, index]));
  if (!isFields(value)) return value === undefined ? [] : [[parts, value]];
  return Object.entries(value).flatMap(([field, inner]) => collectLeaves(inner, [...parts, field]));
}

/** Fields of a strategy that only wrap other fields. */
const WRAPPER_FIELDS: ReadonlySet<PathPart | undefined> = new Set(['rollingUpdate', 'clusterUpgradeOptions']);

/** Formats a strategy field as provenance names it: `maxSurge`, `partitions[0].maxUnavailable`. */
function formatShortName(parts: readonly PathPart[]): FieldPath {
  return parts.length > 1 && WRAPPER_FIELDS.has(parts[0]) ? buildFieldPath(...parts.slice(1)) : buildFieldPath(...parts);
}

/** Returns the fields of a strategy by their short names. */
function flattenStrategy({ strategy }: PlannedRollout): Map<string, unknown> {
  return new Map(collectLeaves(strategy).map(([parts, value]) => [formatShortName(parts), value]));
}

function diffStrategies(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  if (before.strategy === null || after.strategy === null) return applyDiffRule(STRATEGY_RULE, before, after);
  const old = flattenStrategy(before);
  const next = flattenStrategy(after);
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field): FieldDifference[] => {
    if (isSameJson(old.get(field), next.get(field))) return [];
    return [{ field, old: old.get(field) ?? null, new: next.get(field) ?? null, risk: 'neutral' }];
  });
}

/** Compares the level that decides each field of both plans, and the value of fields that the strategy lacks, such as a cluster's customization. */
function diffProvenance(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  const strategyFieldNames = new Set([...flattenStrategy(before).keys(), ...flattenStrategy(after).keys()]);
  const old = mapByNumberedKey(before.provenance, ({ field }) => field);
  return [...mapByNumberedKey(after.provenance, ({ field }) => field)].flatMap(([key, provenance]): FieldDifference[] => {
    const previous = old.get(key);
    if (!previous) return [];
    return [
      ...(strategyFieldNames.has(provenance.field) ? [] : diffProvenanceValue(previous, provenance)),
      ...diffProvenanceLayer(previous, provenance),
    ];
  });
}

function diffProvenanceValue(before: Provenance, after: Provenance): FieldDifference[] {
  return isSameJson(before.value, after.value) ? [] : [{ field: after.field, old: before.value, new: after.value, risk: 'neutral' }];
}

function diffProvenanceLayer(before: Provenance, after: Provenance): FieldDifference[] {
  return before.layer === after.layer ? [] : [{ field: `${after.field} layer`, old: before.layer, new: after.layer, risk: 'neutral' }];
}

function diffFigures(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  if (before.simulation === null || after.simulation === null) return applyDiffRule(SIMULATION_RULE, before, after);
  return FIGURE_RULES.flatMap((rule) => applyDiffRule(rule, before, after));
}

function diffFinding(before: Finding | undefined, after: Finding | undefined): FieldDifference[] {
  if (before?.severity === after?.severity) return [];
  const { code, message } = (after ?? before)!;
  const risk = compareSeverities(before?.severity, after?.severity);
  return [{ field: `finding ${code}`, old: before?.severity ?? null, new: after?.severity ?? null, risk, reason: message }];
}

/** What matching findings have in common, the closest match first. */
const FINDING_MATCH_LEVELS: readonly ((finding: Finding) => readonly string[])[] = [
  ({ code, messageId, path }) => [code, messageId, path],
  ({ code, path }) => [code, path],
  ({ code, messageId }) => [code, messageId],
  ({ code }) => [code],
];

/** Compares findings: those that were added, removed or changed in severity. Findings with the most in common are matched. */
function diffFindings(before: readonly Finding[], after: readonly Finding[]): FieldDifference[] {
  const pairs: (readonly [Finding, Finding])[] = [];
  let left: Pick<KeyMatches<Finding>, 'before' | 'after'> = { before, after };
  for (const partsOf of FINDING_MATCH_LEVELS) {
    const matches = matchByKey(left.before, left.after, (finding) => JSON.stringify(partsOf(finding)));
    for (const pair of matches.pairs) pairs.push(pair);
    left = matches;
  }
  return [
    ...pairs.flatMap(([old, next]) => diffFinding(old, next)),
    ...left.before.flatMap((finding) => diffFinding(finding, undefined)),
    ...left.after.flatMap((finding) => diffFinding(undefined, finding)),
  ];
}

interface KeyMatches<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  /** Items without a match in `after`. */
  readonly before: readonly T[];
  /** Items without a match in `before`. */
  readonly after: readonly T[];
}

function matchByKey<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): KeyMatches<T> {
  const old = mapByNumberedKey(before, key);
  const next = mapByNumberedKey(after, key);
  return {
    pairs: [...next].flatMap(([name, item]) => (old.has(name) ? [[old.get(name)!, item] as const] : [])),
    before: [...old].filter(([name]) => !next.has(name)).map(([, item]) => item),
    after: [...next].filter(([name]) => !old.has(name)).map(([, item]) => item),
  };
}

/** Returns the number of pods or nodes of a rollout, if its simulation has one. */
function sizeOf({ simulation }: PlannedRollout): unknown {
  return getValueAt(simulation, 'replicas') ?? getValueAt(simulation, 'nodes');
}

/** Reports whether two rollouts differ only in the number of pods. A scale is no risk, so its consequences are not evaluated. */
function isScaleOnly(before: PlannedRollout, after: PlannedRollout): boolean {
  return (
    sizeOf(before) !== sizeOf(after) && before.simulation?.kind === after.simulation?.kind && isSameJson(before.strategy, after.strategy)
  );
}

function diffRollouts(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  const differences = [
    ...diffStrategies(before, after),
    ...diffProvenance(before, after),
    ...diffFigures(before, after),
    ...diffFindings(before.findings, after.findings),
  ];
  if (!isScaleOnly(before, after)) return differences;
  return differences.map(({ field, old, new: next }) => ({ field, old, new: next, risk: 'neutral' }));
}

/**
 * Compares how the rollouts of two plans behave, with one entry for each field that differs.
 *
 * Rollouts are matched by group, kind, namespace, name and component; those in only one plan are no risk. Compared are
 *
 * - the fields of the strategy by their short names (`maxSurge`, `partitions[0].maxUnavailable`), or `strategy` as one field if one of
 *   the two is refused; `<field> layer` if another level of configuration decides;
 * - the fields of the simulation (`peakPods`, `minAvailable`, …), or `simulation` if one of the two has none;
 * - findings that were added, removed or changed in severity: `finding <code>`, with the severities as values;
 * - the fewest ready endpoints of a Service: `leastReadyEndpoints`.
 *
 * Risks follow the tables of `diff-rules.ts`; strategy fields are neutral by themselves. If the number of pods differs and the strategy does not,
 * the rollout is scaled, and none of the differences is a risk.
 */
export function diffBehaviour(oldPlan: PlanDocument, newPlan: PlanDocument, changed?: ChangedServices): Behaviour {
  const old = mapByRollout(oldPlan.rollouts);
  const next = mapByRollout(newPlan.rollouts);
  const ofRollouts = [...next].flatMap(([key, after]) => {
    const before = old.get(key);
    if (!before) return [];
    const mapped = after.mapped ?? before.mapped;
    return diffRollouts(before, after).map((difference) => ({ resource: after.resource, ...(mapped && { mapped }), ...difference }));
  });
  const all = [...ofRollouts, ...diffServices(oldPlan, newPlan, changed)];
  return { changed: all, riskier: all.some(({ risk }) => risk === 'riskier') };
}

/** The only fields reported for a refused object: it is no longer rolled out. */
const WHOLE_ROLLOUT_FIELDS: ReadonlySet<string> = new Set([STRATEGY_RULE.field, SIMULATION_RULE.field]);

/** Returns the behaviour of accepted objects. Nothing changes for a refused object, whatever its manifest sets. */
function excludeRejected({ changed }: Behaviour, { objects }: PlannedChange): Behaviour {
  const refused = new Set(objects.filter(({ effect }) => effect === 'refused').map(({ resource }) => rolloutObjectKeyOf(resource)));
  const accepted = changed.filter(({ resource, field }) => WHOLE_ROLLOUT_FIELDS.has(field) || !refused.has(rolloutObjectKeyOf(resource)));
  return { changed: accepted, riskier: accepted.some(({ risk }) => risk === 'riskier') };
}

/** Returns the kinds that a plan does not support, by apiVersion and kind. */
function mapByKind({ notPlanned }: PlanDocument): Map<string, UnplannedKind> {
  return new Map(notPlanned.map((kind) => [JSON.stringify([kind.apiVersion, kind.kind]), kind]));
}

function listNotCompared(oldPlan: PlanDocument, newPlan: PlanDocument): UncomparedKind[] {
  const old = mapByKind(oldPlan);
  const next = mapByKind(newPlan);
  return [...new Map([...next, ...[...old].filter(([key]) => !next.has(key))])].map(([key, { apiVersion, kind, reason }]) => ({
    apiVersion,
    kind,
    old: old.get(key)?.count ?? 0,
    new: next.get(key)?.count ?? 0,
    reason,
  }));
}

/** Findings of the plan of each side, and of the plan of the change. */
interface FindingsOfPlans extends UncomparedInput {
  readonly changed: readonly Finding[];
}

/**
 * Returns the findings about input that is not compared, undefined if there are none. Those that only the plan of the change has are
 * listed with NEW: an object on which comparing fails, and a chart that only one side has.
 */
function listUncompared(findings: FindingsOfPlans, isListed: (finding: Finding) => boolean): UncomparedInput | undefined {
  const old = findings.old.filter(isListed);
  const next = findings.new.filter(isListed);
  const known = new Set([...old, ...next].map(({ message }) => message));
  const added = findings.changed.filter((finding) => isListed(finding) && !known.has(finding.message));
  return old.length + next.length + added.length === 0 ? undefined : { old, new: [...next, ...added] };
}

/** Returns the findings about input that could not be read, and about input that is set aside. A value that OLD leaves open differs if NEW fills it in. */
function listUncomparedInput(
  { findings: old = [] }: Partial<PlanDocument>,
  { findings: next = [], rollouts }: Partial<PlanDocument> & Pick<PlanDocument, 'rollouts'>,
  { findings: changed = [] }: ChangedServices = {},
): Pick<PlanDiff, 'unread' | 'setAside'> {
  const findings = { old, new: next, changed };
  const open = rollouts.flatMap((rollout) => rollout.findings);
  const unread = listUncompared(findings, isUnreadError);
  const setAside = listUncompared({ ...findings, new: [...findings.new, ...open] }, isAboutSetAside);
  return { ...(unread && { unread }), ...(setAside && { setAside }) };
}

/** Marks the effects on objects whose rollouts follow from a map, because a diff shows no rollouts. */
function markMapped(change: PlannedChange, { rollouts }: PlanDocument): PlannedChange {
  const maps = new Map(rollouts.flatMap(({ resource, mapped }) => (mapped ? [[resourceKeyOf(resource), mapped] as const] : [])));
  if (maps.size === 0) return change;
  const objects = change.objects.map(({ resource, effect, ...object }) => {
    const mapped = maps.get(resourceKeyOf(resource));
    return { resource, effect, ...(mapped && { mapped }), ...object };
  });
  return { ...change, objects };
}

/** Returns the versions that either plan assumes, those of NEW if they differ. Undefined if there are none. */
function joinAssumedVersions(oldPlan: PlanDocument, newPlan: PlanDocument): PlanDocument['assumedVersions'] {
  const either = { ...oldPlan.assumedVersions, ...newPlan.assumedVersions };
  const assumed = PRODUCTS.filter((product) => either[product] !== undefined);
  return assumed.length === 0 ? undefined : Object.fromEntries(assumed.map((product) => [product, either[product]!]));
}

function comparePlans(
  oldPlan: PlanDocument,
  newPlan: PlanDocument,
  change: PlannedChange | undefined,
  changed: ChangedServices | undefined,
): PlanDiff {
  for (const plan of [oldPlan, newPlan]) {
    if (!Array.isArray(getValueAt(plan, 'rollouts'))) throw new OptionError(`diffPlans takes two plans, not ${describeValue(plan)}`);
    checkPlanSize(plan);
  }
  const behaviour = diffBehaviour(oldPlan, newPlan, changed);
  const assumedVersions = joinAssumedVersions(oldPlan, newPlan);
  return {
    formatVersion: FORMAT_VERSION,
    ...(assumedVersions && { assumedVersions }),
    ...(change && { change: markMapped(change, newPlan) }),
    ...(change ? excludeRejected(behaviour, change) : behaviour),
    notPlanned: listNotCompared(oldPlan, newPlan),
    ...listUncomparedInput(oldPlan, newPlan, changed),
  };
}

/**
 * Returns the differences between two plans. Risks follow the tables of `docs/change.md`.
 *
 * @param change - what applying the new objects over the old ones does, to include it in the result
 * @param changed - the plan of that change, to compare the ready endpoints of its Services
 *
 * @example
 * diffPlans(planManifests([before]), planManifests([after])).riskier; // true
 */
export function diffPlans(oldPlan: PlanDocument, newPlan: PlanDocument, change?: PlannedChange, changed?: ChangedServices): PlanDiff {
  return withOptionErrors('diffPlans', 'plans', () => comparePlans(oldPlan, newPlan, change, changed));
}
