import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { tooNewFinding, unknownField } from '../../../core/rules/unknown-field';
import type { ReadRayService } from '../ray-service';
import { droppedFields, V1, V1ALPHA1 } from '../served-fields';

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

/** The fields that the API server drops since the object's apiVersion, or this version of KubeRay, lacks them. */
export function droppedFieldFindings({ written, places, version }: ReadRayService): Finding[] {
  return droppedFields(written, places, version).map(({ path, field, value, since }) =>
    since === undefined
      ? ofOtherVersion.finding('otherVersion', { path, data: { field, apiVersion: V1ALPHA1, hasIt: V1 } })
      : tooNewFinding({ kind: 'too-new', path, value, since }, 'kuberay', version),
  );
}
