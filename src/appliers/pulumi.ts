import type { Applier } from './applier';

/**
 * Fields whose change makes the provider replace an object. Anything else is updated in place. ConfigMaps and Secrets are replaced for their
 * data, unless the provider is configured with enableConfigMapMutable or enableSecretMutable.
 * Source: pulumi-kubernetes 4.32.0, provider/pkg/provider/diff.go, `forceNewProperties`.
 */
const REPLACED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'apps/Deployment': ['spec.selector'],
  'apps/DaemonSet': ['spec.selector'],
  'apps/StatefulSet': [
    'spec.podManagementPolicy',
    'spec.revisionHistoryLimit',
    'spec.selector',
    'spec.serviceName',
    'spec.volumeClaimTemplates',
  ],
  'batch/Job': ['spec.completions', 'spec.parallelism', 'spec.selector', 'spec.template'],
  '/PersistentVolumeClaim': ['spec.accessModes', 'spec.selector', 'spec.storageClassName', 'spec.volumeName'],
  '/Service': ['spec.clusterIP'],
  '/Secret': ['type', 'data', 'stringData'],
  '/ConfigMap': ['data', 'binaryData'],
  'rbac.authorization.k8s.io/RoleBinding': ['roleRef'],
  'rbac.authorization.k8s.io/ClusterRoleBinding': ['roleRef'],
  'storage.k8s.io/StorageClass': ['parameters', 'provisioner'],
};

/** Pulumi's Kubernetes provider 4: a server-side apply that fails on conflicts, and a replacement for a fixed list of fields. */
export const PULUMI: Applier = {
  tool: 'pulumi',
  title: 'Pulumi',
  mode: 'pulumi',
  method: 'server',
  serverSide: { manager: 'pulumi-kubernetes', forcesConflicts: false },
  deletesLast: true,
  keepsAllOnRefusal: true,
  replacedFields: REPLACED_FIELDS,
};
