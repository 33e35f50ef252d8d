import { INT32, INT_OR_PERCENT, STRING } from '../../core/schema';
import { atomic, filled, pointer, struct } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a DaemonSet. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const ROLLING_UPDATE_DAEMON_SET = {
  maxUnavailable: filled(1, pointer(INT_OR_PERCENT)),
  maxSurge: filled(0, pointer(INT_OR_PERCENT)),
} satisfies ApiFields;

const DAEMON_SET_UPDATE_STRATEGY = {
  type: filled('RollingUpdate', STRING),
  rollingUpdate: pointer(struct(ROLLING_UPDATE_DAEMON_SET)),
} satisfies ApiFields;

export const DAEMON_SET_SPEC = {
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  template: struct(POD_TEMPLATE_SPEC),
  updateStrategy: struct(DAEMON_SET_UPDATE_STRATEGY),
  minReadySeconds: INT32,
  revisionHistoryLimit: filled(10, pointer(INT32)),
} satisfies ApiFields;
