import { INT32, METADATA, map, needed } from '../core/schema';
import type { FieldSchema, FieldSchemas } from '../core/schema';

/** A workload of apps/v1, as far as its rollout reads it without its pods; each kind adds its own fields to the spec. */
export function workloadSchema(spec: FieldSchemas): FieldSchema {
  return map({
    metadata: METADATA,
    spec: needed(map({ minReadySeconds: INT32, revisionHistoryLimit: INT32, ...spec })),
  });
}
