import { countPodsWithoutRollout } from '../cluster/capacity/other-pods';
import { isContextObject } from '../cluster/context-kinds';
import { explainNotPlanned } from '../cluster/unplanned-kinds';
import { isKustomization } from '../core/kustomization-kind';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** API groups whose objects replace no pod when they change: they only affect requests, other objects or pods created later. */
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
  'networking.istio.io',
  'security.istio.io',
  'telemetry.istio.io',
  'snapshot.storage.k8s.io',
]);

/** Such kinds in groups that also have kinds with pods. Running Jobs of a CronJob keep their pods; the next Job has the new template. */
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
  // A ScaledJob creates Jobs, and a change of it ends those that run.
  'keda.sh': new Set(['ScaledObject', 'TriggerAuthentication', 'ClusterTriggerAuthentication']),
  'serving.kserve.io': new Set(['ServingRuntime', 'ClusterServingRuntime', 'ClusterStorageContainer']),
  'fleet.cattle.io': new Set([
    'GitRepo',
    'Cluster',
    'ClusterGroup',
    'ClusterRegistrationToken',
    'BundleNamespaceMapping',
    'GitRepoRestriction',
  ]),
  // Operators write Secrets of these, or a configuration that running pods read again. A PrometheusRule may add a volume, so it is left out.
  'monitoring.coreos.com': new Set(['ServiceMonitor', 'PodMonitor', 'Probe', 'ScrapeConfig', 'AlertmanagerConfig']),
  'cert-manager.io': new Set(['Certificate', 'CertificateRequest', 'Issuer', 'ClusterIssuer']),
  'external-secrets.io': new Set(['ExternalSecret', 'ClusterExternalSecret', 'SecretStore', 'ClusterSecretStore', 'PushSecret']),
  'bitnami.com': new Set(['SealedSecret']),
  'traefik.io': new Set(['IngressRoute', 'IngressRouteTCP', 'IngressRouteUDP', 'Middleware', 'MiddlewareTCP', 'TLSOption', 'TLSStore']),
};

/** Reports whether a change of an object of this kind replaces no pod by itself. */
export function isConfigOnlyKind(object: Manifest): boolean {
  const group = groupOf(object);
  return CONFIG_ONLY_GROUPS.has(group) || (Object.hasOwn(CONFIG_ONLY_KINDS, group) && CONFIG_ONLY_KINDS[group]!.has(object.kind));
}

/** Reports whether nothing is known about a kind that no system plans, so that its controller may create or delete pods. */
export function isUnknownKind(object: Manifest): boolean {
  // No server has kustomizations, and what they build is planned, or a finding names it.
  if (isKustomization(object)) return false;
  const isKnown = isConfigOnlyKind(object) || isContextObject(object) || countPodsWithoutRollout(object) !== undefined;
  return !isKnown && explainNotPlanned(object) === undefined;
}
