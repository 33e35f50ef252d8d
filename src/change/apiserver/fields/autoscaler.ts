import { INT32, STRING } from '../../../core/values/schema';
import { QUANTITY, withDefault, asPointer, addInVersion, defineStruct, defineStructList } from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../../workloads/pod/object-meta';

/* HorizontalPodAutoscalers. Source: k8s.io/api autoscaling/v2 types.go; k/k pkg/apis/autoscaling/v2/defaults.go. */

const OBJECT_REFERENCE = { kind: STRING, name: STRING, apiVersion: STRING } satisfies ApiFields;

const METRIC_IDENTIFIER = { name: STRING, selector: asPointer(defineStruct(LABEL_SELECTOR)) } satisfies ApiFields;

const METRIC_TARGET = {
  type: STRING,
  value: asPointer(QUANTITY),
  averageValue: asPointer(QUANTITY),
  averageUtilization: asPointer(INT32),
} satisfies ApiFields;

const METRIC = {
  type: STRING,
  object: asPointer(
    defineStruct({
      describedObject: defineStruct(OBJECT_REFERENCE),
      target: defineStruct(METRIC_TARGET),
      metric: defineStruct(METRIC_IDENTIFIER),
    }),
  ),
  pods: asPointer(defineStruct({ metric: defineStruct(METRIC_IDENTIFIER), target: defineStruct(METRIC_TARGET) })),
  resource: asPointer(defineStruct({ name: STRING, target: defineStruct(METRIC_TARGET) })),
  containerResource: asPointer(defineStruct({ name: STRING, target: defineStruct(METRIC_TARGET), container: STRING })),
  external: asPointer(defineStruct({ metric: defineStruct(METRIC_IDENTIFIER), target: defineStruct(METRIC_TARGET) })),
} satisfies ApiFields;

const SCALING_POLICY = { type: STRING, value: INT32, periodSeconds: INT32 } satisfies ApiFields;

const SCALING_RULES = {
  stabilizationWindowSeconds: asPointer(INT32),
  selectPolicy: withDefault('Max', asPointer(STRING)),
  policies: asPointer(defineStructList(SCALING_POLICY)),
  tolerance: addInVersion('1.33', asPointer(QUANTITY), '1.35'),
} satisfies ApiFields;

const BEHAVIOR = { scaleUp: asPointer(defineStruct(SCALING_RULES)), scaleDown: asPointer(defineStruct(SCALING_RULES)) } satisfies ApiFields;

export const AUTOSCALER_SPEC = {
  scaleTargetRef: defineStruct(OBJECT_REFERENCE),
  minReplicas: withDefault(1, asPointer(INT32)),
  maxReplicas: INT32,
  metrics: defineStructList(METRIC),
  behavior: asPointer(defineStruct(BEHAVIOR)),
} satisfies ApiFields;
