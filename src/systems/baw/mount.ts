import { groupOf, isFields } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';

/** The API group of IBM's Cloud Pak operators. */
export const IBM_GROUP = 'icp4a.ibm.com';

/** Where a CR holds a strategy. */
export interface Mount {
  /** Field path of the strategy: `spec.strategy`, `spec.baw_configuration[0].strategy`. */
  readonly path: string;
  readonly strategy: Fields;
  /** The map that holds the strategy and, beside it, the replicas. */
  readonly holder: Fields;
  /** Field path of that map. */
  readonly holderPath: string;
  /** Maps between `spec` and the holder, list items not counted: 0 for `spec` itself. */
  readonly depth: number;
}

/** Replicas are known beside the strategy at `spec` and one level below it; deeper, they may stand anywhere. */
export function hasKnownReplicas(mount: Mount): boolean {
  return mount.depth <= 1;
}

/** Built-in groups such as apps and batch have no dot; those of k8s.io have, and no field of that name. */
function isCustomResource(object: Manifest): boolean {
  return groupOf(object).includes('.');
}

function isMounted(strategy: unknown, depth: number, group: string): strategy is Fields {
  if (!isFields(strategy)) return false;
  return 'rolling_update' in strategy || (group === IBM_GROUP && depth <= 1 && 'type' in strategy);
}

/**
 * The snake_case strategies of a custom resource, in document order.
 *
 * A strategy is a map `strategy` with `rolling_update`, anywhere below `spec`; in IBM's own group one with a `type` alone counts too, at
 * `spec` and one level below.
 */
export function mountsOf(object: Manifest): Mount[] {
  if (!isCustomResource(object)) return [];
  const group = groupOf(object);
  const mounts: Mount[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`, depth));
    if (!isFields(value)) return;
    for (const [field, inner] of Object.entries(value)) {
      const innerPath = `${path}.${field}`;
      if (field === 'strategy' && isMounted(inner, depth, group)) {
        mounts.push({ path: innerPath, strategy: inner, holder: value, holderPath: path, depth });
      } else {
        visit(inner, innerPath, depth + 1);
      }
    }
  };
  visit(object.spec, 'spec', 0);
  return mounts;
}
