import { INT32, METADATA, defineMap, requireNonNull } from '../core/schema';
import type { FieldSchema, FieldSchemas } from '../core/schema';

/** A workload of apps/v1, as far as its rollout reads it without its pods; each kind adds its own fields to the spec. */
export function defineWorkloadSchema(spec: FieldSchemas): FieldSchema {
  return defineMap({
    metadata: METADATA,
    spec: requireNonNull(defineMap({ minReadySeconds: INT32, revisionHistoryLimit: INT32, ...spec })),
  });
}
