import { collectDeploySources } from '../../appliers/deploy-source';
import { ROOT_PATH } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { findFirstByName } from '../../core/first-by-name';
import { addToGroup } from '../../core/group-by';
import {
  describeObject,
  getFieldsAt,
  getListAt,
  getOwnValue,
  getValueAt,
  groupOf,
  isFields,
  nameOf,
  namespaceOf,
  kindKeyOf,
} from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { PlanInput } from '../../plan/plan-input';
import { createCreatorLookup } from './deleted-sources';
import type { ObjectPair } from '../match/match-objects';
import { notApplied } from '../rules/not-applied';
import { toSafeText } from '../../core/value-text';

/** Both sides of a change. */
type Sides = Readonly<Record<'old' | 'next', PlanInput>>;

/** Returns the repository of an address, whatever the protocol and the user are: `git@example.com:a/b.git` is `example.com/a/b`. */
function normalizeAddress(address: unknown): string {
  const text = typeof address === 'string' ? address.trim() : '';
  const withoutScheme = text.slice(text.includes('://') ? text.indexOf('://') + '://'.length : 0);
  const slash = withoutScheme.search(/[/]/);
  const user = withoutScheme.indexOf('@');
  const place = user >= 0 && (slash < 0 || user < slash) ? withoutScheme.slice(user + 1) : withoutScheme;
  const path = place.replace(':', '/').toLowerCase();
  const end = path.endsWith('/') ? path.slice(0, -1) : path;
  return end.endsWith('.git') ? end.slice(0, -'.git'.length) : end;
}

/** Lists the repositories of the folders of an Application. */
function listApplicationRepositories(object: Manifest, ...spec: string[]): readonly string[] {
  const sources = [getValueAt(object, ...spec, 'source'), ...getListAt(object, ...spec, 'sources')].filter(isFields);
  return sources.filter(({ chart }) => chart === undefined).map(({ repoURL }) => normalizeAddress(repoURL));
}

function toSourceKey(kind: unknown, namespace: unknown, name: unknown): string {
  return `${toSafeText(kind)} ${toSafeText(namespace)}/${toSafeText(name)}`;
}

/** Addresses of the sources of Flux in view, by their names. */
type FluxSources = ReadonlyMap<string, string>;

function readFluxSources(objects: readonly Manifest[]): FluxSources {
  const sources = objects.filter((object) => groupOf(object) === 'source.toolkit.fluxcd.io');
  return new Map(
    sources.map((object) => {
      const { url, endpoint, bucketName } = getFieldsAt(object, 'spec');
      const address = url === undefined ? `${toSafeText(endpoint)}/${toSafeText(bucketName)}` : url;
      return [toSourceKey(object.kind, namespaceOf(object), nameOf(object)), normalizeAddress(address)];
    }),
  );
}

/** Returns the repository of an object of Flux: its address if its source is in view, or else the name of that. */
function findFluxRepository(object: Manifest, fields: readonly string[], sources: FluxSources): string {
  const { kind, name, namespace = namespaceOf(object) } = getFieldsAt(object, ...fields, 'sourceRef');
  const key = toSourceKey(kind, namespace, name);
  return sources.get(key) ?? key;
}

/** How the kinds that deploy folders name their repositories, by group and kind. */
const READERS: Readonly<Record<string, (object: Manifest, sources: FluxSources) => readonly string[]>> = {
  'kustomize.toolkit.fluxcd.io/Kustomization': (object, sources) => [findFluxRepository(object, ['spec'], sources)],
  'helm.toolkit.fluxcd.io/HelmRelease': (object, sources) => [findFluxRepository(object, ['spec', 'chart', 'spec'], sources)],
  'argoproj.io/Application': (object) => listApplicationRepositories(object, 'spec'),
  'argoproj.io/ApplicationSet': (object) => listApplicationRepositories(object, 'spec', 'template', 'spec'),
};

function listRepositories(object: Manifest, sources: FluxSources): readonly string[] {
  return getOwnValue(READERS, kindKeyOf(object))?.(object, sources) ?? [];
}

/**
 * Reports the objects of Flux and Argo CD that read their folder from another repository than before, if NEW has what they applied: what is in
 * that repository is not known. The addresses are not shown, since they may contain passwords.
 */
export function collectRepositoryChanges(pairs: readonly ObjectPair[], sides: Sides): Finding[] {
  const { old, next } = sides;
  const [sourcesOfOld, sourcesOfNext] = [readFluxSources(old.objects), readFluxSources(next.objects)];
  const changed = new Map(
    pairs.flatMap(({ old: before, next: after }) => {
      if (!before || !Object.hasOwn(READERS, kindKeyOf(before))) return [];
      const kept = new Set(listRepositories(after, sourcesOfNext));
      return listRepositories(before, sourcesOfOld).every((each) => kept.has(each)) ? [] : [[before, after] as const];
    }),
  );
  if (changed.size === 0) return [];
  const sources = collectDeploySources(changed.keys());
  const titleOf = new Map(sources.map(({ object, applier }) => [object, applier.title]));
  const findCreators = createCreatorLookup(sides, sources);
  const membersOf = new Map<Manifest, string[]>();
  for (const { old: before, next: object } of pairs) {
    const creators = before ? findCreators(before) : [];
    for (const creator of new Set(creators.map(({ object: each }) => each))) addToGroup(membersOf, creator, describeObject(object));
  }
  return [...membersOf].map(([creator, members]) => {
    const title = titleOf.get(creator)!;
    const source = next.locate?.(changed.get(creator)!, ROOT_PATH);
    const data = { by: describeObject(creator), title, objects: members.length, first: findFirstByName(members, String)! };
    return notApplied.createFinding('otherRepository', { path: ROOT_PATH, data, severity: 'warning', ...(source && { source }) });
  });
}
