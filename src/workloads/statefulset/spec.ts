import { INT32, INT_OR_PERCENT, STRING } from '../../core/schema';
import { atomic, filled, pointer, since, struct, structs } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { PERSISTENT_VOLUME_CLAIM } from '../pod/claim';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a StatefulSet. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const STATEFUL_SET_ORDINALS = {
  start: INT32,
} satisfies ApiFields;

const STATEFUL_SET_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY = {
  whenDeleted: filled('Retain', STRING),
  whenScaled: filled('Retain', STRING),
} satisfies ApiFields;

const ROLLING_UPDATE_STATEFUL_SET_STRATEGY = {
  partition: filled(0, pointer(INT32)),
  maxUnavailable: since('1.24', pointer(INT_OR_PERCENT)),
} satisfies ApiFields;

const STATEFUL_SET_UPDATE_STRATEGY = {
  type: filled('RollingUpdate', STRING),
  rollingUpdate: pointer(struct(ROLLING_UPDATE_STATEFUL_SET_STRATEGY)),
} satisfies ApiFields;

export const STATEFUL_SET_SPEC = {
  replicas: filled(1, pointer(INT32)),
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  template: struct(POD_TEMPLATE_SPEC),
  volumeClaimTemplates: structs(PERSISTENT_VOLUME_CLAIM),
  serviceName: STRING,
  podManagementPolicy: filled('OrderedReady', STRING),
  updateStrategy: struct(STATEFUL_SET_UPDATE_STRATEGY),
  revisionHistoryLimit: filled(10, pointer(INT32)),
  minReadySeconds: since('1.22', INT32),
  persistentVolumeClaimRetentionPolicy: since(
    '1.23',
    filled({}, pointer(struct(STATEFUL_SET_PERSISTENT_VOLUME_CLAIM_RETENTION_POLICY))),
    '1.27',
  ),
  ordinals: since('1.26', pointer(struct(STATEFUL_SET_ORDINALS)), '1.27'),
} satisfies ApiFields;
