import { STRING, STRING_MAP } from '../../core/values/schema';
import {
  QUANTITY_MAP,
  API_STRING_LIST,
  TIME,
  asAtomic,
  withDefault,
  withMergeKey,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
  removeInVersion,
} from './field';
import type { ApiFields } from './field';
import { LABEL_SELECTOR, OBJECT_META } from './object-meta';

/* Claims on storage. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const TYPED_LOCAL_OBJECT_REFERENCE = {
  apiGroup: asPointer(STRING),
  kind: STRING,
  name: STRING,
} satisfies ApiFields;

const TYPED_OBJECT_REFERENCE = {
  apiGroup: asPointer(STRING),
  kind: STRING,
  name: STRING,
  namespace: addInVersion('1.26', asPointer(STRING)),
} satisfies ApiFields;

const VOLUME_RESOURCE_REQUIREMENTS = {
  limits: QUANTITY_MAP,
  requests: QUANTITY_MAP,
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM_SPEC = {
  accessModes: API_STRING_LIST,
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  resources: defineStruct(VOLUME_RESOURCE_REQUIREMENTS),
  volumeName: STRING,
  storageClassName: asPointer(STRING),
  volumeMode: withDefault('Filesystem', asPointer(STRING)),
  dataSource: asAtomic(asPointer(defineStruct(TYPED_LOCAL_OBJECT_REFERENCE))),
  dataSourceRef: addInVersion('1.22', asPointer(defineStruct(TYPED_OBJECT_REFERENCE))),
  volumeAttributesClassName: addInVersion('1.29', asPointer(STRING), '1.34'),
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
  healthConditions: withMergeKey('status', defineStructList(VOLUME_HEALTH_CONDITION), ['status', 'reason']),
  lastTransitionTime: TIME,
} satisfies ApiFields;

const PERSISTENT_VOLUME_CLAIM_STATUS = {
  phase: withDefault('Pending', STRING),
  accessModes: API_STRING_LIST,
  capacity: QUANTITY_MAP,
  conditions: withMergeKey('type', defineStructList(PERSISTENT_VOLUME_CLAIM_CONDITION)),
  allocatedResources: addInVersion('1.23', QUANTITY_MAP),
  allocatedResourceStatuses: addInVersion('1.28', STRING_MAP),
  currentVolumeAttributesClassName: addInVersion('1.29', asPointer(STRING)),
  modifyVolumeStatus: addInVersion('1.29', asPointer(defineStruct(MODIFY_VOLUME_STATUS))),
  healthStatus: addInVersion('1.37', asPointer(defineStruct(VOLUME_HEALTH_STATUS))),
  resizeStatus: removeInVersion('1.28', addInVersion('1.23', asPointer(STRING))),
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM_TEMPLATE = {
  metadata: defineStruct(OBJECT_META),
  spec: defineStruct(PERSISTENT_VOLUME_CLAIM_SPEC),
} satisfies ApiFields;

export const PERSISTENT_VOLUME_CLAIM = {
  kind: STRING,
  apiVersion: STRING,
  metadata: defineStruct(OBJECT_META),
  spec: defineStruct(PERSISTENT_VOLUME_CLAIM_SPEC),
  status: defineStruct(PERSISTENT_VOLUME_CLAIM_STATUS),
} satisfies ApiFields;
