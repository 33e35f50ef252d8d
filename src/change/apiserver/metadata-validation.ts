import type { Finding } from '../../core/findings/finding';
import { parseFieldPath } from '../../core/manifest/field-path';
import { getValueAt, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { isAtLeast } from '../../core/values/versions';
import { containsPlaceholder } from '../../plan/placeholders';
import { validateObjectMeta } from '../../workloads/pod/validation/labels';
import type { FormatName } from '../../workloads/pod/validation/formats';

/*
 * The format of names by kind. Workloads have their own validation.
 * Source: Kubernetes v1.34.4 pkg/apis/*\/validation, apiserver pkg/registry/rest/create.go and apiextensions-apiserver
 * pkg/registry/customresource/validator.go.
 */

const SUBDOMAIN_KINDS =
  `/ConfigMap /Endpoints /LimitRange /Node /PersistentVolume /PersistentVolumeClaim /Pod /PodTemplate /ReplicationController /ResourceQuota /Secret
  /ServiceAccount admissionregistration.k8s.io/MutatingWebhookConfiguration admissionregistration.k8s.io/ValidatingAdmissionPolicy
  admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding admissionregistration.k8s.io/ValidatingWebhookConfiguration
  apiextensions.k8s.io/CustomResourceDefinition apps/ControllerRevision apps/ReplicaSet autoscaling/HorizontalPodAutoscaler batch/CronJob batch/Job coordination.k8s.io/Lease
  discovery.k8s.io/EndpointSlice flowcontrol.apiserver.k8s.io/FlowSchema flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration networking.k8s.io/Ingress networking.k8s.io/IngressClass networking.k8s.io/NetworkPolicy node.k8s.io/RuntimeClass
  resource.k8s.io/DeviceClass resource.k8s.io/ResourceClaim resource.k8s.io/ResourceClaimTemplate scheduling.k8s.io/PriorityClass
  storage.k8s.io/CSIDriver storage.k8s.io/StorageClass storage.k8s.io/VolumeAttachment storage.k8s.io/VolumeAttributesClass`.split(/\s+/);

/** Kinds whose names only have to fit into a URL. */
const PATH_KINDS = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((kind) => `rbac.authorization.k8s.io/${kind}`);

const FORMAT_BY_KIND: ReadonlyMap<string, FormatName> = new Map<string, FormatName>([
  ...SUBDOMAIN_KINDS.map((kind) => [kind, 'dns-subdomain'] as const),
  ...[...PATH_KINDS, 'policy/PodDisruptionBudget'].map((kind) => [kind, 'path-segment'] as const),
  ['/Namespace', 'dns-label'],
]);

/** Groups of custom resources, whose names are all DNS names. Other unknown groups may be files of programs, which no API server reads. */
const CUSTOM_GROUPS: ReadonlySet<string> = new Set([
  'argoproj.io',
  'autoscaling.k8s.io',
  'disaggregatedset.x-k8s.io',
  'flagger.app',
  'fleet.cattle.io',
  'gateway.networking.k8s.io',
  'helm.toolkit.fluxcd.io',
  'keda.sh',
  'kueue.x-k8s.io',
  'kustomize.toolkit.fluxcd.io',
  'leaderworkerset.x-k8s.io',
  'ray.io',
  'serving.knative.dev',
  'serving.kserve.io',
  'source.toolkit.fluxcd.io',
]);

/** From this version a Service may have a name that begins with a digit (feature gate RelaxedServiceNameValidation, on by default). */
const RELAXED_SERVICE_NAMES = '1.36';

function nameFormatOf(object: Manifest, version: string): FormatName | undefined {
  const group = groupOf(object);
  if (group === '' && object.kind === 'Service') return isAtLeast(version, RELAXED_SERVICE_NAMES) ? 'dns-label' : 'dns-1035-label';
  return CUSTOM_GROUPS.has(group) ? 'dns-subdomain' : FORMAT_BY_KIND.get(`${group}/${object.kind}`);
}

/** Validates the name, namespace, labels and other metadata of an object that is no workload, as written. Returns nothing for an unknown kind. */
export function validateWrittenMetadata(object: Manifest, version: string): readonly Finding[] {
  const format = nameFormatOf(object, version);
  return format === undefined ? [] : validateObjectMeta(object, format);
}

/** Validates the metadata of an object that is no workload, except texts that a program fills in later. */
export function validateMetadata(object: Manifest, version: string): readonly Finding[] {
  return omitPlaceholders(object, validateWrittenMetadata(object, version));
}

/** Validates the metadata of an object that a program creates, so that an unknown kind is one of custom resources. */
export function validateCreatedMetadata(object: Manifest, version: string): readonly Finding[] {
  return omitPlaceholders(object, validateObjectMeta(object, nameFormatOf(object, version) ?? 'dns-subdomain'));
}

function omitPlaceholders(object: Manifest, found: readonly Finding[]): readonly Finding[] {
  return found.filter(({ path }) => !containsPlaceholder([path, getValueAt(object, ...parseFieldPath(path))]));
}
