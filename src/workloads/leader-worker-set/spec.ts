import { ANY, INT32, INT_OR_PERCENT, STRING, defineMap, requireNonNull, closeSchema } from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';
import { PERSISTENT_VOLUME_CLAIM } from '../pod/claim';
import { defineStruct, defineStructList } from '../pod/field';
import { OBJECT_META } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

const TEMPLATE_FIELDS: FieldSchemas = {
  leaderTemplate: defineStruct(POD_TEMPLATE_SPEC),
  workerTemplate: requireNonNull(defineStruct(POD_TEMPLATE_SPEC)),
  size: INT32,
  restartPolicy: STRING,
  subGroupPolicy: closeSchema(defineMap({ subGroupPolicyType: STRING, subGroupSize: INT32 })),
  volumeClaimTemplates: { ...defineStructList(PERSISTENT_VOLUME_CLAIM), since: '0.8' },
  persistentVolumeClaimRetentionPolicy: { ...closeSchema(defineMap({ whenDeleted: STRING, whenScaled: STRING })), since: '0.8' },
};

/**
 * The spec of a LeaderWorkerSet, and of a role that creates one. Source: lws api/leaderworkerset/v1/leaderworkerset_types.go of 0.7.0 to
 * 0.9.0.
 */
export const GROUPS_SPEC: FieldSchema = requireNonNull(
  closeSchema(
    defineMap({
      replicas: INT32,
      leaderWorkerTemplate: requireNonNull(closeSchema(defineMap(TEMPLATE_FIELDS))),
      rolloutStrategy: closeSchema(
        defineMap({
          type: STRING,
          rollingUpdateConfiguration: closeSchema(
            defineMap({ partition: INT32, maxUnavailable: INT_OR_PERCENT, maxSurge: INT_OR_PERCENT }),
          ),
        }),
      ),
      startupPolicy: STRING,
      networkConfig: closeSchema(defineMap({ subdomainPolicy: STRING })),
    }),
  ),
);

/** Defines the schema of an object with this spec. */
export function defineObjectSchema(spec: FieldSchema): FieldSchema {
  return closeSchema(defineMap({ apiVersion: STRING, kind: STRING, metadata: defineStruct(OBJECT_META), spec, status: ANY }));
}
