import { addToGroup } from '../collections/group-by';

/** Kinds whose objects are in no namespace, by group. The API server drops the namespace that a manifest of one has. */
const CLUSTER_SCOPED_KINDS: Readonly<Record<string, readonly string[]>> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
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
  'argoproj.io': ['ClusterAnalysisTemplate', 'ClusterWorkflowTemplate'],
  'cert-manager.io': ['ClusterIssuer'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'cilium.io': ['CiliumClusterwideNetworkPolicy'],
  'crd.projectcalico.org': ['GlobalNetworkPolicy'],
  'external-secrets.io': ['ClusterExternalSecret', 'ClusterSecretStore'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'gateway.networking.k8s.io': ['GatewayClass'],
  'karpenter.sh': ['NodeClaim', 'NodePool'],
  'keda.sh': ['ClusterTriggerAuthentication'],
  'kueue.x-k8s.io': ['AdmissionCheck', 'ClusterQueue', 'Cohort', 'ResourceFlavor', 'Topology', 'WorkloadPriorityClass'],
  'networking.k8s.io': ['IPAddress', 'IngressClass', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'projectcalico.org': ['GlobalNetworkPolicy'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'serving.kserve.io': ['ClusterServingRuntime', 'ClusterStorageContainer'],
  'snapshot.storage.k8s.io': ['VolumeSnapshotClass', 'VolumeSnapshotContent'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
};

/** Groups by kind, since few kinds of one name exist in several groups. */
const GROUPS_BY_KIND = new Map<string, string[]>();
for (const [group, kinds] of Object.entries(CLUSTER_SCOPED_KINDS)) for (const kind of kinds) addToGroup(GROUPS_BY_KIND, kind, group);

/** Lists the groups in which objects of a kind are in no namespace. The scope of a custom resource that is not in the list is not known. */
export function listClusterScopedGroups(kind: string): readonly string[] {
  return GROUPS_BY_KIND.get(kind) ?? [];
}
