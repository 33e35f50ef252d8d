import { toFieldPath, appendToPath, parseFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { groupOf, isFields, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

/** The API group of IBM's Cloud Pak operators. */
export const IBM_GROUP = 'icp4a.ibm.com';

/** Where a CR holds a strategy. */
export interface StrategyLocation {
  /** Field path of the strategy: `spec.strategy`, `spec.baw_configuration[0].strategy`. */
  readonly path: FieldPath;
  readonly strategy: Fields;
  /** The map that holds the strategy and, beside it, the replicas. */
  readonly holder: Fields;
  /** Field path of that map. */
  readonly holderPath: FieldPath;
  /** Are the replicas that the strategy applies to those of the holder? */
  readonly hasKnownReplicas: boolean;
}

/** The component names the holder of a strategy, whatever others there are, so that it is the same rollout in every plan. */
export function operatorComponentOf({ holderPath }: StrategyLocation): string | undefined {
  return holderPath === 'spec' ? undefined : holderPath.replace(/^spec\.?/, '');
}

/** Maps between `spec` and a holder, up to which the replicas beside a strategy are its own; list items are not counted. */
const MAX_KNOWN_DEPTH = 1;

/** Built-in groups such as apps and batch have no dot; those of k8s.io have, and no field of that name. */
function isCustomResource(object: Manifest): boolean {
  return groupOf(object).includes('.');
}

/** A `type` alone may be that of anything, such as a database, so it has to be one of a Deployment, in a place that IBM's page may mean. */
function isTypeOnlyStrategy({ type }: Fields, depth: number, group: string): boolean {
  return group === IBM_GROUP && depth <= MAX_KNOWN_DEPTH && (type === 'RollingUpdate' || type === 'Recreate');
}

function isOperatorStrategy(strategy: unknown, depth: number, group: string): strategy is Fields {
  return isFields(strategy) && ('rolling_update' in strategy || isTypeOnlyStrategy(strategy, depth, group));
}

/**
 * The snake_case strategies of a custom resource, in document order.
 *
 * A strategy is a map `strategy` with `rolling_update`, anywhere below `spec`;
 * in IBM's own group one of type RollingUpdate or Recreate alone counts too, at `spec` and one level below.
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
 * The strategy at a field path, whatever its field is called and whoever's resource it is in; undefined where there is no map.
 *
 * @param path a field below `spec`
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

/** The strategies of a custom resource, of which one stands at `path` by the word of its user. */
export function findOperatorStrategiesAt(object: Manifest, path: string): StrategyLocation[] {
  const explicit = findStrategyAt(object, path);
  const found = findOperatorStrategies(object);
  if (!explicit) return found;
  const isFound = found.some(({ path: known }) => known === explicit.path);
  return isFound ? found.map((location) => (location.path === explicit.path ? explicit : location)) : [explicit, ...found];
}
