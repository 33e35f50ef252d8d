import { ANY, BOOLEAN, INT32, LIST, MAP, STRING, defineList, defineMap, closeSchema } from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';
import { withDefault, asPointer, defineStruct } from '../../workloads/pod/field';
import type { ApiFields } from '../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';

/* The schema of a Rollout. Source: Argo Rollouts pkg/apis/rollouts/v1alpha1/types.go at v1.8.3, v1.9.1 and v1.10.2. */

const INT_OR_STRING: FieldSchema = { type: 'int-or-string' };

const SHARED_FIELDS: FieldSchemas = {
  antiAffinity: MAP,
  scaleDownDelaySeconds: INT32,
  scaleDownDelayRevisionLimit: INT32,
  abortScaleDownDelaySeconds: INT32,
  maxUnavailable: INT_OR_STRING,
};

const STEP: FieldSchemas = {
  setWeight: INT32,
  pause: closeSchema(defineMap({ duration: INT_OR_STRING })),
  experiment: MAP,
  analysis: MAP,
  setCanaryScale: closeSchema(defineMap({ replicas: INT32, weight: INT32, matchTrafficWeight: BOOLEAN })),
  setHeaderRoute: closeSchema(defineMap({ name: STRING, match: LIST })),
  setMirrorRoute: closeSchema(defineMap({ name: STRING, match: LIST, percentage: INT32 })),
  plugin: closeSchema(defineMap({ name: STRING, config: ANY })),
};

const TRAFFIC_ROUTING: FieldSchemas = {
  istio: MAP,
  nginx: MAP,
  alb: MAP,
  smi: MAP,
  ambassador: MAP,
  appMesh: MAP,
  traefik: MAP,
  apisix: MAP,
  plugins: MAP,
  managedRoutes: LIST,
  maxTrafficWeight: INT32,
};

const CANARY: FieldSchemas = {
  ...SHARED_FIELDS,
  maxSurge: INT_OR_STRING,
  canaryService: STRING,
  stableService: STRING,
  steps: closeSchema(defineList(STEP)),
  trafficRouting: closeSchema(defineMap(TRAFFIC_ROUTING)),
  analysis: MAP,
  canaryMetadata: MAP,
  stableMetadata: MAP,
  dynamicStableScale: BOOLEAN,
  pingPong: closeSchema(defineMap({ pingService: STRING, pongService: STRING })),
  minPodsPerReplicaSet: INT32,
  replicaProgressThreshold: { ...closeSchema(defineMap({ type: STRING, value: INT32 })), since: '1.9' },
};

const BLUE_GREEN: FieldSchemas = {
  ...SHARED_FIELDS,
  activeService: STRING,
  previewService: STRING,
  previewReplicaCount: INT32,
  autoPromotionEnabled: BOOLEAN,
  autoPromotionSeconds: INT32,
  prePromotionAnalysis: MAP,
  postPromotionAnalysis: MAP,
  previewMetadata: MAP,
  activeMetadata: MAP,
};

export const ARGO_STRATEGY_SCHEMA: FieldSchema = closeSchema(
  defineMap({ canary: closeSchema(defineMap(CANARY)), blueGreen: closeSchema(defineMap(BLUE_GREEN)) }),
);

/** The fields of a Rollout's spec; its strategy has a schema of its own. */
export const ARGO_ROLLOUT_SPEC = {
  replicas: asPointer(INT32),
  selector: asPointer(defineStruct(LABEL_SELECTOR)),
  template: defineStruct(POD_TEMPLATE_SPEC),
  workloadRef: asPointer(defineStruct({ apiVersion: STRING, kind: STRING, name: STRING, scaleDown: STRING })),
  minReadySeconds: INT32,
  rollbackWindow: asPointer(defineStruct({ revisions: INT32 })),
  strategy: ANY,
  revisionHistoryLimit: withDefault(10, asPointer(INT32)),
  paused: BOOLEAN,
  progressDeadlineSeconds: withDefault(600, asPointer(INT32)),
  progressDeadlineAbort: BOOLEAN,
  restartAt: { type: 'time' },
  analysis: MAP,
} satisfies ApiFields;
