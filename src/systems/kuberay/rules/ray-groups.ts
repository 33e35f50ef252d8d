import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { getFieldsAt, getListAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import type { ParsedRayService } from '../ray-service';

/** The head group, or a worker group with its name if it has one. */
export type RayGroupName = { readonly kind: 'head' } | { readonly kind: 'worker'; readonly name?: DisplayValue };

/** Data of a finding about a group. */
export interface RayGroupData {
  readonly group: RayGroupName;
}

/** Sample group for message samples. */
export const SAMPLE_RAY_GROUP: RayGroupName = { kind: 'worker', name: 'gpu' };

export function formatRayGroup(group: RayGroupName): string {
  if (group.kind === 'head') return 'the head group';
  return group.name === undefined ? 'a worker group without a name' : `worker group ${formatDisplayValue(group.name)}`;
}

/** A group of a Ray cluster, with its path. */
export interface RayGroup {
  readonly group: RayGroupName;
  readonly path: FieldPath;
  readonly spec: Fields;
}

/** Lists the head group, then the worker groups. */
export function listRayGroups({ cluster, paths }: ParsedRayService): RayGroup[] {
  const head: RayGroup = {
    group: { kind: 'head' },
    path: toFieldPath`${paths.cluster}.headGroupSpec`,
    spec: getFieldsAt(cluster, 'headGroupSpec'),
  };
  const workers = getListAt(cluster, 'workerGroupSpecs').map((group, index): RayGroup => {
    const spec = getFieldsAt(group);
    const { groupName } = spec;
    return {
      group: { kind: 'worker', ...(groupName !== undefined && { name: toDisplayValue(groupName) }) },
      path: toFieldPath`${paths.cluster}.workerGroupSpecs[${index}]`,
      spec,
    };
  });
  return [head, ...workers];
}
