import { STRING, STRING_MAP } from '../../core/schema';
import { QUANTITY_MAP, TEXTS, TIME, atomic, filled, mergedBy, pointer, since, struct, structs, until } from './field';
import type { ApiFields } from './field';
import { LABEL_SELECTOR, OBJECT_META } from './object-meta';

/* Claims on storage. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const TYPED_LOCAL_OBJECT_REFERENCE = {
  apiGroup: pointer(STRING),
  kind: STRING,
  name: STRING,
} satisfies ApiFields;

const TYPED_OBJECT_REFERENCE = {
  apiGroup: pointer(STRING),
  kind: STRING,
  name: STRING,
  namespace: since('1.26', pointer(STRING)),
} satisfies ApiFields;

const VOLUME_RESOURCE_REQUIREMENTS = {
  limits: QUANTITY_MAP,
  requests: QUANTITY_MAP,
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM_SPEC = {
  accessModes: TEXTS,
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  resources: struct(VOLUME_RESOURCE_REQUIREMENTS),
  volumeName: STRING,
  storageClassName: pointer(STRING),
  volumeMode: filled('Filesystem', pointer(STRING)),
  dataSource: atomic(pointer(struct(TYPED_LOCAL_OBJECT_REFERENCE))),
  dataSourceRef: since('1.22', pointer(struct(TYPED_OBJECT_REFERENCE))),
  volumeAttributesClassName: since('1.29', pointer(STRING), '1.34'),
} satisfies ApiFields;

const PERSISTENT_VOLUME_CLAIM_CONDITION = {
  type: STRING,
  status: STRING,
  lastProbeTime: TIME,
  lastTransitionTime: TIME,
  reason: STRING,
  message: STRING,
} satisfies ApiFields;

const MODIFY_VOLUME_STATUS = {
  targetVolumeAttributesClassName: STRING,
  status: STRING,
} satisfies ApiFields;

const VOLUME_HEALTH_CONDITION = {
  status: STRING,
  reason: STRING,
  message: STRING,
} satisfies ApiFields;

const VOLUME_HEALTH_STATUS = {
  healthConditions: mergedBy('status', structs(VOLUME_HEALTH_CONDITION), ['status', 'reason']),
  lastTransitionTime: TIME,
} satisfies ApiFields;

const PERSISTENT_VOLUME_CLAIM_STATUS = {
  phase: filled('Pending', STRING),
  accessModes: TEXTS,
  capacity: QUANTITY_MAP,
  conditions: mergedBy('type', structs(PERSISTENT_VOLUME_CLAIM_CONDITION)),
  allocatedResources: since('1.23', QUANTITY_MAP),
  allocatedResourceStatuses: since('1.28', STRING_MAP),
  currentVolumeAttributesClassName: since('1.29', pointer(STRING)),
  modifyVolumeStatus: since('1.29', pointer(struct(MODIFY_VOLUME_STATUS))),
  healthStatus: since('1.37', pointer(struct(VOLUME_HEALTH_STATUS))),
  resizeStatus: until('1.28', since('1.23', pointer(STRING))),
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM_TEMPLATE = {
  metadata: struct(OBJECT_META),
  spec: struct(PERSISTENT_VOLUME_CLAIM_SPEC),
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM = {
  kind: STRING,
  apiVersion: STRING,
  metadata: struct(OBJECT_META),
  spec: struct(PERSISTENT_VOLUME_CLAIM_SPEC),
  status: struct(PERSISTENT_VOLUME_CLAIM_STATUS),
} satisfies ApiFields;
