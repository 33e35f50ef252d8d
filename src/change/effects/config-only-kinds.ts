import { countPodsWithoutRollout } from '../../cluster/capacity/other-pods';
import { explainNotPlanned } from '../../cluster/kinds/unplanned-kinds';
import { isKustomization } from '../../core/sources/kustomization-kind';
import { getOwnValue, groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/**
 * Kinds whose objects start, replace and stop no pods when they are created, changed or deleted, by group: they only affect requests, other
 * objects, or pods created later. Any other kind that no system plans is unknown, also one of these groups, such as a ScaledJob or a Gateway.
 */
const CONFIG_ONLY_KINDS: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'PodTemplate',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  autoscaling: ['HorizontalPodAutoscaler'],
  'autoscaling.k8s.io': ['VerticalPodAutoscaler'],
  // Running Jobs of a CronJob keep their pods; the next Job has the new template.
  batch: ['CronJob', 'Job'],
  'bitnami.com': ['SealedSecret'],
  'cert-manager.io': ['Certificate', 'CertificateRequest', 'ClusterIssuer', 'Issuer'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'cilium.io': ['CiliumClusterwideNetworkPolicy', 'CiliumNetworkPolicy'],
  'coordination.k8s.io': ['Lease'],
  'crd.projectcalico.org': ['GlobalNetworkPolicy', 'NetworkPolicy'],
  'discovery.k8s.io': ['EndpointSlice'],
  'extensions.istio.io': ['WasmPlugin'],
  'external-secrets.io': ['ClusterExternalSecret', 'ClusterSecretStore', 'ExternalSecret', 'PushSecret', 'SecretStore'],
  'flagger.app': ['AlertProvider', 'Canary', 'MetricTemplate'],
  'fleet.cattle.io': ['Cluster', 'ClusterGroup', 'ClusterRegistrationToken', 'GitRepo', 'GitRepoRestriction'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'gateway.networking.k8s.io': ['BackendTLSPolicy', 'GRPCRoute', 'HTTPRoute', 'ReferenceGrant', 'TCPRoute', 'TLSRoute', 'UDPRoute'],
  'karpenter.sh': ['NodePool'],
  'keda.sh': ['ClusterTriggerAuthentication', 'ScaledObject', 'TriggerAuthentication'],
  // The Prometheus operator writes Secrets of these, which running pods read again. A PrometheusRule may add a volume, so it is left out.
  'monitoring.coreos.com': ['AlertmanagerConfig', 'PodMonitor', 'Probe', 'ScrapeConfig', 'ServiceMonitor'],
  'networking.istio.io': [
    'DestinationRule',
    'EnvoyFilter',
    'Gateway',
    'ProxyConfig',
    'ServiceEntry',
    'Sidecar',
    'VirtualService',
    'WorkloadEntry',
    'WorkloadGroup',
  ],
  'networking.k8s.io': ['IPAddress', 'Ingress', 'IngressClass', 'NetworkPolicy', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'notification.toolkit.fluxcd.io': ['Alert', 'Provider', 'Receiver'],
  policy: ['PodDisruptionBudget'],
  'projectcalico.org': ['GlobalNetworkPolicy', 'NetworkPolicy'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'security.istio.io': ['AuthorizationPolicy', 'PeerAuthentication', 'RequestAuthentication'],
  'serving.kserve.io': ['ClusterServingRuntime', 'ClusterStorageContainer', 'ServingRuntime'],
  'snapshot.storage.k8s.io': ['VolumeSnapshot', 'VolumeSnapshotClass', 'VolumeSnapshotContent'],
  'storage.k8s.io': ['CSIDriver', 'StorageClass', 'VolumeAttributesClass'],
  'telemetry.istio.io': ['Telemetry'],
  'traefik.io': [
    'IngressRoute',
    'IngressRouteTCP',
    'IngressRouteUDP',
    'Middleware',
    'MiddlewareTCP',
    'ServersTransport',
    'ServersTransportTCP',
    'TLSOption',
    'TLSStore',
    'TraefikService',
  ],
};

/** Custom resources of these kinds whose controllers act on pods of other objects, by group. */
const KINDS_ABOUT_PODS: Readonly<Record<string, readonly string[]>> = {
  'autoscaling.k8s.io': ['VerticalPodAutoscaler'],
  'external-secrets.io': ['ClusterExternalSecret'],
  'flagger.app': ['Canary'],
  'fleet.cattle.io': ['Cluster', 'ClusterGroup', 'GitRepo'],
  'karpenter.sh': ['NodePool'],
  'keda.sh': ['ScaledObject'],
  'serving.kserve.io': ['ClusterServingRuntime', 'ServingRuntime'],
};

/** Reports whether the controller of a kind that is configuration acts on pods of other objects. */
export function hasControllerOfPods(object: Manifest): boolean {
  return getOwnValue(KINDS_ABOUT_PODS, groupOf(object))?.includes(object.kind) === true;
}

/** Reports whether an object of this kind changes no pods by itself. `mayConcernUnseenPods` has the exceptions. */
export function isConfigOnlyKind(object: Manifest): boolean {
  return getOwnValue(CONFIG_ONLY_KINDS, groupOf(object))?.includes(object.kind) === true;
}

/** Reports whether nothing is known about a kind that no system plans, so that its controller may create or delete pods. */
export function isUnknownKind(object: Manifest): boolean {
  // No server has kustomizations, and what they build is planned, or a finding names it.
  if (isKustomization(object)) return false;
  return !isConfigOnlyKind(object) && countPodsWithoutRollout(object) === undefined && explainNotPlanned(object) === undefined;
}
