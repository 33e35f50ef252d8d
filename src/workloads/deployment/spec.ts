import { BOOLEAN, INT32, INT_OR_PERCENT, STRING } from '../../core/schema';
import { atomic, filled, pointer, retainsKeys, struct } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a Deployment. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; `test/upstream/pod-fields.test.ts` holds them to it. */

const ROLLING_UPDATE_DEPLOYMENT = {
  maxUnavailable: pointer(INT_OR_PERCENT),
  maxSurge: pointer(INT_OR_PERCENT),
} satisfies ApiFields;

const DEPLOYMENT_STRATEGY = {
  type: filled('RollingUpdate', STRING),
  rollingUpdate: pointer(struct(ROLLING_UPDATE_DEPLOYMENT)),
} satisfies ApiFields;

export const DEPLOYMENT_SPEC = {
  replicas: filled(1, pointer(INT32)),
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  template: struct(POD_TEMPLATE_SPEC),
  strategy: retainsKeys(struct(DEPLOYMENT_STRATEGY)),
  minReadySeconds: INT32,
  revisionHistoryLimit: filled(10, pointer(INT32)),
  paused: BOOLEAN,
  progressDeadlineSeconds: filled(600, pointer(INT32)),
} satisfies ApiFields;
