import { ANY, STRING } from '../../core/values/schema';
import type { Manifest } from '../../core/manifest/manifest';
import { mapByApiVersionKind, getWorkloadKind } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import { PERSISTENT_VOLUME_CLAIM_SPEC } from '../../workloads/pod/claim';
import { defineStruct } from '../../workloads/pod/field';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { AUTOSCALER_SPEC } from './fields/autoscaler';
import { CRON_JOB_SPEC, JOB_SPEC } from './fields/job';
import {
  CONFIG_MAP,
  DISRUPTION_BUDGET_SPEC,
  DISRUPTION_BUDGET_STATUS,
  LIMIT_RANGE_SPEC,
  QUOTA_SPEC,
  REPLICA_SET_SPEC,
  ROLE_BINDING,
  SECRET,
} from './fields/others';
import { SERVICE_SPEC } from './fields/service';
import {
  defaultAutoscaler,
  defaultPersistentVolumeClaim,
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultLimitRange,
  defaultPod,
  defaultReplicaSet,
  defaultRoleBinding,
  defaultSecret,
  defaultService,
  defaultStatefulSet,
} from './kind-defaults';
import type { Defaulter } from './kind-defaults';

/** How the API server decodes and defaults a kind. */
export interface StoredKind {
  readonly fields: ApiFields;
  /** The stored fields and the status, if the kind has one: the server decodes it and does not store it. */
  readonly sentFields: ApiFields;
  readonly applyDefaults: Defaulter;
}

const OBJECT_FIELDS = { apiVersion: STRING, kind: STRING, metadata: defineStruct(OBJECT_META) } satisfies ApiFields;

const keepDecoded: Defaulter = (object) => object;

/** Defines a kind without a status. */
function defineKind(stored: ApiFields, applyDefaults: Defaulter = keepDecoded): StoredKind {
  const fields = { ...OBJECT_FIELDS, ...stored };
  return { fields, sentFields: fields, applyDefaults };
}

/** Defines a kind with a status, which is validated only if its fields are known. */
function defineKindWithSpec(spec: ApiFields, applyDefaults?: Defaulter, status: ApiField = ANY): StoredKind {
  const kind = defineKind({ spec: defineStruct(spec) }, applyDefaults);
  return { ...kind, sentFields: { ...kind.fields, status } };
}

/** Defines a workload kind from the fields that its validation uses. */
function defineWorkload(name: WorkloadName, applyDefaults: Defaulter): StoredKind {
  return defineKindWithSpec(getWorkloadKind(name).validationSpec.spec, applyDefaults);
}

const WORKLOAD_KINDS: Readonly<Record<WorkloadName, StoredKind>> = {
  Deployment: defineWorkload('Deployment', defaultDeployment),
  StatefulSet: defineWorkload('StatefulSet', defaultStatefulSet),
  DaemonSet: defineWorkload('DaemonSet', defaultDaemonSet),
};

const STORED_KINDS: Readonly<Record<string, StoredKind>> = {
  ...mapByApiVersionKind(WORKLOAD_KINDS),
  'apps/v1/ReplicaSet': defineKindWithSpec(REPLICA_SET_SPEC, defaultReplicaSet),
  'v1/Pod': defineKindWithSpec(POD_SPEC, defaultPod),
  'batch/v1/Job': defineKindWithSpec(JOB_SPEC, defaultJob),
  'batch/v1/CronJob': defineKindWithSpec(CRON_JOB_SPEC, defaultCronJob),
  'v1/Service': defineKindWithSpec(SERVICE_SPEC, defaultService),
  'v1/ConfigMap': defineKind(CONFIG_MAP),
  'v1/Secret': defineKind(SECRET, defaultSecret),
  'autoscaling/v2/HorizontalPodAutoscaler': defineKindWithSpec(AUTOSCALER_SPEC, defaultAutoscaler),
  'policy/v1/PodDisruptionBudget': defineKindWithSpec(DISRUPTION_BUDGET_SPEC, undefined, defineStruct(DISRUPTION_BUDGET_STATUS)),
  'v1/PersistentVolumeClaim': defineKindWithSpec(PERSISTENT_VOLUME_CLAIM_SPEC, defaultPersistentVolumeClaim),
  'v1/ResourceQuota': defineKindWithSpec(QUOTA_SPEC),
  'v1/LimitRange': defineKind({ spec: defineStruct(LIMIT_RANGE_SPEC) }, defaultLimitRange),
  'rbac.authorization.k8s.io/v1/RoleBinding': defineKind(ROLE_BINDING, defaultRoleBinding),
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': defineKind(ROLE_BINDING, defaultRoleBinding),
};

/** Returns how the API server stores objects of a kind; undefined for custom resources and kinds that no plan reads. */
export function getStoredKind({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): StoredKind | undefined {
  return STORED_KINDS[`${apiVersion}/${kind}`];
}
