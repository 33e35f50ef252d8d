import { ANY, BOOLEAN, INT32, LIST, MAP, STRING, listOf, map, whole } from '../../core/schema';
import type { FieldSchema, FieldSchemas } from '../../core/schema';
import { filled, pointer, struct } from '../../workloads/pod/field';
import type { ApiFields } from '../../workloads/pod/field';
import { LABEL_SELECTOR } from '../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../workloads/pod/pod-spec';

/* The fields of a Rollout. Source: Argo Rollouts pkg/apis/rollouts/v1alpha1/types.go at v1.8.3, v1.9.1 and v1.10.2. */

const INT_OR_STRING: FieldSchema = { type: 'int-or-string' };

const SHARED: FieldSchemas = {
  antiAffinity: MAP,
  scaleDownDelaySeconds: INT32,
  scaleDownDelayRevisionLimit: INT32,
  abortScaleDownDelaySeconds: INT32,
  maxUnavailable: INT_OR_STRING,
};

const STEP: FieldSchemas = {
  setWeight: INT32,
  pause: whole(map({ duration: INT_OR_STRING })),
  experiment: MAP,
  analysis: MAP,
  setCanaryScale: whole(map({ replicas: INT32, weight: INT32, matchTrafficWeight: BOOLEAN })),
  setHeaderRoute: whole(map({ name: STRING, match: LIST })),
  setMirrorRoute: whole(map({ name: STRING, match: LIST, percentage: INT32 })),
  plugin: whole(map({ name: STRING, config: ANY })),
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
  ...SHARED,
  maxSurge: INT_OR_STRING,
  canaryService: STRING,
  stableService: STRING,
  steps: whole(listOf(STEP)),
  trafficRouting: whole(map(TRAFFIC_ROUTING)),
  analysis: MAP,
  canaryMetadata: MAP,
  stableMetadata: MAP,
  dynamicStableScale: BOOLEAN,
  pingPong: whole(map({ pingService: STRING, pongService: STRING })),
  minPodsPerReplicaSet: INT32,
  replicaProgressThreshold: { ...whole(map({ type: STRING, value: INT32 })), since: '1.9' },
};

const BLUE_GREEN: FieldSchemas = {
  ...SHARED,
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

export const STRATEGY_SCHEMA: FieldSchema = whole(map({ canary: whole(map(CANARY)), blueGreen: whole(map(BLUE_GREEN)) }));

/** All of a Rollout's spec besides its strategy. */
export const ROLLOUT_SPEC = {
  replicas: pointer(INT32),
  selector: pointer(struct(LABEL_SELECTOR)),
  template: struct(POD_TEMPLATE_SPEC),
  workloadRef: pointer(struct({ apiVersion: STRING, kind: STRING, name: STRING, scaleDown: STRING })),
  minReadySeconds: INT32,
  rollbackWindow: pointer(struct({ revisions: INT32 })),
  strategy: ANY,
  revisionHistoryLimit: filled(10, pointer(INT32)),
  paused: BOOLEAN,
  progressDeadlineSeconds: filled(600, pointer(INT32)),
  progressDeadlineAbort: BOOLEAN,
  restartAt: { type: 'time' },
  analysis: MAP,
} satisfies ApiFields;
