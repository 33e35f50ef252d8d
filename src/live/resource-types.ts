import { formatKindKey } from '../cluster/context-kinds';

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

/** Formats a type as kubectl takes it: `pods`, `deployments.apps`, or with a version `rollouts.v1alpha1.argoproj.io`. */
export function formatResourceType({ plural, group }: Pick<ResourceType, 'plural' | 'group'>, version?: string): string {
  if (group === '') return plural;
  return version === undefined ? `${plural}.${group}` : `${plural}.${version}.${group}`;
}
