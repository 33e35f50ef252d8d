import type { Applier, FieldManager } from './applier';

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

/**
 * Managers whose fields an update takes over, by operation and the start of their names. Since 4.29 the provider creates objects as
 * `pulumi-kubernetes` with a POST, so every first update takes over the entire object.
 * Source: pulumi-kubernetes 4.32.0, provider/pkg/await/await.go, `fixCSAFieldManagers`.
 */
const TAKEN_MANAGERS: readonly (readonly [operation: string, prefix: string])[] = [
  ['Apply', 'kubectl'],
  ['Update', 'kubectl'],
  ['Update', 'before-first-apply'],
  ['Update', 'pulumi-kubernetes'],
  ['Update', 'pulumi-resource-kubernetes'],
];

/** Reports whether an update of an object takes over the fields of a manager. The update of a patch takes over none. */
export function takesOverManager({ name, operation, subresource }: FieldManager): boolean {
  return subresource === undefined && TAKEN_MANAGERS.some(([taken, prefix]) => operation === taken && name.startsWith(prefix));
}

/** Pulumi's Kubernetes provider 4: a server-side apply that fails on conflicts, and a replacement for a fixed list of fields. */
export const PULUMI: Applier = {
  tool: 'pulumi',
  title: 'Pulumi',
  mode: 'pulumi',
  method: 'server',
  marks: { labels: ['app.kubernetes.io/managed-by'], annotations: ['pulumi.com/autonamed'] },
  serverSide: { manager: 'pulumi-kubernetes', forcesConflicts: false, takesOver: takesOverManager },
  deletesLast: () => true,
  keepsAllOnRefusal: true,
  replacedFields: REPLACED_FIELDS,
};
