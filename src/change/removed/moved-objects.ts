import { isKeptByApplier } from '../../plan/appliers-in-view';
import { collectDeploySources, isBelowReadFolder } from '../../appliers/deploy-source';
import type { DeploySource } from '../../appliers/deploy-source';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import type { ApplyMode } from '../../core/document/change';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { addToGroup, groupBy } from '../../core/collections/group-by';
import { describeObject } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { CHART_FILE, FLEET_FILES } from '../../input/marker-files';
import type { PlanInput } from '../../plan/plan-input';
import { DeployedFiles } from './deployed-files';
import { determineHiddenSeverity } from '../effects/hidden-change-severity';
import { objectKeyOf, unitPathOf } from '../match/match-objects';
import type { ObjectPair } from '../match/match-objects';
import type { ObjectEffect } from '../effects/object-effect';
import { collectRepositoryChanges } from './repository-changes';
import { notApplied } from '../rules/not-applied';

/** Both sides of a change. */
type Sides = Readonly<Record<'old' | 'next', PlanInput>>;

/** Reports whether the source of an object does not read its file, which is in a folder below. A kustomization or chart there is not read either. */
function isUnread(source: DeploySource, object: Manifest, { textOf }: Pick<PlanInput, 'textOf'>): boolean {
  const { file, unit } = textOf?.(object) ?? {};
  if (file === undefined) return false;
  return isBelowReadFolder(source, unit?.hasMarkerFile ? `${unit.name}/kustomization.yaml` : file);
}

/** Reports the objects whose file the change moves into a folder that their Application does not read, so that Argo CD no longer applies them. */
function collectObjectsInUnreadFolders(
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

/** Lists the folders around a file that Helm or Fleet applies as a whole: each bundle of Fleet, since an outer one contains the files of an inner one, or else the outermost chart. */
function listReleaseUnits(unit: ApplyUnit | undefined): readonly ApplyUnit[] {
  const units: ApplyUnit[] = [];
  for (let current = unit; current; current = current.parent) units.push(current);
  const bundles = units.filter(({ markers }) => markers?.some((name) => FLEET_FILES.includes(name)));
  return bundles.length > 0 ? bundles : units.filter(({ markers }) => markers?.includes(CHART_FILE)).slice(-1);
}

/** Returns the paths of the folders that Helm or Fleet applies as a whole and that contain an object. */
function listReleaseFolders(object: Manifest, { textOf }: PlanInput, files: DeployedFiles): readonly string[] {
  const { file, unit } = textOf?.(object) ?? {};
  const units = listReleaseUnits(unit);
  const isBundle = units.some(({ markers }) => !markers?.includes(CHART_FILE));
  return file === undefined || (isBundle && files.isIgnoredBy('Fleet', file)) ? [] : units.map(unitPathOf);
}

/** Returns the first of some folders that is also among others, and not among those that contain an object. */
function findOther(folders: readonly string[], others: ReadonlySet<string>, own: readonly string[]): string | undefined {
  return folders.find((each) => others.has(each) && !own.includes(each));
}

/**
 * Reports the objects whose file the change moves out of a chart or a bundle that remains: the release then lacks them, so that Helm or Fleet
 * deletes them. If the file moves into a bundle that is inside of its own, both contain it.
 * Source: Fleet v0.16 internal/bundlereader/loaddirectory.go, `GetContent`, and internal/helmdeployer/install.go, `configureUpgradeAction`.
 */
function collectObjectsInOtherReleases(
  pairs: readonly ObjectPair[],
  { old, next }: Sides,
  [oldFiles, nextFiles]: readonly DeployedFiles[],
): Finding[] {
  const foldersOfOld = pairs.map(({ old: before }) => (before ? listReleaseFolders(before, old, oldFiles!) : []));
  const foldersOfNext = pairs.map(({ next: object }) => listReleaseFolders(object, next, nextFiles!));
  const [before, remaining] = [new Set(foldersOfOld.flat()), new Set(foldersOfNext.flat())];
  return pairs.flatMap(({ next: object }, index) => {
    const [oldFolders, folders] = [foldersOfOld[index]!, foldersOfNext[index]!];
    const lost = findOther(oldFolders, remaining, folders);
    const gained = lost === undefined && oldFolders.length > 0 ? findOther(folders, before, oldFolders) : undefined;
    const folder = lost ?? gained;
    if (folder === undefined) return [];
    const source = next.locate?.(object, ROOT_PATH);
    const data = { object: describeObject(object), folder: folder || 'the PATH' };
    const options = { path: ROOT_PATH, severity: 'warning' as const, ...(source && { source }) };
    return [
      gained === undefined
        ? notApplied.createFinding('movedOut', { ...options, data })
        : notApplied.createFinding('movedIn', {
            ...options,
            data: { ...data, outer: oldFolders[0] || 'the PATH' },
          }),
    ];
  });
}

/** An object with which Flux or Argo CD deletes what it no longer applies, on both sides of a change. */
interface PruningSource {
  readonly old: readonly DeploySource[];
  readonly next: readonly DeploySource[];
}

/** Finds the objects with which Flux or Argo CD deletes what it no longer applies, by the last names of their folders in OLD. */
function findPruningSources(
  old: PlanInput,
  all: readonly DeploySource[],
  apply: ApplyMode | undefined,
): ReadonlyMap<string, readonly PruningSource[]> {
  const prunes = ({ prunes: isPruning, applier }: DeploySource) => isPruning === true && (apply ?? applier.mode) === applier.mode;
  const inOld = groupBy(collectDeploySources(old.objects), ({ object }) => objectKeyOf(object));
  const byName = new Map<string, PruningSource[]>();
  for (const [key, next] of groupBy(all, ({ object }) => objectKeyOf(object))) {
    const before = inOld.get(key);
    if (!before || !next.some(prunes) || [...before, ...next].some(({ folder }) => folder === undefined)) continue;
    for (const name of new Set(before.map(({ folder }) => folder!.split('/').at(-1)!))) addToGroup(byName, name, { old: before, next });
  }
  return byName;
}

/** Reports whether the repository may begin in a folder, if it may begin in others: it does not begin further inside than these. */
function mayBeRoot(root: string, others: readonly string[]): boolean {
  const depthOf = (folder: string) => (folder === '' ? 0 : folder.split('/').length);
  return others.some((other) => root === other || depthOf(root) < depthOf(other));
}

/**
 * Reports the objects that an object of Flux or Argo CD no longer applies, although it remains: their file moves out of its folder, or to a name
 * that it does not read. It then deletes them, unless another such object applies them first.
 */
function collectObjectsMovedFromSources(
  pairs: readonly ObjectPair[],
  { old, next }: Sides,
  [oldFiles, nextFiles]: readonly DeployedFiles[],
  apply: ApplyMode | undefined,
): Finding[] {
  // A file that is given by name may be from anywhere.
  if (!old.tree || !next.tree) return [];
  const all = collectDeploySources(next.objects);
  const byName = findPruningSources(old, all, apply);
  if (byName.size === 0) return [];
  const allByName = groupBy(all, ({ folder }) => folder?.split('/').at(-1));
  return pairs.flatMap(({ old: before, next: object }) => {
    const [oldFile, nextFile] = [before && old.textOf?.(before)?.file, next.textOf?.(object)?.file];
    if (before === undefined || oldFile === undefined || nextFile === undefined) return [];
    const rootsOf = (source: DeploySource) => nextFiles!.findRootsReadBy(source, nextFile);
    const isLost = ({ old: sources, next: nextSources }: PruningSource) => {
      const roots = sources.flatMap((source) => oldFiles!.findRootsReadBy(source, oldFile));
      return roots.length > 0 && !nextSources.some((source) => rootsOf(source).some((root) => mayBeRoot(root, roots)));
    };
    const lost = oldFiles!
      .listNames(oldFile)
      .flatMap((name) => byName.get(name) ?? [])
      .find(isLost);
    const by = lost?.next[0];
    if (!by || isKeptByApplier(before, by, 'pruned')) return [];
    const others = nextFiles!.listNames(nextFile).flatMap((name) => allByName.get(name) ?? []);
    const other = others.find((source) => source.object !== by.object && rootsOf(source).length > 0);
    const source = next.locate?.(object, ROOT_PATH);
    const { tool, title } = by.applier;
    const data = {
      object: describeObject(object),
      tool,
      title,
      by: describeObject(by.object),
      ...(other && { other: describeObject(other.object) }),
    };
    const severity = other ? 'warning' : determineHiddenSeverity(object);
    return [notApplied.createFinding('movedFromSource', { path: ROOT_PATH, data, severity, ...(source && { source }) })];
  });
}

/** Tools that apply a folder as one release. */
const RELEASE_TOOLS: ReadonlySet<ApplyMode> = new Set(['helm', 'helm4', 'fleet']);

/** Reports the objects whose file the change moves to where the tool that applied it does not read it, or whose tool reads another repository. */
export function collectMovedObjects(
  objectEffects: readonly ObjectEffect[],
  pairs: readonly ObjectPair[],
  sides: Sides,
  apply: ApplyMode | undefined,
): Finding[] {
  const files = [new DeployedFiles(sides.old), new DeployedFiles(sides.next)];
  const inUnreadFolders = collectObjectsInUnreadFolders(objectEffects, pairs, sides);
  const known = new Set(inUnreadFolders.map(({ data }) => data?.object));
  return [
    ...inUnreadFolders,
    ...collectObjectsMovedFromSources(pairs, sides, files, apply).filter(({ data }) => !known.has(data?.object)),
    ...collectRepositoryChanges(pairs, sides),
    ...(apply === undefined || RELEASE_TOOLS.has(apply) ? collectObjectsInOtherReleases(pairs, sides, files) : []),
  ];
}
