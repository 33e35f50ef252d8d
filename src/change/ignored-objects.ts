import { ROOT_PATH, appendToPath, toFieldPath } from '../core/field-path';
import type { ObjectEffect } from './object-effect';
import type { ObjectPair } from './match-objects';
import type { PlanInput } from '../plan/plan-input';
import type { Finding } from '../core/finding';
import { mayRollOut, determineHiddenSeverity } from './hidden-change-severity';
import { isBelowReadFolder } from '../appliers/deploy-source';
import type { ApplyUnit } from '../core/apply-unit';
import { unitPathOf } from './match-objects';
import type { DeploySource } from '../appliers/deploy-source';
import type { Manifest } from '../core/manifest';
import { CHART_FILE, FLEET_FILES } from '../input/marker-files';
import { isLocalConfig } from '../core/local-config';
import { describeObject, isFields } from '../core/manifest';
import { notApplied } from './rules/not-applied';

const ANNOTATIONS_PATH = toFieldPath`metadata.annotations`;
const LABELS_PATH = toFieldPath`metadata.labels`;

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

/** Reports whether the source of an object does not read its file, which is in a folder below. A kustomization or chart there is not read either. */
function isUnread(source: DeploySource, object: Manifest, { textOf }: Pick<PlanInput, 'textOf'>): boolean {
  const { file, unit } = textOf?.(object) ?? {};
  if (file === undefined) return false;
  return isBelowReadFolder(source, unit?.hasMarkerFile ? `${unit.name}/kustomization.yaml` : file);
}

/** Reports the objects whose file the change moves into a folder that their Application does not read, so that Argo CD no longer applies them. */
export function collectMovedObjects(
  objectEffects: readonly ObjectEffect[],
  pairs: readonly ObjectPair[],
  { old, next }: Readonly<Record<'old' | 'next', PlanInput>>,
): Finding[] {
  return objectEffects.flatMap(({ comparison: { applied } }, index) => {
    const { next: object, old: before } = pairs[index]!;
    const { source: by } = applied;
    if (!by || !before || !isUnread(by, object, next) || isUnread(by, before, old)) return [];
    const { tool, title } = applied.applier;
    const source = next.locate?.(object, ROOT_PATH);
    const data = { object: describeObject(object), tool, title, by: describeObject(by.object) };
    return [
      notApplied.createFinding('moved', { path: ROOT_PATH, data, severity: determineHiddenSeverity(object), ...(source && { source }) }),
    ];
  });
}

/** Returns the path of the folder that Helm or Fleet applies as a whole; undefined if a file is in none. */
function findReleaseFolder(unit: ApplyUnit | undefined): string | undefined {
  const isRelease = (each: ApplyUnit) => each.markers?.some((name) => name === CHART_FILE || FLEET_FILES.includes(name)) === true;
  let found: ApplyUnit | undefined;
  for (let current = unit; current; current = current.parent) if (isRelease(current)) found = current;
  return found && unitPathOf(found);
}

/** Reports the objects whose file the change moves out of a chart or a bundle that remains: the release then lacks them, so that Helm or Fleet deletes them. */
export function collectObjectsMovedOut(
  pairs: readonly ObjectPair[],
  { old, next }: Readonly<Record<'old' | 'next', PlanInput>>,
): Finding[] {
  const folderOf = ({ textOf }: PlanInput, object: Manifest) => findReleaseFolder(textOf?.(object)?.unit);
  const remaining = new Set(pairs.map(({ next: object }) => folderOf(next, object)));
  return pairs.flatMap(({ old: before, next: object }) => {
    const folder = before && folderOf(old, before);
    if (folder === undefined || !remaining.has(folder) || folderOf(next, object) === folder) return [];
    const source = next.locate?.(object, ROOT_PATH);
    const data = { object: describeObject(object), folder: folder === '' ? 'the PATH' : folder };
    return [notApplied.createFinding('movedOut', { path: ROOT_PATH, data, severity: 'warning', ...(source && { source }) })];
  });
}

/**
 * Reports objects that differ, and that their tool leaves as they are because of an annotation or a label, or because of an Application of this change.
 *
 * @param pairs - the objects of NEW in the order of the effects, as the files have them
 */
export function collectIgnoredObjects(objectEffects: readonly ObjectEffect[], pairs: readonly ObjectPair[], next: PlanInput): Finding[] {
  const ignored = objectEffects.flatMap(({ comparison: { ignoredBy, next: object, applied } }) => {
    if (ignoredBy === undefined) return [];
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
  return [...ignored, ...collectKeptObjects(objectEffects, pairs, next)];
}
