import { formatKindKey } from '../cluster/kinds/context-kinds';

/** A resource type that the API server has. */
export interface ResourceType {
  /** Plural name: `deployments`. */
  readonly plural: string;
  /** API group. Empty for the core group. */
  readonly group: string;
  /** Preferred version: `v1`. */
  readonly version: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
}

/** Names that are safe as arguments of kubectl: none begins with a hyphen. */
const PLURAL = /^[a-z0-9][a-z0-9.-]*$/;

/**
 * Parses one line of `kubectl api-resources --no-headers`: name, short names (optional), API version, whether it is namespaced, and kind.
 *
 * Source: kubectl 1.32, pkg/cmd/apiresources
 */
function parseLine(line: string): ResourceType | undefined {
  const columns = line.trim().split(/\s+/);
  const [plural] = columns;
  const [apiVersion, namespaced, kind] = columns.slice(-3);
  if (columns.length < 4 || !PLURAL.test(plural!) || (namespaced !== 'true' && namespaced !== 'false')) return undefined;
  const [group, version] = apiVersion!.includes('/') ? apiVersion!.split('/') : ['', apiVersion];
  return { plural: plural!, group, version: version!, kind: kind!, isNamespaced: namespaced === 'true' };
}

/** The resource types of an API server, by group and kind. */
export type ResourceTypes = ReadonlyMap<string, ResourceType>;

/** Parses the output of `kubectl api-resources --no-headers`. */
export function parseResourceTypes(output: string): ResourceTypes {
  const types = output.split('\n').flatMap((line) => parseLine(line) ?? []);
  return new Map(types.map((type) => [formatKindKey(type), type]));
}

/** What kubectl prints if it has the types of some groups only: `… server APIs: apps/v1: the server is …, metrics.k8s.io/v1beta1: …`. */
const INCOMPLETE = /unable to retrieve the complete list of server APIs: (.*)$/m;
const GROUP_VERSION = /(?:^|, )(?:([a-z0-9.-]+)\/)?v[a-z0-9]+: /g;

/** Parses the groups whose types are missing in the output of `kubectl api-resources`, from its error output. */
export function parseMissingGroups(stderr: string): string[] {
  const [, list = ''] = INCOMPLETE.exec(stderr) ?? [];
  return [...list.matchAll(GROUP_VERSION)].map(([, group = '']) => group);
}

/** Formats a type as kubectl takes it: `pods`, `deployments.apps`, or with a version `rollouts.v1alpha1.argoproj.io`. */
export function formatResourceType({ plural, group }: Pick<ResourceType, 'plural' | 'group'>, version?: string): string {
  if (group === '') return plural;
  return version === undefined ? `${plural}.${group}` : `${plural}.${version}.${group}`;
}
