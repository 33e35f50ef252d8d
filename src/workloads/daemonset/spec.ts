import { INT32, INT_OR_PERCENT, STRING } from '../../core/values/schema';
import { asAtomic, withDefault, asPointer, defineStruct } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a DaemonSet. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const ROLLING_UPDATE_DAEMON_SET = {
  maxUnavailable: withDefault(1, asPointer(INT_OR_PERCENT)),
  maxSurge: withDefault(0, asPointer(INT_OR_PERCENT)),
} satisfies ApiFields;

const DAEMON_SET_UPDATE_STRATEGY = {
  type: withDefault('RollingUpdate', STRING),
  rollingUpdate: asPointer(defineStruct(ROLLING_UPDATE_DAEMON_SET)),
} satisfies ApiFields;

export const DAEMON_SET_SPEC = {
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  template: defineStruct(POD_TEMPLATE_SPEC),
  updateStrategy: defineStruct(DAEMON_SET_UPDATE_STRATEGY),
  minReadySeconds: INT32,
  revisionHistoryLimit: withDefault(10, asPointer(INT32)),
} satisfies ApiFields;
