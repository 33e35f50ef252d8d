import { BOOLEAN, INT32, STRING } from '../../../core/schema';
import { INT32S, INT64, atomic, appliedSet, filled, pointer, since, struct, structs } from '../../../workloads/pod/field';
import type { ApiFields } from '../../../workloads/pod/field';
import { LABEL_SELECTOR, OBJECT_META } from '../../../workloads/pod/object-meta';
import { POD_TEMPLATE_SPEC } from '../../../workloads/pod/pod-spec';

/* Jobs. Source: k8s.io/api batch/v1 types.go; k/k pkg/apis/batch/v1/defaults.go. */

const ON_EXIT_CODES = { containerName: pointer(STRING), operator: STRING, values: appliedSet(INT32S) } satisfies ApiFields;

const ON_POD_CONDITIONS = { type: STRING, status: filled('True', STRING) } satisfies ApiFields;

const POD_FAILURE_RULE = {
  action: STRING,
  onExitCodes: pointer(struct(ON_EXIT_CODES)),
  onPodConditions: structs(ON_POD_CONDITIONS),
} satisfies ApiFields;

const POD_FAILURE_POLICY = { rules: structs(POD_FAILURE_RULE) } satisfies ApiFields;

const SUCCESS_RULE = { succeededIndexes: pointer(STRING), succeededCount: pointer(INT32) } satisfies ApiFields;

const SUCCESS_POLICY = { rules: structs(SUCCESS_RULE) } satisfies ApiFields;

export const JOB_SPEC = {
  parallelism: pointer(INT32),
  completions: pointer(INT32),
  activeDeadlineSeconds: pointer(INT64),
  podFailurePolicy: since('1.25', pointer(struct(POD_FAILURE_POLICY)), '1.26'),
  successPolicy: since('1.30', pointer(struct(SUCCESS_POLICY)), '1.31'),
  backoffLimit: pointer(INT32),
  backoffLimitPerIndex: since('1.28', pointer(INT32), '1.29'),
  maxFailedIndexes: since('1.28', pointer(INT32), '1.29'),
  selector: atomic(pointer(struct(LABEL_SELECTOR))),
  manualSelector: pointer(BOOLEAN),
  template: struct(POD_TEMPLATE_SPEC),
  ttlSecondsAfterFinished: pointer(INT32),
  completionMode: pointer(STRING),
  suspend: pointer(BOOLEAN),
  podReplacementPolicy: since('1.28', pointer(STRING), '1.29'),
  managedBy: since('1.30', pointer(STRING), '1.32'),
} satisfies ApiFields;

const JOB_TEMPLATE = { metadata: struct(OBJECT_META), spec: struct(JOB_SPEC) } satisfies ApiFields;

export const CRON_JOB_SPEC = {
  schedule: STRING,
  timeZone: pointer(STRING),
  startingDeadlineSeconds: pointer(INT64),
  concurrencyPolicy: filled('Allow', STRING),
  suspend: filled(false, pointer(BOOLEAN)),
  jobTemplate: struct(JOB_TEMPLATE),
  successfulJobsHistoryLimit: filled(3, pointer(INT32)),
  failedJobsHistoryLimit: filled(1, pointer(INT32)),
} satisfies ApiFields;
