import { STRING } from '../../core/schema';
import type { Manifest } from '../../core/manifest';
import { DAEMON_SET_SPEC } from '../../workloads/daemonset/spec';
import { DEPLOYMENT_SPEC } from '../../workloads/deployment/spec';
import { PERSISTENT_VOLUME_CLAIM_SPEC } from '../../workloads/pod/claim';
import { struct } from '../../workloads/pod/field';
import type { ApiFields } from '../../workloads/pod/field';
import { OBJECT_META } from '../../workloads/pod/object-meta';
import { POD_SPEC } from '../../workloads/pod/pod-spec';
import { STATEFUL_SET_SPEC } from '../../workloads/statefulset/spec';
import { AUTOSCALER_SPEC } from './fields/autoscaler';
import { CRON_JOB_SPEC, JOB_SPEC } from './fields/job';
import { CONFIG_MAP, DISRUPTION_BUDGET_SPEC, QUOTA_SPEC, REPLICA_SET_SPEC, ROLE_BINDING, SECRET } from './fields/others';
import { SERVICE_SPEC } from './fields/service';
import {
  autoscalerFilled,
  claimFilled,
  cronJobFilled,
  daemonSetFilled,
  deploymentFilled,
  jobFilled,
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

const KINDS: Readonly<Record<string, StoredKind>> = {
  'apps/v1/Deployment': withSpec(DEPLOYMENT_SPEC, deploymentFilled),
  'apps/v1/StatefulSet': withSpec(STATEFUL_SET_SPEC, statefulSetFilled),
  'apps/v1/DaemonSet': withSpec(DAEMON_SET_SPEC, daemonSetFilled),
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
  'rbac.authorization.k8s.io/v1/RoleBinding': withFields(ROLE_BINDING, roleBindingFilled),
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': withFields(ROLE_BINDING, roleBindingFilled),
};

/** What the API server makes of objects of this kind; undefined for resources of operators and what no plan looks at. */
export function storedKindOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): StoredKind | undefined {
  return KINDS[`${apiVersion}/${kind}`];
}
