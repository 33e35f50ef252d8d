import { STRING } from '../../core/schema';
import type { Manifest } from '../../core/manifest';
import { byApi, workloadKind } from '../../workloads/kinds';
import type { WorkloadName } from '../../workloads/kinds';
import { PERSISTENT_VOLUME_CLAIM_SPEC } from '../../workloads/pod/claim';
import { struct } from '../../workloads/pod/field';
import type { ApiFields } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { AUTOSCALER_SPEC } from './fields/autoscaler';
import { CRON_JOB_SPEC, JOB_SPEC } from './fields/job';
import { CONFIG_MAP, DISRUPTION_BUDGET_SPEC, LIMIT_RANGE_SPEC, QUOTA_SPEC, REPLICA_SET_SPEC, ROLE_BINDING, SECRET } from './fields/others';
import { SERVICE_SPEC } from './fields/service';
import {
  autoscalerFilled,
  claimFilled,
  cronJobFilled,
  daemonSetFilled,
  deploymentFilled,
  jobFilled,
  limitRangeFilled,
  podFilled,
  replicaSetFilled,
  roleBindingFilled,
  secretFilled,
  serviceFilled,
  statefulSetFilled,
} from './kind-defaults';
import type { Fill } from './kind-defaults';

/** What the API server makes of a kind. */
export interface StoredKind {
  readonly fields: ApiFields;
  readonly fill: Fill;
}

const OBJECT = { apiVersion: STRING, kind: STRING, metadata: struct(OBJECT_META) } satisfies ApiFields;

const asDecoded: Fill = (object) => object;

function withFields(fields: ApiFields, fill: Fill = asDecoded): StoredKind {
  return { fields: { ...OBJECT, ...fields }, fill };
}

function withSpec(spec: ApiFields, fill?: Fill): StoredKind {
  return withFields({ spec: struct(spec) }, fill);
}

/** A workload has the fields by which it is judged. */
function workload(name: WorkloadName, fill: Fill): StoredKind {
  return withSpec(workloadKind(name).whole.spec, fill);
}

const WORKLOADS: Readonly<Record<WorkloadName, StoredKind>> = {
  Deployment: workload('Deployment', deploymentFilled),
  StatefulSet: workload('StatefulSet', statefulSetFilled),
  DaemonSet: workload('DaemonSet', daemonSetFilled),
};

const KINDS: Readonly<Record<string, StoredKind>> = {
  ...byApi(WORKLOADS),
  'apps/v1/ReplicaSet': withSpec(REPLICA_SET_SPEC, replicaSetFilled),
  'v1/Pod': withSpec(POD_SPEC, podFilled),
  'batch/v1/Job': withSpec(JOB_SPEC, jobFilled),
  'batch/v1/CronJob': withSpec(CRON_JOB_SPEC, cronJobFilled),
  'v1/Service': withSpec(SERVICE_SPEC, serviceFilled),
  'v1/ConfigMap': withFields(CONFIG_MAP),
  'v1/Secret': withFields(SECRET, secretFilled),
  'autoscaling/v2/HorizontalPodAutoscaler': withSpec(AUTOSCALER_SPEC, autoscalerFilled),
  'policy/v1/PodDisruptionBudget': withSpec(DISRUPTION_BUDGET_SPEC),
  'v1/PersistentVolumeClaim': withSpec(PERSISTENT_VOLUME_CLAIM_SPEC, claimFilled),
  'v1/ResourceQuota': withSpec(QUOTA_SPEC),
  'v1/LimitRange': withSpec(LIMIT_RANGE_SPEC, limitRangeFilled),
  'rbac.authorization.k8s.io/v1/RoleBinding': withFields(ROLE_BINDING, roleBindingFilled),
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': withFields(ROLE_BINDING, roleBindingFilled),
};

/** What the API server makes of objects of this kind; undefined for resources of operators and what no plan looks at. */
export function storedKindOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): StoredKind | undefined {
  return KINDS[`${apiVersion}/${kind}`];
}
