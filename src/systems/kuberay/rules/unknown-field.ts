import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { checkUnknownField, createTooNewFieldFinding, unknownField } from '../../../core/rules/unknown-field';
import type { ParsedRayService } from '../ray-service';
import { listDroppedFields, listKnownFields, V1, V1ALPHA1 } from '../crd-fields';

interface OtherVersionData {
  readonly field: string;
  /** The object's apiVersion, which lacks the field: `ray.io/v1alpha1`. */
  readonly apiVersion: string;
  /** An apiVersion that has the field: `ray.io/v1`. */
  readonly supportedBy: string;
}

/** Rule about fields that only another apiVersion of a RayService has. */
export const kuberayUnknownField = extendRule(unknownField, {
  otherVersion: defineMessage<OtherVersionData>({
    text: ({ field, apiVersion }) => `${apiVersion} has no field ${field}; the API server drops it, so it has no effect.`,
    help: ({ supportedBy }) => `Set apiVersion: ${supportedBy}, which has the field, or delete the field.`,
    sample: { field: 'upgradeStrategy', apiVersion: 'ray.io/v1alpha1', supportedBy: 'ray.io/v1' },
  }),
});

/** Reports the fields that the API server drops because no RayService has them, or not one of the object's apiVersion or of this version of KubeRay. */
export function checkKuberayUnknownField({
  manifest,
  paths,
  version,
}: Pick<ParsedRayService, 'manifest' | 'paths' | 'version'>): Finding[] {
  const dropped = listDroppedFields(manifest, paths, version).map(({ path, field, value, since }) =>
    since === undefined
      ? kuberayUnknownField.createFinding('otherVersion', { path, data: { field, apiVersion: V1ALPHA1, supportedBy: V1 } })
      : createTooNewFieldFinding({ kind: 'too-new', path, value, since }, 'kuberay', version),
  );
  const unknown = listKnownFields(manifest, paths).flatMap(({ value, path, knownFields }) => checkUnknownField(value, path, knownFields));
  return [...dropped, ...unknown];
}
