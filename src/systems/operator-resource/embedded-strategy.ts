import { toFieldPath, appendToPath, parseFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { groupOf, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';

/** The API group of IBM's Cloud Pak operators. */
export const IBM_GROUP = 'icp4a.ibm.com';

/** The location of a strategy in a CR. */
export interface StrategyLocation {
  /** The path of the strategy: `spec.strategy`, `spec.baw_configuration[0].strategy`. */
  readonly path: FieldPath;
  readonly strategy: Fields;
  /** The map that contains the strategy and the replicas. */
  readonly holder: Fields;
  /** The path of that map. */
  readonly holderPath: FieldPath;
  /** Whether the strategy applies to the replicas of the holder. */
  readonly hasKnownReplicas: boolean;
}

/** Returns the component of a strategy. It depends only on the path of the holder, so the rollout has the same name in every plan. */
export function operatorComponentOf({ holderPath }: StrategyLocation): string | undefined {
  return holderPath === 'spec' ? undefined : holderPath.replace(/^spec\.?/, '');
}

/**
 * The maximum number of maps between `spec` and a holder for the replicas next to a strategy to belong to it. List items are not counted.
 */
const MAX_KNOWN_DEPTH = 1;

/**
 * Reports whether an object is a custom resource. Built-in groups such as apps and batch have no dot. Groups of k8s.io have a dot, but no
 * such strategy field.
 */
function isCustomResource(object: Manifest): boolean {
  return groupOf(object).includes('.');
}

/**
 * Reports whether a strategy with only a `type` counts. The type may be that of anything, such as a database, so it must be a Deployment's
 * type at a path that IBM's page may mean.
 */
function isTypeOnlyStrategy({ type }: Fields, depth: number, group: string): boolean {
  return group === IBM_GROUP && depth <= MAX_KNOWN_DEPTH && (type === 'RollingUpdate' || type === 'Recreate');
}

function isOperatorStrategy(strategy: unknown, depth: number, group: string): strategy is Fields {
  return isFields(strategy) && ('rolling_update' in strategy || isTypeOnlyStrategy(strategy, depth, group));
}

/**
 * Returns the snake_case strategies of a custom resource, in document order.
 *
 * A strategy is a map `strategy` with `rolling_update`, anywhere below `spec`. In IBM's own group, a map with only type RollingUpdate or
 * Recreate also counts, in `spec` and one level below.
 */
export function findOperatorStrategies(object: Manifest): StrategyLocation[] {
  if (!isCustomResource(object)) return [];
  const group = groupOf(object);
  const locations: StrategyLocation[] = [];
  const visit = (value: unknown, path: FieldPath, depth: number): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, appendToPath(path, index), depth));
    if (!isFields(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      const innerPath = appendToPath(path, field);
      if (field === 'strategy' && isOperatorStrategy(inner, depth, group)) {
        const hasKnownReplicas = depth <= MAX_KNOWN_DEPTH;
        locations.push({ path: innerPath, strategy: inner, holder: value, holderPath: path, hasKnownReplicas });
      } else {
        visit(inner, innerPath, depth + 1);
      }
    }
  };
  visit(object.spec, toFieldPath`spec`, 0);
  return locations;
}

/**
 * Returns the strategy at a field path, whatever its field name and API group; undefined if there is no map.
 *
 * @param path - a field below `spec`
 */
function findStrategyAt(object: Manifest, path: string): StrategyLocation | undefined {
  const [root, ...parts] = parseFieldPath(path);
  const between = parts.slice(0, -1);
  const holder = getValueAt(object, root!, ...between);
  const strategy = getValueAt(object, root!, ...parts);
  if (!isFields(holder) || !isFields(strategy)) return undefined;
  const holderPath = appendToPath(String(root), ...between);
  const depth = between.filter((part) => typeof part === 'string').length;
  const hasKnownReplicas = depth <= MAX_KNOWN_DEPTH || (holder.replicas !== undefined && holder.replicas !== null);
  return { path: appendToPath(holderPath, parts.at(-1)!), strategy, holder, holderPath, hasKnownReplicas };
}

/** Returns the strategies of a custom resource, including the one that the user says is at `path`. */
export function findOperatorStrategiesAt(object: Manifest, path: string): StrategyLocation[] {
  const explicit = findStrategyAt(object, path);
  const found = findOperatorStrategies(object);
  if (!explicit) return found;
  const isFound = found.some((location) => location.path === explicit.path);
  return isFound ? found.map((location) => (location.path === explicit.path ? explicit : location)) : [explicit, ...found];
}
