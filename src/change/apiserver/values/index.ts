import { toFieldPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import type { Finding } from '../../../core/findings/finding';
import { getFieldsAt, getValueAt } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { validateClaimSpec } from '../../../workloads/pod/validation/claims';
import { validatePodSpec } from '../../../workloads/pod/validation/pod';
import { validatePodTemplate } from '../../../workloads/workload-validation';
import { AUTOSCALER_VALUES } from './autoscaler';
import { CLUSTER_ROLE_BINDING_VALUES, ROLE_BINDING_VALUES } from './bindings';
import { BUDGET_VALUES } from './budget';
import { CONFIG_MAP_VALUES, SECRET_VALUES } from './configuration';
import { DEFINITION_VALUES } from './definition';
import { INGRESS_VALUES } from './ingress';
import { LIMIT_RANGE_VALUES } from './limit-range';
import { PREEMPTION_VALUES, validatePriorityClass } from './priority-class';
import { NETWORK_POLICY_VALUES } from './network-policy';
import { QUOTA_VALUES } from './quota';
import { CRON_JOB_RESTART_VALUES, CRON_JOB_VALUES, JOB_RESTART_VALUES, JOB_VALUES } from './job';
import { validateSelectorAndLabels } from '../selector-validation';
import type { ApplyRejection, StoredObject } from '../types';
import { REPLICA_SET_RESTART_VALUES, REPLICA_SET_VALUES } from './replica-set';
import type { ValueRule } from './rule';
import { SERVICE_VALUES } from './service';

/** The validation of a kind that is not a workload, in the order of the server. */
export interface ObjectValues {
  readonly values: readonly ValueRule[];
  /** Validates several values together. */
  readonly checkObject?: (object: StoredObject, sent: Fields) => ApplyRejection | undefined;
  /** Validates the pods, or the claim, in the object. */
  readonly findings?: (object: Manifest, version: string) => readonly Finding[];
  /** Values that are validated after the findings. */
  readonly finalValues?: readonly ValueRule[];
}

function createTemplateCheck(path: FieldPath, ...fields: readonly string[]): NonNullable<ObjectValues['findings']> {
  return (object, version) => validatePodTemplate(getValueAt(object, ...fields), version, path);
}

const TEMPLATE_CHECK = createTemplateCheck(toFieldPath`spec.template`, 'spec', 'template');

/** Validation by apiVersion and kind. Values of other kinds are not validated. */
export const OBJECT_VALUES: Readonly<Record<string, ObjectValues>> = {
  'v1/Service': { values: SERVICE_VALUES },
  'v1/ConfigMap': { values: CONFIG_MAP_VALUES },
  'v1/Secret': { values: SECRET_VALUES },
  'v1/PersistentVolumeClaim': { values: [], findings: ({ spec }) => validateClaimSpec(spec, toFieldPath`spec`) },
  'v1/Pod': { values: [], findings: (object, version) => validatePodSpec(getFieldsAt(object, 'spec'), version, toFieldPath`spec`) },
  'apps/v1/ReplicaSet': {
    values: REPLICA_SET_VALUES,
    checkObject: (object, sent) => validateSelectorAndLabels(object, 'deployment', sent),
    findings: TEMPLATE_CHECK,
    finalValues: REPLICA_SET_RESTART_VALUES,
  },
  'batch/v1/Job': { values: JOB_VALUES, findings: TEMPLATE_CHECK, finalValues: JOB_RESTART_VALUES },
  'batch/v1/CronJob': {
    values: CRON_JOB_VALUES,
    findings: createTemplateCheck(toFieldPath`spec.jobTemplate.spec.template`, 'spec', 'jobTemplate', 'spec', 'template'),
    finalValues: CRON_JOB_RESTART_VALUES,
  },
  'apiextensions.k8s.io/v1/CustomResourceDefinition': { values: DEFINITION_VALUES },
  'autoscaling/v2/HorizontalPodAutoscaler': { values: AUTOSCALER_VALUES },
  'policy/v1/PodDisruptionBudget': { values: BUDGET_VALUES },
  'v1/ResourceQuota': { values: QUOTA_VALUES },
  'v1/LimitRange': { values: LIMIT_RANGE_VALUES },
  'networking.k8s.io/v1/Ingress': { values: INGRESS_VALUES },
  'networking.k8s.io/v1/NetworkPolicy': { values: NETWORK_POLICY_VALUES },
  'scheduling.k8s.io/v1/PriorityClass': { values: [], checkObject: validatePriorityClass, finalValues: PREEMPTION_VALUES },
  'rbac.authorization.k8s.io/v1/RoleBinding': { values: ROLE_BINDING_VALUES },
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': { values: CLUSTER_ROLE_BINDING_VALUES },
};
