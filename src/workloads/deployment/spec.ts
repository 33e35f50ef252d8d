import { BOOLEAN, INT32, INT_OR_PERCENT, STRING } from '../../core/values/schema';
import { asAtomic, withDefault, asPointer, withRetainKeys, defineStruct } from '../pod/field';
import type { ApiFields } from '../pod/field';
import { LABEL_SELECTOR } from '../pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../pod/pod-spec';

/* The spec of a Deployment. Source: k8s.io/api core/v1, apps/v1 and meta/v1 types.go; verified by `test/upstream/pod-fields.test.ts`. */

const ROLLING_UPDATE_DEPLOYMENT = {
  maxUnavailable: asPointer(INT_OR_PERCENT),
  maxSurge: asPointer(INT_OR_PERCENT),
} satisfies ApiFields;

const DEPLOYMENT_STRATEGY = {
  type: withDefault('RollingUpdate', STRING),
  rollingUpdate: asPointer(defineStruct(ROLLING_UPDATE_DEPLOYMENT)),
} satisfies ApiFields;

export const DEPLOYMENT_SPEC = {
  replicas: withDefault(1, asPointer(INT32)),
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  template: defineStruct(POD_TEMPLATE_SPEC),
  strategy: withRetainKeys(defineStruct(DEPLOYMENT_STRATEGY)),
  minReadySeconds: INT32,
  revisionHistoryLimit: withDefault(10, asPointer(INT32)),
  paused: BOOLEAN,
  progressDeadlineSeconds: withDefault(600, asPointer(INT32)),
} satisfies ApiFields;
