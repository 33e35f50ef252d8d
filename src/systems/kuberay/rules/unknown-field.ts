import { at } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { fieldsAt, listAt } from '../../../core/manifest';
import type { Fields, Manifest } from '../../../core/manifest';
import { unknownField } from '../../../core/rules/unknown-field';
import type { RayServicePlaces } from '../places';
import { isOld, V1, V1_ONLY, V1ALPHA1 } from '../served-fields';

interface OtherVersionData {
  readonly field: string;
  /** The object's, which lacks the field: `ray.io/v1alpha1`. */
  readonly apiVersion: string;
  /** One that has it: `ray.io/v1`. */
  readonly hasIt: string;
}

/** Fields that only another apiVersion of a RayService has. */
export const ofOtherVersion = partOf(unknownField, {
  otherVersion: message<OtherVersionData>({
    text: ({ field, apiVersion }) => `${apiVersion} has no field ${field}; the API server drops it, so it has no effect.`,
    help: ({ hasIt }) => `Write apiVersion: ${hasIt}, which has it, or delete the field.`,
    sample: { field: 'upgradeStrategy', apiVersion: 'ray.io/v1alpha1', hasIt: 'ray.io/v1' },
  }),
});

function droppedIn(holder: Fields, names: readonly string[], path: FieldPath): Finding[] {
  return names
    .filter((name) => holder[name] !== undefined)
    .map((field) =>
      ofOtherVersion.finding('otherVersion', { path: at`${path}.${field}`, data: { field, apiVersion: V1ALPHA1, hasIt: V1 } }),
    );
}

/** The fields of an object as it is written that the API server drops since its apiVersion lacks them. */
export function otherVersionFindings(written: Manifest, places: RayServicePlaces): Finding[] {
  if (!isOld(written)) return [];
  const spec = fieldsAt(written, 'spec');
  const cluster = fieldsAt(spec, 'rayClusterConfig');
  return [
    ...droppedIn(spec, V1_ONLY.spec, places.spec),
    ...droppedIn(cluster, V1_ONLY.cluster, places.cluster),
    ...droppedIn(fieldsAt(cluster, 'headGroupSpec'), V1_ONLY.head, at`${places.cluster}.headGroupSpec`),
    ...listAt(cluster, 'workerGroupSpecs').flatMap((group, index) =>
      droppedIn(fieldsAt(group), V1_ONLY.workers, at`${places.cluster}.workerGroupSpecs[${index}]`),
    ),
  ];
}
