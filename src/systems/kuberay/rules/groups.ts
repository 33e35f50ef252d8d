import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { fieldsAt, listAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import type { ReadRayService } from '../ray-service';

/** The head group, or a worker group with its name; without one where it has none. */
export type GroupName = { readonly kind: 'head' } | { readonly kind: 'worker'; readonly name?: Seen };

/** A finding about a group. */
export interface GroupData {
  readonly group: GroupName;
}

/** A group, for the samples of messages. */
export const SAMPLE_GROUP: GroupName = { kind: 'worker', name: 'gpu' };

export function groupText(group: GroupName): string {
  if (group.kind === 'head') return 'the head group';
  return group.name === undefined ? 'a worker group without a name' : `worker group ${show(group.name)}`;
}

/** A group of a Ray cluster, and where it stands. */
export interface Group {
  readonly group: GroupName;
  readonly path: FieldPath;
  readonly spec: Fields;
}

/** The head group, and then the worker groups. */
export function groupsOf({ cluster, places }: ReadRayService): Group[] {
  const head: Group = { group: { kind: 'head' }, path: at`${places.cluster}.headGroupSpec`, spec: fieldsAt(cluster, 'headGroupSpec') };
  const workers = listAt(cluster, 'workerGroupSpecs').map((group, index): Group => {
    const spec = fieldsAt(group);
    const { groupName } = spec;
    return {
      group: { kind: 'worker', ...(groupName !== undefined && { name: seen(groupName) }) },
      path: at`${places.cluster}.workerGroupSpecs[${index}]`,
      spec,
    };
  });
  return [head, ...workers];
}
