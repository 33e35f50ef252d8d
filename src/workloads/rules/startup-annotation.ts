import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { startupAnnotationFindings } from '../../core/startup';
import type { Review } from '../review';

/** Warns of annotations with start-up seconds that the plan passes over. */
export function startupMetadataFindings({ metadata }: Review): Finding[] {
  return metadata.flatMap(({ value, path }: { readonly value: unknown; readonly path: FieldPath }) =>
    startupAnnotationFindings(value, path),
  );
}
