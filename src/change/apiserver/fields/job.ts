import { BOOLEAN, INT32, STRING } from '../../../core/values/schema';
import {
  API_INT32_LIST,
  API_INT64,
  asAtomic,
  asApplySet,
  withDefault,
  asPointer,
  addInVersion,
  defineStruct,
  defineStructList,
} from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR, OBJECT_META } from '../../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../../workloads/pod/pod-spec';

/* Jobs. Source: k8s.io/api batch/v1 types.go; k/k pkg/apis/batch/v1/defaults.go. */

const ON_EXIT_CODES = { containerName: asPointer(STRING), operator: STRING, values: asApplySet(API_INT32_LIST) } satisfies ApiFields;

const ON_POD_CONDITIONS = { type: STRING, status: withDefault('True', STRING) } satisfies ApiFields;

const POD_FAILURE_RULE = {
  action: STRING,
  onExitCodes: asPointer(defineStruct(ON_EXIT_CODES)),
  onPodConditions: defineStructList(ON_POD_CONDITIONS),
} satisfies ApiFields;

const POD_FAILURE_POLICY = { rules: defineStructList(POD_FAILURE_RULE) } satisfies ApiFields;

const SUCCESS_RULE = { succeededIndexes: asPointer(STRING), succeededCount: asPointer(INT32) } satisfies ApiFields;

const SUCCESS_POLICY = { rules: defineStructList(SUCCESS_RULE) } satisfies ApiFields;

export const JOB_SPEC = {
  parallelism: asPointer(INT32),
  completions: asPointer(INT32),
  activeDeadlineSeconds: asPointer(API_INT64),
  podFailurePolicy: addInVersion('1.25', asPointer(defineStruct(POD_FAILURE_POLICY)), '1.26'),
  successPolicy: addInVersion('1.30', asPointer(defineStruct(SUCCESS_POLICY)), '1.31'),
  backoffLimit: asPointer(INT32),
  backoffLimitPerIndex: addInVersion('1.28', asPointer(INT32), '1.29'),
  maxFailedIndexes: addInVersion('1.28', asPointer(INT32), '1.29'),
  selector: asAtomic(asPointer(defineStruct(LABEL_SELECTOR))),
  manualSelector: asPointer(BOOLEAN),
  template: defineStruct(POD_TEMPLATE_SPEC),
  ttlSecondsAfterFinished: asPointer(INT32),
  completionMode: asPointer(STRING),
  suspend: asPointer(BOOLEAN),
  podReplacementPolicy: addInVersion('1.28', asPointer(STRING), '1.29'),
  managedBy: addInVersion('1.30', asPointer(STRING), '1.32'),
} satisfies ApiFields;

const JOB_TEMPLATE = { metadata: defineStruct(OBJECT_META), spec: defineStruct(JOB_SPEC) } satisfies ApiFields;

export const CRON_JOB_SPEC = {
  schedule: STRING,
  timeZone: asPointer(STRING),
  startingDeadlineSeconds: asPointer(API_INT64),
  concurrencyPolicy: withDefault('Allow', STRING),
  suspend: withDefault(false, asPointer(BOOLEAN)),
  jobTemplate: defineStruct(JOB_TEMPLATE),
  successfulJobsHistoryLimit: withDefault(3, asPointer(INT32)),
  failedJobsHistoryLimit: withDefault(1, asPointer(INT32)),
} satisfies ApiFields;
