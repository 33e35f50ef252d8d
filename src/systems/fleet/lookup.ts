import type { LabelEquality, Labels } from './selector';
import { getOwnValue } from '../../core/manifest/manifest';

/** Rancher's label with the user's name for the cluster. The Cluster object itself is named `c-m-…`. */
export const DISPLAY_NAME_LABEL = 'management.cattle.io/cluster-display-name';

/** Conditions that every matching cluster meets, if there are any. */
export interface Lookup {
  /** The cluster's name, or its display name. */
  readonly clusterName?: string;
  readonly equality?: LabelEquality;
}

/** The fields of a cluster that a lookup uses. */
export interface LookupSubject {
  readonly name: string;
  readonly labels?: Labels;
}

/**
 * Compiles a lookup of the items that may match a cluster, so that not every item must be tried on every cluster.
 *
 * Items that require a value of the most common label key are indexed by that value, and items that require a name by the name.
 * All other items are candidates for every cluster. Positions are ascending, and the caller must still match each item.
 */
export function compileLookup(items: readonly Lookup[]): (cluster: LookupSubject) => readonly number[] {
  const key = findCommonestKey(items);
  const always: number[] = [];
  const byValue = new Map<string, number[]>();
  const byName = new Map<string, number[]>();
  items.forEach((item, position) => {
    if (item.clusterName !== undefined) appendPosition(byName, item.clusterName, position);
    else if (item.equality === undefined || item.equality.key !== key) always.push(position);
    else for (const value of item.equality.values) appendPosition(byValue, value, position);
  });
  const merged = new Map<string, readonly number[]>();
  const findByValue = (value: string): readonly number[] => {
    const positions = byValue.get(value);
    if (!positions) return always;
    const all = merged.get(value) ?? sortAscending([...positions, ...always]);
    merged.set(value, all);
    return all;
  };

  return ({ name, labels }) => {
    const value = key === undefined || !labels ? undefined : getOwnValue(labels, key);
    const byLabel = value === undefined ? always : findByValue(value);
    if (byName.size === 0) return byLabel;
    const displayName = labels?.[DISPLAY_NAME_LABEL];
    const named = new Set([...(byName.get(name) ?? []), ...((displayName === undefined ? undefined : byName.get(displayName)) ?? [])]);
    return named.size === 0 ? byLabel : sortAscending([...named, ...byLabel]);
  };
}

function appendPosition(positionsByText: Map<string, number[]>, text: string, position: number): void {
  const positions = positionsByText.get(text);
  if (positions) positions.push(position);
  else positionsByText.set(text, [position]);
}

function sortAscending(positions: readonly number[]): number[] {
  return positions.toSorted((a, b) => a - b);
}

function findCommonestKey(items: readonly Lookup[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { clusterName, equality } of items) {
    if (clusterName === undefined && equality) counts.set(equality.key, (counts.get(equality.key) ?? 0) + 1);
  }
  let commonest: string | undefined;
  for (const [key, count] of counts) {
    if (commonest === undefined || count > counts.get(commonest)!) commonest = key;
  }
  return commonest;
}
