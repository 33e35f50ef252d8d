import { fieldPath } from '../core/field-path';
import type { FieldPath, PathPart } from '../core/field-path';
import type { Finding } from '../core/finding';
import { groupOf, isFields, valueAt } from '../core/manifest';
import type { PlanChange, PlanDiff } from '../core/plan-diff';
import { FORMAT_VERSION } from '../core/plan-document';
import type { PlanDocument } from '../core/plan-document';
import type { Provenance } from '../core/provenance';
import type { ResourceRef, PlannedRollout } from '../core/rollout';
import { FIGURE_RULES, PLAN_RULES, SIMULATION_RULE, STRATEGY_RULE, effectOf, severityEffect } from './diff-rules';
import type { DiffRule } from './diff-rules';
import { comparableObjects, withTriggers } from './diff-triggers';
import type { ComparableObject, FieldDifference } from './diff-triggers';
import { readObjects } from '../input/plain-data';

/** The objects that two plans are of, as `planManifests` takes them. */
export interface DiffObjects {
  /** The objects of the old plan, as they were read. */
  readonly old: readonly unknown[];
  /** The objects of the new plan, as they were read. */
  readonly new: readonly unknown[];
}

/** What makes two rollouts the same one. The version of its API is none of it. */
function keyOf(resource: ResourceRef): string {
  const { kind, namespace, name, component } = resource;
  return JSON.stringify([groupOf(resource), kind, namespace, name, component]);
}

/** Items by key and by which of that key they are, for a plan may hold two of one name: the first goes with the first. */
function numbered<T>(items: readonly T[], key: (item: T) => string): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const own = key(item);
      const count = counts.get(own) ?? 0;
      counts.set(own, count + 1);
      return [`${own}#${count}`, item];
    }),
  );
}

function areSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null);
}

function ruled<T>(rule: DiffRule<T>, before: T, after: T): FieldDifference[] {
  const old = valueAt(before, ...rule.at) ?? null;
  const next = valueAt(after, ...rule.at) ?? null;
  if (areSame(old, next)) return [];
  const effect = effectOf(rule, [old, before], [next, after]);
  return [{ field: rule.field, old, new: next, effect, ...(effect !== 'neutral' && { reason: rule.reason }) }];
}

/** Every value of a strategy that is neither a map nor a list, with the parts of its path. */
function leavesOf(value: unknown, parts: readonly PathPart[] = []): [parts: readonly PathPart[], value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => leavesOf(item, [...parts, index]));
  if (!isFields(value)) return value === undefined ? [] : [[parts, value]];
  return Object.entries(value).flatMap(([field, inner]) => leavesOf(inner, [...parts, field]));
}

/** The maps of a strategy that only hold its fields together. */
const HOLDERS: ReadonlySet<PathPart | undefined> = new Set(['rollingUpdate', 'clusterUpgradeOptions']);

/** A field of a strategy as provenance names it: `maxSurge`, `partitions[0].maxUnavailable`. */
function shortName(parts: readonly PathPart[]): FieldPath {
  return parts.length > 1 && HOLDERS.has(parts[0]) ? fieldPath(...parts.slice(1)) : fieldPath(...parts);
}

/** The fields of a strategy by their short names. */
function strategyFields({ strategy }: PlannedRollout): Map<string, unknown> {
  return new Map(leavesOf(strategy).map(([parts, value]) => [shortName(parts), value]));
}

function strategyDifferences(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  if (before.strategy === null || after.strategy === null) return ruled(STRATEGY_RULE, before, after);
  const old = strategyFields(before);
  const next = strategyFields(after);
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field): FieldDifference[] => {
    if (areSame(old.get(field), next.get(field))) return [];
    return [{ field, old: old.get(field) ?? null, new: next.get(field) ?? null, effect: 'neutral' }];
  });
}

/** Which level decides a field of both plans, and its value where the strategy does not hold it, such as a cluster's customization. */
function provenanceDifferences(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  const held = new Set([...strategyFields(before).keys(), ...strategyFields(after).keys()]);
  const old = numbered(before.provenance, ({ field }) => field);
  return [...numbered(after.provenance, ({ field }) => field)].flatMap(([key, decided]): FieldDifference[] => {
    const previous = old.get(key);
    if (!previous) return [];
    return [...(held.has(decided.field) ? [] : valueDifference(previous, decided)), ...layerDifference(previous, decided)];
  });
}

function valueDifference(before: Provenance, after: Provenance): FieldDifference[] {
  return areSame(before.value, after.value) ? [] : [{ field: after.field, old: before.value, new: after.value, effect: 'neutral' }];
}

function layerDifference(before: Provenance, after: Provenance): FieldDifference[] {
  return before.layer === after.layer ? [] : [{ field: `${after.field} layer`, old: before.layer, new: after.layer, effect: 'neutral' }];
}

function figureDifferences(before: PlannedRollout, after: PlannedRollout): FieldDifference[] {
  if (before.simulation === null || after.simulation === null) return ruled(SIMULATION_RULE, before, after);
  return FIGURE_RULES.flatMap((rule) => ruled(rule, before, after));
}

function findingDifference(before: Finding | undefined, after: Finding | undefined): FieldDifference[] {
  if (before?.severity === after?.severity) return [];
  const { code, message } = (after ?? before)!;
  const effect = severityEffect(before?.severity, after?.severity);
  return [{ field: `finding ${code}`, old: before?.severity ?? null, new: after?.severity ?? null, effect, reason: message }];
}

/** What two findings have in common that belong together, the most first. */
const IN_COMMON: readonly ((finding: Finding) => readonly string[])[] = [
  ({ code, messageId, path }) => [code, messageId, path],
  ({ code, path }) => [code, path],
  ({ code, messageId }) => [code, messageId],
  ({ code }) => [code],
];

/** Findings that came, went or have another severity. Those that have the most in common belong together. */
function findingDifferences(before: readonly Finding[], after: readonly Finding[]): FieldDifference[] {
  const pairs: (readonly [Finding, Finding])[] = [];
  let left: Pick<Pairing<Finding>, 'before' | 'after'> = { before, after };
  for (const partsOf of IN_COMMON) {
    const pairing = paired(left.before, left.after, (finding) => JSON.stringify(partsOf(finding)));
    for (const pair of pairing.pairs) pairs.push(pair);
    left = pairing;
  }
  return [
    ...pairs.flatMap(([old, next]) => findingDifference(old, next)),
    ...left.before.flatMap((finding) => findingDifference(finding, undefined)),
    ...left.after.flatMap((finding) => findingDifference(undefined, finding)),
  ];
}

interface Pairing<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  /** What is left over of either side. */
  readonly before: readonly T[];
  readonly after: readonly T[];
}

function paired<T>(before: readonly T[], after: readonly T[], key: (item: T) => string): Pairing<T> {
  const old = numbered(before, key);
  const next = numbered(after, key);
  return {
    pairs: [...next].flatMap(([name, item]) => (old.has(name) ? [[old.get(name)!, item] as const] : [])),
    before: [...old].filter(([name]) => !next.has(name)).map(([, item]) => item),
    after: [...next].filter(([name]) => !old.has(name)).map(([, item]) => item),
  };
}

/** Of a rollout that came or went, only what makes things riskier or safer: that it is there says the rest. */
function judgedFindings(before: readonly Finding[], after: readonly Finding[]): FieldDifference[] {
  return findingDifferences(before, after).filter(({ effect }) => effect !== 'neutral');
}

function placed(resource: ResourceRef | null, differences: readonly FieldDifference[]): PlanChange[] {
  return differences.map((difference) => ({ resource, ...difference }));
}

/** One of the two plans, its rollouts and the objects that tell what a change does by their numbered keys. */
interface Side {
  readonly rollouts: ReadonlyMap<string, PlannedRollout>;
  readonly comparable: ReadonlyMap<string, ComparableObject>;
  readonly versions: PlanDocument['versions'];
}

function sideOf({ rollouts, versions }: PlanDocument, objects: readonly unknown[]): Side {
  return {
    rollouts: numbered(rollouts, ({ resource }) => keyOf(resource)),
    comparable: numbered(comparableObjects(readObjects(objects).objects), ({ resource }) => keyOf(resource)),
    versions,
  };
}

function comparedRollouts(key: string, before: PlannedRollout, after: PlannedRollout, old: Side, next: Side): FieldDifference[] {
  const strategy = strategyDifferences(before, after);
  const current = old.comparable.get(key);
  const desired = next.comparable.get(key);
  return [
    ...(current && desired ? withTriggers(strategy, current.changesTo(desired.object, next.versions), after) : strategy),
    ...provenanceDifferences(before, after),
    ...figureDifferences(before, after),
    ...findingDifferences(before.findings, after.findings),
  ];
}

/**
 * How a new plan differs from an old one, one entry a field that differs.
 *
 * Rollouts belong together by group, kind, namespace, name and component. Compared are
 *
 * - the fields of the strategy by their short names (`maxSurge`, `partitions[0].maxUnavailable`), or `strategy` as a whole where one of
 *   the two is refused; `<field> layer` where another level of configuration decides;
 * - the figures of the simulation (`peakPods`, `minAvailable`, …), or `simulation` where one of the two has none;
 * - findings that came, went or have another severity: `finding <code>`, with the severities as values. Those of added and removed
 *   rollouts stand too, as far as they are errors or warnings.
 *
 * Effects follow the tables of `diff-rules.ts`; strategy fields are neutral by themselves.
 *
 * @param objects - what the plans are of; with them every changed field of a RayService stands with what it triggers
 *
 * @example
 * diffPlans(planManifests([before]), planManifests([after]), { old: [before], new: [after] }).riskier; // true
 */
export function diffPlans(oldPlan: PlanDocument, newPlan: PlanDocument, objects: DiffObjects = { old: [], new: [] }): PlanDiff {
  const old = sideOf(oldPlan, objects.old);
  const next = sideOf(newPlan, objects.new);
  const added = [...next.rollouts].filter(([key]) => !old.rollouts.has(key)).map(([, { resource }]) => resource);
  const removed = [...old.rollouts].filter(([key]) => !next.rollouts.has(key)).map(([, rollout]) => rollout);

  const aboutInput = [
    ...PLAN_RULES.flatMap((rule) => ruled(rule, oldPlan, newPlan)),
    ...findingDifferences(oldPlan.findings, newPlan.findings),
  ];
  const aboutRollouts = [...next.rollouts].flatMap(([key, after]) => {
    const before = old.rollouts.get(key);
    return placed(after.resource, before ? comparedRollouts(key, before, after, old, next) : judgedFindings([], after.findings));
  });
  const aboutRemoved = removed.flatMap(({ resource, findings }) => placed(resource, judgedFindings(findings, [])));
  const changed = [...placed(null, aboutInput), ...aboutRollouts, ...aboutRemoved];
  return {
    formatVersion: FORMAT_VERSION,
    added,
    removed: removed.map(({ resource }) => resource),
    changed,
    riskier: changed.some(({ effect }) => effect === 'riskier'),
  };
}
