import { groupBy } from '../../core/collections/group-by';
import { ROOT_PATH, appendToPath, toFieldPath } from '../../core/manifest/field-path';
import type { ObjectEffect } from '../effects/object-effect';
import type { ObjectPair } from '../match/match-objects';
import type { PlanInput } from '../../plan/plan-input';
import type { Finding } from '../../core/findings/finding';
import { mayRollOut, determineHiddenSeverity } from '../effects/hidden-change-severity';
import { isLocalConfig } from '../../core/sources/local-config';
import { describeObject, isFields } from '../../core/manifest/manifest';
import { notApplied } from '../rules/not-applied';

const ANNOTATIONS_PATH = toFieldPath`metadata.annotations`;
const LABELS_PATH = toFieldPath`metadata.labels`;

const SUSPEND_PATH = toFieldPath`spec.suspend`;

/** A field that a manifest may leave to an autoscaler. */
const REPLICAS_PATH = toFieldPath`spec.replicas`;

/** Reports the workloads with fields that differ and that an Application of this change keeps. */
function collectKeptObjects(objectEffects: readonly ObjectEffect[], pairs: readonly ObjectPair[], next: PlanInput): Finding[] {
  const altered = new Set(objectEffects.filter(({ effect }) => effect !== 'none').map(({ comparison: { next: object } }) => object));
  return objectEffects.flatMap(({ comparison: { kept = [], applied } }, index) => {
    const object = pairs[index]!.next;
    const by = applied.source?.object;
    const paths = kept.map((path) => appendToPath(ROOT_PATH, ...path)).filter((path) => path !== REPLICAS_PATH);
    if (by === undefined || !altered.has(by) || paths.length === 0 || !mayRollOut(object)) return [];
    const { tool, title } = applied.applier;
    const source = next.locate?.(object, ROOT_PATH);
    const data = { object: describeObject(object), tool, title, by: describeObject(by), fields: paths.length, first: paths[0]! };
    return [notApplied.createFinding('becomesKept', { path: ROOT_PATH, data, severity: 'error', ...(source && { source }) })];
  });
}

/** Reports the suspended sources of objects that differ. */
function collectSuspendedSources(objectEffects: readonly ObjectEffect[], next: PlanInput): Finding[] {
  const held = objectEffects.map(({ comparison }) => comparison).filter(({ ignoredBy }) => ignoredBy === 'suspension');
  const bySource = groupBy(held, ({ applied }) => applied.source!.object);
  return [...bySource].map(([by, comparisons]) => {
    const { applied, next: first } = comparisons[0]!;
    const { tool, title } = applied.applier;
    const source = next.locate?.(by, SUSPEND_PATH);
    const data = { object: describeObject(first), tool, title, by: describeObject(by), objects: comparisons.length };
    return notApplied.createFinding('suspended', { path: SUSPEND_PATH, data, severity: 'warning', ...(source && { source }) });
  });
}

/**
 * Reports objects that differ, and that their tool leaves as they are because of an annotation or a label, or because of an Application of this change or a suspended source.
 *
 * @param pairs - the objects of NEW in the order of the effects, as the files have them
 */
export function collectIgnoredObjects(objectEffects: readonly ObjectEffect[], pairs: readonly ObjectPair[], next: PlanInput): Finding[] {
  const ignored = objectEffects.flatMap(({ comparison: { ignoredBy, next: object, applied } }) => {
    if (ignoredBy === undefined || ignoredBy === 'suspension') return [];
    const { tool, title } = applied.applier;
    const path = isFields(object.metadata?.annotations) ? ANNOTATIONS_PATH : LABELS_PATH;
    const source = next.locate?.(object, path);
    const data = { object: describeObject(object), tool, title };
    const common = { path, data, ...(source && { source }) };
    if (isLocalConfig(object)) return [notApplied.createFinding('dropped', { ...common, severity: determineHiddenSeverity(object) })];
    return ignoredBy === 'annotation'
      ? [notApplied.createFinding('ignored', { ...common, severity: mayRollOut(object) ? 'warning' : 'info' })]
      : [notApplied.createFinding('becomesIgnored', { ...common, severity: determineHiddenSeverity(object) })];
  });
  return [...ignored, ...collectKeptObjects(objectEffects, pairs, next), ...collectSuspendedSources(objectEffects, next)];
}
