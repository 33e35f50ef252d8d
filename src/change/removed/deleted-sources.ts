import { isKeptByApplier } from '../../plan/appliers-in-view';
import { collectDeploySources, isNamedByLabels, listLabeledNames } from '../../appliers/deploy-source';
import type { DeploySource } from '../../appliers/deploy-source';
import { isBeingDeleted, isLive } from '../../appliers/live-object';
import { ROOT_PATH } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { findFirstByName } from '../../core/collections/first-by-name';
import { addToGroup, groupBy } from '../../core/collections/group-by';
import { describeObject, getFieldsAt, getListAt, getValueAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { PlanInput } from '../../plan/plan-input';
import { isFleetYaml } from '../../systems/fleet/fleet-yaml';
import { findGitRepo } from '../../systems/fleet/git-repo';
import type { ChangeContext } from '../effects/object-effect';
import { DeployedFiles } from './deployed-files';
import type { ObjectPair } from '../match/match-objects';
import { garbageCollected } from '../rules/garbage-collected';
import type { Deletion } from '../rules/garbage-collected';
import { SourceIndex } from './source-index';

/** Both sides of a change. */
type Sides = Readonly<Record<'old' | 'next', PlanInput>>;

/** Finalizers with which Argo CD deletes the objects of an Application that is deleted. */
const ARGO_CD_FINALIZER = /^resources-finalizer\.argocd\.argoproj\.io(?:\/|$)/;

function hasArgoCdFinalizer(finalizers: readonly unknown[]): boolean {
  return finalizers.some((name) => typeof name === 'string' && ARGO_CD_FINALIZER.test(name));
}

/**
 * Reports whether a tool deletes what a source applied once the source is deleted. Flux leaves the objects of one that is suspended.
 * Source: kustomize-controller v1.6, `finalize`; helm-controller v1.3, `reconcileDelete`; Argo CD v3.1 applicationset/utils/utils.go,
 * `RenderTemplateParams`.
 */
export function hasCascadingDeletion({ object, prunes }: DeploySource): boolean {
  const { suspend, deletionPolicy = 'MirrorPrune' } = getFieldsAt(object, 'spec');
  switch (object.kind) {
    case 'HelmRelease':
      return suspend !== true;
    case 'Kustomization':
      return suspend !== true && (deletionPolicy === 'MirrorPrune' ? prunes === true : deletionPolicy !== 'Orphan');
    case 'ApplicationSet': {
      // Its Applications get the finalizer if the template names none.
      const finalizers = getListAt(object, 'spec', 'template', 'metadata', 'finalizers');
      const preserves = getValueAt(object, 'spec', 'syncPolicy', 'preserveResourcesOnDeletion') === true;
      return finalizers.length > 0 ? hasArgoCdFinalizer(finalizers) : !preserves;
    }
    default:
      return hasArgoCdFinalizer(getListAt(object, 'metadata', 'finalizers'));
  }
}

/** Returns a function that lists the sources that applied an object of OLD: by the labels of a live one, otherwise by its file. */
export function createCreatorLookup({ old, next }: Sides, sources: readonly DeploySource[]): (object: Manifest) => readonly DeploySource[] {
  const byName = groupBy(sources, ({ object }) => nameOf(object));
  const index = old.tree && next.tree && new SourceIndex(sources, new DeployedFiles(old));
  return (object) => {
    const isKept = (source: DeploySource) => isKeptByApplier(object, source, 'source-deleted');
    if (isLive(object)) {
      const named = listLabeledNames(object).flatMap((name) => byName.get(name) ?? []);
      return named.filter((source) => isNamedByLabels(source, object) && !isKept(source));
    }
    const file = old.textOf?.(object)?.file;
    return file === undefined ? [] : (index?.findSourcesOf(file) ?? []).filter((source) => !isKept(source));
  };
}

/** An object that is deleted, and what its tool then deletes. */
interface DeletedSource {
  readonly object: Manifest;
  /** Name of its tool. */
  readonly title: string;
  readonly members: readonly ObjectPair[];
  /** Another source that applies all members. @default - none does */
  readonly other?: Manifest | undefined;
  /** Whether the tool waits until a user confirms the deletion. @default false */
  readonly awaitsConfirmation?: boolean;
  readonly deletion: Deletion;
}

/** Reports what the tool of a deleted source deletes. Reports nothing if NEW has none of it. */
function reportDeletedSource({
  object,
  title,
  members,
  other,
  awaitsConfirmation,
  deletion: { deletedBy, isBeingDeleted: isBeing, isRecreated },
}: DeletedSource): Finding[] {
  const first = findFirstByName(members, (member) => describeObject(member.next));
  if (!first) return [];
  const data = {
    object: describeObject(object),
    title,
    objects: members.length,
    first: describeObject(first.next),
    ...(deletedBy !== undefined && { deletedBy }),
    ...(isBeing && { isBeingDeleted: true as const }),
    ...(isRecreated && { isRecreated }),
    ...(other && { other: describeObject(other) }),
    ...(awaitsConfirmation && { awaitsConfirmation: true as const }),
  };
  return [garbageCollected.createFinding('deletedWithSource', { path: ROOT_PATH, data, severity: other ? 'warning' : 'error' })];
}

/** Objects that go, and how. Those that are created again are in it as OLD and as NEW have them. */
type GoneObjects = ReadonlyMap<Manifest, Deletion>;

/**
 * Reports the sources that the apply, their tool or already the cluster deletes, although NEW has objects that their tool then deletes. What goes
 * may itself be a source, such as the Kustomizations in the folder of another one.
 */
export function checkDeletedSources(gone: GoneObjects, pairs: readonly ObjectPair[], sides: Sides): Finding[] {
  const { old, next } = sides;
  const deletions = new Map<Manifest, Deletion>(gone);
  for (const object of old.objects) if (!gone.has(object) && isBeingDeleted(object)) deletions.set(object, { isBeingDeleted: true });
  if (deletions.size === 0) return [];
  const sources = groupBy(collectDeploySources(old.objects).filter(hasCascadingDeletion), ({ object }) => object);
  if (![...deletions.keys()].some((object) => sources.has(object))) return [];
  const findCreators = createCreatorLookup(sides, [...sources.values()].flat());
  const membersOf = new Map<DeploySource, ObjectPair[]>();
  for (const pair of pairs) for (const source of pair.old ? findCreators(pair.old) : []) addToGroup(membersOf, source, pair);
  const remaining = new SourceIndex(collectDeploySources(next.objects), new DeployedFiles(next));
  const lost = new Set<Manifest>(gone.keys());
  const findOther = ({ next: object }: ObjectPair) => {
    const file = next.textOf?.(object)?.file;
    return file === undefined ? undefined : remaining.findSourcesOf(file).find((source) => !lost.has(source.object));
  };
  const findings: Finding[] = [];
  // A map also visits what is added on the way.
  for (const [object, deletion] of deletions) {
    for (const source of sources.get(object) ?? []) {
      const { title, awaitsConfirmation: awaits } = source.applier;
      const members = membersOf.get(source) ?? [];
      const isBeing = deletion.isBeingDeleted === true;
      const others = isBeing ? [undefined] : members.map(findOther);
      const other = others.includes(undefined) ? undefined : findFirstByName(others, (each) => describeObject(each!.object));
      const awaitsConfirmation = members.some(({ old: member }) => member && awaits?.(member, 'source-deleted'));
      for (const finding of reportDeletedSource({ object, title, members, other: other?.object, awaitsConfirmation, deletion }))
        findings.push(finding);
      if (other) continue;
      for (const { old: member, next: written } of members) {
        if (!member || !sources.has(member) || deletions.has(member)) continue;
        lost.add(written);
        deletions.set(member, { deletedBy: title });
      }
    }
  }
  return findings;
}

/** Reports the GitRepos of Fleet that the apply, their tool or already the cluster deletes, although NEW has objects in the folders of their bundles, which Fleet then deletes. */
export function checkDeletedGitRepos(
  gone: GoneObjects,
  pairs: readonly ObjectPair[],
  {
    next,
    context: { oldContext, newContext },
  }: Pick<Sides, 'next'> & { readonly context: Pick<ChangeContext, 'oldContext' | 'newContext'> },
): Finding[] {
  const bundles = pairs.flatMap(({ old, next: bundle }) => {
    const gitRepo = old && isFleetYaml(old) && isFleetYaml(bundle) ? findGitRepo(old, oldContext) : undefined;
    const isLost = gitRepo && (gone.has(gitRepo) || isBeingDeleted(gitRepo)) && getValueAt(gitRepo, 'spec', 'keepResources') !== true;
    if (!isLost || !isFleetYaml(bundle)) return [];
    const other = findGitRepo(bundle, newContext);
    return [{ gitRepo, bundle, other: other && (gone.has(other) || isBeingDeleted(other)) ? undefined : other }];
  });
  if (bundles.length === 0) return [];
  const byUnit = groupBy(
    pairs.filter(({ old, next: object }) => old !== undefined && !isFleetYaml(object)),
    ({ next: object }) => next.textOf?.(object)?.unit?.id,
  );
  return [...groupBy(bundles, ({ gitRepo }) => gitRepo)].flatMap(([gitRepo, lost]) => {
    const members = lost.flatMap(({ bundle }) => byUnit.get(next.textOf?.(bundle)?.unit?.id) ?? []);
    const isApplied = gone.has(gitRepo) && lost.every((each) => each.other !== undefined);
    const other = isApplied ? lost[0]!.other : undefined;
    const deletion: Deletion = gone.get(gitRepo) ?? { isBeingDeleted: true };
    return reportDeletedSource({ object: gitRepo, title: 'Fleet', members, other, deletion });
  });
}
