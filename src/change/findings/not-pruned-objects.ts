import { APPLIER_BY_MODE } from '../../appliers/detect-applier';
import type { Applier } from '../../appliers/applier';
import { collectDeploySources, isBelowReadFolder } from '../../appliers/deploy-source';
import { DeploySourceLookup } from '../../appliers/deploy-source-lookup';
import type { DeploySource } from '../../appliers/deploy-source';
import { isLive } from '../../appliers/live-object';
import { checkTimeNow } from '../../core/budget/deadline';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { findFirstByName } from '../../core/collections/first-by-name';
import { addToGroup, groupBy } from '../../core/collections/group-by';
import { BoundedMemo } from '../../core/collections/memoize';
import { describeObject } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { mayChartDiffer } from '../../core/rules/helm-template';
import { kustomization } from '../../core/rules/kustomization';
import { notRead } from '../../core/rules/not-read';
import { detectByFolder, isKeptByApplier } from '../../plan/appliers-in-view';
import { isIncomplete } from './comparison-findings';
import { createCreatorLookup, hasCascadingDeletion } from '../removed/deleted-sources';
import { unitPathOf } from '../match/match-objects';
import { incompleteInformation } from '../rules/incomplete-information';
import type { EvaluatedChange } from '../change-state';

/** Tools that delete what a release no longer contains, whatever their settings are. */
const PRUNING_MODES: ReadonlySet<Applier['mode']> = new Set(['helm', 'helm4', 'fleet', 'pulumi']);

/** Reports whether NEW may contain further objects, in what is not read of it. */
function mayContainMore(findings: readonly Finding[]): boolean {
  const isOpen = (finding: Finding) =>
    mayChartDiffer(finding) ||
    kustomization.matches(finding, 'notBuilt') ||
    // Text after the end of a document is read by no tool.
    (notRead.matches(finding) && !notRead.matches(finding, 'unrendered') && !notRead.matches(finding, 'afterEnd'));
  return isIncomplete(findings) || findings.some(isOpen);
}

/** Reports whether a finding may be about a folder, which is empty if it is not known: one in another folder says nothing of what a tool applies from this one. */
function isAboutFolder({ source }: Finding, folder: string): boolean {
  return folder === '' || source === undefined || `/${source.file.split(/[/:]/).join('/')}`.includes(`/${folder}/`);
}

/** Returns the object of NEW with which Flux or Argo CD deletes what is no longer in the folder of a file. */
function findPruningSource(object: Manifest, file: string | undefined, sources: DeploySourceLookup): DeploySource | undefined {
  const source = sources.find({ next: object, ...(file !== undefined && { file }) })?.source;
  return source && !(file !== undefined && isBelowReadFolder(source, file)) ? source : undefined;
}

/** Adds the kept objects that a found one, such as a Kustomization, applied and takes along. */
function addNestedObjects(found: Map<Manifest, string>, kept: readonly Manifest[], sides: Pick<EvaluatedChange, 'old' | 'next'>): void {
  const sources = collectDeploySources(kept).filter(hasCascadingDeletion);
  if (!sources.some(({ object }) => found.has(object))) return;
  const findCreators = createCreatorLookup(sides, sources);
  const membersOf = new Map<Manifest, Manifest[]>();
  for (const member of kept) for (const { object } of findCreators(member)) addToGroup(membersOf, object, member);
  const toolOf = new Map(sources.map(({ object, applier }) => [object, applier.title]));
  // A map also visits what is added on the way.
  for (const [object] of found)
    for (const member of membersOf.get(object) ?? []) if (!found.has(member)) found.set(member, toolOf.get(object)!);
}

/** The state of a change in which the apply deletes nothing by itself. */
type KeptObjects = Pick<EvaluatedChange, 'kept' | 'options' | 'old' | 'next' | 'versions'>;

/** Lists the manifests of OLD that NEW lacks and that their tool deletes, although the plan keeps them, with the name of the tool. */
export function findNotPruned({ kept, options, old, next, versions }: KeptObjects): ReadonlyMap<Manifest, string> {
  const found = new Map<Manifest, string>();
  if (kept.length === 0 || options.prune) return found;
  const openFolders = new BoundedMemo<boolean>();
  const isOpenFolder = (folder: string) => {
    checkTimeNow();
    return mayContainMore((next.findings ?? []).filter((finding) => isAboutFolder(finding, folder)));
  };
  const sources = new DeploySourceLookup(
    collectDeploySources(next.objects).filter(({ prunes, applier }) => prunes && (options.apply ?? applier.mode) === applier.mode),
  );
  for (const object of kept) {
    const { file, unit } = old.textOf?.(object) ?? {};
    const source = findPruningSource(object, file, sources);
    const applied = source ?? (options.apply ? { applier: APPLIER_BY_MODE[options.apply] } : detectByFolder(unit, versions));
    if (!applied || !(source ?? PRUNING_MODES.has(applied.applier.mode)) || isLive(object) || isKeptByApplier(object, applied, 'pruned'))
      continue;
    if (openFolders.getOrCompute(source?.folder ?? unitPathOf(unit), isOpenFolder)) continue;
    found.set(object, applied.applier.title);
  }
  addNestedObjects(found, kept, { old, next });
  return found;
}

/** Creates one finding for the objects of each tool. */
function reportByTool(messageId: 'not-pruned' | 'confirmation', toolOf: Iterable<readonly [Manifest, string]>): Finding[] {
  return [...groupBy([...toolOf], ([, tool]) => tool)].map(([tool, entries]) => {
    const data = {
      tool,
      objects: entries.length,
      first: findFirstByName(
        entries.map(([object]) => describeObject(object)),
        String,
      )!,
    };
    return incompleteInformation.createFinding(messageId, { path: ROOT_PATH, data, severity: 'warning' });
  });
}

/** Reports the manifests of OLD that their tool deletes, although the plan keeps them. */
export function reportNotPruned(notPruned: ReadonlyMap<Manifest, string>): Finding[] {
  return reportByTool('not-pruned', notPruned);
}

/** Reports the objects that the plan deletes at once and their tool only after a user confirms it. */
export function reportAwaitedConfirmations({
  deleted,
  applierOf,
  options,
  old,
  next,
}: Pick<EvaluatedChange, 'deleted' | 'applierOf' | 'options' | 'old' | 'next'>): Finding[] {
  if (deleted.size === 0) return [];
  const sources = new DeploySourceLookup(
    collectDeploySources(next.objects).filter(({ applier }) => (options.apply ?? applier.mode) === applier.mode),
  );
  return reportByTool(
    'confirmation',
    [...deleted].flatMap((object) => {
      const source = findPruningSource(object, old.textOf?.(object)?.file, sources);
      const { applier } = source ?? applierOf({ next: object, old: object });
      return applier.awaitsConfirmation?.(object, 'pruned') ? [[object, applier.title] as const] : [];
    }),
  );
}
