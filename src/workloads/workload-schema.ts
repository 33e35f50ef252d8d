import { INT32, METADATA, defineMap, requireNonNull } from '../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../core/values/schema';

/**
 * Defines the schema of the fields of an apps/v1 workload that its rollout reads, without its pods. Each kind adds its own fields to the
 * spec.
 */
export function defineWorkloadSchema(spec: FieldSchemas): FieldSchema {
  return defineMap({
    metadata: METADATA,
    spec: requireNonNull(defineMap({ minReadySeconds: INT32, revisionHistoryLimit: INT32, ...spec })),
  });
}
