import { fieldsAt, isFields, listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { GitTarget } from './types';

const FLEET_GROUP_VERSION = 'fleet.cattle.io/v1alpha1';
const FLEET_YAML_KIND = 'FleetYaml';
const FILE_NAME = /(?:^|\/)fleet\.ya?ml$/;

/** A file `fleet.yaml`, which is no Kubernetes object, as one: so that it goes through a plan as the others do. */
export interface FleetYamlObject extends Manifest {
  readonly kind: typeof FLEET_YAML_KIND;
  /** The folder that it makes a bundle, as its file is reached; empty for the present one. */
  readonly folder: string;
  readonly content: Fields;
}

/**
 * What a file named `fleet.yaml` (or `fleet.yml`, which Fleet takes too) holds, for a plan; undefined for any other file.
 *
 * @param file as reached from the path given
 */
export function fleetYamlObject(file: string, content: unknown): FleetYamlObject | undefined {
  const match = FILE_NAME.exec(file);
  if (!match || !isFields(content)) return undefined;
  return { apiVersion: FLEET_GROUP_VERSION, kind: FLEET_YAML_KIND, folder: file.slice(0, match.index), content };
}

export function isFleetYaml(object: Manifest): object is FleetYamlObject {
  return object.apiVersion === FLEET_GROUP_VERSION && object.kind === FLEET_YAML_KIND && isFields(object.content);
}

/** The bundle's name: its own, else its folder's. */
export function bundleNameOf({ folder, content }: FleetYamlObject): string {
  if (typeof content.name === 'string' && content.name !== '') return content.name;
  return segmentsOf(folder).at(-1) ?? 'fleet.yaml';
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** Does a name match a segment of a GitRepo's path, in which `*` and `?` stand for any text and any character? */
function matchesSegment(name: string, pattern: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);
}

/** Does a GitRepo's path lead to this folder, or above it? The folder may have been reached from outside of the repository. */
function leadsTo(path: string, folder: readonly string[]): boolean {
  const pattern = segmentsOf(path);
  return folder.some((_, start) => pattern.every((segment, index) => start + index < folder.length && matchesSegment(folder[start + index]!, segment)));
}

/**
 * The GitRepo that finds a folder: the first one that has a path to it; one without paths, which is searched whole; else the only one.
 */
export function gitRepoOf({ folder }: FleetYamlObject, gitRepos: readonly Manifest[]): Manifest | undefined {
  const segments = segmentsOf(folder);
  const pathsOf = (gitRepo: Manifest) => listAt(gitRepo, 'spec', 'paths').filter((path) => typeof path === 'string');
  return (
    gitRepos.find((gitRepo) => pathsOf(gitRepo).some((path) => segmentsOf(path).length > 0 && leadsTo(path, segments))) ??
    gitRepos.find((gitRepo) => pathsOf(gitRepo).every((path) => segmentsOf(path).length === 0)) ??
    (gitRepos.length === 1 ? gitRepos[0] : undefined)
  );
}

/** What a GitRepo adds to the bundles that it finds. */
export interface GitRepoSettings {
  readonly namespace: string | undefined;
  readonly paused: boolean;
  readonly targets: readonly GitTarget[];
}

/** Without targets a GitRepo deploys to the cluster group "default". Source: rancher/fleet bundlereader/read.go. */
export function settingsOf(gitRepo: Manifest): GitRepoSettings {
  const targets = listAt(gitRepo, 'spec', 'targets').filter(isFields) as readonly GitTarget[];
  return {
    namespace: namespaceOf(gitRepo),
    paused: valueAt(fieldsAt(gitRepo, 'spec'), 'paused') === true,
    targets: targets.length > 0 ? targets : [{ name: 'default', clusterGroup: 'default' }],
  };
}
