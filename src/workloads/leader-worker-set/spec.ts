import { ANY, INT32, INT_OR_PERCENT, STRING, map, needed, whole } from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';
import { PERSISTENT_VOLUME_CLAIM } from '../pod/claim';
import { struct, structs } from '../pod/field';
import { OBJECT_META } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

const TEMPLATE_FIELDS: FieldSchemas = {
  leaderTemplate: struct(POD_TEMPLATE_SPEC),
  workerTemplate: needed(struct(POD_TEMPLATE_SPEC)),
  size: INT32,
  restartPolicy: STRING,
  subGroupPolicy: whole(map({ subGroupPolicyType: STRING, subGroupSize: INT32 })),
  volumeClaimTemplates: { ...structs(PERSISTENT_VOLUME_CLAIM), since: '0.8' },
  persistentVolumeClaimRetentionPolicy: { ...whole(map({ whenDeleted: STRING, whenScaled: STRING })), since: '0.8' },
};

/** The spec of a LeaderWorkerSet, and of a role that makes one. Source: lws api/leaderworkerset/v1/leaderworkerset_types.go of 0.7.0 to 0.9.0. */
export const GROUPS_SPEC: FieldSchema = needed(
  whole(
    map({
      replicas: INT32,
      leaderWorkerTemplate: needed(whole(map(TEMPLATE_FIELDS))),
      rolloutStrategy: whole(
        map({
          type: STRING,
          rollingUpdateConfiguration: whole(map({ partition: INT32, maxUnavailable: INT_OR_PERCENT, maxSurge: INT_OR_PERCENT })),
        }),
      ),
      startupPolicy: STRING,
      networkConfig: whole(map({ subdomainPolicy: STRING })),
    }),
  ),
);

/** An object with this spec. */
export function objectOf(spec: FieldSchema): FieldSchema {
  return whole(map({ apiVersion: STRING, kind: STRING, metadata: struct(OBJECT_META), spec, status: ANY }));
}
