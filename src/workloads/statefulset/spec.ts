import { INT32, INT_OR_PERCENT, STRING } from '../../core/values/schema';
import { asAtomic, withDefault, asPointer, addInVersion, defineStruct, defineStructList } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { PERSISTENT_VOLUME_CLAIM } from '../pod/claim';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a StatefulSet. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const STATEFUL_SET_ORDINALS = {
  start: INT32,
} satisfies ApiFields;

const STATEFUL_SET_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY = {
  whenDeleted: withDefault('Retain', STRING),
  whenScaled: withDefault('Retain', STRING),
} satisfies ApiFields;

const ROLLING_UPDATE_STATEFUL_SET_STRATEGY = {
  partition: withDefault(0, asPointer(INT32)),
  maxUnavailable: addInVersion('1.24', asPointer(INT_OR_PERCENT)),
} satisfies ApiFields;

const STATEFUL_SET_UPDATE_STRATEGY = {
  type: withDefault('RollingUpdate', STRING),
  rollingUpdate: asPointer(defineStruct(ROLLING_UPDATE_STATEFUL_SET_STRATEGY)),
} satisfies ApiFields;

export const STATEFUL_SET_SPEC = {
  replicas: withDefault(1, asPointer(INT32)),
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  template: defineStruct(POD_TEMPLATE_SPEC),
  volumeClaimTemplates: defineStructList(PERSISTENT_VOLUME_CLAIM),
  serviceName: STRING,
  podManagementPolicy: withDefault('OrderedReady', STRING),
  updateStrategy: defineStruct(STATEFUL_SET_UPDATE_STRATEGY),
  revisionHistoryLimit: withDefault(10, asPointer(INT32)),
  minReadySeconds: addInVersion('1.22', INT32),
  persistentVolumeClaimRetentionPolicy: addInVersion(
    '1.23',
    withDefault({}, asPointer(defineStruct(STATEFUL_SET_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY))),
    '1.27',
  ),
  ordinals: addInVersion('1.26', asPointer(defineStruct(STATEFUL_SET_ORDINALS)), '1.27'),
} satisfies ApiFields;
