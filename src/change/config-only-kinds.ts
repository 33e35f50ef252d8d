import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** Groups of Kubernetes whose objects replace no pod when they change: what they decide holds for requests, other objects, or pods made later. */
const CONFIG_ONLY_GROUPS: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io',
  'networking.k8s.io',
  'policy',
  'storage.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'certificates.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'gateway.networking.k8s.io',
  'node.k8s.io',
  'autoscaling',
  'keda.sh',
]);

/** The same of groups that have kinds with pods as well. A CronJob's running Jobs keep their pods, and the next one has the new template. */
const CONFIG_ONLY_KINDS: Readonly<Record<string, ReadonlySet<string>>> = {
  '': new Set([
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
  ]),
  batch: new Set(['CronJob', 'Job']),
  'serving.kserve.io': new Set([
    'ServingRuntime',
    'ClusterServingRuntime',
    'ClusterStorageContainer',
    'LocalModelCache',
    'LocalModelNodeGroup',
  ]),
  'fleet.cattle.io': new Set([
    'GitRepo',
    'Cluster',
    'ClusterGroup',
    'ClusterRegistrationToken',
    'BundleNamespaceMapping',
    'GitRepoRestriction',
  ]),
};

/** Does a change of an object of this kind replace no pod by itself? */
export function isConfigOnlyKind(object: Manifest): boolean {
  const group = groupOf(object);
  return CONFIG_ONLY_GROUPS.has(group) || (Object.hasOwn(CONFIG_ONLY_KINDS, group) && CONFIG_ONLY_KINDS[group]!.has(object.kind));
}
