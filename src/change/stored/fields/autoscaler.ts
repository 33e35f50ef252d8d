import { INT32, STRING } from '../../../core/schema';
import { QUANTITY, filled, pointer, since, struct, structs } from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../../workloads/pod/object-meta';

/* HorizontalPodAutoscalers. Source: k8s.io/api autoscaling/v2 types.go; k/k pkg/apis/autoscaling/v2/defaults.go. */

const OBJECT_REFERENCE = { kind: STRING, name: STRING, apiVersion: STRING } satisfies ApiFields;

const METRIC_IDENTIFIER = { name: STRING, selector: pointer(struct(LABEL_SELECTOR)) } satisfies ApiFields;

const METRIC_TARGET = {
  type: STRING,
  value: pointer(QUANTITY),
  averageValue: pointer(QUANTITY),
  averageUtilization: pointer(INT32),
} satisfies ApiFields;

const METRIC = {
  type: STRING,
  object: pointer(struct({ describedObject: struct(OBJECT_REFERENCE), target: struct(METRIC_TARGET), metric: struct(METRIC_IDENTIFIER) })),
  pods: pointer(struct({ metric: struct(METRIC_IDENTIFIER), target: struct(METRIC_TARGET) })),
  resource: pointer(struct({ name: STRING, target: struct(METRIC_TARGET) })),
  containerResource: pointer(struct({ name: STRING, target: struct(METRIC_TARGET), container: STRING })),
  external: pointer(struct({ metric: struct(METRIC_IDENTIFIER), target: struct(METRIC_TARGET) })),
} satisfies ApiFields;

const SCALING_POLICY = { type: STRING, value: INT32, periodSeconds: INT32 } satisfies ApiFields;

const SCALING_RULES = {
  stabilizationWindowSeconds: pointer(INT32),
  selectPolicy: filled('Max', pointer(STRING)),
  policies: pointer(structs(SCALING_POLICY)),
  tolerance: since('1.33', pointer(QUANTITY), '1.35'),
} satisfies ApiFields;

const BEHAVIOR = { scaleUp: pointer(struct(SCALING_RULES)), scaleDown: pointer(struct(SCALING_RULES)) } satisfies ApiFields;

export const AUTOSCALER_SPEC = {
  scaleTargetRef: struct(OBJECT_REFERENCE),
  minReplicas: filled(1, pointer(INT32)),
  maxReplicas: INT32,
  metrics: structs(METRIC),
  behavior: pointer(struct(BEHAVIOR)),
} satisfies ApiFields;
