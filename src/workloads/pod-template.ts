import { BOOLEAN, INT32, MAP, METADATA, STRING, STRING_MAP, listOf, map, needed } from '../core/schema';
import type { FieldSchema, FieldSchemas } from '../core/schema';

const CONTAINERS = listOf({ name: STRING, readinessProbe: MAP, resources: map({ requests: MAP, limits: MAP }) });

/** A pod template, as far as a rollout reads it. */
const POD_TEMPLATE: FieldSchema = map({
  metadata: map({ labels: STRING_MAP, annotations: STRING_MAP }),
  spec: map({ initContainers: CONTAINERS, containers: CONTAINERS }),
});

/** A workload of apps/v1, as far as a rollout reads it; each kind adds its own fields to the spec. */
export function workloadSchema(spec: FieldSchemas): FieldSchema {
  return map({
    metadata: map({ ...METADATA.fields, ownerReferences: listOf({ controller: BOOLEAN }) }),
    spec: needed(map({ minReadySeconds: INT32, revisionHistoryLimit: INT32, template: POD_TEMPLATE, ...spec })),
  });
}
